"""The cache folder: what was made once for an interpreter, and can be made again.

It is ``$XDG_CACHE_HOME/wrongcall`` or ``~/.cache/wrongcall``; where nothing can be written there, a folder of the user
in the folder for temporary files. What is in it is executed, so nothing is taken from a folder or a file that another
user owns or can change.

A file is written under another name and renamed when it is complete, and ends with a checksum of the rest: a file that
is damaged or cut is as good as none. (The interpreter ignores what follows the sections of an extension.)
"""

from __future__ import annotations

import fcntl
import os
import stat
import tempfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from wrongcall.errors import RecorderError

MARK = b"\nwrongcall checksum "
TRAILER_BYTES = len(MARK) + 8
OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH


def places(environ: Mapping[str, str] = os.environ) -> list[Path]:
    """Return the folders that may be used, the preferred one first."""
    given = environ.get("XDG_CACHE_HOME", "")
    home = Path(given) if given.startswith("/") else Path("~/.cache").expanduser()
    return [home / "wrongcall", Path(tempfile.gettempdir(), f"wrongcall-{os.geteuid()}")]


class Cache:
    """The files of the cache folder, by name."""

    def __init__(self, folders: list[Path] | None = None) -> None:
        self.folders = places() if folders is None else folders

    def find(self, name: str) -> Path | None:
        """Return the path of a file, if it is there, undamaged and safe."""
        for folder in self.folders:
            if _content(folder, name) is not None:
                return folder / name
        return None

    def read(self, name: str) -> bytes | None:
        """Return the content of a file, without its checksum."""
        found = (_content(folder, name) for folder in self.folders)
        return next((content for content in found if content is not None), None)

    def keep(self, name: str, content: bytes) -> Path:
        """Write a file; return its path."""
        folder = self.writable()
        descriptor, made = tempfile.mkstemp(".tmp", f"{name}.", folder)
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(content + _trailer(content))
            # With the permissions of mkstemp: for us alone.
            return Path(made).replace(folder / name)
        except BaseException:
            with suppress(OSError):
                Path(made).unlink()
            raise

    @contextmanager
    def alone(self, name: str) -> Iterator[None]:
        """Wait until no other process makes this file; remove the leftovers of a killed one."""
        folder = self.writable()
        with (folder / f"{name}.lock").open("w") as lock:
            with suppress(OSError):  # file systems without locks: the file may be made twice
                fcntl.flock(lock, fcntl.LOCK_EX)
                for rest in folder.glob(f"{name}.*.tmp"):
                    rest.unlink()
            yield

    def writable(self) -> Path:
        """Return the first folder that can be written to and is safe, made if needed."""
        reasons = []
        for folder in self.folders:
            reason = _why_not(folder)
            if reason is None:
                return folder
            reasons.append(reason)
        raise RecorderError(
            f"can't cache the recorder's extension ({'; '.join(reasons)});"
            " set XDG_CACHE_HOME to a folder of your own"
        )


def _why_not(folder: Path) -> str | None:
    """Make a folder if needed; return why nothing can be written there."""
    try:
        with suppress(FileExistsError):
            folder.parent.mkdir(parents=True)
        with suppress(FileExistsError):
            folder.mkdir(mode=0o700)
        found = os.lstat(folder)
    except OSError as exc:
        return f"{folder}: {exc.strerror}"
    if not stat.S_ISDIR(found.st_mode):
        return f"{folder} is not a folder"
    if not _is_safe(found):
        return f"{folder} can be changed by other users"
    return None if os.access(folder, os.W_OK) else f"{folder} is read-only"


def _is_safe(found: os.stat_result) -> bool:
    """Return whether only this user, or the administrator, can change it."""
    return found.st_uid in (os.geteuid(), 0) and not found.st_mode & OTHERS_WRITE


def _content(folder: Path, name: str) -> bytes | None:
    try:
        around = os.lstat(folder)
        if not stat.S_ISDIR(around.st_mode) or not _is_safe(around):
            return None
        descriptor = os.open(folder / name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        with os.fdopen(descriptor, "rb") as file:
            found = os.fstat(descriptor)
            if not stat.S_ISREG(found.st_mode) or not _is_safe(found):
                return None
            content = file.read()
    except OSError:
        return None
    body = content[:-TRAILER_BYTES]
    return body if content[-TRAILER_BYTES:] == _trailer(body) else None


def _trailer(content: bytes) -> bytes:
    return MARK + f"{zlib.crc32(content):08x}".encode()
