"""Two calls side by side: what is called the same is the same, and what differs differs."""

from __future__ import annotations

import pytest

from tests.present.conftest import Record
from wrongcall.present.compared_calls import ComparedRow, compared_calls

PROGRAM = """
RATE = 3

class Box:
    def __init__(self, size):
        self.size = size

def work(items, factor, box):
    items.append(factor * RATE)
    box.size += 1
    if factor > 5:
        raise ValueError(factor)
    print("did", factor)
    return [items[0], factor]

shared = [1]
box = Box(4)
work(shared, 2, box)
work(shared, 2, Box(4))
work([1], 2, Box(4))
RATE = 4
try:
    work([1], 6, box)
except ValueError:
    pass
"""


@pytest.fixture
def rows(record: Record) -> object:
    """Compare two of the calls, by their order."""
    run = record(PROGRAM)
    function = next(f.id for f in run.recording.program.functions.values() if f.name == "work")
    calls = list(run.recording.calls.of_functions({function}))

    def compare(one: int, other: int) -> dict[tuple[str, str], ComparedRow]:
        found = compared_calls(run.recording, calls[one], calls[other])
        return {(row.part, row.label): row for row in found}

    return compare


def test_calls_with_equal_values_are_the_same(rows) -> None:  # type: ignore[no-untyped-def]
    found = rows(0, 2)
    assert {key: row.same for key, row in found.items()} == dict.fromkeys(
        [
            ("given", "items"),
            ("given", "factor"),
            ("given", "box"),
            ("outcome", ""),
            ("changed", "items[1]"),
            ("changed", "box.size"),
            ("printed", ""),
            ("read", "RATE"),
        ],
        True,
    )
    assert found["outcome", ""].first == found["outcome", ""].second == "returned [1, 2]"
    assert found["changed", "box.size"].first == "4 → 5"


def test_an_object_that_changed_in_between_is_different(rows) -> None:  # type: ignore[no-untyped-def]
    found = rows(0, 1)
    items = found["given", "items"]
    assert (items.first, items.second, items.same) == ("[1]", "[1, 6]", False)
    assert found["given", "box"].same is True
    only = found["changed", "items[1]"], found["changed", "items[2]"]
    assert [(row.first, row.second, row.same) for row in only] == [
        ("added 6", None, False),
        (None, "added 6", False),
    ]


def test_other_outcomes_and_other_globals_are_different(rows) -> None:  # type: ignore[no-untyped-def]
    found = rows(2, 3)
    outcome = found["outcome", ""]
    assert outcome.same is False
    assert (outcome.first, outcome.second) == ("-> [1, 2]", "raised ValueError(6)")
    assert found["read", "RATE"].same is False
    assert found["given", "items"].same is True
    printed = found["printed", ""]
    assert (printed.first, printed.second, printed.same) == ("did 2\n", None, False)
