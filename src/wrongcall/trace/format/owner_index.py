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
live long.) An owner index has at most one in `sizes.OWNER_INDEX_SHARE` of the events of its extent. Where there would
be more, the slots with the most events are *left out*, and listed: reading those from the segments costs little per
event. Native code chooses the events and makes the pages (`native/sift.c`, `native/extent.c`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from wrongcall.errors import TraceError
from wrongcall.events import Kind
from wrongcall.trace.format import _packing, event_kinds, sizes
from wrongcall.trace.format.column_block import unpack_column_block, unpack_column_blocks
from wrongcall.trace.format.columns import Column
from wrongcall.trace.format.event_records import EVENT, FIELDS, OPAQUE, Events, Ints, events_of
from wrongcall.trace.format.selection import Found

EXTENT = sizes.EXTENT
EXTENT_EVENTS = sizes.EXTENT_EVENTS
PAGE = sizes.PAGE

OBJECT = 1 << 40
VARIABLE_KINDS = event_kinds.VARIABLE_KINDS

_SLOT_BITS = 24
_MASK = (1 << 64) - 1

_PAGE_DTYPES = {"time": np.dtype("<i8"), **{name: EVENT[name] for name in FIELDS}}
_OWNER, _SLOT, _TIME, _SITE = (np.dtype(name) for name in ("<i8", "<u4", "<i8", "<u4"))
_MOST_PAGES = EXTENT_EVENTS // PAGE + 1


def slot_of(kind: Kind, ktag: int, key: int) -> int:
    """Return the slot of events of a kind with this key; for a variable, the key is its site."""
    group = event_kinds.SLOT_GROUPS.get(kind, 0)
    if not group:
        return 0
    what = group << 8 | (0 if kind in VARIABLE_KINDS else ktag)
    mixed = key * 0x9E3779B97F4A7C15 + what * 0xC2B2AE3D27D4EB4F
    return (mixed & _MASK) >> (64 - _SLOT_BITS) or 1


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


def unpack_pages(packed: Sequence[bytes]) -> list[OwnerPage]:
    """Unpack pages: all at once, because each column of each page would take a while by itself."""
    dtypes = list(_PAGE_DTYPES.values())
    blocks, ends = unpack_column_blocks(packed, dtypes, PAGE)
    columns = dict(zip(_PAGE_DTYPES, blocks, strict=True))
    times, events = columns.pop("time"), events_of(columns)
    owners = _owners(events)
    return [
        OwnerPage(Found(times[begin:end], events[begin:end]), owners[begin:end])
        for begin, end in pairwise([0, *ends])
    ]


def _owners(events: Events) -> Ints:
    owners = np.empty(len(events), np.int64)
    _packing.owners(events.view(OPAQUE), event_kinds.TRAITS, owners)
    return owners
