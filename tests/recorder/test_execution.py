"""Executed lines and branches of each call, against what `sys.settrace` sees in a plain run."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from tests.recorder.branching_programs import PROGRAMS
from tests.recorder.conftest import Record, Recorded, witnessed
from wrongcall.recording import Call, StepKind


class Source:
    """What the syntax tree says about the lines of a program."""

    def __init__(self, text: str) -> None:
        self.tree = ast.parse(text)
        self.statement = [0] * (text.count("\n") + 2)
        """For each line the first line of the statement (innermost) that it belongs to."""
        self.suites: dict[int, int] = {}
        """For each suite that may be left out: the line of its first statement -> its header."""
        self.ends: dict[int, int] = {}
        """The last line of each statement, by its first."""
        self.silent: set[int] = set()
        """Lines of statements for which the interpreter has nothing to execute."""
        self._visit(self.tree)

    def _visit(self, node: ast.AST) -> None:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.stmt):
                decorators = [d.lineno for d in getattr(child, "decorator_list", [])]
                for line in range(min([child.lineno, *decorators]), (child.end_lineno or 0) + 1):
                    self.statement[line] = child.lineno
                self.ends[child.lineno] = child.end_lineno or 0
                self._note(child)
            self._visit(child)
        for header, suite in _suites(node):
            self.suites[suite[0].lineno] = header

    def _note(self, node: ast.stmt) -> None:
        constant = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        declares = isinstance(node, ast.AnnAssign) and node.value is None
        if constant or declares or isinstance(node, ast.Global | ast.Nonlocal):
            self.silent.add(node.lineno)

    def headers(self) -> dict[int, int]:
        """Return the lines of ``except`` and ``case`` with the first lines of what follows them."""
        return {
            header: first
            for first, header in self.suites.items()
            if self.statement[header] != header
        }


def _suites(node: ast.AST) -> Iterator[tuple[int, list[ast.stmt]]]:
    """Yield the line that heads each suite which may be left out, and its statements."""
    if isinstance(node, ast.If | ast.For | ast.AsyncFor | ast.While | ast.Try | ast.TryStar):
        for name in ("body", "orelse", "finalbody"):
            if suite := getattr(node, name, None):
                yield node.lineno, suite
    elif isinstance(node, ast.ExceptHandler):
        yield node.lineno, node.body
    elif isinstance(node, ast.match_case):
        yield node.pattern.lineno, node.body


def executed(source: Source, call: dict[str, Any]) -> set[int]:
    """Return the first lines of the statements that a call executed, by the witness.

    The line of an ``except`` or ``case`` counts if what follows it was executed, not if
    it was only looked at.
    """
    lines = set(call["lines"])
    if call["is_class"]:
        lines -= {call["line"]}  # the interpreter begins there with __module__ and __qualname__
    entered = {h for h, first in source.headers().items() if first in lines}
    return {source.statement[line] for line in lines} - source.silent | entered


def recorded_lines(source: Source, done: Recorded, call: Call) -> set[int]:
    """Return the same by the trace."""
    headers = source.headers()
    lines = done.recording.execution.lines(call.id)
    entered = {line for line in lines if line in headers}
    return {source.statement[line] for line in lines} - source.silent | entered


def branches(source: Source, lines: list[int]) -> list[int]:
    """Return the suites that these lines, in order of execution, enter: by their first lines.

    To come to the first line from inside its statement is no entry: it is a loop that goes on, or
    a statement of several lines.
    """
    result = []
    for before, line in pairwise([0, *lines]):
        if line in source.suites and not line <= before <= source.ends[line]:
            result.append(line)
    return result


def recorded_branches(source: Source, done: Recorded, call: Call) -> list[int]:
    """Return the suites that a call entered, by the trace."""
    steps = done.recording.execution.steps(call.id)
    return branches(source, [step.line for step in steps if step.kind is StepKind.LINE])


def matched(done: Recorded, seen: list[dict[str, Any]]) -> Iterator[tuple[Call, dict[str, Any]]]:
    """Yield the calls of functions with what the witness saw of them."""
    for name in dict.fromkeys(s["qualname"] for s in seen if s["qualname"] != "<module>"):
        plain = [s for s in seen if s["qualname"] == name]
        for call, one in zip(done.calls(name), plain, strict=True):
            yield call, {**one, "is_class": call.function.kind == "class"}


@pytest.fixture(params=PROGRAMS)
def run(
    request: pytest.FixtureRequest, record: Record, tmp_path: Path
) -> tuple[Recorded, Source, list[dict[str, Any]]]:
    """A program: recorded, parsed, and as the witness saw it."""
    done = record(PROGRAMS[request.param])
    seen = witnessed("lines", "prog.py", tmp_path)
    return done, Source((tmp_path / "prog.py").read_text()), seen


def test_lines_and_branches(run: tuple[Recorded, Source, list[dict[str, Any]]]) -> None:
    done, source, seen = run
    wrong = []
    for call, plain in matched(done, seen):
        who = f"{call.function.qualname}, call {call.id}, called at line {call.caller_line}"
        lines = recorded_lines(source, done, call)
        wanted = executed(source, plain)
        if lines != wanted:
            missing, extra = sorted(wanted - lines), sorted(lines - wanted)
            wrong.append(f"{who}: lines: missing {missing}, too many {extra}")
        found, expected = recorded_branches(source, done, call), branches(source, plain["lines"])
        if found != expected:
            wrong.append(f"{who}: branches: {found}, not {expected}")
    assert not wrong, "\n".join(wrong)


def test_the_witness_sees_what_it_should(tmp_path: Path) -> None:
    """One case by hand, so that the comparison cannot agree on nonsense."""
    source = PROGRAMS["for"]
    text = "\n".join(line[8:] for line in source.splitlines()) + "\n"
    (tmp_path / "prog.py").write_text(text)
    seen = witnessed("lines", "prog.py", tmp_path)
    first = {**next(s for s in seen if s["qualname"] == "f"), "is_class": False}
    # x: 1 (odd), 2, 3 (stop)
    assert first["lines"] == [2, 3, 4, 6, 7, 3, 4, 6, 8, 3, 4, 5, 11, 12]
    program = Source(text)
    assert executed(program, first) == {2, 3, 4, 5, 6, 7, 8, 11, 12}
    assert branches(program, first["lines"]) == [4, 7, 4, 4, 5]


def test_lines_by_hand(record: Record) -> None:
    done = record(
        """\
        def f(x):
            if x:
                y = 1
            else:
                y = 2
            try:
                z = y // x
                z = 5
            except ZeroDivisionError:
                return None
            return z

        f(1)
        f(0)
        """
    )
    good, bad = done.calls("f")
    assert done.recording.execution.lines(good.id) == [2, 3, 6, 7, 8, 11]
    assert done.recording.execution.lines(bad.id) == [2, 5, 6, 7, 9, 10]


def test_rounds_of_a_loop_can_be_counted(record: Record) -> None:
    done = record(
        """\
        def f(n):
            for i in range(n):
                if i % 3 == 0:
                    print(i)
                else:
                    pass
            while n:
                n -= 1
            while n < 4:
                print(n)
                n += 2

        f(7)
        """
    )
    call = done.call("f")
    blocks = call.function.blocks
    entered = [set(blocks[e.block]) for e in done.recording.execution.blocks(call.id)]
    assert len([b for b in entered if 4 in b]) == 3
    assert len([b for b in entered if 6 in b]) == 4
    assert len([b for b in entered if 8 in b]) == 7
    assert len([b for b in entered if 10 in b]) == 2
    times = [e.time for e in done.recording.execution.blocks(call.id)]
    assert times == sorted(times)
    assert call.entry <= times[0] <= times[-1] <= call.exit


def test_lines_of_modules_and_classes(record: Record, tmp_path: Path) -> None:
    done = record(
        """\
        import os

        class C:
            x = 1
            if x > 1:
                y = 2
            else:
                y = 3

            def m(self):
                return 1

        try:
            C.missing
            z = 1
        except AttributeError:
            z = 2
        for i in range(2):
            if i:
                C().m()
        """
    )
    assert done.recording.execution.lines(done.call("<module>").id) == [
        1,
        3,
        13,
        14,
        16,
        17,
        18,
        19,
        20,
    ]
    assert done.recording.execution.lines(done.call("C").id) == [4, 5, 8, 10]


def test_which_arm_of_a_conditional_expression(record: Record) -> None:
    done = record(
        """\
        def f(x):
            return (
                "yes"
                if x
                else "no"
            )

        f(1)
        f(0)
        """
    )
    kinds = []
    for call in done.calls("f"):
        sites = [
            done.recording.program.sites[int(e["site"])] for e in call.events().events if e["site"]
        ]
        kinds.append([s.line for s in sites if s.kind.name == "BLOCK"])
    assert kinds == [[3], [5]]
