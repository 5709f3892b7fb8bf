"""Watch a program with `sys.setprofile` and write down its calls.

An independent witness of the call tree, for a plain run: nothing of wrongcall is used. Only frames of files below
certain folders count. A call is one activation; comprehensions and generator expressions are part of their function, a
generator is one call for its whole life, and what evaluates annotations (from 3.14 on) is none. Calls are numbered in
the order in which they begin to run. For each, the file gets in JSON: name, file, first line, parent (-1: none), kind
of function, how it ended, and what it returned if that is an atom.
"""

from __future__ import annotations

import atexit
import dis
import json
import sys
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

INSIDE = frozenset({"<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>", "__annotate__"})
GENERATORS = 0x20 | 0x80 | 0x200  # CO_GENERATOR, CO_COROUTINE, CO_ASYNC_GENERATOR
NEW_LOCALS = 0x2
ATOMS = (int, str, float, bool, type(None))
RETURNS = frozenset({"RETURN_VALUE", "RETURN_CONST"})
YIELDS = frozenset({"YIELD_VALUE", "SEND", "RESUME", "RETURN_GENERATOR"})


class Tree:
    """The calls seen so far, as columns."""

    def __init__(self, folders: list[str]) -> None:
        self.folders = tuple(f"{folder}/" for folder in folders)
        self.calls: list[list[Any]] = []
        self.numbers: dict[FrameType, int] = {}
        self.own: dict[CodeType, bool] = {}

    def watch(self, frame: FrameType, event: str, arg: Any) -> None:
        """Handle an event of the interpreter."""
        if event == "call":
            if self.is_call(frame.f_code) and frame not in self.numbers:
                self.begin(frame)
        elif event == "return" and frame in self.numbers:
            self.end(frame, arg)

    def is_call(self, code: CodeType) -> bool:
        """Return whether an activation of this code is a call."""
        return code.co_name not in INSIDE and self.is_own(code)

    def is_own(self, code: CodeType) -> bool:
        """Return whether this code belongs to a watched file."""
        if code not in self.own:
            self.own[code] = code.co_filename.startswith(self.folders)
        return self.own[code]

    def begin(self, frame: FrameType) -> None:
        """Note that a frame runs for the first time."""
        code, caller = frame.f_code, self.caller(frame)
        parent = -1 if caller is None else self.numbers[caller]
        kind = "generator" if code.co_flags & GENERATORS else "function"
        if not code.co_flags & NEW_LOCALS:
            kind = "body"
        self.numbers[frame] = len(self.calls)
        place = [code.co_qualname, code.co_filename, code.co_firstlineno]
        self.calls.append([*place, parent, kind, "running", None])

    def caller(self, frame: FrameType) -> FrameType | None:
        """Return the call that a frame was called from.

        Whatever asks a generator expression for its next item, its calls are made by the function that it is part of:
        the nearest one that has its code. If that one has ended, the caller is the one that asks.
        """
        asking: FrameType | None = None
        part: CodeType | None = None
        caller = frame.f_back
        while caller is not None:
            if part is not None and part in caller.f_code.co_consts:
                part = None
            if part is None and caller.f_code.co_name in INSIDE and self.is_own(caller.f_code):
                part = caller.f_code
            if caller in self.numbers:
                if part is None:
                    return caller
                asking = asking or caller
            caller = caller.f_back
        return asking

    def end(self, frame: FrameType, value: Any) -> None:
        """Note that a frame is left: for good, unless it yields."""
        opcode = dis.opname[frame.f_code.co_code[frame.f_lasti]]
        if opcode in YIELDS and frame.f_code.co_flags & GENERATORS:
            return
        # A function left by an exception appears to return None, from wherever it was.
        returned = opcode in RETURNS
        call = self.calls[self.numbers[frame]]
        call[5] = "returned" if returned else "raised"
        call[6] = repr(value) if returned and type(value) in ATOMS else None
        if call[4] != "generator":
            del self.numbers[frame]


def start(path: str, folders: str) -> None:
    """Watch from now on; the calls are written down when the program ends."""
    tree = Tree(folders.split(":"))

    def write() -> None:
        sys.setprofile(None)
        Path(path).write_text(json.dumps(tree.calls))

    atexit.register(write)
    sys.setprofile(tree.watch)
