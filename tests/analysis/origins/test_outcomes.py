"""How tests came out, also in calls that are read in windows."""

from __future__ import annotations

import pytest

from tests.analysis.origins.origin_tests import opened, root
from tests.trace.conftest import Record
from wrongcall.analysis.origins import outcomes

PROGRAM = """
def f(n):
    kept = -1
    i = 0
    while i < n:
        if i % 7 == 3:
            kept = i
        i += 1
    return kept

f(400)
"""


@pytest.mark.parametrize("window", [1 << 16, 64])
def test_the_last_outcome_before_a_time(
    record: Record, monkeypatch: pytest.MonkeyPatch, window: int
) -> None:
    monkeypatch.setattr(outcomes, "WINDOW_EVENTS", window)
    run = record(PROGRAM)
    (kept,) = opened(run, root(run, "f", "result")).operands
    assert kept.value == 395
    (test,) = opened(run, kept).conditions
    assert (test.text, test.taken) == ("i % 7 == 3", True)
    (i,) = opened(run, test).operands
    assert i.value == 395
    (loop,) = opened(run, test).conditions
    assert {n.text: n.value for n in opened(run, loop).operands} == {"i": 395, "n": 400}
    later = {n.line: n for n in opened(run, kept).kept}
    assert {n.text: n.value for n in opened(run, later[5]).operands} == {"i": 400, "n": 400}
    assert {n.text: n.value for n in opened(run, later[6]).operands} == {"i": 399}
