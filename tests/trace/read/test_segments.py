from __future__ import annotations

from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.trace import streams
from tests.trace.strategies import events
from wrongcall.events import Kind
from wrongcall.recording import Recording
from wrongcall.trace.format.event_records import Events, call_ids, kind_table, obj_ids
from wrongcall.trace.format.segment import SEGMENT_EVENTS, Packed
from wrongcall.trace.read.store import Store
from wrongcall.trace.write.writer import TraceWriter


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
        found = store.segments.select(kinds, call=call, obj=obj, first=first, last=last)
    times = np.arange(len(array))
    fits = times >= first
    fits &= times < (len(array) if last is None else last)
    if kinds is not None:
        fits &= kind_table(kinds)[array["kind"]]
    if call:
        fits &= call_ids(array) == call
    if obj:
        begins = np.isin(array["kind"], [Kind.ENTER, Kind.CREATE])  # of these it is the parent
        fits &= (obj_ids(array) == obj) & ~begins
    if call != 0 and obj != 0:
        assert found.times.tolist() == times[fits].tolist()
        assert found.events.tobytes() == array[fits].tobytes()


@pytest.fixture(scope="module")
def long_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Five segments; each call occurs in one or two of them."""
    return write(tmp_path_factory.mktemp("long") / "run.wrongcall", streams.merges(300_000))


def test_a_span_of_events_may_cross_segments(long_path: Path) -> None:
    expected = streams.merges(300_000)
    with Recording(long_path) as recording:
        for first, last in ((0, 10), (65_530, 65_540), (60_000, 200_000), (299_990, None)):
            assert recording.events.between(first, last).tobytes() == expected[first:last].tobytes()
        assert len(recording.events.between(400_000)) == 0


def test_segments_that_cannot_have_it_are_not_read(
    long_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = streams.merges(300_000)
    call = int(call_ids(expected)[150_000])
    store = Store(long_path)
    read = []
    load = store.segments.segment

    def segment(number: int) -> Packed:
        read.append(number)
        return load(number)

    monkeypatch.setattr(store.segments, "segment", segment)
    found = store.segments.select(call=call)
    assert found.events.tobytes() == expected[call_ids(expected) == call].tobytes()
    assert set(read) == {150_000 // SEGMENT_EVENTS}
    assert len(store.segments.select({Kind.YIELD}).times) == 0
    assert set(read) == {150_000 // SEGMENT_EVENTS}
    store.close()
