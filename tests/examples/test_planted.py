"""The planted programs are what ``bugs.toml`` says: one change each, and it makes the named value wrong."""

from __future__ import annotations

import ast
import contextlib
import difflib
import io
import sys
from pathlib import Path
from types import FrameType

import pytest

from tests.examples.planted import FOLDER, Planted, planted

pytestmark = pytest.mark.once

PROGRAMS = planted()
each = pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)

COUNT = 40
MOST_LINES = 60


class Watch:
    """Runs a program and keeps what it prints and one value at the end of the first call of a function."""

    def __init__(self, path: Path, function: str, wrong: str) -> None:
        self.value: object = None
        self._function, self._wrong = function, wrong
        self._first: FrameType | None = None
        code = compile(path.read_text(), str(path), "exec")
        written = io.StringIO()
        with contextlib.redirect_stdout(written):
            sys.setprofile(self._see)
            try:
                exec(code, {"__name__": "__main__"})
            finally:
                sys.setprofile(None)
        self.printed = written.getvalue()

    def _see(self, frame: FrameType, event: str, result: object) -> None:
        if frame.f_code.co_qualname != self._function:
            return
        if event == "call" and self._first is None:
            self._first = frame
        elif event == "return" and frame is self._first:
            # As text: what the program changes later must not change it.
            self.value = repr(eval(self._wrong, {}, {**frame.f_locals, "result": result}))


def test_there_is_a_corrected_version_of_each() -> None:
    assert len(PROGRAMS) == COUNT
    for folder in (FOLDER, FOLDER / "fixed"):
        assert {path.stem for path in folder.glob("*.py")} == set(PROGRAMS)


@each
def test_the_corrected_version_differs_in_one_place(program: Planted) -> None:
    wrong, right = (path.read_text().splitlines() for path in (program.path, program.fixed))
    assert len(wrong) <= MOST_LINES
    matcher = difflib.SequenceMatcher(a=wrong, b=right, autojunk=False)
    ((kind, first, last, _, last_right),) = [
        code for code in matcher.get_opcodes() if code[0] != "equal"
    ]
    if program.missing:
        assert (kind, last_right) == ("insert", first + 1)
        assert program.line <= first
    else:
        assert (kind, first, last, last_right) == (
            "replace",
            program.line - 1,
            program.line,
            program.line,
        )


@each
def test_a_missing_statement_is_in_the_block_whose_header_is_named(program: Planted) -> None:
    if not program.missing:
        return
    wrong, right = (path.read_text().splitlines() for path in (program.path, program.fixed))
    added = next(i for i, line in enumerate(right) if line not in wrong[i : i + 1]) + 1
    ((parent, block),) = [
        (parent, block)
        for parent in ast.walk(ast.parse(program.fixed.read_text()))
        if isinstance(parent, ast.FunctionDef | ast.If | ast.For | ast.While)
        for block in ("body", "orelse")
        for node in getattr(parent, block, ())
        if node.lineno == added
    ]
    header = parent.lineno if block == "body" else (parent.body[-1].end_lineno or 0) + 1
    assert header == program.line


@each
def test_the_bug_is_in_the_function_that_is_said_to_have_it(program: Planted) -> None:
    node: ast.AST = ast.parse(program.path.read_text())
    for part in program.function.split("."):
        node = next(n for n in ast.iter_child_nodes(node) if getattr(n, "name", None) == part)
    assert isinstance(node, ast.FunctionDef)
    assert node.lineno <= program.line <= (node.end_lineno or 0)


@each
def test_the_bug_makes_the_named_value_and_the_output_wrong(program: Planted) -> None:
    wrong, right = (
        Watch(path, program.call, program.wrong) for path in (program.path, program.fixed)
    )
    assert wrong.value is not None
    assert wrong.value != right.value
    assert wrong.printed != right.printed
