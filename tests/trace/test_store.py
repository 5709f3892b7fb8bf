from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.trace import streams
from tests.trace.emitter import Emitter
from tests.trace.strategies import events
from wrongcall.errors import TraceError
from wrongcall.events import Kind, SiteKind
from wrongcall.trace import Trace, TraceWriter
from wrongcall.trace.records import Events, call_ids, kind_table, obj_ids
from wrongcall.trace.segment import SEGMENT_EVENTS, Packed
from wrongcall.trace.store import Store


def write(path: Path, array: Events) -> Path:
    writer = TraceWriter(path)
    writer.add(array, b"")
    writer.close("exit")
    return path


def some(numbers: list[int]) -> st.SearchStrategy[int | None]:
    return st.one_of(st.none(), st.sampled_from(numbers) if numbers else st.just(7), st.just(7))


@settings(max_examples=60)
@given(events(max_size=12, max_repeat=8), st.data())
def test_selecting_finds_exactly_what_fits(
    tmp_path_factory: pytest.TempPathFactory, array: Events, data: st.DataObject
) -> None:
    path = write(tmp_path_factory.mktemp("select") / "run.wrongcall", array)
    kinds = data.draw(st.one_of(st.none(), st.sets(st.sampled_from(list(Kind)))))
    call = data.draw(some(call_ids(array).tolist()))
    obj = data.draw(some(obj_ids(array).tolist()))
    first, last = data.draw(st.integers(-1, 60)), data.draw(some([0, 5, 50, 10**9]))
    with closing(Store(path)) as store:
        found = store.select(kinds, call=call, obj=obj, first=first, last=last)
    times = np.arange(len(array))
    fits = times >= first
    fits &= times < (len(array) if last is None else last)
    if kinds is not None:
        fits &= kind_table(kinds)[array["kind"]]
    if call:
        fits &= call_ids(array) == call
    if obj:
        fits &= obj_ids(array) == obj
    if call != 0 and obj != 0:
        assert found.times.tolist() == times[fits].tolist()
        assert found.events.tobytes() == array[fits].tobytes()


@pytest.fixture(scope="module")
def long_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Five segments; each call occurs in one or two of them."""
    return write(tmp_path_factory.mktemp("long") / "run.wrongcall", streams.merges(300_000))


def test_a_span_of_events_may_cross_segments(long_path: Path) -> None:
    expected = streams.merges(300_000)
    with Trace(long_path) as trace:
        for first, last in ((0, 10), (65_530, 65_540), (60_000, 200_000), (299_990, None)):
            assert trace.events(first, last).tobytes() == expected[first:last].tobytes()
        assert len(trace.events(400_000)) == 0


def test_segments_that_cannot_have_it_are_not_read(
    long_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = streams.merges(300_000)
    call = int(call_ids(expected)[150_000])
    store = Store(long_path)
    read = []
    load = store.segment

    def segment(number: int) -> Packed:
        read.append(number)
        return load(number)

    monkeypatch.setattr(store, "segment", segment)
    found = store.select(call=call)
    assert found.events.tobytes() == expected[call_ids(expected) == call].tobytes()
    assert set(read) == {150_000 // SEGMENT_EVENTS}
    assert len(store.select({Kind.YIELD}).times) == 0
    assert set(read) == {150_000 // SEGMENT_EVENTS}
    store.close()


def test_what_is_kept_in_memory_is_bounded(long_path: Path) -> None:
    budget = 6 << 20
    store = Store(long_path, budget)
    for _ in range(2):
        store.events()
        assert store.cache.used <= budget
    store.close()


def test_a_snapshot_stays_as_it_is_while_the_file_grows(tmp_path: Path) -> None:
    array = streams.merges(150_000)
    writer = TraceWriter(tmp_path / "run.wrongcall")
    known = 0
    store = Store(tmp_path / "run.wrongcall")
    for begin in range(0, 150_000, 30_000):
        writer.add(array[begin : begin + 30_000], b"")
        writer.flush()
        assert store.event_count == known
        assert store.events().tobytes() == array[:known].tobytes()
        store.refresh()
        known = begin + 30_000
        assert store.events().tobytes() == array[:known].tobytes()
    writer.close("exit")
    store.close()


def test_what_is_new_about_the_program_is_found_at_a_refresh(tmp_path: Path) -> None:
    writer = TraceWriter(tmp_path / "run.wrongcall")
    with Trace(tmp_path / "run.wrongcall") as trace:
        for number in (1, 2):
            emitter = Emitter()
            sites = [(SiteKind.ENTRY, number, 10 * number)]
            emitter.file([{"qualname": f"f{number}"}], sites, first=(number, number, number))
            writer.add(emitter.events(), bytes(emitter.data))
            writer.flush()
            trace.refresh()
            assert len(trace.files) == len(trace.functions) == len(trace.sites) == number
            assert trace.functions[number].qualname == f"f{number}"
            assert trace.sites[number].line == 10 * number
    writer.close("exit")


DAMAGES = {
    "a segment is missing": "DELETE FROM segments WHERE id = 1",
    "a segment is not full": "UPDATE segments SET count = 5 WHERE id = 1",
    "segment 0 is incomplete": "UPDATE segments SET packed = (SELECT packed FROM segments WHERE id"
    " = 4) WHERE id = 0",
    "damaged trace: ": "UPDATE segments SET kinds = x'00' WHERE id = 2",
    "damaged trace: Expecting": "UPDATE meta SET value = 'nonsense'",
    "not a valid SiteKind": "INSERT INTO sites VALUES (1, 99, 1, 1, 1, 1, 1, NULL, 0, 0)",
    "no such table": "DROP TABLE threads",
}


@pytest.mark.parametrize("message, sql", DAMAGES.items())
def test_damage_is_an_error_of_the_trace(tmp_path: Path, message: str, sql: str) -> None:
    path = write(tmp_path / "run.wrongcall", streams.merges(300_000))
    with closing(sqlite3.connect(path)) as db, db:
        db.execute(sql)
    with pytest.raises(TraceError, match=message), Trace(path) as trace:
        trace.events()
