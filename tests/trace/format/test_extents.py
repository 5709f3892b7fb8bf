"""Extents: what is told of every few segments together, as the slow version makes it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.trace import slow_packing
from tests.trace.lives import owners_of, stream
from tests.trace.recorded import recorded_events
from tests.trace.strategies import events as any_events
from wrongcall.events import SEEN, Kind, Layout, Tag
from wrongcall.trace.format.checkpoint import GROUP_EXTENTS
from wrongcall.trace.format.event_records import EVENT, FIELDS, Columns, Events
from wrongcall.trace.format.extents import Extent, ExtentBuilder
from wrongcall.trace.format.owner_index import (
    EXTENT,
    EXTENT_EVENTS,
    OBJECT,
    OwnerIndexHead,
    unpack_pages,
)
from wrongcall.trace.format.segment import SEGMENT_EVENTS


def _columns(events: Events) -> Columns:
    return {name: np.ascontiguousarray(events[name]) for name in FIELDS}


@pytest.fixture(scope="module")
def events() -> Events:
    return stream(3, busy=False)


@pytest.fixture(scope="module")
def extents(events: Events) -> list[Extent]:
    builder = ExtentBuilder()
    parts = (events[i * EXTENT_EVENTS : (i + 1) * EXTENT_EVENTS] for i in range(2))
    return [builder.make(number, part) for number, part in enumerate(parts)]


def test_extents_are_numbered_as_they_were_made(extents: list[Extent]) -> None:
    assert [extent.number for extent in extents] == [0, 1]


def test_the_newest_objects_and_calls_go_on_over_extents(
    events: Events, extents: list[Extent]
) -> None:
    """The largest ids so far, at the end of each segment."""
    owners = owners_of(events)
    objects = np.maximum.accumulate(np.where(owners & OBJECT, owners ^ OBJECT, 0))
    heads = [OwnerIndexHead.unpack(*extent.owner_index[:3]) for extent in extents]
    found = np.concatenate([head.newest_objects for head in heads])
    ends = np.arange(1, 2 * EXTENT + 1) * SEGMENT_EVENTS - 1
    assert found.tolist() == objects[ends].tolist()


def test_pages_hold_events_of_their_extent_at_their_times(
    events: Events, extents: list[Extent]
) -> None:
    for extent in extents:
        first = extent.number * EXTENT_EVENTS
        for packed in extent.owner_index.pages:
            found = unpack_pages([packed])[0].found
            assert (found.times >= first).all()
            assert (found.times < first + EXTENT_EVENTS).all()
            assert np.array_equal(found.events, events[found.times])


def test_an_extent_holds_all_events_of_owners_from_earlier_ones(
    events: Events, extents: list[Extent]
) -> None:
    owners = owners_of(events)[: 2 * EXTENT_EVENTS]
    objects = np.where(owners & OBJECT, owners ^ OBJECT, 0)
    newest = int(objects[:EXTENT_EVENTS].max())
    later = objects[EXTENT_EVENTS:]
    expected = np.flatnonzero((later > 0) & (later <= newest)) + EXTENT_EVENTS
    pages = [unpack_pages([packed])[0].found.times for packed in extents[1].owner_index.pages]
    assert len(expected) > 100
    assert set(expected.tolist()) <= set(np.concatenate(pages).tolist())


def test_a_group_has_a_checkpoint_when_its_last_extent_is_made(
    monkeypatch: pytest.MonkeyPatch, events: Events
) -> None:
    monkeypatch.setattr("wrongcall.trace.format.extents.GROUP_EXTENTS", 2)
    assert GROUP_EXTENTS > 2
    builder = ExtentBuilder()
    parts = [events[i * 20_000 : (i + 1) * 20_000] for i in range(5)]
    made = [builder.make(number, part) for number, part in enumerate(parts)]
    assert [extent.group is not None for extent in made] == [False, True, False, True, False]


_ROWS = st.lists(
    st.tuples(
        st.sampled_from(
            [
                *(Kind.ATTR, Kind.ATTR | SEEN, Kind.ITEM, Kind.ENTRY, Kind.INSERT, Kind.OBJ),
                *(Kind.LOCAL, Kind.ENTER, Kind.RETURN, Kind.ACTIVATION, Kind.BLOCK, Kind.CLEAR),
            ]
        ),
        st.sampled_from([Tag.INT, Layout.MODULE]),
        st.sampled_from([Tag.INT, Tag.OBJ]),
        st.sampled_from([0, 0, 0x10, 1]),
        st.integers(0, 3),
        st.integers(0, 5),
        st.integers(0, 5),
        st.integers(-2, 2),
        st.integers(0, 5),
    ),
    max_size=60,
)


def _check(
    monkeypatch: pytest.MonkeyPatch, events: Events, size: int, newest: tuple[int, int]
) -> None:
    """Compare extents of a few events with those that the slow version makes."""
    for module in ("wrongcall.trace.format.extents", "tests.trace.slow_packing"):
        monkeypatch.setattr(f"{module}.SEGMENT_EVENTS", size)
        monkeypatch.setattr(f"{module}.PAGE", 5)
        monkeypatch.setattr(f"{module}.CHUNK", 3)
    monkeypatch.setattr("wrongcall.trace.format.extents.EXTENT_EVENTS", size * EXTENT)
    monkeypatch.setattr("wrongcall.trace.format.extents.GROUP_EXTENTS", 3)
    builder, parts = ExtentBuilder(*newest), []
    for number in range(-(-len(events) // (size * EXTENT))):
        part = events[number * size * EXTENT : (number + 1) * size * EXTENT]
        columns = _columns(part)
        made = builder.make(number, part)
        expected = slow_packing.indexes(number * size * EXTENT, columns, *newest)
        newest = (expected.newest_object, expected.newest_call)
        assert made.owner_index == expected.owner_index
        assert made.checkpoint == expected.checkpoint
        parts.append(expected.rows)
        if made.group is not None:
            assert made.group == slow_packing.pack_checkpoint(slow_packing.merged(parts))
            parts = []


@settings(max_examples=150)
@given(_ROWS, st.integers(1, 5), st.tuples(st.integers(0, 4), st.integers(0, 4)), st.integers(1, 4))
def test_extents_are_made_as_the_slow_version_makes_them(
    rows: list[tuple[int, ...]], size: int, newest: tuple[int, int], repeat: int
) -> None:
    with pytest.MonkeyPatch.context() as monkeypatch:
        _check(monkeypatch, np.array(rows * repeat, EVENT), size, newest)


@settings(max_examples=50)
@given(any_events(), st.integers(1, 200))
def test_extents_of_any_events_are_made_as_the_slow_version_makes_them(
    events: Events, size: int
) -> None:
    with pytest.MonkeyPatch.context() as monkeypatch:
        _check(monkeypatch, events, size, (0, 0))


@pytest.mark.parametrize("busy", [False, True])
def test_long_lives_are_indexed_as_the_slow_version_does(
    monkeypatch: pytest.MonkeyPatch, busy: bool
) -> None:
    events = stream(4, busy=busy)
    few = events[events["kind"] != Kind.BLOCK][:40_000]
    _check(monkeypatch, few, 700, (0, 0))


def test_recorded_lives_are_indexed_as_the_slow_version_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _check(monkeypatch, recorded_events(tmp_path, monkeypatch), 300, (0, 0))


def test_a_group_with_too_many_rows_has_no_checkpoint(
    monkeypatch: pytest.MonkeyPatch, events: Events
) -> None:
    monkeypatch.setattr("wrongcall.trace.format.extents.GROUP_EXTENTS", 2)
    monkeypatch.setattr("wrongcall.trace.format.extents.MOST_MERGED", 5)
    builder = ExtentBuilder()
    parts = [events[i * 20_000 : (i + 1) * 20_000] for i in range(2)]
    assert builder.make(0, parts[0]).group is None
    assert builder.make(1, parts[1]).group is None
    quiet = np.zeros_like(parts[0])
    assert [builder.make(n, quiet).group is not None for n in (2, 3)] == [False, True]
