"""Who wrote to what while a call ran, against a scan of every event that goes up the tree for each."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from tests.recorder.conftest import Recorded, run_recorded, write_program
from tests.trace.conftest import Record
from wrongcall.analysis.effects.writers import NOBODY, OWN, Writers, shared
from wrongcall.events import SEEN, Kind
from wrongcall.recording import Recording
from wrongcall.replay.spans import Family
from wrongcall.trace.format.event_records import call_ids, obj_ids
from wrongcall.trace.format.segment import SEGMENT_EVENTS

THREADS = """
import threading

gate = threading.Barrier(2)

class Box:
    def __init__(self):
        self.items = []
        self.number = 0

def work(box, shared, count, late):
    gate.wait()
    for k in range(count):
        box.number += 1
        shared.number = k
        if k % 100 == 0:
            box.items.append(k)
            late.append(Box())
            late[0].number += 1

def main():
    shared, late = Box(), []
    boxes = [Box(), Box()]
    threads = [threading.Thread(target=work, args=(box, shared, 45_000, late)) for box in boxes]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

main()
"""
_SHIFTS = {Kind.INSERT, Kind.REMOVE, Kind.SPLICE, Kind.CLEAR, Kind.FILL}


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Recorded]:
    folder = tmp_path_factory.mktemp("sharing")
    done = run_recorded([str(write_program(folder, THREADS))], folder)
    with Recording(folder / "trace.wrongcall") as recording:
        assert recording.event_count > 3 * SEGMENT_EVENTS
        yield Recorded(recording, done.stdout, done.stderr, done.returncode, folder)


def is_own(recording: Recording, call: int, number: int) -> bool:
    while number and number != call:
        parent = recording.call(number).parent
        number = parent.id if parent else 0
    return number == call


def slow(recording: Recording, call: int) -> tuple[set[int], set[int], set[int]]:
    """Return the objects that a call wrote to, that it shifted, and that others wrote to."""
    view = recording.call(call)
    first, before, last = view.entry, view.entered, view.last
    newest = int(obj_ids(recording.events.select({Kind.OBJ}, last=before + 1).events).max())
    events = recording.events.between(first, last + 1)
    calls, objs = call_ids(events).tolist(), obj_ids(events).tolist()
    known = {number: is_own(recording, call, number) for number in set(calls)}
    made_by_others: set[int] = set()
    own: set[int] = set()
    shifted: set[int] = set()
    others: set[int] = set()
    born: list[int] = []
    for i, kind in enumerate(events["kind"].tolist()):
        if calls[i]:
            made_by_others.update(born if not known[calls[i]] else ())
            born = []
        if kind == Kind.OBJ and objs[i] > newest:
            born.append(objs[i])
        if first + i <= before or not Kind.ATTR <= kind & ~SEEN <= Kind.FILL:
            continue
        if kind & SEEN:
            others.update([objs[i]] if objs[i] <= newest else [])
        elif known[calls[i]]:
            own.add(objs[i])
            shifted.update([objs[i]] if kind in _SHIFTS else [])
        else:
            others.add(objs[i])
    return {n for n in own if n <= newest or n in made_by_others}, shifted, others


def test_writers_are_those_of_a_full_scan(run: Recorded) -> None:
    recording, late = run.recording, 0
    for call in [run.call("main"), *run.calls("work")]:
        family = recording.questions._spans.family(call.id)
        assert family is not None
        found = shared(
            recording._store, family, recording.questions._spans.span(call.id), call.entered
        )
        parts = (found.own, found.shifted, found.others)
        assert tuple(map(set, parts)) == slow(recording, call.id)
        late += sum(recording.states.object(oid).seen > call.entered for oid in found.own)
    assert late  # one of them wrote to the box that the other one made meanwhile


def test_the_writer_is_the_nearest_call_outside_the_callers(record: Record) -> None:
    run = record(
        """
        def write(log):
            log.append(1)

        def other(log):
            write(log)
            yield

        def this(log, mate):
            next(mate)
            yield

        def main(log):
            mate = other(log)
            next(this(log, mate))

        main([])
        """
    )
    this = run.call("this")
    family = run.recording.questions._spans.family(this.id)
    assert family is not None
    writers = Writers(run.recording.calls._table, family, this.id)
    names = ("write", "other", "this", "main", "<module>")
    calls = [run.call(name).id for name in names]
    other, main, module = (run.call(name).id for name in ("other", "main", "<module>"))
    expected = [other, other, OWN, main, module, NOBODY]
    assert writers.of(np.array([*calls, 0])).tolist() == expected


def test_a_family_is_a_call_and_those_below_it(record: Record) -> None:
    run = record(
        """
        def inner(): pass

        def older():
            inner()
            yield

        def newer(it):
            inner()
            for _ in it:
                inner()

        newer(older())
        """
    )
    newer = run.call("newer")
    family = run.recording.questions._spans.family(newer.id)
    assert isinstance(family, Family)
    first, driven, last = run.calls("inner")
    numbers = [newer.id, first.id, driven.id, last.id, run.call("older").id]
    assert family.includes(np.array(numbers)).tolist() == [True, True, False, True, False]


def test_a_call_that_runs_alone_is_not_searched_for_other_writers(record: Record) -> None:
    run = record(
        """
        def numbers():
            yield 1
            yield 2

        def total(it):
            return sum(it)

        def main():
            return total([*numbers()])

        main()
        """
    )
    for name in ("main", "total", "<module>"):
        assert run.recording.questions._spans.family(run.call(name).id) is None
    assert run.recording.questions._spans.family(run.call("numbers").id) is not None
