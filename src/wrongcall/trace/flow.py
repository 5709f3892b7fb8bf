"""The control flow of functions: how their blocks follow each other.

A *block* is a run of lines that are executed together (see `execution`); the syntax tree says what
stands between two of them. Entering the first block of a branch shows that its test came out
true, entering what follows shows that it came out false.

Vocabulary: the *role* of a block is how it hangs on the compound statement it belongs to: the
`BODY` of it, its `ELSE`, or what comes `AFTER` it.
"""

from __future__ import annotations

import ast
from enum import Enum
from typing import NamedTuple

from wrongcall.trace.program import Function
from wrongcall.trace.source import Sources

_TESTED = ast.If | ast.While | ast.For | ast.AsyncFor
_LOOPS = ast.While | ast.For | ast.AsyncFor
_COMPOUND = (
    ast.If, ast.While, ast.For, ast.AsyncFor, ast.Try, ast.With, ast.AsyncWith, ast.Match,
    *((ast.TryStar,) if hasattr(ast, "TryStar") else ()),
)  # fmt: skip


class Role(Enum):
    """How a block hangs on a compound statement."""

    BODY = "body"
    ELSE = "else"
    AFTER = "after"


class Place(NamedTuple):
    """A compound statement, and where a block stands in it."""

    statement: ast.stmt
    role: Role


class Flow:
    """Knows where the blocks of functions stand in their source."""

    def __init__(self, sources: Sources) -> None:
        self._sources = sources
        self._places: dict[int, dict[int, Place]] = {}
        self._around: dict[int, dict[int, list[ast.stmt]]] = {}

    def test(self, function: Function, previous: int, block: int) -> tuple[int, bool] | None:
        """Return the test that led from one block to the next, by its line, and how it came out."""
        place = self.places(function).get(block)
        if place is None or previous < 0 or not isinstance(place.statement, _TESTED):
            return None
        line = place.statement.lineno
        if place.role is Role.BODY:
            return line, True
        if place.role is Role.ELSE:
            return line, False
        return (line, False) if self._fell_through(function, previous, place.statement) else None

    def tests(self, function: Function, previous: int, block: int) -> list[tuple[int, bool]]:
        """Return all tests that led from one block to the next, in order.

        The test of a loop or an `if` at the end of a body, or of the function (the last block, of
        no lines, stands for its end), is false if what comes next is elsewhere.
        """
        blocks = function.blocks
        told = self.test(function, previous, block)
        left = blocks[previous][-1:] if 0 <= previous < len(blocks) else ()
        entered = blocks[block][0] if block < len(blocks) and blocks[block] else 0
        found = []
        for statement in self._tested(function).get(left[0], ()) if left else ():
            goes_on = statement.lineno <= entered <= (statement.end_lineno or 0)
            if goes_on or (told is not None and told[0] == statement.lineno):
                break
            if _may_be_false(statement, left[0]):
                found.append((statement.lineno, False))
        return found if told is None else [*found, told]

    def _tested(self, function: Function) -> dict[int, list[ast.stmt]]:
        """Return the statements with tests that a line is in, by the line, the innermost first."""
        if function.id not in self._around:
            found: dict[int, list[ast.stmt]] = {}
            body = getattr(self._sources.definition(function), "body", None)
            _nest(body if isinstance(body, list) else [], (), found)
            self._around[function.id] = found
        return self._around[function.id]

    def _fell_through(self, function: Function, previous: int, statement: ast.stmt) -> bool:
        """Return whether a block after a statement was entered because its test was false."""
        blocks = function.blocks
        lines = blocks[previous] if previous < len(blocks) else ()
        if not lines:
            return False
        inside = statement.lineno < lines[-1] <= (statement.end_lineno or 0)
        if not isinstance(statement, _LOOPS):
            return not inside
        return not (inside and _breaks_at(statement, lines[-1]))

    def places(self, function: Function) -> dict[int, Place]:
        """Return where blocks stand, by their number; the first block stands nowhere."""
        if function.id not in self._places:
            self._places[function.id] = self._find(function)
        return self._places[function.id]

    def _find(self, function: Function) -> dict[int, Place]:
        definition = self._sources.definition(function)
        body = getattr(definition, "body", None)
        if not isinstance(body, list):
            return {}
        first: dict[tuple[int, int], Place] = {}
        _collect(body, first)
        found = {}
        for number, lines in enumerate(function.blocks):
            if number and lines:
                second = lines[1] if len(lines) > 1 else 0
                place = first.get((lines[0], second)) or first.get((lines[0], 0))
                if place is not None:
                    found[number] = place
        return found


def _collect(body: list[ast.stmt], first: dict[tuple[int, int], Place]) -> None:
    """Note for each run of statements by which line it begins.

    The body of a `for` begins with the line that binds its variable, which other blocks have too:
    so its second line counts as well.
    """
    for i, statement in enumerate(body):
        if not isinstance(statement, _COMPOUND):
            continue
        inner: list[ast.stmt] = getattr(statement, "body", [])
        if isinstance(statement, ast.For | ast.AsyncFor):
            key = (statement.target.lineno, inner[0].lineno)
            first[key] = Place(statement, Role.BODY)
        elif inner and isinstance(statement, _TESTED):
            first[inner[0].lineno, 0] = Place(statement, Role.BODY)
        otherwise: list[ast.stmt] = getattr(statement, "orelse", [])
        if otherwise and isinstance(statement, _TESTED):
            first[otherwise[0].lineno, 0] = Place(statement, Role.ELSE)
        if i + 1 < len(body):
            first.setdefault((body[i + 1].lineno, 0), Place(statement, Role.AFTER))
        for part in _bodies(statement):
            _collect(part, first)


def _bodies(statement: ast.stmt) -> list[list[ast.stmt]]:
    found = [getattr(statement, name, []) for name in ("body", "orelse", "finalbody")]
    found += [handler.body for handler in getattr(statement, "handlers", [])]
    found += [case.body for case in getattr(statement, "cases", [])]
    return found


def _breaks_at(loop: ast.stmt, line: int) -> bool:
    nodes = (n for n in ast.walk(loop) if isinstance(n, ast.Break))
    return any(node.lineno == line for node in nodes)


def _nest(
    body: list[ast.stmt], around: tuple[ast.stmt, ...], found: dict[int, list[ast.stmt]]
) -> None:
    for statement in body:
        inner = (statement, *around) if isinstance(statement, _TESTED) else around
        first, last = statement.lineno, statement.end_lineno or statement.lineno
        for line in range(first, last + 1):
            found[line] = list(inner)
        for part in _bodies(statement):
            _nest(part, inner, found)


def _may_be_false(statement: ast.stmt, line: int) -> bool:
    """Return whether the test of a statement is why the last line before its end was left."""
    test = getattr(statement, "test", None)
    if isinstance(test, ast.Constant) and test.value:
        return False
    loops = isinstance(statement, _LOOPS) and not _breaks_at(statement, line)
    return loops or statement.lineno == line
