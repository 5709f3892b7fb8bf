"""Extents: what is told of every few segments together."""

from __future__ import annotations

import numpy as np
import pytest

from tests.trace.lives import owners_of, stream
from wrongcall.trace.format.checkpoint import GROUP_EXTENTS
from wrongcall.trace.format.event_records import FIELDS, Columns, Events
from wrongcall.trace.format.owner_index import (
    EXTENT,
    EXTENT_EVENTS,
    OBJECT,
    OwnerIndexHead,
    unpack_page,
)
from wrongcall.trace.format.segment import SEGMENT_EVENTS
from wrongcall.trace.write.extents import Extent, ExtentBuilder


def _columns(events: Events) -> Columns:
    return {name: np.ascontiguousarray(events[name]) for name in FIELDS}


@pytest.fixture(scope="module")
def events() -> Events:
    return stream(3, busy=False)


@pytest.fixture(scope="module")
def extents(events: Events) -> list[Extent]:
    builder = ExtentBuilder()
    parts = (events[i * EXTENT_EVENTS : (i + 1) * EXTENT_EVENTS] for i in range(2))
    return [builder.make(number, _columns(part)) for number, part in enumerate(parts)]


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
            found = unpack_page(packed).found
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
    pages = [unpack_page(packed).found.times for packed in extents[1].owner_index.pages]
    assert len(expected) > 100
    assert set(expected.tolist()) <= set(np.concatenate(pages).tolist())


def test_a_group_has_a_checkpoint_when_its_last_extent_is_made(
    monkeypatch: pytest.MonkeyPatch, events: Events
) -> None:
    monkeypatch.setattr("wrongcall.trace.write.extents.GROUP_EXTENTS", 2)
    assert GROUP_EXTENTS > 2
    builder = ExtentBuilder()
    parts = [_columns(events[i * 20_000 : (i + 1) * 20_000]) for i in range(5)]
    made = [builder.make(number, part) for number, part in enumerate(parts)]
    assert [extent.group is not None for extent in made] == [False, True, False, True, False]
