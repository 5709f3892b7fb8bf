"""Executions inside a call by hand: rounds, calls, the execution at a time."""

from __future__ import annotations

import numpy as np
import pytest

from tests.recorder.conftest import Record
from wrongcall.analysis.inside import inside_reader
from wrongcall.analysis.inside.inside import Inside, Numbers, narrow, place_of
from wrongcall.languages.python.outline import PartKind
from wrongcall.recording import Recording

PROGRAM = """\
def half(x):
    return x // 2

def f(xs):
    total = 0
    for x in xs:
        for _ in range(2):
            total += half(x)
    ys = [half(x) for x in xs if x > 2]
    return total

f([2, 4, 6])
"""


def inside_f(record: Record) -> tuple[Recording, Inside]:
    recorded = record(PROGRAM)
    inside = recorded.recording.inside.of(recorded.call("f").id)
    assert inside is not None
    return recorded.recording, inside


def test_rounds_are_counted_for_each_execution_of_a_loop(record: Record) -> None:
    _, inside = inside_f(record)
    rounds = [
        (inside.part_of(node).line, *inside.round(node))
        for node in range(len(inside))
        if inside.kind(node) is PartKind.ROUND
    ]
    inner = [(7, 1, 2), (7, 2, 2)]
    outer = [each for number in (1, 2, 3) for each in ((6, number, 3), *inner)]
    assert rounds == [*outer, (9, 1, 3), (9, 2, 3), (9, 3, 3)]


def test_calls_are_below_the_statement_or_the_round_that_made_them(record: Record) -> None:
    recording, inside = inside_f(record)
    made = [node for node in range(len(inside)) if inside.is_call(node)]
    parents = [int(inside.parent[node]) for node in made]
    assert [inside.kind(node) for node in parents] == [PartKind.STATEMENT] * 6 + [
        PartKind.ROUND
    ] * 2
    assert [inside.round(node)[0] for node in parents[6:]] == [2, 3]
    assert [int(inside.child[node]) for node in made] == [
        call.id for call in recording.call(inside.call).children
    ]


def test_the_execution_at_a_time_is_the_smallest_one(record: Record) -> None:
    recording, inside = inside_f(record)
    writes = recording.places.local_writes(inside.call, "total")
    nodes = [inside.leaf_at(write.time) for write in writes]
    assert [inside.part_of(node).text for node in nodes] == ["total = 0"] + ["total += half(x)"] * 6
    assert [len(inside.around(node)) for node in nodes] == [0] + [2] * 6


def test_numbers_find_their_nodes(record: Record) -> None:
    _, inside = inside_f(record)
    assert [inside.at(int(number)) for number in inside.number] == list(range(len(inside)))
    assert inside.at(-1) == -1


def test_starts_processed_in_small_parts_give_the_same_executions(
    record: Record, monkeypatch: pytest.MonkeyPatch
) -> None:
    recording, inside = inside_f(record)
    recording._store.cache.drop(("inside", inside.call, recording.event_count))
    monkeypatch.setattr(inside_reader, "_TOGETHER", 3)
    again = recording.inside.of(inside.call)
    assert again is not None
    assert again is not inside
    for name in ("number", "parent", "part", "before", "after", "child", "step", "end_step"):
        assert getattr(again, name).tolist() == getattr(inside, name).tolist()


@pytest.mark.parametrize("kind", ["<i4", "<i8"])
def test_numbers_are_found_whatever_their_size(kind: str) -> None:
    most = (1 << 31) - 1
    numbers: Numbers = np.array([1, 3, 3, most], np.dtype(kind))
    for wanted, place in ((0, 0), (2, 1), (3, 1), (4, 3), (most, 3), (most + 1, 4), (1 << 40, 4)):
        assert place_of(numbers, wanted) == place


@pytest.mark.parametrize("most", [0, (1 << 31) - 1, 1 << 31, 1 << 40])
def test_numbers_take_four_bytes_where_they_fit(most: int) -> None:
    found = narrow(np.array([0, most]))
    assert found.tolist() == [0, most]
    assert found.dtype == (np.int32 if most < 1 << 31 else np.int64)
