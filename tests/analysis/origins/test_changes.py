"""The changes that made a container what it was."""

from __future__ import annotations

import pytest

from tests.analysis.origins.origin_tests import opened, root
from tests.trace.conftest import Record
from wrongcall.analysis.origins import changes
from wrongcall.recording import NodeKind

PROGRAM = """
def f():
    xs = []
    for i in range(40):
        xs.append(i)
    del xs[0]
    n = len(xs)
    xs.append(99)
    return n

f()
"""


@pytest.mark.parametrize("most", [5, 100])
def test_changes_up_to_the_time_the_latest_first(
    record: Record, monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    monkeypatch.setattr(changes, "CHANGES_SHOWN", most)
    run = record(PROGRAM)
    (n,) = opened(run, root(run, "f", "result")).operands
    (xs,) = opened(run, n).operands
    found = opened(run, xs)
    made = [node for node in found.operands if node.kind in (NodeKind.CHANGED, NodeKind.REMOVED)]
    assert len(made) == min(most, 41)
    assert made[0].kind is NodeKind.REMOVED
    assert [node.value for node in made[1:4]] == [39, 38, 37]
    assert bool(found.left_out) == (most < 41)
