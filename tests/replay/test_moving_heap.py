"""Objects as time moves on: the same as the heap says, at every time and in any order."""

from __future__ import annotations

from random import Random

from tests.recorder.conftest import Record, record
from wrongcall.events import Kind
from wrongcall.recording import Recording
from wrongcall.replay import moving_heap
from wrongcall.replay.moving_heap import MovingHeap
from wrongcall.trace.format.event_records import obj_ids

__all__ = ["record"]

PROGRAM = """\
class Node:
    pass

def work(n):
    xs, d, s, node = [1], {}, set(), Node()
    for i in range(n):
        xs.append(i)
        xs.insert(0, i)
        d[i % 3] = xs[-1]
        s.add(i % 4)
        node.value = i
        if i % 5 == 4:
            del xs[1:3]
            d.pop(1, None)
            s.clear()
            xs.sort()
    return xs, d, s, node

work(30)
"""


def contents(recording: Recording, heap: MovingHeap | None, oid: int, time: int) -> object:
    found = (
        recording.states.heap.contents(oid, recording.states.heap.known_by(oid, time))
        if heap is None
        else heap.contents(oid, time)[0]
    )
    return list(found.items), found.entries, found.members, found.attrs, found.length


def objects(recording: Recording) -> list[int]:
    found: list[int] = obj_ids(recording.events.select([Kind.OBJ]).events).tolist()
    return found


def test_states_in_ascending_order_are_those_of_the_heap(record: Record) -> None:
    recording = record(PROGRAM).recording
    moving = MovingHeap(recording._store, recording.states.heap)
    for oid in objects(recording):
        for time in range(recording.states.object(oid).seen, recording.event_count, 3):
            assert contents(recording, moving, oid, time) == contents(recording, None, oid, time)


def test_going_back_and_forgetting_cursors_change_nothing(
    record: Record, monkeypatch: object
) -> None:
    recording = record(PROGRAM).recording
    moving = MovingHeap(recording._store, recording.states.heap)
    chance, known = Random(1), objects(recording)
    assert len(known) < moving_heap.MAX_CURSORS
    for _ in range(300):
        oid = chance.choice(known)
        time = chance.randrange(recording.states.object(oid).seen, recording.event_count)
        assert contents(recording, moving, oid, time) == contents(recording, None, oid, time)


def test_the_mark_changes_with_the_object_and_only_then(record: Record) -> None:
    recording = record(PROGRAM).recording
    moving = MovingHeap(recording._store, recording.states.heap)
    for oid in objects(recording):
        marks: dict[object, object] = {}
        for time in range(recording.states.object(oid).seen, recording.event_count):
            mark = moving.contents(oid, time)[1]
            state = contents(recording, None, oid, time)
            assert marks.setdefault(mark, state) == state
