"""Values of simple expressions, against Python's own."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.trace.emitter import Emitter
from wrongcall.analysis.expressions.evaluate import Evaluator
from wrongcall.events import Kind, SiteKind
from wrongcall.languages.python.python_file import PythonFile
from wrongcall.recording import UNKNOWN, Recording
from wrongcall.replay.resolve import Places

SITES = [(SiteKind.ENTRY, 1, 1), *((SiteKind.WRITE, 1, 2, name) for name in ("i", "items", "o"))]
NAMES = {"i": 1, "items": [5, [6, 7]], "o": None}


@pytest.fixture(scope="module")
def recording(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Recording]:
    """A call with ``i = 1``, ``items = [5, [6, 7]]`` and an object ``o`` with ``o.table = {"k": 8}``."""
    emitter = Emitter()
    emitter.file([{"locals": ["i", "items", "o"]}], SITES)
    inner, items = emitter.new("list"), emitter.new("list")
    for index, value in enumerate((6, 7)):
        emitter.item(Kind.INSERT, inner, index, value)
    emitter.item(Kind.INSERT, items, 0, 5)
    emitter.item(Kind.INSERT, items, 1, inner)
    table, thing = emitter.new("dict"), emitter.new("Thing")
    emitter.entry(table, "k", 8)
    emitter.attr(thing, "table", table)
    call = emitter.enter(1)
    emitter.local(call, 2, 1)
    emitter.local(call, 3, items)
    emitter.local(call, 4, thing)
    with emitter.open(tmp_path_factory.mktemp("evaluate") / "t.wrongcall") as opened:
        yield opened


def _value(recording: Recording, source: str) -> Any:
    file = PythonFile(source)
    assert file.tree is not None
    expression = file.tree.body[0]
    assert isinstance(expression, ast.Expr)
    states = recording.states
    places = Places(recording._store, states.heap, states.variables)
    evaluator = Evaluator(
        places, states.variables, file, recording.call(1), recording.event_count - 1
    )
    return evaluator.value(expression.value)


@pytest.mark.parametrize("source", ["i", "items[0]", "items[i][0]", "items[-1][i]", "items[i - 1]"])
def test_places_have_the_values_that_they_held(recording: Recording, source: str) -> None:
    assert _value(recording, source) == eval(source, dict(NAMES))


def test_attributes_and_keys_are_followed(recording: Recording) -> None:
    assert _value(recording, "o.table['k']") == 8


@pytest.mark.parametrize(
    "source",
    ["f(i)", "o.missing", "items[9]", "o.table[i]", "unknown", "i / 2", "i // 0", "i % 0", "not i"],
)
def test_expressions_the_trace_cannot_answer_are_unknown(recording: Recording, source: str) -> None:
    assert _value(recording, source) is UNKNOWN


_NUMBERS = st.integers(-(1 << 62), 1 << 62)


@given(_NUMBERS, st.sampled_from(["+", "-", "*", "//", "%"]), _NUMBERS.filter(bool))
def test_arithmetic_is_that_of_python(
    recording: Recording, left: int, operator: str, right: int
) -> None:
    source = f"({left}) {operator} ({right})"
    assert _value(recording, source) == eval(source)


@pytest.mark.parametrize("source", ["True + 1", "1.5 + 1", "'a' * 3", f"{1 << 63} + 1", "-'a'"])
def test_only_integers_of_moderate_size_are_computed_with(
    recording: Recording, source: str
) -> None:
    assert _value(recording, source) is UNKNOWN
