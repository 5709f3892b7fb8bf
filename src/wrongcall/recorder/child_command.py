"""The command of a Python process that the program starts, changed so that the process is recorded.

``python [options] script.py args`` becomes ``python [options] START SETTINGS script script.py args``: `boot` then
undoes whatever the process could see of that. A command is left alone if it runs another interpreter, or if `boot`
could not run it as ``python`` does: no program (standard input), ``-i``, ``-x``, ``-h``, ``-V``.

All this runs in the program's process: it uses nothing of the program's, and calls no method of its objects.
"""

from __future__ import annotations

import os
import sys

from wrongcall.recorder import _native
from wrongcall.recorder.settings import RecorderSettings
from wrongcall.recorder.world import keep_builtins

keep_builtins(globals())

SCRIPT, MODULE, COMMAND = "script", "module", "command"
PLAIN_FLAGS = "bBdEIOPqRsSuv"
"""Options of python without a value, with which a program can be recorded."""
VALUE_FLAGS = "WX"
LONG_VALUE = "--check-hash-based-pycs"
HELPER = "from multiprocessing.resource_tracker import main"
"""What multiprocessing starts for itself: it runs no code of the program."""
MOST_LINE = 256
"""Bytes of a ``#!`` line that the system reads."""
ENV = ("/usr/bin/env", "/bin/env")

current: list[RecorderSettings] = []
interpreter = ""
"""The real path of this interpreter."""


def prepare(settings: RecorderSettings, start: str, executable: str) -> None:
    """Remember how this process is recorded, for those that it will start."""
    global interpreter
    current[:] = [settings]
    interpreter = _native.realpath(executable)
    current_start[:] = [start]


current_start: list[str] = []


def recorded(
    words: list[object], paths: list[str], search: str, number: int
) -> tuple[str, list[object]] | None:
    """Return the executable and the words of a command that records the process; None: leave it alone.

    ``words``: what the process would be given; ``paths``: where its executable may be, the first that can be executed
    counts; ``search``: the folders that ``env`` looks in; ``number``: the process's.
    """
    if not words or not interpreter:
        return None
    path = next((path for path in paths if _is_executable(path)), None)
    if path is None:
        return None
    if _native.realpath(path) != interpreter:
        found = _of_script(path, words, search)
        if found is None:
            return None
        path, words = found
    changed = _changed(words, number)
    return None if changed is None else (path, changed)


def _is_executable(path: str) -> bool:
    return path.startswith("/") and os.access(path, os.X_OK) and not os.path.isdir(path)


def _of_script(path: str, words: list[object], search: str) -> tuple[str, list[object]] | None:
    """Return what the system executes for a script that names this interpreter in its first line."""
    try:
        file = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return None
    line = os.read(file, MOST_LINE)
    os.close(file)
    if not line.startswith(b"#!") or b"\n" not in line:
        return None
    program, _, option = (
        line[2 : line.index(b"\n")].decode("utf-8", "replace").strip().partition(" ")
    )
    option = option.strip()
    if program in ENV and option and " " not in option and "=" not in option and option[0] != "-":
        program, option = _found(option, search), ""
    if not program.startswith("/") or _native.realpath(program) != interpreter:
        return None
    return program, [program, *([option] if option else []), path, *words[1:]]


def _found(name: str, search: str) -> str:
    if "/" in name:
        return name
    paths = (f"{folder}/{name}" for folder in search.split(":"))
    return next((path for path in paths if _is_executable(path)), "")


def _changed(words: list[object], number: int) -> list[object] | None:
    """Return the words of a command of python's with the recorder put in, or None."""
    flags: list[object] = []
    at = 1
    while at < len(words):
        word = _text(words[at])
        if word is None or word in ("", "-"):
            return None
        if not word.startswith("-"):
            return _put_in(words[0], flags, SCRIPT, words[at:], number)
        if word == LONG_VALUE:
            flags += words[at : at + 2]
            at += 2
            continue
        if word.startswith("--"):
            return None
        taken, kind, target = _letters(word)
        if kind == "":
            return None
        if kind == VALUE_FLAGS:
            flags += words[at : at + (1 if target else 2)]
            at += 1 if target else 2
        elif kind == PLAIN_FLAGS:
            flags.append(words[at])
            at += 1
        else:
            flags += [taken] if taken != "-" else []
            rest = [target, *words[at + 1 :]] if target else words[at + 1 :]
            return _put_in(words[0], flags, kind, rest, number)
    return None


def _letters(word: str) -> tuple[str, str, str]:
    """Take one word of options apart: the options before -c or -m, what it is, and what follows in the same word."""
    for i, letter in enumerate(word[1:], 1):
        if letter == "c":
            return word[:i], COMMAND, word[i + 1 :]
        if letter == "m":
            return word[:i], MODULE, word[i + 1 :]
        if letter in VALUE_FLAGS:
            return word, VALUE_FLAGS, word[i + 1 :]
        if letter not in PLAIN_FLAGS:
            return word, "", ""
    return word, PLAIN_FLAGS, ""


def _put_in(
    program: object, flags: list[object], kind: str, rest: list[object], number: int
) -> list[object] | None:
    if not rest:
        return None
    target = _text(rest[0])
    if target is None or target == current_start[0] or (kind == COMMAND and HELPER in target):
        return None
    own = current[0]
    told = RecorderSettings(
        None, own.root, own.include, own.exclude, own.native, own.code_cache, own.folder, number
    )
    return [program, *flags, current_start[0], told.written(), kind, *rest]


def _text(word: object) -> str | None:
    """Return a word's text; None if it is of a type that would have to be asked."""
    if type(word) is str:
        return word
    if type(word) is bytes:
        return word.decode("utf-8", "surrogateescape")
    pathlib = sys.modules.get("pathlib")
    if pathlib is not None and type(word) is vars(pathlib).get("PosixPath"):
        return str(os.fspath(word))  # type: ignore[call-overload] # as the system call's wrapper will ask
    return None
