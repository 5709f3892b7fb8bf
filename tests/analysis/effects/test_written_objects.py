"""What a call wrote to, from owner indexes and segments, against a scan of every event of its span."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.recorder.conftest import Recorded, run_recorded, write_program
from tests.trace.conftest import Record
from wrongcall.analysis.effects.written_objects import Writings, Written
from wrongcall.events import Kind
from wrongcall.recording import Recording, Ref
from wrongcall.replay.spans import Spans
from wrongcall.trace.format.event_records import obj_ids
from wrongcall.trace.format.owner_index import EXTENT, EXTENT_EVENTS, OBJECT
from wrongcall.trace.format.segment import SEGMENT_EVENTS

PROGRAM = """
import random

TABLE, SEEN, LOG = {}, set(), []

class Box:
    def __init__(self, number):
        self.number = number
        self.items = []

    def put(self, item):
        self.items.append(item)
        if len(self.items) > 20:
            self.items.pop(0)

def counter():
    count, last = 0, None
    def up(step):
        nonlocal count, last
        count += step
        if step > 1:
            last = step
    return up

def numbers(box):
    for number in range(10**6):
        box.number = number
        yield number

def work(boxes, up, chance, k):
    boxes[chance.randrange(len(boxes))].put(k)
    up(k % 2 + 1)
    SEEN.add(k % 97)
    if k % 5 == 0:
        SEEN.discard(chance.randrange(97))
        TABLE.pop(k % 10, None)
    TABLE[k % 31] = k
    if k % 900 == 0:
        LOG.append(Box(k))
    if k % 9_000 == 0:
        LOG.clear()

def phase(boxes, up, chance, begin, count):
    for k in range(begin, begin + count):
        work(boxes, up, chance, k)

def busy(box, seen, count):
    while box.number < count:
        box.number += 1
    for k in range(count):
        seen.add(k % 3)
        seen.discard(k % 5)

def main():
    chance = random.Random(4)
    boxes = [Box(i) for i in range(30)]
    up = counter()
    driven = numbers(boxes[3])
    phase(boxes, up, chance, 0, 5)
    for i in range(4):
        phase(boxes, up, chance, i * 9_000, 9_000)
        next(driven)
    busy(boxes[0], {7}, 150_000)
    phase(boxes, up, chance, 7, 3)
    return boxes

main()
"""
_SHIFTS = {Kind.INSERT, Kind.REMOVE, Kind.SPLICE, Kind.CLEAR, Kind.FILL}


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Recorded]:
    folder = tmp_path_factory.mktemp("writings")
    done = run_recorded([str(write_program(folder, PROGRAM))], folder)
    with Recording(folder / "trace.wrongcall") as recording:
        assert recording._store.extents
        yield Recorded(recording, done.stdout, done.stderr, done.returncode, folder)


def slow(recording: Recording, spans: Spans, call: int, before: int) -> Written:
    """Go through all events of a call's span, one by one."""
    seen = recording.events.select({Kind.OBJ}, last=before + 1)
    newest = int(obj_ids(seen.events).max(initial=0))
    objects: set[int] = set()
    shifted: set[int] = set()
    bound: dict[tuple[int, str], None] = {}
    for number, where in spans.between(*spans.span(call), None):
        start = number * SEGMENT_EVENTS
        events = recording.events.between(start, start + SEGMENT_EVENTS)[where]
        rows = (events["kind"].tolist(), obj_ids(events).tolist(), events["site"].tolist())
        for i, kind, obj, site in zip(where.tolist(), *rows, strict=True):
            if start + i <= before:
                continue
            if Kind.ATTR <= kind <= Kind.FILL and obj <= newest:
                objects.add(obj)
                if kind in _SHIFTS:
                    shifted.add(obj)
            elif kind in (Kind.LOCAL, Kind.LOCAL_DEL) and 0 < obj < call:
                name = recording.program.sites[site].name
                if name is not None:
                    bound[obj, name] = None
    return Written(sorted(objects), shifted, list(bound), set())


def test_written_objects_are_those_of_a_full_scan(run: Recorded) -> None:
    recording = run.recording
    spans = recording.questions._spans
    table = recording.calls.columns()
    long = (table.exit < 0) | (table.exit - table.entry > SEGMENT_EVENTS)
    calls = [*table.id[long].tolist(), *table.id[::30_001].tolist()]
    assert len(calls) > 3
    alone = [call for call in calls if spans.family(call) is None]
    assert 3 < len(alone) < len(calls)  # the generator is not alone
    for call in alone:
        before = recording.call(call).entered
        found = Writings(recording._store, spans).of(call, before, call)
        expected = slow(recording, spans, call, before)
        assert found._replace(objects=sorted(found.objects)) == expected


def test_slots_that_owner_indexes_leave_out_are_looked_up(run: Recorded) -> None:
    left = [
        owner
        for extent in range(run.recording._store.extents)
        for owner, _ in run.recording._store.owner_events.left_out(extent, OBJECT, 2 * OBJECT)
    ]
    assert left  # else the test above shows less than it is to show


def test_owner_indexes_tell_all_sites_of_their_extent(run: Recorded) -> None:
    for extent in range(run.recording._store.extents):
        first = extent * EXTENT_EVENTS
        sites = set(run.recording.events.between(first, first + EXTENT_EVENTS)["site"].tolist())
        known = run.recording._store.owner_events.sites(extent).tolist()
        assert known == sorted(site for site in sites if site < 1 << 31)


def test_a_long_call_is_analysed_without_reading_all_its_segments(run: Recorded) -> None:
    with Recording(run.recording.path) as recording:
        call = next(
            c for c in recording.calls.columns().id.tolist() if _named(recording, c) == "main"
        )
        Writings(recording._store, recording.questions._spans).of(
            call, recording.call(call).entered, call
        )
        kept = [key for key in recording._store.cache._kept if isinstance(key, tuple)]
        read = {key[1] for key in kept if key[0] in ("column", "stored")}
    # In the second extent nothing is emptied, and its owner index tells the rest.
    assert not read & set(range(EXTENT, 2 * EXTENT))


def _named(recording: Recording, call: int) -> str:
    return recording.call(call).function.qualname


def test_an_object_with_another_class_is_not_the_newest(record: Record) -> None:
    run = record(
        """
        class A: pass
        class B: pass
        def change(items):
            items.append(1)
        a = A()
        items = []
        items.append(a)
        a.__class__ = B
        change(items)
        """
    )
    call = run.call("change")
    kinds = run.recording.events.between(0, call.entered + 1)
    objs = obj_ids(kinds[kinds["kind"] == Kind.OBJ])
    assert run.recording._store.owner_events.newest_object(call.entered) == objs.max() > objs[-1]
    (changed,) = run.recording.questions.effect(call.id).objects
    assert call.args[0].value == Ref(changed.oid)
