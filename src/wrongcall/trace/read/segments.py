"""The segments of a trace for readers: columns on demand, and selections of events.

Vocabulary: `Found` is a selection of events with their times. A *candidate* is a segment that cannot be ruled out by
its summary: the range of ids, the kinds, the filters.

Invariants: event t is number ``t % 65,536`` of segment ``t // 65,536``. What is known is a snapshot: a segment that is
read later may have grown, but begins with the same events.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from wrongcall.errors import TraceError
from wrongcall.trace.format.checksums import Totals
from wrongcall.trace.format.columns import Column, Order
from wrongcall.trace.format.event_records import (
    EVENT,
    FIELDS,
    Bools,
    Bytes,
    Columns,
    Events,
    Ints,
    events_of,
    join_events,
    kind_table,
)
from wrongcall.trace.format.segment import SEGMENT_EVENTS, Packed, grouping, is_grouped, ranks
from wrongcall.trace.format.segment_summary import FILTER_BITS, HAS_OBJECT, unpack_filter
from wrongcall.trace.format.selection import NOTHING, Found, join_found
from wrongcall.trace.read.cache import ByteCache
from wrongcall.trace.read.database import Database

_TOGETHER = 32
"""Segments whose filters are loaded together."""
_FEW_SEGMENTS = 2
"""With no more candidates than this, loading filters is not worth it."""
_FEW = 2000
"""Up to this many events are picked out of a segment one by one."""
LONG_SCAN = 32 * SEGMENT_EVENTS
"""Scans of more events than this would only drop more useful things from the cache."""
KINDS_SIZE = 32
"""Bytes of a bitmap of kinds."""
_INDEX = "id, first, count, min_call, max_call, min_obj, max_obj, arrived, kinds"


@dataclass
class SegmentIndex:
    """The summaries of the segments, as arrays over segments."""

    count: Ints
    min_call: Ints
    max_call: Ints
    min_obj: Ints
    max_obj: Ints
    arrived: Ints
    kinds: Bytes


class Segments:
    """All segments of a trace."""

    def __init__(self, db: Database, cache: ByteCache, totals: Totals) -> None:
        self._db = db
        self._cache = cache
        self._totals = totals
        self._rows: list[tuple[Any, ...]] = []
        self.index = _index([])
        self.event_count = 0
        self.reached_calls: Ints = self.index.max_call
        """For each segment, the largest call that occurs up to its end: calls begin in order."""

    def refresh(self) -> None:
        """Update the snapshot."""
        # The last one known may have grown.
        del self._rows[-1:]
        found = self._db.rows(
            "iiiiiiiib",
            f"SELECT {_INDEX} FROM segments WHERE id >= ? ORDER BY id",
            len(self._rows),
            sealed="segments",
        )
        self._totals.add("segments", found)
        self._rows += found
        if [row[0] for row in self._rows] != list(range(len(self._rows))):
            raise TraceError("damaged trace: a segment is missing")
        if any(len(row[-1]) != KINDS_SIZE for row in self._rows):
            raise TraceError("damaged trace: the kinds of a segment are missing")
        self.index = _index(self._rows)
        self.event_count = int(self.index.count.sum())
        self.reached_calls = np.maximum.accumulate(self.index.max_call)
        if (self.index.count[:-1] != SEGMENT_EVENTS).any() or (self.index.count < 1).any():
            raise TraceError("damaged trace: a segment is not full")
        if (self.index.count > SEGMENT_EVENTS).any():
            raise TraceError("damaged trace: a segment has too many events")

    def read_by(self, db: Database) -> Segments:
        """Return the same segments, read through another connection and without a cache, for another thread."""
        other = Segments(db, ByteCache(0), Totals())
        other._rows, other.index = list(self._rows), self.index
        other.event_count, other.reached_calls = self.event_count, self.reached_calls
        return other

    def packed_calls(self, number: int) -> bytes:
        """Return the stored table of calls of a segment."""
        sql = "SELECT id, calls FROM segments WHERE id = ?"
        rows = self._db.rows("ib", sql, number, sealed="segments")
        if not rows:
            raise TraceError("damaged trace: a segment is missing")
        packed: bytes = rows[0][1]
        return packed

    def segment(self, number: int) -> Packed:
        """Return a segment; it may hold more events than the snapshot knows."""
        key = ("segment", number, int(self.index.count[number]))
        return self._cache.get(key, lambda: self._load(number))

    def _load(self, number: int) -> Packed:
        sql = "SELECT id, packed FROM segments WHERE id = ?"
        rows = self._db.rows("ib", sql, number, sealed="segments")
        packed = Packed(rows[0][1]) if rows else None
        if packed is None or packed.count < self.index.count[number]:
            raise TraceError(f"damaged trace: segment {number} is incomplete")
        return packed

    def once(self, number: int, names: Sequence[str]) -> Columns:
        """Return columns of a segment that are needed only once, without caching them."""
        count = int(self.index.count[number])
        columns = self._load(number).columns(names)
        return {name: column[:count] for name, column in columns.items()}

    def records(self, number: int, into: Events | None = None) -> Events:
        """Return the events of a segment that are needed only once; ``into``: as many records, to be overwritten."""
        packed, count = self._load(number), int(self.index.count[number])
        return packed.events(into if packed.count == count else None)[:count]

    def scanned(self, number: int, names: Sequence[str], events: int) -> Columns:
        """Return columns of a segment for a scan of so many events: those of a long scan are not cached."""
        if events > LONG_SCAN:
            return self.once(number, names)
        return {name: self.column(number, name) for name in names}

    def column(self, number: int, name: str) -> Column:
        """Return one column of a segment, up to the end of the snapshot."""
        count = int(self.index.count[number])
        if not is_grouped(name):
            return self._stored(number, name)[:count]

        def load() -> Column:
            return self.segment(number).column(name, lambda: self._order(number))[:count]

        return self._cache.get(("column", number, count, name), load)

    def fields(self, number: int, name: str, where: Ints) -> Column:
        """Return one column of some events of a segment."""
        if not is_grouped(name) or len(where) > _FEW:
            return self.column(number, name)[where]
        # A few are picked out without reordering the whole column.
        return self._stored(number, name)[self._rank(number)[where]]

    def _order(self, number: int) -> Order:
        key = ("order", number, int(self.index.count[number]))
        return self._cache.get(key, lambda: grouping(self._stored(number, "site")))

    def _rank(self, number: int) -> Order:
        """Return the position of each event in the grouped columns."""
        key = ("rank", number, int(self.index.count[number]))
        return self._cache.get(key, lambda: ranks(self._stored(number, "site")))

    def _stored(self, number: int, name: str) -> Column:
        """Return a column in its stored order; it may hold more than the snapshot knows."""
        key = ("stored", number, int(self.index.count[number]), name)
        return self._cache.get(key, lambda: self.segment(number).stored(name))

    def events(self, first: int = 0, last: int | None = None) -> Events:
        """Return the events from time ``first`` up to, not including, ``last``."""
        parts = [
            self._events(i, np.arange(part.start, part.stop)) for i, part in self.parts(first, last)
        ]
        return join_events(parts)

    def _events(self, number: int, where: Ints) -> Events:
        return events_of({name: self.fields(number, name, where) for name in FIELDS})

    def parts(self, first: int, last: int | None) -> Iterator[tuple[int, slice]]:
        """Split a span of times into the segments it covers."""
        last = self.event_count if last is None else min(last, self.event_count)
        first = max(first, 0)
        while first < last:
            number, begin = divmod(first, SEGMENT_EVENTS)
            end = min(last - number * SEGMENT_EVENTS, SEGMENT_EVENTS)
            yield number, slice(begin, end)
            first = (number + 1) * SEGMENT_EVENTS

    # -- selection ---------------------------------------------------------------------------------

    def at(self, times: Ints) -> Found:
        """Return the events at these times (in ascending order)."""
        parts = [NOTHING]
        for number, chosen in _by_segment(times):
            parts.append(Found(chosen, self._events(number, chosen % SEGMENT_EVENTS)))
        return join_found(parts)

    def columns_at(self, times: Ints, *names: str) -> list[Column]:
        """Return some columns of the events at these times, which rise: less work than all columns."""
        parts = [[np.empty(0, EVENT[name]) for name in names]]
        for number, chosen in _by_segment(times):
            where = chosen % SEGMENT_EVENTS
            parts.append([self.fields(number, name, where) for name in names])
        return [np.concatenate(columns) for columns in zip(*parts, strict=True)]

    def select(
        self,
        kinds: Iterable[int] | None = None,
        *,
        call: int | None = None,
        obj: int | None = None,
        first: int = 0,
        last: int | None = None,
    ) -> Found:
        """Return the events of these kinds, this call and this object in a span of times."""
        parts = list(self.select_parts(kinds, call=call, obj=obj, first=first, last=last))
        return join_found(parts)

    def select_parts(
        self,
        kinds: Iterable[int] | None = None,
        *,
        call: int | None = None,
        obj: int | None = None,
        first: int = 0,
        last: int | None = None,
        sites: Bools | None = None,
        backward: bool = False,
    ) -> Iterator[Found]:
        """Like `select`, segment by segment; ``sites``: a flag for each site that is wanted."""
        parts = self.find(
            kinds, call=call, obj=obj, first=first, last=last, sites=sites, backward=backward
        )
        for number, where in parts:
            yield Found(where + number * SEGMENT_EVENTS, self._events(number, where))

    def find(
        self,
        kinds: Iterable[int] | None = None,
        *,
        call: int | None = None,
        obj: int | None = None,
        first: int = 0,
        last: int | None = None,
        sites: Bools | None = None,
        backward: bool = False,
    ) -> Iterator[tuple[int, Ints]]:
        """Like `select_parts`, but give only the positions of the events: a segment, and indices in it."""
        table = None if kinds is None else kind_table(kinds)
        last = self.event_count if last is None else min(last, self.event_count)
        begin, end = max(first, 0) // SEGMENT_EVENTS, (last - 1) // SEGMENT_EVENTS + 1
        for number in self._candidates(begin, end, table, call, obj, backward):
            start = number * SEGMENT_EVENTS
            part = slice(max(first - start, 0), min(last - start, SEGMENT_EVENTS))
            among = None if sites is None else self._at_sites(number, part, sites)
            where = self._matching(number, part, table, call, obj, among)
            if len(where):
                yield number, where

    def times_of(self, call: int, first: int, last: int) -> Ints:
        """Return the times of a call's events in a span."""
        found = self.find(call=call, first=first, last=last)
        times = [where + number * SEGMENT_EVENTS for number, where in found]
        return np.concatenate([np.empty(0, np.int64), *times])

    def with_call(self, call: int, first: int) -> Iterator[int]:
        """Iterate backwards, from a segment on, over the segments in which a call may have events."""
        return self._candidates(first, None, None, call, None, backward=True)

    def _candidates(
        self,
        begin: int,
        end: int | None,
        table: Bools | None,
        call: int | None,
        obj: int | None,
        backward: bool = False,
    ) -> Iterator[int]:
        """Iterate over the segments that are not ruled out; filters are read on the way."""
        index = self.index
        chosen = np.zeros(len(index.count), dtype=np.bool_)
        chosen[begin:end] = True
        if table is not None:
            chosen &= (index.kinds & np.packbits(table, bitorder="little")).any(axis=1)
        filters = []
        if call is not None:
            chosen &= (index.min_call <= call) & (call <= index.max_call)
            filters.append(("call_filter", call))
        if obj is not None:
            chosen &= (index.min_obj <= obj) & (obj <= index.max_obj)
            filters.append(("obj_filter", obj))
        if np.count_nonzero(chosen) <= _FEW_SEGMENTS:
            filters.clear()  # reading so few segments costs no more
        for first in range(0, len(chosen), _TOGETHER)[:: -1 if backward else 1]:
            part = chosen[first : first + _TOGETHER]
            for name, number in filters if part.any() else ():
                part = part & self._may_have(name, first, number)
            numbers = (np.flatnonzero(part) + first).tolist()
            yield from reversed(numbers) if backward else numbers

    def _may_have(self, name: str, first: int, number: int) -> Bools:
        """Return which of some segments the filters do not rule out."""
        place = number % FILTER_BITS
        column = self._filters(name, first)[:, place >> 3]
        found: Bools = (column >> np.uint8(place & 7) & np.uint8(1)).astype(np.bool_)
        return found

    def _filters(self, name: str, first: int) -> Bytes:
        """Return the filters of many segments, one per row."""
        count = self.index.count[first : first + _TOGETHER]

        def load() -> Bytes:
            sql = f"SELECT id, {name} FROM segments WHERE id >= ? AND id < ? ORDER BY id"
            rows = self._db.rows("ib", sql, first, first + len(count), sealed="segments")
            if len(rows) != len(count):
                raise TraceError("damaged trace: a segment is missing")
            return np.stack([unpack_filter(row[1]) for row in rows])

        return self._cache.get((name, first, len(count), int(count[-1])), load)

    def _at_sites(self, number: int, part: slice, sites: Bools) -> Ints:
        column = self.column(number, "site")[part]
        known = np.where(column < len(sites), column, 0)
        where: Ints = np.flatnonzero(sites[known]) + part.start
        return where

    def _matching(
        self,
        number: int,
        part: slice,
        table: Bools | None,
        call: int | None,
        obj: int | None,
        where: Ints | None,
    ) -> Ints:
        """Return the indices in a segment of the matching events, among some or all."""
        if call is not None:
            where = self._having(number, part, where, call, "call", self.index.max_call)
        if obj is not None:
            where = self._about(number, part, where, obj)
        if where is None:
            where = np.arange(part.start, part.stop)
        return where if table is None else where[table[self.fields(number, "kind", where)]]

    def _about(self, number: int, part: slice, among: Ints | None, obj: int) -> Ints:
        """Return the indices of events about an object, or about the variables of a call."""
        if among is None:
            # Most segments that pass the filters do not contain it: then order does not matter.
            grouped = np.flatnonzero(self._stored(number, "obj") == obj & 0xFFFFFFFF)
            if not len(grouped):
                return grouped
            among = np.sort(self._order(number)[grouped]).astype(np.int64)
            among = among[(among >= part.start) & (among < part.stop)]
        where = self._having(number, part, among, obj, "obj", self.index.max_obj)
        return where[HAS_OBJECT[self.fields(number, "kind", where)]]

    def _having(
        self, number: int, part: slice, among: Ints | None, wanted: int, name: str, largest: Ints
    ) -> Ints:
        """Return the indices of events with a call or object; few traces need the highest bits."""
        chosen = part if among is None else among
        has_it = self.column(number, name)[chosen] == wanted & 0xFFFFFFFF
        if largest[number] >> 32:
            high = self.column(number, "hi")[chosen]
            has_it &= (high & 15 if name == "call" else high >> 4) == wanted >> 32
        where: Ints = np.flatnonzero(has_it) + part.start if among is None else among[has_it]
        return where


def _by_segment(times: Ints) -> Iterator[tuple[int, Ints]]:
    """Split times (in ascending order) by segment."""
    begin = 0
    while begin < len(times):
        number = int(times[begin]) // SEGMENT_EVENTS
        end = int(np.searchsorted(times, (number + 1) * SEGMENT_EVENTS))
        yield number, times[begin:end]
        begin = end


def _index(rows: list[tuple[Any, ...]]) -> SegmentIndex:
    numbers = np.array([row[2:8] for row in rows], dtype=np.int64).reshape(-1, 6).T
    kinds = np.frombuffer(b"".join(row[8] for row in rows), dtype=np.uint8).reshape(-1, KINDS_SIZE)
    count, min_call, max_call, min_obj, max_obj, arrived = numbers
    return SegmentIndex(count, min_call, max_call, min_obj, max_obj, arrived, kinds)
