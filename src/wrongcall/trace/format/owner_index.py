"""Owner indexes: all events of long-lived owners, sorted by owner, so that reading a history reads little else.

The history of something that changes throughout the run is spread over all segments, and unpacking them all takes long.
So each *extent* (`EXTENT` segments) has an owner index: the events of long-lived *owners*, sorted by owner, slot and
time, in *pages* that can be read one by one.

Vocabulary: the *owner* of an event is the object it is about or, where a local variable is bound, the call whose
variable it is. As a number, an object has the bit `OBJECT` set. A *slot* is a 24-bit number for what is written: 0 for
anything that moves or removes slots or concerns an object as a whole, else a hash of an attribute's name, an index, a
key, or the site at which a variable is bound. The *newest* object (or call) is the largest id that was given out so
far.

Invariants: an owner that is in an owner index has all its events of the extent there. One that is not has them all in
the segment in which it is new: its id is above the newest before that segment, and not above the newest after it. (New
modules, and new objects that are stored in long-lived ones, are included too if there is room, as most of them will
live long.) An owner index has at most one in `SHARE` of the events of its extent. Where there would be more, the slots
with the most events are *left out*, and listed: reading those from the segments costs little per event.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from wrongcall.errors import TraceError
from wrongcall.events import SEEN, SITE_LINE, Kind
from wrongcall.trace.format import _packing
from wrongcall.trace.format.column_block import (
    pack_column_block,
    pack_column_blocks,
    unpack_column_block,
)
from wrongcall.trace.format.columns import Coding, Column
from wrongcall.trace.format.event_records import (
    EVENT,
    FIELDS,
    OBJECT_KINDS,
    OPAQUE,
    Bytes,
    Columns,
    Events,
    Ints,
    events_of,
    with_seen,
)
from wrongcall.trace.format.segment import SEGMENT_EVENTS
from wrongcall.trace.format.selection import Found

EXTENT = 8
"""Segments that share an owner index and a checkpoint."""
EXTENT_EVENTS = EXTENT * SEGMENT_EVENTS
MAX_LAGGING_EXTENTS = 2
"""Full extents that may still lack their owner index and checkpoint, which are made in the background."""
SHARE = 4
"""At most one in this many events of an extent is in its owner index."""
PAGE = 512
"""Events in one page."""

OBJECT = 1 << 40
VARIABLE_KINDS = with_seen({Kind.LOCAL, Kind.LOCAL_DEL})

_OF_OBJECT, _OF_VARIABLE, _FIRST_SIGHT, _BEGINNING = 1, 2, 4, 8
_SLOT_BITS = 24
_SLOT_GROUPS = {
    Kind.ATTR: 1,
    Kind.ITEM: 2,
    Kind.ENTRY: 3,
    Kind.LOCAL: 4,
    Kind.LOCAL_DEL: 4,
}
_MASK = (1 << 64) - 1

_PAGE_COLUMNS: dict[str, tuple[np.dtype[Any], Coding]] = {
    "time": (np.dtype("<i8"), Coding.DELTA),
    "kind": (EVENT["kind"], Coding.DELTA),
    "ktag": (EVENT["ktag"], Coding.DELTA),
    "vtag": (EVENT["vtag"], Coding.DELTA),
    "hi": (EVENT["hi"], Coding.DELTA),
    "site": (EVENT["site"], Coding.DELTA),
    "call": (EVENT["call"], Coding.DELTA),
    "obj": (EVENT["obj"], Coding.DELTA),
    "key": (EVENT["key"], Coding.DELTA),
    "value": (EVENT["value"], Coding.PLANES),
}
_PAGE_DTYPES = [dtype for dtype, _ in _PAGE_COLUMNS.values()]
_OWNER, _SLOT, _TIME, _SITE = (np.dtype(name) for name in ("<i8", "<u4", "<i8", "<u4"))
_MANY_SITES = 1 << 18
"""Sites below this number are collected in an array of flags."""
_MOST_PAGES = EXTENT_EVENTS // PAGE + 1


def _roles() -> Bytes:
    roles = np.zeros(256, dtype=np.uint8)
    roles[list(OBJECT_KINDS)] = _OF_OBJECT
    roles[list(VARIABLE_KINDS)] = _OF_VARIABLE
    roles[Kind.OBJ] |= _FIRST_SIGHT
    roles[[Kind.ENTER, Kind.CREATE]] = _BEGINNING
    return roles


def _groups() -> Bytes:
    groups = np.zeros(256, dtype=np.uint8)
    for kind, group in _SLOT_GROUPS.items():
        groups[[kind, kind | SEEN]] = group
    return groups


_ROLES, _GROUPS = _roles(), _groups()


def slot_of(kind: Kind, ktag: int, key: int) -> int:
    """Return the slot of events of a kind with this key; for a variable, the key is its site."""
    group = _SLOT_GROUPS.get(kind, 0)
    if not group:
        return 0
    what = group << 8 | (0 if kind in VARIABLE_KINDS else ktag)
    mixed = key * 0x9E3779B97F4A7C15 + what * 0xC2B2AE3D27D4EB4F
    return (mixed & _MASK) >> (64 - _SLOT_BITS) or 1


# -- making ----------------------------------------------------------------------------------------


class Sifted(NamedTuple):
    """The events of an extent's long-lived owners, as indices in the extent."""

    by_owner: npt.NDArray[np.uint32]
    """Sorted by owner, then by time."""
    by_slot: npt.NDArray[np.uint32]
    """Sorted by owner, slot and time, without those that are left out."""
    slots: npt.NDArray[np.uint32]
    """The slots of those events."""
    left_out: Ints
    """Owners and slots, alternating."""
    newest_objects: Ints
    """At the end of each segment."""
    newest_calls: Ints


