"""Owner indexes: every event of what lives long, by whose it is."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.trace.lives import owners_of, stream
from wrongcall.errors import TraceError
from wrongcall.events import SEEN, Kind, Tag
from wrongcall.trace.format.event_records import EVENT, Events
from wrongcall.trace.format.extents import ExtentBuilder, OwnerIndex
from wrongcall.trace.format.owner_index import (
    EXTENT_EVENTS,
    OBJECT,
    PAGE,
    OwnerIndexHead,
    slot_of,
    unpack_pages,
    unpack_sites,
)
from wrongcall.trace.format.sizes import OWNER_INDEX_SHARE


def _long_lived(count: int) -> Events:
    """Events of objects that are all older than the extent: 1, 2, 3, in turn, a few attributes each."""
    events = np.zeros(count, EVENT)
    events["kind"] = Kind.BLOCK
    events["call"] = 1
    own = slice(0, count // 5)  # no more than an owner index takes
    numbers = np.arange(count // 5)
    events["kind"][own] = Kind.ATTR
    events["ktag"][own] = Tag.NAME
    events["obj"][own] = numbers % 3 + 1
    events["key"][own] = numbers % 7
    events["value"][own] = numbers
    return events


@pytest.fixture(scope="module")
def events() -> Events:
    return _long_lived(EXTENT_EVENTS)


@pytest.fixture(scope="module")
def index(events: Events) -> OwnerIndex:
    return ExtentBuilder(9, 9).make(0, events).owner_index


def _head(index: OwnerIndex) -> OwnerIndexHead:
    return OwnerIndexHead.unpack(index.newest, index.heads, index.left_out)


def test_pages_are_sorted_by_owner_slot_and_time(events: Events, index: OwnerIndex) -> None:
    pages = [unpack_pages([packed])[0] for packed in index.pages]
    times = np.concatenate([page.found.times for page in pages])
    owners = np.concatenate([page.owners for page in pages])
    slots = [slot_of(Kind.ATTR, Tag.NAME, int(key)) for key in events["key"][times]]
    order = list(zip(owners.tolist(), slots, times.tolist(), strict=True))
    assert order == sorted(order)
    assert sorted(times.tolist()) == list(range(len(events) // 5))
    assert all(len(page.owners) == PAGE for page in pages[:-1])


def test_owners_are_objects_with_their_bit_set(events: Events, index: OwnerIndex) -> None:
    for packed in index.pages[::40]:
        page = unpack_pages([packed])[0]
        assert page.owners.tolist() == owners_of(events)[page.found.times].tolist()


@pytest.mark.parametrize("owner", [1, 2, 3])
def test_an_owner_is_on_the_pages_that_the_head_names(index: OwnerIndex, owner: int) -> None:
    head, number = _head(index), owner | OBJECT
    holding = [
        i
        for i, packed in enumerate(index.pages)
        if number in unpack_pages([packed])[0].owners.tolist()
    ]
    assert set(holding) <= set(head.pages(number, None))
    assert len(head.pages(number, None)) <= len(holding) + 1
    slot = np.array([slot_of(Kind.ATTR, Tag.NAME, 3)], np.uint32)
    few = head.pages(number, slot)
    assert set(few) <= set(head.pages(number, None))
    found = 0
    for i in few:
        part = unpack_pages([index.pages[i]])[0].of_owners(number, number)
        found += int((part.events["key"] == 3).sum())
    every = _long_lived(EXTENT_EVENTS)
    own = (every["kind"] == Kind.ATTR) & (every["obj"] == owner) & (every["key"] == 3)
    assert found == int(own.sum()) > 0


def test_slots_with_most_events_are_left_out_and_listed() -> None:
    """One variable has far most of the events: what is left fits."""
    busy = stream(1, busy=True)[:EXTENT_EVENTS]
    made = ExtentBuilder(0, 1).make(0, busy).owner_index  # call 1 is older than the extent
    head = _head(made)
    count = sum(len(unpack_pages([packed])[0].owners) for packed in made.pages)
    assert count <= EXTENT_EVENTS // OWNER_INDEX_SHARE
    variable = np.array([slot_of(Kind.LOCAL, 0, 3)], np.uint32)
    assert head.leaves_out(1, None)
    assert head.leaves_out(1, variable)
    other = np.array([slot_of(Kind.LOCAL, 0, 4)], np.uint32)
    assert not head.leaves_out(1, other)
    assert not head.leaves_out(1 | OBJECT, None)


@given(st.sampled_from([Kind.ATTR, Kind.ITEM, Kind.ENTRY]), st.integers(-(2**63), 2**63 - 1))
def test_slots_are_small_numbers_that_are_never_nothing(kind: Kind, key: int) -> None:
    assert 0 < slot_of(kind, Tag.INT, key) < 1 << 24


def test_slots_depend_on_what_is_written() -> None:
    slots = {
        slot_of(Kind.ATTR, Tag.NAME, 5),
        slot_of(Kind.ITEM, Tag.INT, 5),
        slot_of(Kind.ENTRY, Tag.INT, 5),
        slot_of(Kind.ENTRY, Tag.STR, 5),
        slot_of(Kind.LOCAL, 0, 5),
    }
    assert len(slots) == 5
    assert slot_of(Kind.LOCAL, 0, 5) == slot_of(Kind.LOCAL_DEL, 0, 5)
    for kind in (Kind.INSERT, Kind.ATTR_DEL, Kind.CLEAR, Kind.ATTR | SEEN):
        assert slot_of(kind, Tag.INT, 5) == 0  # type: ignore[arg-type]


def test_the_sites_of_an_extent_are_kept() -> None:
    events = _long_lived(EXTENT_EVENTS)
    events["site"][:4] = [9, 4, 9, 70_000]
    made = ExtentBuilder(9, 9).make(0, events).owner_index
    assert unpack_sites(made.sites).tolist() == [0, 4, 9, 70_000]


def test_damage_is_noticed() -> None:
    for packed in (b"", b"x" * 50):
        with pytest.raises(TraceError, match="damaged trace"):
            unpack_pages([packed])[0]
        with pytest.raises(TraceError, match="damaged trace"):
            OwnerIndexHead.unpack(packed, packed, packed)


def test_sites_are_told_once_however_large_and_lines_are_none() -> None:
    events = _long_lived(EXTENT_EVENTS)
    events["site"][:7] = [5, 1 << 18, 7, 1 << 31 | 3, 5, (1 << 18) - 1, 1 << 30]
    events["site"][7:] = 5
    made = ExtentBuilder(9, 9).make(0, events).owner_index
    assert unpack_sites(made.sites).tolist() == [5, 7, (1 << 18) - 1, 1 << 18, 1 << 30]
