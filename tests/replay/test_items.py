"""Long sequences behave like lists of slots, and are replayed natively as they are in Python."""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wrongcall.errors import TraceError
from wrongcall.events import SEEN, Kind, Layout, Tag
from wrongcall.replay import object_replay
from wrongcall.replay.elements import UNKNOWN_SLOT, Slot
from wrongcall.replay.items import NO_WRITES, Items, PlaceWrites, Watch, joined
from wrongcall.replay.object_replay import Replay, Row, rows_of
from wrongcall.trace.format.event_records import EVENT
from wrongcall.trace.format.program_tables import Program
from wrongcall.trace.format.selection import Found
from wrongcall.trace.read.places import Item

_SLOTS = st.one_of(
    st.just(UNKNOWN_SLOT),
    st.builds(Slot, st.integers(0, 40), st.integers(-(2**63), 2**63 - 1), st.integers(0, 2**40)),
)
_LISTS = st.lists(_SLOTS, max_size=12)


@given(_LISTS, st.data())
def test_items_behave_like_a_list(slots: list[Slot], data: st.DataObject) -> None:
    items, expected = Items(slots), list(slots)
    for _ in range(data.draw(st.integers(0, 8))):
        first = data.draw(st.integers(-3, len(expected) + 3))
        last = data.draw(st.integers(-3, len(expected) + 3))
        new = data.draw(_LISTS)
        items[first:last] = new
        expected[first:last] = new
        assert list(items) == items[:] == expected
        assert items[first:last:2] == expected[first:last:2]
        assert items[::-1] == expected[::-1]
    assert len(items) == len(expected)
    for index in range(-len(expected), len(expected)):
        assert items[index] == expected[index]
    with pytest.raises(IndexError):
        items[len(expected)]


def test_items_can_be_changed_one_by_one() -> None:
    one, two, three = (Slot(Tag.INT, number, number) for number in (1, 2, 3))
    items = Items([one, two])
    items.append(three)
    items.insert(0, three)
    items[1] = two
    del items[0]
    items[-1] = UNKNOWN_SLOT
    assert list(items) == [two, two, UNKNOWN_SLOT]
    other = copy(items)
    items.clear()
    assert (list(items), list(other)) == ([], [two, two, UNKNOWN_SLOT])
    assert other.nbytes == 3 * 17


@given(_LISTS, _LISTS)
def test_differing_elements_are_those_with_other_tags_or_bits(
    one: list[Slot], other: list[Slot]
) -> None:
    found = Items(one).differing(Items(other)).tolist()
    pairs = enumerate(zip(one, other, strict=False))
    assert found == [i for i, (was, now) in pairs if was[:2] != now[:2]]
    assert Items(one).tagged(Tag.OBJ) == [
        (i, s.bits) for i, s in enumerate(one) if s.tag == Tag.OBJ
    ]


# -- replaying ---------------------------------------------------------------------------------------

_KINDS = [Kind.ITEM, Kind.INSERT, Kind.REMOVE]
_EVENTS = st.lists(
    st.tuples(
        st.sampled_from([*_KINDS, *_KINDS, Kind.ITEM | SEEN, Kind.CLEAR, Kind.ATTR, Kind.EXPLORED]),
        st.integers(0, 12),
        st.integers(0, 5),
    ),
    max_size=60,
)


def _found(events: list[tuple[int, int, int]]) -> Found:
    records = np.zeros(len(events) + 1, EVENT)
    records[0] = (Kind.OBJ, Layout.LIST, Tag.INT, 0, 0, 0, 1, 1, 0)
    for i, (kind, key, value) in enumerate(events, start=1):
        records[i] = (kind, 0, Tag.INT, 0, 0, 0, 1, key, value)
    return Found(np.arange(len(records)) * 3 + 10, records)


def _replay() -> Replay:
    return Replay(Program(), None)  # type: ignore[arg-type]


def _one_by_one(found: Found, index: int) -> tuple[Replay, list[tuple[int, Slot | None]]]:
    """Replay events in Python; return when the slot at an index became another one, and which."""
    replay, seen = _replay(), []
    rows: list[Row] = rows_of(found)
    for row in rows:
        before = replay.at(Item(index))
        replay.apply(row)
        if replay.at(Item(index)) != before:
            seen.append((row.time, replay.at(Item(index))))
    return replay, seen


@pytest.fixture
def always_native() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(object_replay, "MANY", 0)
        yield


@given(_EVENTS, st.integers(0, 8), st.integers(0, 60))
@pytest.mark.usefixtures("always_native")
def test_native_replay_is_that_of_python(
    events: list[tuple[int, int, int]], index: int, cut: int
) -> None:
    found = _found(events)
    expected, seen = _one_by_one(found, index)
    replay, writes = _replay(), []
    for part in (slice(0, cut), slice(cut, None)):
        some = Found(found.times[part], found.events[part])
        watch = Watch(index, len(some.times))
        replay.apply_all(some, watch)
        writes.append(watch.writes(some.times))
    assert list(replay.items) == expected.items
    assert (replay.length, replay.attrs) == (expected.length, expected.attrs)
    noted = joined(writes)
    assert list(zip(noted.times.tolist(), noted.slots(), strict=True)) == seen
    unwatched = _replay()
    unwatched.apply_all(found)
    assert list(unwatched.items) == expected.items


@pytest.mark.usefixtures("always_native")
def test_a_long_queue_is_replayed_natively() -> None:
    events = []
    for number in range(9000):
        events.append((int(Kind.INSERT), number - number // 3, number))
        if number % 3 == 2:
            events.append((int(Kind.REMOVE), 0, 1))
    events += [(int(Kind.INSERT), 0, number) for number in range(3000)]
    found = _found(events)
    replay = _replay()
    replay.apply_all(found)
    assert isinstance(replay.items, Items)
    expected, _ = _one_by_one(found, 0)
    assert list(replay.items) == expected.items
    assert replay.length == expected.length == len(expected.items)


@pytest.mark.parametrize(
    "kind, key, value",
    [
        (Kind.ITEM, -1, 0),
        (Kind.INSERT, -1, 0),
        (Kind.REMOVE, -1, 1),
        (Kind.REMOVE, 0, -1),
        (Kind.ITEM, 1 << 40, 0),
    ],
)
@pytest.mark.usefixtures("always_native")
def test_damage_is_refused_as_in_python(kind: Kind, key: int, value: int) -> None:
    with pytest.raises(TraceError, match="damaged trace"):
        _replay().apply_all(_found([(Kind.INSERT, 0, 7), (kind, key, value)]))


def test_writes_are_joined_in_order() -> None:
    assert len(joined([])) == 0
    watch = Watch(2, 3)
    watch.note(1, Slot(Tag.INT, 5, 40))
    watch.note(2, None)
    found = watch.writes(np.array([30, 40, 50]))
    assert found.slots() == [Slot(Tag.INT, 5, 40), None]
    assert found.slots(1) == [None]
    assert joined([NO_WRITES, found, PlaceWrites(*found)]).times.tolist() == [40, 50, 40, 50]