def sift(columns: Columns, newest_object: int, newest_call: int) -> Sifted:
    """Find the events of an extent that belong to long-lived owners."""
    most = len(columns["kind"]) // SHARE
    chosen = tuple(columns[name] for name in FIELDS)
    found = _packing.sift(chosen, _ROLES, _GROUPS, SEGMENT_EVENTS, newest_object, newest_call, most)
    by_owner, by_slot, slots = (np.frombuffer(part, dtype=np.uint32) for part in found[:3])
    numbers = (np.frombuffer(part, dtype=np.int64) for part in found[3:])
    return Sifted(by_owner, by_slot, slots, *numbers)


class OwnerIndex(NamedTuple):
    """An owner index in its stored form."""

    newest: bytes
    heads: bytes
    left_out: bytes
    sites: bytes
    pages: list[bytes]


def make_owner_index(first: int, columns: Columns, sifted: Sifted) -> OwnerIndex:
    """Make the owner index of the extent that begins at time ``first``."""
    order = sifted.by_slot
    times = np.arange(first, first + len(columns["kind"]), dtype=np.int64)
    begins = order[::PAGE]
    heads = events_of({name: columns[name][begins] for name in FIELDS})
    left_out = sifted.left_out.reshape(-1, 2)
    rows = {**columns, "time": times}
    return OwnerIndex(
        pack_column_block([(column, Coding.DELTA) for column in sifted[-2:]]),
        _pack_heads(_owners(heads), sifted.slots[::PAGE], times[begins]),
        _pack_heads(left_out[:, 0], left_out[:, 1]),
        pack_column_block([(sites_of(columns["site"]), Coding.DELTA)]),
        list(
            pack_column_blocks(
                [(rows[n], how) for n, (_, how) in _PAGE_COLUMNS.items()], PAGE, order
            )
        ),
    )


def sites_of(column: Column) -> Column:
    """Return the distinct sites in a column, in ascending order, without lines that stand for sites."""
    happened = np.zeros(_MANY_SITES + 1, dtype=np.bool_)
    _packing.mark(column, happened)
    found = np.flatnonzero(happened[:-1])
    if happened[-1]:
        found = np.append(found, np.unique(column[(column >= _MANY_SITES) & (column < SITE_LINE)]))
    return found.astype(_SITE)


def _owners(events: Events) -> Ints:
    owners = np.empty(len(events), np.int64)
    _packing.owners(events.view(OPAQUE), _ROLES, owners)
    return owners


def _pack_heads(owners: Column, slots: Column, *times: Column) -> bytes:
    columns: list[tuple[Column, Coding]] = [
        (np.ascontiguousarray(owners, _OWNER), Coding.DELTA),
        (np.ascontiguousarray(slots, _SLOT), Coding.PLANES),
    ]
    columns += [(np.ascontiguousarray(column), Coding.DELTA) for column in times]
    return pack_column_block(columns)


