"""Queries about events."""

from __future__ import annotations

import numpy as np

from tests.recording.small_run import SmallRun
from wrongcall.events import Kind


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
