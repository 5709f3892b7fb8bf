"""Executions inside a call by hand: rounds, calls, the execution at a time."""

from __future__ import annotations

from tests.recorder.conftest import Record
from wrongcall.analysis.inside.inside import Inside
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
