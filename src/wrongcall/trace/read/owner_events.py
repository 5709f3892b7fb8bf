"""Find all events of an object, or of a call's variables, without reading every segment.

Within extents, the `owner_index` has them; an owner that is not in it has all its events in one segment, or none. The
few segments after the last whole extent are searched.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import partial

import numpy as np
import numpy.typing as npt

from wrongcall.errors import TraceError
from wrongcall.events import Kind
from wrongcall.trace.format.columns import Column
from wrongcall.trace.format.compaction import BARRIERS
from wrongcall.trace.format.event_records import OBJECT_KINDS, Ints, obj_ids
from wrongcall.trace.format.owner_index import (
    EXTENT,
    EXTENT_EVENTS,
    OBJECT,
    VARIABLE_KINDS,
    OwnerIndexHead,
    OwnerPage,
    unpack_pages,
    unpack_sites,
)
from wrongcall.trace.format.segment import SEGMENT_EVENTS
from wrongcall.trace.format.selection import NOTHING, Found, join_found
from wrongcall.trace.read.cache import ByteCache
from wrongcall.trace.read.indexes import Indexes
from wrongcall.trace.read.segments import Segments
from wrongcall.trace.read.tail_owners import TailOwners

Slots = npt.NDArray[np.uint32]
FEW_SEARCHES = 16
"""After this many searches of a segment, its events are sorted by owner."""
FEW_TAIL_SEARCHES = 16
"""After this many searches, the events after the last whole extent are sorted by owner."""

_PAGES = 64
"""Pages that are read together."""


class OwnerEvents:
    """The owner indexes of a trace, and the segments that have none yet."""

    def __init__(self, indexes: Indexes, cache: ByteCache, segments: Segments) -> None:
        self._indexes = indexes
        self._cache = cache
        self._segments = segments
        self._newest: dict[int, int] = {}
        """The newest object before segments that are in no extent yet."""
        self._tail_searches = (0, 0)
        """The length of the snapshot, and how often the events after its extents were searched."""
        self._searches: Counter[int] = Counter()
        """How often each segment of the extents was searched for an owner that is new in it."""
        self._ends: tuple[int, Ints] = (0, np.empty(0, np.int64))
        """How many extents there were, and the newest object at the end of each of their segments."""

    @property
    def extents(self) -> int:
        """How many extents there are in this snapshot; their indexes are made when this is first asked."""
        return self._indexes.complete()

    def find(
        self,
        owner: int,
        slots: Iterable[int] | None = None,
        first: int = 0,
        last: int | None = None,
    ) -> Found:
        """Return the events of an owner in a span of times, in order.

        With slots, events of other slots may or may not be included.
        """
        return join_found([NOTHING, *self.parts(owner, slots, first, last)])

    def parts(
        self,
        owner: int,
        slots: Iterable[int] | None = None,
        first: int = 0,
        last: int | None = None,
        backward: bool = False,
    ) -> Iterator[Found]:
        """Like `find`, extent by extent."""
        end = self._segments.event_count if last is None else min(last, self._segments.event_count)
        wanted = None if slots is None else np.array(sorted(set(slots)), dtype=np.uint32)
        spans = list(self.by_extent(max(first, 0), end))
        for begin, stop in reversed(spans) if backward else spans:
            extent = begin // EXTENT_EVENTS
            if extent < self.extents:
                found = _between(self.in_extent(extent, owner, wanted), begin, stop)
            else:
                found = self._in_tail(owner, begin, stop)
            if len(found.times):
                yield found

    def by_extent(self, first: int, last: int) -> Iterator[tuple[int, int]]:
        """Split a span of times, last excluded, at the extents; what follows the whole extents is one piece."""
        while first < min(last, self.extents * EXTENT_EVENTS):
            stop = min((first // EXTENT_EVENTS + 1) * EXTENT_EVENTS, last)
            yield first, stop
            first = stop
        if first < last:
            yield first, last

    def tells(self, time: int, owner: int, slots: Slots) -> bool:
        """Return whether the owner index of the extent at a time has the events of these slots."""
        extent = time // EXTENT_EVENTS
        return extent < self.extents and not self.index(extent).leaves_out(owner, slots)

    def in_extent(self, extent: int, owner: int, slots: Slots | None = None) -> Found:
        """Return the events of an owner in an extent, in order."""
        index = self.index(extent)
        newest = index.newest(owner)
        number = owner & ~OBJECT
        if number > newest[-1]:
            return NOTHING
        first = extent * EXTENT_EVENTS
        if index.leaves_out(owner, slots):
            return self._searched(owner, first, first + EXTENT_EVENTS)
        pages = index.pages(owner, slots)
        found = self._on_pages(extent, pages, owner)
        if not len(found.times) and self._is_new(extent, owner) and not self._has(extent, owner):
            return self._in_segment(owner, extent * EXTENT + int(np.searchsorted(newest, number)))
        return found

    def _in_segment(self, owner: int, number: int) -> Found:
        """Return the events of an owner in a full segment."""
        first = number * SEGMENT_EVENTS
        last = first + SEGMENT_EVENTS
        self._searches[number] += 1
        if self._searches[number] <= FEW_SEARCHES:
            return self._searched(owner, first, last)
        key = ("segment owners", number)
        return self._cache.get(key, lambda: TailOwners(self._segments, first, last)).of(owner)

    def matter(self, extent: int, owner: int, time: int) -> Found:
        """Return the events of an owner in an extent that matter for its state at a time.

        Others may be among them, but none after that time. The result is cached.
        """
        index = self.index(extent)
        pages = index.pages(owner, None)
        outdated = set() if index.leaves_out(owner, None) else index.outdated(pages, time)
        if outdated:
            rest = [page for page in pages if page not in outdated]
            key = ("owner", extent, owner, *rest)
            found = self._cache.get(key, lambda: self._on_pages(extent, rest, owner))
            barriers = BARRIERS[found.events["kind"]]
            if not (barriers & (found.times <= time)).any():
                return _between(found, 0, time + 1)
        whole = self._cache.get(("owner", extent, owner), lambda: self.in_extent(extent, owner))
        return _between(whole, 0, time + 1)

    def _is_new(self, extent: int, owner: int) -> bool:
        """Return whether an owner is first seen in this extent or later."""
        return owner & ~OBJECT > self.newest_before(extent, owner)

    def newest_before(self, extent: int, owner: int) -> int:
        """Return the newest object (or call, if the owner is one) before an extent."""
        return int(self.index(extent - 1).newest(owner)[-1]) if extent else 0

    def newest_object(self, time: int) -> int:
        """Return the largest id of an object that was seen up to a time; ids rise."""
        number, where = divmod(time, SEGMENT_EVENTS)
        return max(self._newest_in(number, where + 1), self._newest_before(number))

    def first_segment(self, oid: int) -> int | None:
        """Return the only segment in which an object may be first seen; None if there is none."""
        if self._ends[0] != self.extents:
            ends = [self.index(extent).newest_objects for extent in range(self.extents)]
            self._ends = (self.extents, np.concatenate([np.empty(0, np.int64), *ends]))
        number = int(self._ends[1].searchsorted(oid))
        count = len(self._segments.index.count)
        while len(self._ends[1]) <= number < count - 1 and self._newest_before(number + 1) < oid:
            number += 1
        return number if number < count else None

    def _newest_before(self, number: int) -> int:
        """Return the newest object before a segment."""
        if number // EXTENT <= self.extents and not number % EXTENT:
            return self.newest_before(number // EXTENT, OBJECT)
        if number // EXTENT < self.extents:
            return int(self.index(number // EXTENT).newest_objects[number % EXTENT - 1])
        if number not in self._newest:
            last = self._newest_in(number - 1, SEGMENT_EVENTS)
            self._newest[number] = max(last, self._newest_before(number - 1))
        return self._newest[number]

    def _newest_in(self, number: int, count: int) -> int:
        """Return the newest of the objects that are first seen in the first events of a segment.

        Objects that got another class are among the events, but older.
        """
        kinds = self._segments.column(number, "kind")[:count]
        where = np.flatnonzero(kinds == Kind.OBJ)
        found = {name: self._segments.fields(number, name, where) for name in ("obj", "hi")}
        return int(obj_ids(found).max(initial=0))

    def _has(self, extent: int, owner: int) -> bool:
        """Return whether an owner is in an owner index at all."""
        index = self.index(extent)
        if index.leaves_out(owner, None):
            return True
        pages = index.pages(owner, None)
        return any(len(self._page(extent, page).of_owners(owner, owner).times) for page in pages)

    def _on_pages(self, extent: int, pages: list[int], owner: int) -> Found:
        parts = [page.of_owners(owner, owner) for page in self._pages(extent, pages)]
        return in_order(join_found(parts))

    def _in_tail(self, owner: int, first: int, last: int) -> Found:
        """Return the events of an owner in a span after the whole extents."""
        count = self._segments.event_count
        key = ("tail owners", self.extents, count)
        self._tail_searches = (
            count,
            self._tail_searches[1] + 1 if self._tail_searches[0] == count else 1,
        )
        if self._tail_searches[1] <= FEW_TAIL_SEARCHES:
            return self._searched(owner, first, last)
        begin = self.extents * EXTENT_EVENTS
        owners = self._cache.get(key, lambda: TailOwners(self._segments, begin, count))
        return _between(owners.of(owner), first, last)

    def _searched(self, owner: int, first: int, last: int) -> Found:
        """Return the events of an owner in a span of times, by searching the segments."""
        select = self._segments.select
        if owner & OBJECT:
            return select(OBJECT_KINDS, obj=owner ^ OBJECT, first=first, last=last)
        own = select(VARIABLE_KINDS, call=owner, first=first, last=last)
        other = select(VARIABLE_KINDS, obj=owner, first=first, last=last)
        mine = obj_ids(own.events) == 0
        if not mine.all():
            own = Found(own.times[mine], own.events[mine])
        return in_order(join_found([own, other]))

    def index(self, extent: int) -> OwnerIndexHead:
        """Return the head of an extent's owner index."""

        def load() -> OwnerIndexHead:
            sql = "SELECT extent, newest, heads, left_out FROM owner_indexes WHERE extent = ?"
            rows = self._indexes.rows("ibbb", sql, extent, sealed="owner_indexes")
            if not rows:
                raise TraceError(f"damaged trace: there is no owner index {extent}")
            return OwnerIndexHead.unpack(*rows[0][1:])

        return self._cache.get(("owner index", extent), load)

    def sites(self, extent: int) -> Column:
        """Return the sites at which anything happens in an extent."""

        def load() -> Column:
            sql = "SELECT extent, sites FROM owner_indexes WHERE extent = ?"
            rows = self._indexes.rows("ib", sql, extent, sealed="owner_indexes")
            if not rows:
                raise TraceError(f"damaged trace: there is no owner index {extent}")
            return unpack_sites(rows[0][1])

        return self._cache.get(("sites", extent), load)

    def pages(self, extent: int, first: int, last: int) -> Iterator[tuple[int, int, int]]:
        """Iterate over the pages that have events of owners from ``first`` to ``last``, inclusive.

        Yields the page, its owner if all of it belongs to that owner, else 0, and the slot it begins with.
        """
        index = self.index(extent)
        begin = max(int(index.head_owners.searchsorted(first)) - 1, 0)
        end = int(index.head_owners.searchsorted(last, "right"))
        owners, slots = index.head_owners[begin : end + 1], index.head_slots[begin:end]
        whole = owners[:-1] == owners[1:]
        for page, slot in enumerate(slots.tolist()):
            owner = int(owners[page]) if page < len(whole) and whole[page] else 0
            yield begin + page, owner, slot

    def on_page(self, extent: int, page: int, first: int, last: int) -> Found:
        """Return the events on a page of owners from ``first`` to ``last``, inclusive."""
        return self._page(extent, page).of_owners(first, last)

    def left_out(self, extent: int, first: int, last: int) -> list[tuple[int, int]]:
        """Return owners from ``first`` to ``last``, inclusive, with slots that are left out."""
        index = self.index(extent)
        chosen = (index.left_owners >= first) & (index.left_owners <= last)
        columns = (index.left_owners[chosen].tolist(), index.left_slots[chosen].tolist())
        return list(zip(*columns, strict=True))

    def _page(self, extent: int, number: int) -> OwnerPage:
        return self._cache.get(
            ("page", extent, number), lambda: self._read_pages(extent, number, number)[number]
        )

    def _pages(self, extent: int, numbers: list[int]) -> Iterator[OwnerPage]:
        """Iterate over pages, given in ascending order; those that are not cached are read many at a time."""
        for first in range(0, len(numbers), _PAGES):
            wanted = numbers[first : first + _PAGES]
            missing = [n for n in wanted if self._cache.peek(("page", extent, n)) is None]
            read: dict[int, OwnerPage] = {}
            if missing and missing[-1] - missing[0] < 2 * len(missing):
                read = self._read_pages(extent, missing[0], missing[-1])
            for number in wanted:
                page = read.get(number)
                if page is None:
                    yield self._page(extent, number)
                else:
                    yield self._cache.get(("page", extent, number), partial(_itself, page))

    def _read_pages(self, extent: int, first: int, last: int) -> dict[int, OwnerPage]:
        """Read the pages from ``first`` to ``last``, inclusive."""
        sql = (
            "SELECT extent, number, packed FROM owner_pages "
            "WHERE extent = ? AND number >= ? AND number <= ? ORDER BY number"
        )
        rows = self._indexes.rows("iib", sql, extent, first, last, sealed="owner_pages")
        missing = set(range(first, last + 1)) - {row[1] for row in rows}
        if missing:
            raise TraceError(
                f"damaged trace: there is no page {min(missing)} of owner index {extent}"
            )
        pages = unpack_pages([row[2] for row in rows])
        return {row[1]: page for row, page in zip(rows, pages, strict=True)}


def _itself(page: OwnerPage) -> OwnerPage:
    return page


def in_order(found: Found) -> Found:
    """Return events sorted by their times."""
    if (found.times[1:] > found.times[:-1]).all():
        return found
    order = np.argsort(found.times, kind="stable")
    return Found(found.times[order], found.events[order])


def _between(found: Found, first: int, last: int) -> Found:
    begin, end = found.times.searchsorted(first), found.times.searchsorted(last)
    return Found(found.times[begin:end], found.events[begin:end])
