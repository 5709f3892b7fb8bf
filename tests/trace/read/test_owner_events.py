from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from tests.trace.lives import COUNT, owners_of, stream
from wrongcall.events import Kind, Layout, Tag
from wrongcall.recording import Recording
from wrongcall.trace.format.event_records import EVENT, Events
from wrongcall.trace.format.owner_index import (
    EXTENT_EVENTS,
    OBJECT,
    slot_of,
)
from wrongcall.trace.format.segment import SEGMENT_EVENTS
from wrongcall.trace.format.selection import Found
from wrongcall.trace.format.sizes import OWNER_INDEX_SHARE
from wrongcall.trace.read.owner_events import FEW_SEARCHES
from wrongcall.trace.write.writer import TraceWriter

KILLED = """
import os, signal, sys
from pathlib import Path
from tests.trace.lives import stream
from wrongcall.trace.write.writer import TraceWriter
writer = TraceWriter(Path(sys.argv[1]))
events = stream(4, False)
end = int(sys.argv[2])
for first in range(0, end, 100_000):
    writer.add(events[first:min(first + 100_000, end)], b"")
    if first % 200_000 == 0:
        writer.flush()
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.fixture(scope="module", params=[False, True], ids=["quiet", "busy"])
def written(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, Events]:
    path = tmp_path_factory.mktemp("owner_indexes") / "t.wrongcall"
    events = stream(1, request.param)
    writer = TraceWriter(path)
    writer.add(events, b"")
    writer.close("exit")
    return path, events


def owners(chance: random.Random, events: Events) -> list[int]:
    """Return some owners: old ones, any, and one that does not exist."""
    objects = int(events["obj"][events["kind"] == Kind.OBJ].max(initial=0))
    calls = int(events["call"].max())
    some = [1, 2, 3, *(chance.randrange(1, calls + 1) for _ in range(25)), calls + 7]
    others = [1, 2, 3, *(chance.randrange(1, objects + 1) for _ in range(60)), objects + 7]
    return some + [number | OBJECT for number in others]


def check(recording: Recording, events: Events, seed: int) -> None:
    """Compare with a scan of all events, for whole owners and for single slots, in any span."""
    chance = random.Random(seed)
    events = events[: recording.event_count]
    whose = owners_of(events)
    for owner in owners(chance, events):
        first = chance.choice([0, chance.randrange(len(events))])
        last = chance.choice([len(events), chance.randrange(first, len(events)) + 1])
        times = np.flatnonzero(whose[first:last] == owner) + first
        owner_events = recording._store.owner_events
        found = owner_events.find(owner, None, first, last)
        assert found.times.tolist() == times.tolist()
        assert found.events.tobytes() == events[times].tobytes()
        backward = list(owner_events.parts(owner, None, first, last, backward=True))
        assert [t for part in reversed(backward) for t in part.times.tolist()] == times.tolist()
        chosen, slots = some_slots(chance, owner, events[times])
        found = owner_events.find(owner, slots, first, last)
        assert set(times[chosen].tolist()) <= set(found.times.tolist()) <= set(times.tolist())


def some_slots(chance: random.Random, owner: int, rows: Events) -> tuple[list[int], list[int]]:
    """Return an attribute, or the sites of a variable: which events are about it, and its slots."""
    if owner & OBJECT:
        key = chance.randrange(5)
        attrs = np.isin(rows["kind"] & 0x7F, [Kind.ATTR, Kind.ATTR_DEL]) & (rows["key"] == key)
        return np.flatnonzero(attrs).tolist(), [0, slot_of(Kind.ATTR, Tag.NAME, key)]
    sites = [3, chance.randrange(1, 6)]
    return (
        np.flatnonzero(np.isin(rows["site"], sites)).tolist(),
        [slot_of(Kind.LOCAL, 0, site) for site in sites],
    )


def test_owner_indexes_find_what_a_full_scan_finds(written: tuple[Path, Events]) -> None:
    path, events = written
    with Recording(path) as recording:
        assert recording._store.extents == 2
        check(recording, events, 5)


def test_histories_of_long_lived_objects_unpack_no_segments(written: tuple[Path, Events]) -> None:
    path, events = written
    objects = {int(n) | OBJECT for n in events["obj"][events["kind"] == Kind.ATTR]}
    with Recording(path) as recording:
        owner = min(objects)
        assert len(
            recording._store.owner_events.find(owner, None, EXTENT_EVENTS, 2 * EXTENT_EVENTS).times
        )
        kinds = {key[0] for key in recording._store.cache._kept if isinstance(key, tuple)}
    assert kinds == {"owner index", "page"}


def momentary(count: int) -> Events:
    """Return the events of an extent with objects that live for a moment: no owner index has them."""
    chance = random.Random(6)
    events = np.zeros(EXTENT_EVENTS, EVENT)
    events["kind"], events["call"], events["site"] = Kind.BLOCK, 1, 3
    for oid in range(1, count + 1):
        # All in the second segment, with those of other objects in between.
        first = SEGMENT_EVENTS + 100 + oid * 20
        events[first] = (Kind.OBJ, Layout.INSTANCE, Tag.INT, 0, 0, 0, oid, 1, 0)
        for time in chance.sample(range(first + 1, first + 60), 5):
            if events["kind"][time] == Kind.BLOCK:
                key = chance.randrange(3)
                events[time] = (Kind.ATTR, Tag.NAME, Tag.INT, 0, 9, 1, oid, key, time)
    return events


def test_a_segment_that_is_searched_often_is_sorted_by_owner(tmp_path: Path) -> None:
    count = 3 * FEW_SEARCHES
    events = momentary(count)
    writer = TraceWriter(tmp_path / "t.wrongcall")
    writer.add(events, b"")
    writer.close("exit")
    whose = owners_of(events)
    with Recording(tmp_path / "t.wrongcall") as recording:
        owner_events = recording._store.owner_events
        search, searched = owner_events._searched, []

        def counted(owner: int, first: int, last: int) -> Found:
            searched.append(owner)
            return search(owner, first, last)

        owner_events._searched = counted  # type: ignore[method-assign]
        for oid in range(1, count + 1):
            found = owner_events.find(oid | OBJECT)
            times = np.flatnonzero(whose == oid | OBJECT)
            assert len(times) > 1
            assert found.times.tolist() == times.tolist()
            assert found.events.tobytes() == events[times].tobytes()
    assert searched == [oid | OBJECT for oid in range(1, FEW_SEARCHES + 1)]


def test_an_owner_index_is_a_part_of_its_extent(written: tuple[Path, Events]) -> None:
    path, events = written
    variable = (owners_of(events) == 1) & (events["site"] == 3)
    with Recording(path) as recording:
        for extent in range(2):
            index = recording._store.owner_events.index(extent)
            count = 0
            for page in range(len(index.head_owners)):
                count += len(recording._store.owner_events._page(extent, page).owners)
            assert count <= EXTENT_EVENTS // OWNER_INDEX_SHARE
            part = slice(extent * EXTENT_EVENTS, (extent + 1) * EXTENT_EVENTS)
            too_many = np.count_nonzero(variable[part]) > EXTENT_EVENTS // OWNER_INDEX_SHARE
            slots = np.array([slot_of(Kind.LOCAL, 0, 3)], dtype=np.uint32)
            assert index.leaves_out(1, slots) == too_many
            assert not index.leaves_out(1 | OBJECT, None)


def test_a_trace_that_grows(tmp_path: Path) -> None:
    events = stream(2, False)
    writer = TraceWriter(tmp_path / "t.wrongcall")
    done = 30_000
    writer.add(events[:done], b"")
    writer.flush()
    stops = [SEGMENT_EVENTS * 8, SEGMENT_EVENTS * 9 + 5, SEGMENT_EVENTS * 16, COUNT]
    with Recording(tmp_path / "t.wrongcall") as recording:
        for seed, stop in enumerate(stops):
            writer.add(events[done:stop], b"")
            writer.flush()
            check(recording, events, seed)  # it is as it was
            recording.refresh()
            assert recording.event_count == stop
            check(recording, events, seed)
            done = stop
    writer.close("exit")


@pytest.mark.parametrize(
    "end, flushed", [(EXTENT_EVENTS + 200_000, 700_000), (1_060_000, 1_060_000)]
)
def test_a_writer_that_was_killed(tmp_path: Path, end: int, flushed: int) -> None:
    path = tmp_path / "t.wrongcall"
    done = subprocess.run([sys.executable, "-c", KILLED, str(path), str(end)], check=False)
    assert done.returncode == -9
    with Recording(path) as recording:
        assert recording.ended is None
        assert recording.event_count == flushed
        check(recording, stream(4, False), 1)
