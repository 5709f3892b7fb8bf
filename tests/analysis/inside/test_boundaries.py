"""Boundaries: every execution ends once, in order, and only rounds, branches and bodies can lack something."""

from __future__ import annotations

import pytest

from tests.recorder.conftest import Record
from tests.recorder.random_programs import program
from wrongcall.analysis.inside.boundaries import boundaries_of
from wrongcall.languages.python.outline import PartKind


def ends(record: Record, source: str) -> list[tuple[str, int]]:
    recorded = record(source)
    inside = recorded.recording.inside.of(recorded.call("f").id)
    assert inside is not None
    found = boundaries_of(inside)
    return [
        (inside.kind(node).value, inside.part_of(node).line) for node in found.node[::-1].tolist()
    ]


def test_inner_executions_end_before_outer_ones(record: Record) -> None:
    source = (
        "def f(n):\n    for i in range(n):\n        if i:\n            n = i\n    return n\nf(2)\n"
    )
    assert ends(record, source) == [
        ("condition", 2),
        ("condition", 3),
        ("branch", 3),
        ("round", 2),
        ("condition", 2),
        ("condition", 3),
        ("statement", 4),
        ("branch", 3),
        ("round", 2),
        ("condition", 2),
        ("statement", 5),
        ("body", 1),
    ]


def test_only_rounds_of_a_comprehension_have_boundaries(record: Record) -> None:
    source = "def f(n):\n    return [i for i in range(n)]\nf(2)\n"
    assert ends(record, source) == [("round", 2), ("round", 2), ("statement", 2), ("body", 1)]


@pytest.mark.parametrize("seed", range(2))
def test_states_at_boundaries_never_go_back(seed: int, record: Record) -> None:
    recording = record(program(seed)).recording
    count = 0
    for number in recording.calls.columns().id.tolist():
        inside = recording.inside.of(number)
        if inside is None or not len(inside):
            continue
        found = boundaries_of(inside)
        after = inside.after[found.node][::-1]
        assert (after[1:] >= after[:-1]).all()
        assert int(found.node[0]) == 0
        assert len({*found.node.tolist()}) == len(found)
        for boundary in range(len(found)):
            assert found.of_node(int(found.node[boundary])) == boundary
        kinds = {inside.kind(int(node)) for node in found.node[found.is_closing]}
        assert kinds <= {PartKind.ROUND, PartKind.BRANCH, PartKind.BODY}
        count += len(found)
    assert count > 500
