"""Calls that are trusted from the start."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from wrongcall.tree.pretrusted import is_definition, is_reporting, pretrusted_calls

MAIN, LIBRARY = 1, 2
FUNCTIONS = {
    1: ("<module>", "module", MAIN),
    2: ("<module>", "module", LIBRARY),
    3: ("C", "class", MAIN),
    4: ("__repr__", "function", MAIN),
    5: ("work", "function", MAIN),
}
PROGRAM: Any = SimpleNamespace(
    functions={
        number: SimpleNamespace(name=name, kind=kind, file=file)
        for number, (name, kind, file) in FUNCTIONS.items()
    },
    files={MAIN: SimpleNamespace(module="__main__"), LIBRARY: SimpleNamespace(module="lib")},
)
RETURNED, RAISED, NOT_ENDED = 1, 2, 0


def _pretrusted(*calls: tuple[int, int, int], definitions: bool = True) -> list[bool]:
    """Each call: its function, its parent, its outcome."""
    function, parent, outcome = zip(*calls, strict=True)
    columns: Any = SimpleNamespace(
        function=np.array(function, np.int32),
        parent=np.array(parent, np.int64),
        outcome=np.array(outcome, np.uint8),
    )
    found: list[bool] = pretrusted_calls(PROGRAM, columns, definitions=definitions).tolist()
    return found


@pytest.mark.parametrize(
    "number, expected", [(1, False), (2, True), (3, True), (4, False), (5, False)]
)
def test_definitions_are_classes_and_modules_but_not_the_program(
    number: int, expected: bool
) -> None:
    assert is_definition(PROGRAM, number) is expected


def test_definitions_are_trusted_if_they_ended_normally_and_that_is_wanted() -> None:
    calls = [
        (2, 1, RETURNED),
        (3, 1, RETURNED),
        (3, 1, RAISED),
        (3, 1, NOT_ENDED),
        (1, 0, RETURNED),
    ]
    assert _pretrusted(*calls) == [True, True, False, False, False]
    assert not any(_pretrusted(*calls, definitions=False))


def test_descriptions_are_trusted_if_no_recorded_call_asked_for_them() -> None:
    assert _pretrusted((4, 0, RETURNED), (4, 7, RETURNED), (5, 0, RETURNED)) == [True, False, False]
    assert _pretrusted((4, 0, RAISED), definitions=False) == [True]


def test_a_call_is_reporting_by_its_name_and_its_caller() -> None:
    for parent, number, expected in ((None, 4, True), ("call", 4, False), (None, 5, False)):
        call = SimpleNamespace(parent=parent, function=PROGRAM.functions[number])
        assert is_reporting(call) is expected


def test_there_may_be_no_calls_at_all() -> None:
    empty: Any = SimpleNamespace(
        function=np.empty(0, np.int32), parent=np.empty(0, np.int64), outcome=np.empty(0, np.uint8)
    )
    assert pretrusted_calls(PROGRAM, empty, definitions=True).tolist() == []