# -- reading ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class OwnerIndexHead:
    """The contents of an owner index, and their pages."""

    newest_objects: Ints
    """At the end of each segment of the extent."""
    newest_calls: Ints
    head_owners: Ints
    """Of the first event of each page."""
    head_slots: npt.NDArray[np.uint32]
    head_times: Ints
    left_owners: Ints
    left_slots: npt.NDArray[np.uint32]

    @classmethod
    def unpack(cls, newest: bytes, heads: bytes, left_out: bytes) -> OwnerIndexHead:
        """Unpack the head of a stored owner index."""
        ends = unpack_column_block(newest, (_OWNER, _OWNER), EXTENT)
        pages = unpack_column_block(heads, (_OWNER, _SLOT, _TIME), _MOST_PAGES)
        left = unpack_column_block(left_out, (_OWNER, _SLOT), EXTENT_EVENTS)
        if len(ends[0]) != EXTENT:
            raise TraceError(f"damaged trace: an owner index of {len(ends[0])} segments")
        return cls(*ends, *pages, *left)

    @property
    def nbytes(self) -> int:
        """Its size in memory, in bytes."""
        return 500 + 20 * len(self.head_owners) + 12 * len(self.left_owners)

    def newest(self, owner: int) -> Ints:
        """Return the newest object, or call, at the end of each segment."""
        return self.newest_objects if owner & OBJECT else self.newest_calls

    def leaves_out(self, owner: int, slots: npt.NDArray[np.uint32] | None) -> bool:
        """Return whether events of an owner (at these slots, if given) are left out."""
        mine = self.left_owners == owner
        if slots is not None and mine.any():
            mine &= np.isin(self.left_slots, slots)
        return bool(mine.any())

    def pages(self, owner: int, slots: npt.NDArray[np.uint32] | None) -> list[int]:
        """Return the pages that may have events of an owner (at these slots, if given)."""
        begin = int(np.searchsorted(self.head_owners, owner, "left"))
        end = int(np.searchsorted(self.head_owners, owner, "right"))
        if slots is None or begin == end:
            return list(range(max(begin - 1, 0), end))
        heads = self.head_slots[begin:end]
        found: set[int] = set()
        firsts = np.searchsorted(heads, slots, "left").tolist()
        lasts = np.searchsorted(heads, slots, "right").tolist()
        for first, last in zip(firsts, lasts, strict=True):
            found.update(range(max(begin + first - 1, 0), begin + last))
        return sorted(found)

    def outdated(self, pages: list[int], time: int) -> set[int]:
        """Return the pages of an owner that later pages, up to a time, make irrelevant.

        This holds if nothing moves or removes slots in the meantime: such a page has only writes to one slot, neither
        the first in the extent nor the last before the time.
        """
        found = set()
        for page in pages[1:-1]:
            heads = self.head_owners[page - 1 : page + 2]
            slots = self.head_slots[page - 1 : page + 2]
            same = (heads == heads[0]).all() and (slots == slots[0]).all() and slots[0] != 0
            if same and self.head_times[page + 1] <= time:
                found.add(page)
        return found


@dataclass(frozen=True)
class OwnerPage:
    """An unpacked page."""

    found: Found
    owners: Ints

    @property
    def nbytes(self) -> int:
        """Its size in memory, in bytes."""
        return self.found.nbytes + int(self.owners.nbytes)

    def of_owners(self, first: int, last: int) -> Found:
        """Return the events of owners from ``first`` to ``last``, inclusive."""
        begin, end = self.owners.searchsorted(first), self.owners.searchsorted(last, "right")
        return Found(self.found.times[begin:end], self.found.events[begin:end])


def unpack_sites(packed: bytes) -> Column:
    """Return the sites at which anything happens in an extent."""
    return unpack_column_block(packed, (_SITE,), EXTENT_EVENTS)[0]


def unpack_page(packed: bytes) -> OwnerPage:
    """Unpack a page."""
    columns = dict(zip(_PAGE_COLUMNS, unpack_column_block(packed, _PAGE_DTYPES, PAGE), strict=True))
    times, events = columns.pop("time"), events_of(columns)
    return OwnerPage(Found(times, events), _owners(events))
