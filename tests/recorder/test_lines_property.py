"""Told lines and outcomes of tests against `sys.settrace`, for random programs, line by line.

What the interpreter adds is left out of its log: it shows the line of a `with` again when that ends, and of a
`return`, `break` or `continue` after the `finally` it goes through. Lines of `except` and `case`
count if what follows them is executed, not if they are only looked at.
"""

from __future__ import annotations

import ast
import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.recorder.conftest import Record, run_python
from tests.recorder.lines_witness import Log
from tests.recorder.random_programs import program
from wrongcall.recording import Recording, StepKind

SEEDS = range(int(os.environ.get("WRONGCALL_SEEDS", "12")))
FIRST_SEED = int(os.environ.get("WRONGCALL_FIRST_SEED", "0"))
_LEAVING = (ast.Return, ast.Break, ast.Continue)


class Source:
    """What the syntax tree says about the lines of a program."""

    def __init__(self, text: str) -> None:
        self._statement: dict[int, int] = {}
        """The first line of the innermost statement that each line belongs to."""
        self.headers: dict[int, int] = {}
        """The lines of `except` and `case`, with the first lines of what follows them."""
        self.silent: set[int] = set()
        """Statements for which the interpreter has nothing to execute."""
        self.again: dict[int, set[int]] = {}
        """Lines that are shown again after certain others."""
        self._finally_ends: dict[int, set[int]] = {}
        """The last statement of each `finally`: 3.11 shows it when an exception from one of the others leaves."""
        self._passed_over: dict[int, set[int]] = {}
        """And the tests that lead there: 3.11 shows it, too, when one is false and an exception goes on."""
        self._one_line: set[int] = set()
        """Loops on one line: it is shown for some rounds and not for others."""
        self._visit(ast.parse(text))

    def _visit(self, node: ast.AST) -> None:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.stmt):
                self._note(child)
            self._visit(child)

    def _note(self, node: ast.stmt) -> None:
        decorators = [d.lineno for d in getattr(node, "decorator_list", [])]
        for line in _lines([node], decorators):
            self._statement[line] = node.lineno
        constant = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        declares = isinstance(node, ast.AnnAssign) and node.value is None
        if constant or declares or isinstance(node, ast.Global | ast.Nonlocal):
            self.silent.add(node.lineno)
        if isinstance(node, ast.While | ast.For) and node.lineno == node.end_lineno:
            self._one_line.add(node.lineno)
        for handler in getattr(node, "handlers", []):
            self.headers[handler.lineno] = handler.body[0].lineno
        for case in getattr(node, "cases", []):
            self.headers[case.pattern.lineno] = case.body[0].lineno
        if isinstance(node, ast.With | ast.AsyncWith):
            self.again.setdefault(node.lineno, set()).update(_lines(node.body))
            for inner in _within(node.body, _LEAVING):
                self.again.setdefault(inner.lineno, set()).add(node.lineno)
        if isinstance(node, ast.Try | ast.TryStar) and node.finalbody:
            if sys.version_info < (3, 12):
                end = max(_within(node.finalbody[-1:], (ast.stmt,)), key=lambda found: found.lineno)
                inside = {*_lines(node.finalbody)} - {*_lines([end])}
                self._finally_ends.setdefault(end.lineno, set()).update(inside)
                tests = _within(node.finalbody[-1:], (ast.If, ast.While, ast.For))
                leading = (t.lineno for t in tests if end.lineno in _lines(t.body))  # type: ignore[attr-defined]
                self._passed_over.setdefault(end.lineno, set()).update(leading)
            protected = [*node.body, *(s for h in node.handlers for s in h.body), *node.orelse]
            for inner in _within(protected, _LEAVING):
                self.again.setdefault(inner.lineno, set()).update(_lines(node.finalbody))

    def cleaned(self, log: Log) -> Log:
        """Return a log by statements, without what the interpreter only adds."""
        found: Log = []
        last = raised = failed = 0
        for item in log:
            if not isinstance(item, int):
                found.append((item[0], item[1]))
                failed = 0 if item[1] else item[0]
                continue
            test, failed = failed, 0
            if item < 0:
                raised = self._statement[-item]
                continue
            left, raised = raised, 0
            if left and left in self._finally_ends.get(item, ()):
                continue
            if test in self._passed_over.get(item, ()):
                continue
            line = item if item in self.headers else self._statement[item]
            before = last
            is_repeated = bool(found) and found[-1] == line
            is_repeated |= before == line and line in self._one_line
            if before in self.again.get(line, ()):
                continue
            last = line
            if line not in self.silent and not is_repeated:
                found.append(line)
        return [item for i, item in enumerate(found) if self._counts(item, found[i + 1 :])]

    def _counts(self, item: int | tuple[int, bool], rest: Log) -> bool:
        if not isinstance(item, int) or item not in self.headers:
            return True
        after = next((line for line in rest if isinstance(line, int)), 0)
        return after == self.headers[item]


def _lines(statements: list[ast.stmt], more: list[int] | None = None) -> range:
    first = min([*(s.lineno for s in statements), *(more or [])])
    return range(first, max(s.end_lineno or 0 for s in statements) + 1)


def _within(statements: list[ast.stmt], kinds: tuple[type, ...]) -> Iterator[ast.stmt]:
    for statement in statements:
        for node in ast.walk(statement):
            if isinstance(node, kinds) and isinstance(node, ast.stmt):
                yield node


def told(recording: Recording, call: int) -> Log:
    """Return what the trace tells of a call."""
    found: Log = []
    for step in recording.execution.steps(call):
        if step.kind is StepKind.LINE:
            found.append(step.line)
        elif step.kind is StepKind.BRANCH:
            found.append((step.line, bool(step.taken)))
    return found


def shown(log: Log) -> list[str]:
    return [str(i) if isinstance(i, int) else f"{i[0]} {'true' if i[1] else 'false'}" for i in log]


@pytest.mark.parametrize("seed", SEEDS)
def test_lines_and_tests_match_the_interpreter(record: Record, tmp_path: Path, seed: int) -> None:
    text = program(FIRST_SEED + seed)
    recording = record(text).recording
    script = Path(__file__).with_name("lines_witness.py")
    done = run_python([str(script), "prog.py"], tmp_path)
    assert done.returncode == 0, done.stderr
    source = Source(text)
    logs: dict[str, list[Log]] = {}
    for name, log in json.loads(done.stderr.splitlines()[-1]):
        logs.setdefault(name, []).append([i if isinstance(i, int) else (i[0], i[1]) for i in log])
    compared = 0
    for number in range(1, recording.calls.count + 1):
        function = recording.call(number).function
        if function.kind not in ("module", "class", "lambda"):
            seen = source.cleaned(logs[function.qualname].pop(0))
            assert shown(source.cleaned(told(recording, number))) == shown(seen), function.qualname
            compared += 1
    assert compared > 40
    own = [name for name in logs if name[0] == "f" and name[1:].isdigit()]
    assert len(own) == 12
    assert not any(logs[name] for name in own)
