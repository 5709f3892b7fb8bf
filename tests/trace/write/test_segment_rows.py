"""Segments are packed as the slow version packs them, byte for byte."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.counted import lines_run
from tests.trace import slow_packing, streams
from tests.trace.recorded import recorded_events
from tests.trace.strategies import events
from wrongcall.trace.format.event_records import EVENT, Events, contiguous
from wrongcall.trace.format.sizes import SEGMENT_EVENTS
from wrongcall.trace.write.segment_rows import pack_segment, segment_row

STREAMS = {
    "calls": lambda: streams.fibonacci(15),
    "lists": lambda: streams.merges(3000),
    "texts": lambda: streams.words(3000),
}


@given(events())
def test_any_events_are_packed_as_the_slow_version_packs_them(array: Events) -> None:
    columns = contiguous(array)
    assert pack_segment(array) == slow_packing.pack_segment(columns)


@pytest.mark.parametrize("make", STREAMS.values(), ids=STREAMS)
def test_streams_are_packed_as_the_slow_version_packs_them(make: Callable[[], Events]) -> None:
    array = make()
    assert pack_segment(array) == slow_packing.pack_segment(contiguous(array))


def test_recorded_events_are_packed_as_the_slow_version_packs_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    array = recorded_events(tmp_path, monkeypatch)
    assert 5_000 < len(array) <= SEGMENT_EVENTS
    assert pack_segment(array) == slow_packing.pack_segment(contiguous(array))


@given(st.binary(max_size=640))
def test_any_bytes_are_packed_as_the_slow_version_packs_them(data: bytes) -> None:
    whole = data[: len(data) // 32 * 32]
    columns = contiguous(np.frombuffer(whole, EVENT))
    assert pack_segment(whole) == slow_packing.pack_segment(columns)


def test_what_was_packed_before_makes_no_difference() -> None:
    few = streams.words(50)
    alone = pack_segment(few)
    pack_segment(streams.merges(SEGMENT_EVENTS))
    assert pack_segment(few) == alone


def test_a_row_begins_with_the_numbers_of_its_segment() -> None:
    row = segment_row(3, 77, streams.words(10))
    assert row[:3] == (3, 3 * SEGMENT_EVENTS, 10)
    assert row[7] == 77


def test_more_than_a_segment_is_refused() -> None:
    with pytest.raises(ValueError, match="65536 events"):
        pack_segment(np.zeros(SEGMENT_EVENTS + 1, EVENT))


def test_packing_runs_no_python_for_each_event() -> None:
    """What it takes by the clock is measured by ``make bench-pack``."""
    few, many = (streams.merges(count) for count in (SEGMENT_EVENTS // 8, SEGMENT_EVENTS))
    lines = lines_run(lambda: pack_segment(few)), lines_run(lambda: pack_segment(many))
    assert 0 < lines[1] < 2 * lines[0]
