from __future__ import annotations

from pathlib import Path

import numpy as np

from tests.trace.lives import owners_of, stream
from wrongcall.recording import Recording
from wrongcall.trace.format.owner_index import OBJECT
from wrongcall.trace.format.segment import SEGMENT_EVENTS
from wrongcall.trace.read.owner_events import FEW_TAIL_SEARCHES
from wrongcall.trace.read.tail_owners import TailOwners
from wrongcall.trace.write.writer import TraceWriter


def test_sorted_events_are_those_of_a_full_scan(tmp_path: Path) -> None:
    events = stream(7, busy=False)[: 3 * SEGMENT_EVENTS + 100]
    writer = TraceWriter(tmp_path / "t.wrongcall")
    writer.add(events, b"")
    writer.close("exit")
    whose = owners_of(events)
    first, last = SEGMENT_EVENTS - 50, len(events) - 7
    with Recording(tmp_path / "t.wrongcall") as recording:
        owners = TailOwners(recording._store.segments, first, last)
        for owner in [*np.unique(whose).tolist(), OBJECT - 1, OBJECT | 999_999]:
            times = np.flatnonzero(whose[first:last] == owner) + first
            found = owners.of(owner)
            if owner:
                assert found.times.tolist() == times.tolist()
                assert found.events.tobytes() == events[times].tobytes()
        assert owners.nbytes > 40 * np.count_nonzero(whose[first:last])


def test_after_a_few_searches_the_segments_are_not_searched_again(tmp_path: Path) -> None:
    events = stream(8, busy=False)[: 2 * SEGMENT_EVENTS]
    writer = TraceWriter(tmp_path / "t.wrongcall")
    writer.add(events, b"")
    writer.close("exit")
    with Recording(tmp_path / "t.wrongcall") as recording:
        owner_events = recording._store.owner_events
        before = [owner_events.find(number | OBJECT) for number in range(1, FEW_TAIL_SEARCHES + 1)]
        owner_events._searched = None  # type: ignore[method-assign, assignment]
        for number, found in enumerate(before, start=1):
            again = owner_events.find(number | OBJECT)
            assert again.times.tolist() == found.times.tolist()
            assert again.events.tobytes() == found.events.tobytes()
