"""The events of a thread as runs, in both directions."""

from __future__ import annotations

import itertools

import pytest

from tests.recorder.conftest import Record
from wrongcall.analysis.walking import runs
from wrongcall.events import Kind

PROGRAM = """\
def f(n):
    return n + 1

def gen():
    yield f(1)
    yield f(2)

x = 1
for v in gen():
    x += f(v)
"""


@pytest.mark.parametrize("size", [1, 3, 256])
def test_runs_cover_the_events_of_a_thread_in_both_directions(
    record: Record, monkeypatch: pytest.MonkeyPatch, size: int
) -> None:
    monkeypatch.setattr(runs, "_FIRST_EVENTS", size)
    recorded = record(PROGRAM)
    recording = recorded.recording
    found = list(recording.walk._runs.forward(0, 1))
    assert found == list(recording.walk._runs.backward(recording.event_count - 1, 1))[::-1]
    assert all(a.call != b.call and a.last < b.first for a, b in itertools.pairwise(found))
    events = recording.events.between()
    for run in found:
        assert run.first <= run.last
        leaving = (Kind.RETURN, Kind.RAISE, Kind.YIELD, Kind.DROP)
        assert run.leaves == (int(events["kind"][run.last]) in leaving)
    module, generator = 1, recorded.call("gen").id
    names = {module: "m", generator: "g"}
    # A generator that is only created has no run: that is the module's.
    assert "".join(names.get(run.call, "f") for run in found) == "mgfgmfmgfgmfmgm"
