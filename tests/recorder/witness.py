"""An independent witness: what the interpreter itself says about a plain run of a program.

Run as a script, ``witness.py calls prog.py`` prints the calls of a program as `sys.setprofile` sees
them, ``witness.py lines prog.py`` the lines of each call as `sys.settrace` sees them, as JSON on
the last line of standard error. Nothing of wrongcall is used.

A *call* is what the trace calls one: comprehensions are part of their function, a generator is one
call for its whole life, and what the compiler makes to evaluate annotations (from 3.14 on) is none.
Calls are numbered from 0 in the order in which they begin to run, so a generator counts from where
it first runs, under the call that first runs it; programs for the witness use a generator where
they create it.
"""

from __future__ import annotations

import ast
import json
import re
import sys
import threading
import types
from dataclasses import asdict, dataclass, field
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

NO_CALLS = frozenset({"<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>", "__annotate__"})
IN_COMPREHENSION = re.compile(r"<(listcomp|setcomp|dictcomp|genexpr)>\.")
ATOMS = (int, str, float, bool, type(None))
RETURNED_NOTHING = "nothing"


@dataclass
class Seen:
    """A call that the interpreter reported."""

    qualname: str
    line: int
    parent: int
    caller_line: int
    args: dict[str, Any]
    """Parameters whose values are atoms."""
    returned: Any = RETURNED_NOTHING
    """What it returned at last, if that is an atom; nobody sees whether it raised instead."""
    lines: list[int] = field(default_factory=list)
    """The lines that were executed, in order."""


def definition_lines(source: str) -> dict[int, int]:
    """Return for each line that begins a decorated definition the line of its ``def``."""
    found = {}
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            for decorator in node.decorator_list[:1]:
                found[decorator.lineno] = node.lineno
    return found


class Witness:
    """Watches the frames of some files."""

    def __init__(self, folder: Path) -> None:
        self.folder = f"{folder}/"
        self.calls: list[Seen] = []
        self._numbers: dict[FrameType, int] = {}
        """Of every frame seen; the frames are kept, so that they stay different."""
        self._definitions: dict[str, dict[int, int]] = {}

    def watch_calls(self, frame: FrameType, event: str, arg: Any) -> None:
        """Note calls and what they return: for `sys.setprofile`."""
        if event not in ("call", "return") or not self._is_own(frame.f_code):
            return
        if event == "call" and frame not in self._numbers:
            self._begin(frame)
        elif event == "return" and frame in self._numbers:
            atom = isinstance(arg, ATOMS)
            self.calls[self._numbers[frame]].returned = arg if atom else RETURNED_NOTHING

    def watch_lines(self, frame: FrameType, event: str, arg: Any) -> Any:
        """Note the lines of each call: for `sys.settrace`."""
        code = frame.f_code
        if not code.co_filename.startswith(self.folder):
            return None
        if event == "call" and code.co_name not in NO_CALLS and frame not in self._numbers:
            self._begin(frame)
        elif event == "line":
            owner = self._own(frame)
            if owner is not None:
                self.calls[self._numbers[owner]].lines.append(frame.f_lineno)
        return self.watch_lines

    def _is_own(self, code: CodeType) -> bool:
        own = code.co_filename.startswith(self.folder)
        return own and code.co_name not in NO_CALLS

    def _own(self, frame: FrameType | None) -> FrameType | None:
        """Return the nearest frame from this one outwards that is a call."""
        while frame is not None and frame not in self._numbers:
            frame = frame.f_back
        return frame

    def _begin(self, frame: FrameType) -> None:
        code = frame.f_code
        caller = self._own(frame.f_back)
        self._numbers[frame] = len(self.calls)
        self.calls.append(
            Seen(
                qualname=IN_COMPREHENSION.sub("", code.co_qualname),
                line=self._definition(code),
                parent=-1 if caller is None else self._numbers[caller],
                caller_line=self._line_in(frame, caller),
                args=_atoms(frame),
            )
        )

    def _line_in(self, frame: FrameType, caller: FrameType | None) -> int:
        """Return the line that the caller, or a comprehension of it, is at."""
        back = frame.f_back
        while back is not None and caller is not None:
            if back.f_code.co_filename == caller.f_code.co_filename:
                return back.f_lineno
            back = back.f_back
        return 0

    def _definition(self, code: CodeType) -> int:
        if code.co_filename not in self._definitions:
            text = Path(code.co_filename).read_text()
            self._definitions[code.co_filename] = definition_lines(text)
        if code.co_name == "<module>":
            return 1
        return self._definitions[code.co_filename].get(code.co_firstlineno, code.co_firstlineno)


def _atoms(frame: FrameType) -> dict[str, Any]:
    code = frame.f_code
    if not code.co_flags & 0x2:  # CO_NEWLOCALS: module and class bodies have no parameters
        return {}
    count = code.co_argcount + code.co_kwonlyargcount
    names = code.co_varnames[:count]
    values = frame.f_locals
    return {n: values[n] for n in names if isinstance(values.get(n), ATOMS)}


def main(what: str, program: str) -> None:
    """Run a program under watch."""
    path = Path(program).resolve()
    witness = Witness(path.parent)
    module = types.ModuleType("__main__")
    module.__file__ = str(path)
    sys.modules["__main__"] = module
    sys.path.insert(0, str(path.parent))
    code = compile(path.read_text(), str(path), "exec", dont_inherit=True)
    if what == "calls":
        threading.setprofile(witness.watch_calls)
        sys.setprofile(witness.watch_calls)
    else:
        sys.settrace(witness.watch_lines)
    try:
        exec(code, module.__dict__)
    finally:
        sys.setprofile(None)
        sys.settrace(None)
    print(json.dumps([asdict(call) for call in witness.calls]), file=sys.stderr)


if __name__ == "__main__":
    main(*sys.argv[1:])
