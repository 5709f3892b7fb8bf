"""The elements of a long sequence, in columns.

A list of `Slot` takes 150 bytes an element, and replaying a million events in Python takes seconds. `Items` behaves
like such a list, takes 17 bytes an element, and replays events natively (``native/sequence.c``).

Invariant: after the same operations, it equals a list of slots.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, MutableSequence
from typing import NamedTuple, cast, overload

import numpy as np

from wrongcall.events import SEEN, Kind
from wrongcall.replay import _sequence
from wrongcall.replay.elements import UNKNOWN_SLOT, Slot
from wrongcall.trace.format.columns import Column
from wrongcall.trace.format.event_records import OPAQUE, Bools, Bytes, Ints, kind_table, with_seen
from wrongcall.trace.format.selection import Found

MANY = 20_000
"""With this many events or elements, columns are worth it."""
ELEMENT_EVENTS = kind_table(with_seen({Kind.ITEM, Kind.INSERT, Kind.REMOVE}))
"""Kinds of events that are replayed natively."""
_GROWS = kind_table(with_seen({Kind.ITEM, Kind.INSERT}))
_TOGETHER = 4096
_ROOM = 1024
UNKNOWN_TAG = UNKNOWN_SLOT.tag & 0xFF
_THERE, _GONE = 1, 2


def _effects() -> Bytes:
    effects = np.zeros(256, np.uint8)
    for number, kind in enumerate((Kind.ITEM, Kind.INSERT, Kind.REMOVE), start=1):
        effects[[kind, kind | SEEN]] = number
    return effects


_EFFECTS = _effects()


class PlaceWrites(NamedTuple):
    """The writes that changed a place, in order, as columns: when, and the slot that each left there."""

    times: Ints
    is_there: Bools
    """Whether there is anything at the place after the write."""
    tag: Bytes
    bits: Ints
    written: Ints
    """When the value was written: earlier than the write, if it moved there."""

    def __len__(self) -> int:
        return len(self.times)

    def slots(self, first: int = 0, last: int | None = None) -> list[Slot | None]:
        """Return what some of the writes left."""
        tag, bits, written = (column[first:last].tolist() for column in self[2:])
        slots: list[Slot | None] = [_slot(*each) for each in zip(tag, bits, written, strict=True)]
        for i in np.flatnonzero(~self.is_there[first:last]).tolist():
            slots[i] = None
        return slots


_NO_INTS = np.empty(0, np.int64)
NO_WRITES = PlaceWrites(_NO_INTS, np.empty(0, np.bool_), np.empty(0, np.uint8), _NO_INTS, _NO_INTS)


def joined(parts: Iterable[PlaceWrites]) -> PlaceWrites:
    """Concatenate writes."""
    return PlaceWrites(
        *(np.concatenate(columns) for columns in zip(NO_WRITES, *parts, strict=True))
    )


def _slot(tag: int, bits: int, time: int) -> Slot:
    return UNKNOWN_SLOT if tag == UNKNOWN_TAG else Slot(tag, bits, time)


class Watch:
    """An index of a sequence, and what was there after each event that changed it."""

    def __init__(self, index: int = -1, events: int = 0) -> None:
        """Without an index, nothing is noted."""
        self.index = index
        self._changed = np.zeros(events, np.uint8)
        self._tag = np.zeros(events, np.uint8)
        self._bits, self._time = np.zeros(events, np.int64), np.zeros(events, np.int64)

    @property
    def columns(self) -> tuple[Bytes, Bytes, Ints, Ints]:
        """The columns to note it in."""
        return self._changed, self._tag, self._bits, self._time

    def note(self, event: int, slot: Slot | None) -> None:
        """Note what is there after an event that changed it."""
        self._changed[event] = _GONE if slot is None else _THERE
        if slot is None:
            return
        if (
            not -(1 << 63) <= slot.bits < 1 << 63
        ):  # an element of an array of large unsigned numbers
            self._bits = self._bits.astype(object)
        self._tag[event], self._bits[event], self._time[event] = slot.tag & 0xFF, *slot[1:]

    def writes(self, times: Ints) -> PlaceWrites:
        """Return what was noted; ``times`` are those of the events."""
        where = np.flatnonzero(self._changed)
        columns = (self._tag[where], self._bits[where], self._time[where])
        return PlaceWrites(times[where], self._changed[where] == _THERE, *columns)


class Items(MutableSequence[Slot]):
    """Elements as columns, with room on both sides."""

    def __init__(self, slots: Iterable[Slot] = ()) -> None:
        self._tag: Bytes = np.empty(0, np.uint8)
        self._bits: Ints = np.empty(0, np.int64)
        self._time: Ints = np.empty(0, np.int64)
        self._start = self._count = 0
        self[:] = slots

    @property
    def nbytes(self) -> int:
        """Its size in memory, in bytes."""
        return int(self._tag.nbytes + self._bits.nbytes + self._time.nbytes)

    def copy(self) -> Items:
        """Return a copy that can be changed independently."""
        other = Items()
        other._tag, other._bits, other._time = self._columns()
        other._count = self._count
        other.trim()
        return other

    __copy__ = copy

    def _columns(self) -> tuple[Bytes, Ints, Ints]:
        """Return the columns of the elements, without the room around them."""
        part = slice(self._start, self._start + self._count)
        return self._tag[part], self._bits[part], self._time[part]

    # -- like a list -------------------------------------------------------------------------------

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, where: int) -> Slot: ...

    @overload
    def __getitem__(self, where: slice) -> list[Slot]: ...

    def __getitem__(self, where: int | slice) -> Slot | list[Slot]:
        if isinstance(where, int):
            return self._slots(slice(range(self._count)[where], None, self._count))[0]
        return self._slots(where)

    def _slots(self, where: slice) -> list[Slot]:
        tag, bits, time = (column[where].tolist() for column in self._columns())
        return [_slot(*each) for each in zip(tag, bits, time, strict=True)]

    def __iter__(self) -> Iterator[Slot]:
        for first in range(0, self._count, _TOGETHER):
            yield from self._slots(slice(first, first + _TOGETHER))

    @overload
    def __setitem__(self, where: int, value: Slot) -> None: ...

    @overload
    def __setitem__(self, where: slice, value: Iterable[Slot]) -> None: ...

    def __setitem__(self, where: int | slice, value: Slot | Iterable[Slot]) -> None:
        if isinstance(where, int):
            at = self._start + range(self._count)[where]
            assert isinstance(value, Slot)
            self._tag[at], self._bits[at], self._time[at] = value.tag & 0xFF, *value[1:]
            return
        first, last, step = where.indices(self._count)
        assert step == 1
        slots = list(cast(Iterable[Slot], value))
        columns = np.array(slots, np.int64).reshape(-1, 3).T
        self._replace(
            first, max(first, last), (columns[0].astype(np.uint8), columns[1], columns[2])
        )

    def __delitem__(self, where: int | slice) -> None:
        if isinstance(where, int):
            where = slice(range(self._count)[where], range(self._count)[where] + 1)
        self[where] = ()

    def insert(self, index: int, value: Slot) -> None:
        """Insert an element before an index."""
        self[index:index] = [value]

    def _replace(self, first: int, last: int, new: tuple[Bytes, Ints, Ints]) -> None:
        """Replace some elements by others."""
        (tag, bits, time), (new_tag, new_bits, new_time) = self._columns(), new
        self._tag = np.concatenate([tag[:first], new_tag, tag[last:]])
        self._bits = np.concatenate([bits[:first], new_bits, bits[last:]])
        self._time = np.concatenate([time[:first], new_time, time[last:]])
        self._start, self._count = 0, len(self._tag)

    # -- columns -----------------------------------------------------------------------------------

    def differing(self, other: Items) -> Ints:
        """Return the indices, as far as both go, at which two sequences have different tags or bits."""
        count = min(len(self), len(other))
        (tag, bits, _), (other_tag, other_bits, _) = self._columns(), other._columns()
        unlike = (tag[:count] != other_tag[:count]) | (bits[:count] != other_bits[:count])
        found: Ints = np.flatnonzero(unlike)
        return found

    def trim(self) -> None:
        """Give up the room on both sides."""
        tag, bits, time = self._columns()
        self._tag, self._bits, self._time = tag.copy(), bits.copy(), time.copy()
        self._start = 0

    def tags(self, where: Ints) -> Bytes:
        """Return the tags of some elements; those that are not known have `UNKNOWN_TAG`."""
        return self._columns()[0][where]

    def tagged(self, tag: int) -> list[tuple[int, int]]:
        """Return the elements with a tag: their indices and bits."""
        tags, bits, _ = self._columns()
        where = np.flatnonzero(tags == tag)
        return list(zip(where.tolist(), bits[where].tolist(), strict=True))

    def replay(self, found: Found, first: int, length: int, watch: Watch) -> tuple[int, int]:
        """Replay events from an index on, up to one that does more than to write, insert or remove elements.

        Takes the length that the program knows. Returns the index of that event, and the new length.
        """
        events = np.ascontiguousarray(found.events).view(OPAQUE)
        times = np.ascontiguousarray(found.times)
        while True:
            at, (self._start, self._count, length) = _sequence.replay(
                events,
                times,
                first,
                _EFFECTS,
                (self._tag, self._bits, self._time),
                (self._start, self._count, length),
                watch.index,
                watch.columns,
            )
            if at == len(times) or not self._lacks_room(found, at):
                return at, length
            first = at
            self._make_room()

    def _lacks_room(self, found: Found, at: int) -> bool:
        """Return whether an event was not replayed because there is no room for another element."""
        event = found.events[at]
        return bool(_GROWS[event["kind"]]) and 0 <= int(event["key"]) <= self._count

    def _make_room(self) -> None:
        """Move the elements to the middle of larger columns."""
        room = self._count // 4 + _ROOM
        tag, bits, time = self._columns()
        self._tag, self._bits, self._time = (
            _with_room(tag, room),
            _with_room(bits, room),
            _with_room(time, room),
        )
        self._start = room


def _with_room(column: Column, room: int) -> Column:
    """Return a copy with room on both sides, which takes no memory until it is used."""
    larger = np.empty(len(column) + 2 * room, column.dtype)
    larger[room : room + len(column)] = column
    return larger
