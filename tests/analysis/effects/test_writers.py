"""Who wrote to what while a call ran, against a scan of every event that goes up the tree for each."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.recorder.conftest import Recorded, run_recorded, write_program
from tests.trace.conftest import Record
from wrongcall.analysis.effects import _writers
from wrongcall.analysis.effects.writers import NOBODY, OWN, Writers, _Search, shared
from wrongcall.events import SEEN, Kind, Tag
from wrongcall.recording import Recording
from wrongcall.replay import spans
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


# -- the native pass against a slow and obvious version ---------------------------------------------

_WRITTEN = [Kind.ATTR, Kind.INSERT, Kind.CLEAR, Kind.ENTRY]
_ANY = [
    *_WRITTEN,
    *(kind | SEEN for kind in _WRITTEN),
    *(Kind.OBJ, Kind.KEY, Kind.LOCAL, Kind.LOCAL_DEL, Kind.RETURN, Kind.BLOCK),
]
_IDS = st.sampled_from([0, 1, 2, 3, 7, (1 << 32) + 1])


class Event(NamedTuple):
    """An event as the search sees it."""

    kind: int
    call: int
    obj: int
    vtag: int
    value: int


EVENTS = st.lists(
    st.builds(
        Event,
        st.sampled_from(_ANY),
        _IDS,
        _IDS,
        st.sampled_from([Tag.OBJ, Tag.INT]),
        st.integers(1, 9),
    ),
    max_size=30,
)


def columns_of(events: list[Event]) -> dict[str, Any]:
    numbers = np.array(events, np.int64).reshape(-1, 5).T
    kind, call, obj, vtag, value = (np.ascontiguousarray(column) for column in numbers)
    return {
        "kind": kind.astype(np.uint8),
        "call": call.astype(np.uint32),
        "obj": obj.astype(np.uint32),
        "hi": ((call >> 32) | (obj >> 32) << 4).astype(np.uint8),
        "vtag": vtag.astype(np.uint8),
        "value": value,
        "site": np.ones(len(events), np.uint32),
    }


def slow_search(events: list[Event], family: set[int], before: int, newest: int) -> Any:
    """Return what `_Search.found` returns, event by event."""
    own: set[int] = set()
    shifted, others, made = set[int](), set[int](), set[int]()
    bound: list[int] = []
    touched: dict[int, int] = {}
    for time, event in enumerate(events):
        mine, kind = event.call in family, event.kind & ~SEEN
        if event.kind == Kind.OBJ and event.obj > newest:
            follows = [later.call for later in events[time:] if later.call]
            if follows and follows[0] not in family:
                made.add(event.obj)
        if time > before and Kind.ATTR <= kind <= Kind.FILL:
            if event.kind & SEEN:
                others |= {event.obj} if event.obj <= newest else set()
            else:
                (own if mine else others).add(event.obj)
                shifted |= {event.obj} if mine and kind in _SHIFTS else set()
        if time > before and mine and kind in (Kind.LOCAL, Kind.LOCAL_DEL):
            bound += [event.obj] if event.obj > 0 and event.obj not in family else []
        if mine and event.vtag == Tag.OBJ:
            touched.setdefault(event.value, time)
        if mine and (Kind.ATTR <= kind <= Kind.KEY or kind == Kind.OBJ):
            touched.setdefault(event.obj, time)

    def counts(number: int) -> bool:
        return number <= newest or number in made

    own = {number for number in own if counts(number)}
    seen = {
        number: before if number <= newest else max(time - 1, before)
        for number, time in touched.items()
        if number in own | others and counts(number)
    }
    return own, shifted, others, seen, list(dict.fromkeys((owner, "x") for owner in bound))


@settings(max_examples=300, deadline=None)
@given(
    events=EVENTS,
    cuts=st.lists(st.integers(0, 30), max_size=3),
    members=st.sets(st.sampled_from([1, 2, 7, (1 << 32) + 1]), min_size=1),
    before=st.integers(-1, 6),
    newest=st.integers(0, 4),
    most_flags=st.sampled_from([0, 4, spans.MAX_FLAGS]),
)
def test_the_native_search_finds_what_a_loop_finds(
    events: list[Event],
    cuts: list[int],
    members: set[int],
    before: int,
    newest: int,
    most_flags: int,
) -> None:
    site = SimpleNamespace(name="x")
    store = SimpleNamespace(
        owner_events=SimpleNamespace(newest_object=lambda time: newest),
        program=SimpleNamespace(sites={1: site}),
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(spans, "MAX_FLAGS", most_flags)
        family = Family(np.array(sorted(members), np.int64))
    search = _Search(store, family, before)  # type: ignore[arg-type]
    ends = sorted({0, len(events), *(cut for cut in cuts if cut < len(events))})
    for first, last in pairwise(ends):
        search.look(first, columns_of(events[first:last]))
    found = search.found()
    expected = slow_search(events, members, before, newest)
    assert (found.own, found.shifted, found.others, found.seen, found.variables) == expected


def test_more_objects_than_are_remembered_are_all_found() -> None:
    events = [Event(Kind.ATTR, call, obj, 0, 0) for call in (1, 2) for obj in range(1, 5000)] * 2
    store = SimpleNamespace(owner_events=SimpleNamespace(newest_object=lambda time: 4000))
    search = _Search(store, Family(np.array([1])), -1)  # type: ignore[arg-type]
    search.look(0, columns_of(events))
    found = search.found()
    assert found.own == set(range(1, 4001))
    assert found.others == set(range(1, 5000))
    assert found.seen == dict.fromkeys(range(1, 4001), -1)


def test_notes_need_room() -> None:
    columns = columns_of([Event(Kind.ATTR, 1, 1, 0, 0)])
    given = (*(columns[n] for n in ("kind", "call", "obj", "hi", "vtag", "value")), np.ones(1, "?"))
    small, large = np.empty(1, np.int64), np.empty(6, np.int64)
    for rows, pairs in ((small, large), (large, small)):
        with pytest.raises(ValueError, match="no room for the notes"):
            _writers.note_writers(given, bytes(256), 0, 0, 0, rows, pairs, pairs.copy())
