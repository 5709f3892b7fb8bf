"""An independent witness for lines and tests: what `sys.settrace` sees of a plain run, with outcomes.

Run as a script, ``lines_witness.py prog.py`` prints, as JSON on the last line of standard error, for
each call of a function of the program its name and its log: a number is a line that began to run, a
pair is a test on a line and how it came out, a negative number is a line at which there was an
exception. Tests are `if`, `while` and, for each time the iterator is asked, `for`; to see them the
syntax tree is changed, lines stay what they are. Nothing of wrongcall is used.
"""

from __future__ import annotations

import ast
import json
import sys
import types
from pathlib import Path
from types import FrameType
from typing import Any

COMPREHENSIONS = frozenset({"<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>"})
Log = list[int | tuple[int, bool]]


class Witness:
    """Keeps a log for each frame of a program."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.calls: list[tuple[str, Log]] = []
        self._logs: dict[FrameType, Log] = {}

    def watch(self, frame: FrameType, event: str, arg: Any) -> Any:
        """Note lines: for `sys.settrace`."""
        if frame.f_code.co_filename != self.path or frame.f_code.co_name in COMPREHENSIONS:
            return None
        if event == "call" and frame not in self._logs:
            self._logs[frame] = []
            self.calls.append((frame.f_code.co_qualname, self._logs[frame]))
        elif event == "line":
            self._logs[frame].append(frame.f_lineno)
        elif event == "exception" and arg[0] is not StopIteration:
            self._logs[frame].append(-frame.f_lineno)
        return self.watch

    def note(self, frame: FrameType, line: int, outcome: bool) -> None:
        """Note how a test came out."""
        if frame in self._logs:
            self._logs[frame].append((line, outcome))

    def outcome(self, line: int, value: Any) -> bool:
        """Stand for the test of an `if` or `while`."""
        found = bool(value)
        self.note(sys._getframe(1), line, found)
        return found

    def rounds(self, line: int, iterable: Any) -> _Rounds:
        """Stand for what a `for` goes through."""
        return _Rounds(self, line, iter(iterable))


class _Rounds:
    def __init__(self, witness: Witness, line: int, iterator: Any) -> None:
        self._witness, self._line, self._iterator = witness, line, iterator

    def __iter__(self) -> _Rounds:
        return self

    def __next__(self) -> Any:
        frame = sys._getframe(1)
        try:
            found = next(self._iterator)
        except StopIteration:
            self._witness.note(frame, self._line, False)
            raise
        self._witness.note(frame, self._line, True)
        return found


class _Tests(ast.NodeTransformer):
    def visit_If(self, node: ast.If | ast.While) -> ast.AST:
        self.generic_visit(node)
        node.test = _call("witness_outcome", node.lineno, node.test)
        return node

    visit_While = visit_If

    def visit_For(self, node: ast.For) -> ast.AST:
        self.generic_visit(node)
        node.iter = _call("witness_rounds", node.lineno, node.iter)
        return node


def _call(name: str, line: int, value: ast.expr) -> ast.expr:
    made = ast.Call(ast.Name(name, ast.Load()), [ast.Constant(line), value], [])
    for node in (made, made.func, made.args[0]):
        ast.copy_location(node, value)
    return made


def main(program: str) -> None:
    """Run a program under watch."""
    path = Path(program).resolve()
    witness = Witness(str(path))
    module = types.ModuleType("__main__")
    sys.modules["__main__"] = module
    module.__dict__.update(witness_outcome=witness.outcome, witness_rounds=witness.rounds)
    tree = _Tests().visit(ast.parse(path.read_text()))
    code = compile(tree, str(path), "exec", dont_inherit=True)
    sys.settrace(witness.watch)
    try:
        exec(code, module.__dict__)
    finally:
        sys.settrace(None)
    print(json.dumps(witness.calls), file=sys.stderr)


if __name__ == "__main__":
    main(*sys.argv[1:])
