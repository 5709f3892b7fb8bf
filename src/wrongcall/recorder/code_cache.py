"""Instrumented code of earlier runs, kept like bytecode.

An entry has everything that instrumenting a file made. It is found by the path of the file, and used only if the
source, the interpreter, its options and the recorder are the same as when it was made. This process only reads; what it
has made is handed over with the tables of the file, and the process that writes the trace keeps it. So recording
writes no file on behalf of the program.

Reading is native (native/load/code_entry.c): no audit hook hears of the file, and nothing is taken from one that
somebody else owns or can change. An entry begins with a hash of the rest, because `marshal` may crash on damaged data.
"""

from __future__ import annotations

import _frozen_importlib_external as external
import _imp
import sys
from posix import listdir, stat

from wrongcall.recorder import _native
from wrongcall.recorder.world import keep_builtins

keep_builtins(globals())

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from wrongcall.recorder.instrument import Made

HASH_KEY = 0x77726F6E67
HASH_BYTES = 8
SEPARATOR = b"\0"

Key = tuple[object, ...]

_folder: list[str] = []
_recorder: list[tuple[object, ...]] = []


def use(folder: str, sources: str) -> None:
    """Take entries from this folder from now on; ``sources`` is the folder of the recorder itself."""
    _folder.append(folder)
    _recorder.append(_version(sources))


def _version(sources: str) -> tuple[object, ...]:
    """Return what identifies the interpreter and the recorder: its modules, and its native core, wherever that is."""
    paths = [sources + name for name in sorted(listdir(sources)) if name.endswith(".py")]
    states = [stat(path) for path in (*paths, _native.__file__)]
    files = tuple((state.st_mtime_ns, state.st_size) for state in states)
    return (external.MAGIC_NUMBER, sys.hexversion, files)


def cache_key(made: Made, path: str, flags: int) -> Key | None:
    """Return what must be the same for an entry to be used; None if there can be none.

    What a loader made from a tree of its own is not kept: the source does not determine it.
    """
    if not _folder or made.tree is not None or made.source is None:
        return None
    return (*_recorder[0], path, flags, made.optimize, sys.flags.optimize, made.source)


def _name(key: Key) -> str:
    """Return the name of the file for an entry: that of the same path replaces it."""
    *_, path, flags, optimize, interpreter_level, _ = key
    text = f"{path}\0{flags} {optimize} {interpreter_level} {sys.hexversion}"
    hashed: bytes = _imp.source_hash(HASH_KEY, text.encode("utf-8", "surrogateescape"))
    return hashed.hex()


def cached(key: Key) -> tuple[Any, ...] | None:
    """Return what an earlier run made of a file, if it is there and safe to use."""
    data = _native.private_file(f"{_folder[0]}/{_name(key)}")
    if data is None or _imp.source_hash(HASH_KEY, data[HASH_BYTES:]) != data[:HASH_BYTES]:
        return None
    known, content = _native.unmarshal(data[HASH_BYTES:])
    return content if known == key else None


def entry(key: Key, content: tuple[object, ...]) -> bytes:
    """Return an entry to be handed over: its name, and what its file will hold."""
    data = _native.marshal((key, content))
    hashed: bytes = _imp.source_hash(HASH_KEY, data)
    return _name(key).encode() + SEPARATOR + hashed + data
