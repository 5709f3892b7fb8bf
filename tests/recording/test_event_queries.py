"""Queries about events."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from tests.recording.small_run import SmallRun
from tests.trace.lives import stream
from wrongcall.events import Kind
from wrongcall.recording import Recording
from wrongcall.trace.format.segment import SEGMENT_EVENTS
from wrongcall.trace.write.writer import TraceWriter


def test_events_are_counted_from_the_first_to_the_last(small_run: SmallRun) -> None:
    assert small_run.recording.events.count == small_run.last + 1


def test_events_between_two_times_leave_the_last_out(small_run: SmallRun) -> None:
    events = small_run.recording.events
    found = events.between(small_run.printed, small_run.returned)
    assert found["kind"].tolist() == [Kind.PRINT, Kind.PROCESS]
    assert len(events.between()) == events.count


def test_a_selection_is_that_of_a_scan(small_run: SmallRun) -> None:
    events = small_run.recording.events
    every = events.between()
    found = events.select({Kind.LOCAL}, call=small_run.work, first=small_run.added[0])
    wanted = (every["kind"] == Kind.LOCAL) & (every["call"] == small_run.work)
    wanted[: small_run.added[0]] = False
    assert found.times.tolist() == np.flatnonzero(wanted).tolist()
    assert found.events.tolist() == every[wanted].tolist()


def test_parts_that_nobody_wants_are_not_read(small_run: SmallRun) -> None:
    events = small_run.recording.events
    assert [first for first, _ in events.segments(np.array([True]))] == [0]
    assert list(events.segments(np.array([False]))) == []


def test_records_are_the_same_events_from_a_segment_on(tmp_path: Path) -> None:
    events = stream(5, busy=False)[: 2 * SEGMENT_EVENTS + 70]
    writer = TraceWriter(tmp_path / "t.wrongcall")
    writer.add(events, b"")
    writer.close("exit")
    with Recording(tmp_path / "t.wrongcall") as recording:
        for first in (0, SEGMENT_EVENTS):
            found = [(at, part.copy()) for at, part in recording.events.records(first=first)]
            assert [at for at, _ in found] == [*range(first, len(events), SEGMENT_EVENTS)]
            joined = np.concatenate([part for _, part in found])
            assert joined.tobytes() == events[first:].tobytes()
        wanted = np.array([True, False, True])
        chosen = [(at, len(part)) for at, part in recording.events.records(wanted)]
        assert chosen == [(0, SEGMENT_EVENTS), (2 * SEGMENT_EVENTS, 70)]
