from __future__ import annotations

import random
from pathlib import Path

import numpy as np

from tests.trace.lives import COUNT, stream
from wrongcall.events import Kind, Layout
from wrongcall.recording import Recording
from wrongcall.trace.format.event_records import Events
from wrongcall.trace.format.owner_index import EXTENT_EVENTS
from wrongcall.trace.format.segment import SEGMENT_EVENTS
from wrongcall.trace.write.writer import TraceWriter

LAYOUTS = (Layout.INSTANCE, Layout.CLASS, Layout.FUNCTION, Layout.LIST)


def told(seed: int) -> Events:
    """Return events of objects with several layouts, some of which get another class later."""
    chance = random.Random(seed)
    events = stream(seed, busy=False)
    (sights,) = np.nonzero(events["kind"] == Kind.OBJ)
    events["ktag"][sights] = [chance.choice(LAYOUTS) for _ in sights]
    free = np.flatnonzero(events["kind"] == Kind.BLOCK)
    for sight in chance.sample(sights.tolist(), len(sights) // 3):
        later = free[free > sight]
        if len(later):
            again = events[sight].copy()
            again["ktag"] = chance.choice(LAYOUTS)
            events[chance.choice([later[0], chance.choice(later.tolist())])] = again
    return events


def expected(events: Events, count: int) -> dict[int, tuple[int, int]]:
    """Return when each object was first seen, and its layout, from a scan of all events."""
    found: dict[int, tuple[int, int]] = {}
    for time in np.flatnonzero(events["kind"][:count] == Kind.OBJ).tolist():
        found.setdefault(int(events["obj"][time]), (time, int(events["ktag"][time])))
    return found


def agree(recording: Recording, events: Events) -> None:
    """Compare the first sights of all objects, and of some that do not exist."""
    known = expected(events, recording.event_count)
    for oid in [*known, 0, max(known, default=0) + 1, 10**9]:
        assert recording._store.first_sights.of(oid) == known.get(oid), oid


def test_first_sights_are_those_of_a_full_scan(tmp_path: Path) -> None:
    events = told(11)
    writer = TraceWriter(tmp_path / "t.wrongcall")
    writer.add(events, b"")
    writer.close("exit")
    with Recording(tmp_path / "t.wrongcall") as recording:
        agree(recording, events)


def test_first_sights_in_a_trace_that_grows(tmp_path: Path) -> None:
    events = told(12)
    writer = TraceWriter(tmp_path / "t.wrongcall")
    done = 3000
    writer.add(events[:done], b"")
    writer.flush()
    with Recording(tmp_path / "t.wrongcall") as recording:
        agree(recording, events)
        middle = EXTENT_EVENTS + SEGMENT_EVENTS
        for stop in (SEGMENT_EVENTS + 500, SEGMENT_EVENTS * 2, EXTENT_EVENTS, middle, COUNT):
            writer.add(events[done:stop], b"")
            writer.flush()
            agree(recording, events)  # the snapshot is as it was
            recording.refresh()
            agree(recording, events)
            done = stop
    writer.close("exit")
