"""Lines as a person writes them: ``prog.py:12``, ``shop/cart.py:40``."""

from __future__ import annotations

from typing import NamedTuple

from wrongcall.errors import UsageError
from wrongcall.trace.format.program_tables import File, Function, Program

_SHOWN = 8


class Location(NamedTuple):
    """A line of a recorded file, and the functions that have a statement there (usually one)."""

    file: File
    line: int
    functions: tuple[Function, ...]


def locate(program: Program, text: str) -> Location:
    """Return the line that a person means, or raise a `UsageError` that says what there is instead."""
    name, colon, number = text.rpartition(":")
    if not colon or not number.isdecimal() or not name:
        raise UsageError(f"{text!r} is not a line: write FILE:LINE, for example prog.py:12")
    file, line = _file(program, name), int(number)
    functions = [f for f in program.functions.values() if f.file == file.id]
    found = tuple(f for f in functions if any(line in lines for lines in f.blocks))
    if not found:
        raise UsageError(_nothing(file, line, functions))
    return Location(file, line, found)


def _file(program: Program, name: str) -> File:
    wanted = name.replace("\\", "/").removeprefix("./")
    found = [f for f in program.files.values() if f.path == name or f.path.endswith(f"/{wanted}")]
    if len(found) == 1:
        return found[0]
    paths = sorted(f.path for f in found or program.files.values())
    listed = ", ".join(paths[:_SHOWN]) + (", ..." if len(paths) > _SHOWN else "")
    if found:
        raise UsageError(f"several recorded files are called {name!r}: {listed}")
    raise UsageError(f"no recorded file is called {name!r}: there are {listed}")


def _nothing(file: File, line: int, functions: list[Function]) -> str:
    lines = sorted({each for f in functions for block in f.blocks for each in block})
    before = [each for each in lines if each < line]
    after = [each for each in lines if each > line]
    near = [str(each) for each in (*before[-1:], *after[:1])]
    return f"no statement begins at line {line} of {file.path}; the nearest ones: {', '.join(near) or 'none'}"
