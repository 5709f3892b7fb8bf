"""The segments of a trace as readers see them: columns when asked for, and selections of events.

Vocabulary: `Found` is a selection of events with their times. A *candidate* is a segment that
cannot be ruled out by what stands beside it: the range of ids, the kinds, the filters.

Invariants: event t is number ``t % 65,536`` of segment ``t // 65,536``. What is known is a
snapshot: a segment that is read later may have grown, but begins with the same events.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from wrongcall.errors import TraceError
from wrongcall.trace.cache import ByteCache
from wrongcall.trace.checks import Totals
from wrongcall.trace.columns import Column, Order
from wrongcall.trace.database import Database
from wrongcall.trace.records import (
    EVENT,
    FIELDS,
    Bools,
    Bytes,
    Events,
    Ints,
    distinct,
    events_of,
    join_events,
    kind_table,
)
from wrongcall.trace.segment import SEGMENT_EVENTS, Packed, is_grouped
from wrongcall.trace.summary import FILTER_BITS, HAS_OBJECT, unpack_filter

_TOGETHER = 32
"""So many segments have their filters loaded together."""
_FEW = 2000
"""So many events are picked out of a segment one by one."""
_FEW_SITES = 12
"""The events of so many sites are found in the grouped columns without sorting."""
KINDS_SIZE = 32
"""Bytes of a bitmap of kinds."""
_INDEX = "id, first, count, min_call, max_call, min_obj, max_obj, arrived, kinds"


class Found(NamedTuple):
    """Selected events, by time."""

    times: Ints
    events: Events


NOTHING = Found(np.empty(0, np.int64), np.empty(0, EVENT))


def join_found(parts: Sequence[Found]) -> Found:
    """Return selections one after the other."""
    parts = [part for part in parts if len(part.times)]
    if len(parts) < 2:
        return parts[0] if parts else NOTHING
    times = np.concatenate([part.times for part in parts])
    return Found(times, join_events([part.events for part in parts]))


@dataclass
class SegmentIndex:
    """What stands beside the segments, as arrays over segments."""

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

    def refresh(self) -> None:
        """Look again at what is there."""
        # The last one known may have grown.
        del self._rows[-1:]
        found = self._db.rows(
            "iiiiiiiib", f"SELECT {_INDEX} FROM segments WHERE id >= ? ORDER BY id", len(self._rows)
        )
        self._totals.add("segments", found)
        self._rows += found
        if [row[0] for row in self._rows] != list(range(len(self._rows))):
            raise TraceError("damaged trace: a segment is missing")
        if any(len(row[-1]) != KINDS_SIZE for row in self._rows):
            raise TraceError("damaged trace: the kinds of a segment are not told")
        self.index = _index(self._rows)
        self.event_count = int(self.index.count.sum())
        if (self.index.count[:-1] != SEGMENT_EVENTS).any() or (self.index.count < 1).any():
            raise TraceError("damaged trace: a segment is not full")
        if (self.index.count > SEGMENT_EVENTS).any():
            raise TraceError("damaged trace: a segment has too many events")

    @property
    def reached_calls(self) -> Ints:
        """For each segment, the largest call that occurs up to its end: calls begin in order."""
        return np.maximum.accumulate(self.index.max_call)

    def packed_calls(self, number: int) -> bytes:
        """Return the table of calls of a segment, as it is stored."""
        rows = self._db.rows("b", "SELECT calls FROM segments WHERE id = ?", number)
        if not rows:
            raise TraceError("damaged trace: a segment is missing")
        packed: bytes = rows[0][0]
        return packed

    def segment(self, number: int) -> Packed:
        """Return a segment; it may hold more events than the snapshot knows."""
        count = int(self.index.count[number])

        def load() -> Packed:
            rows = self._db.rows("b", "SELECT packed FROM segments WHERE id = ?", number)
            packed = Packed(rows[0][0]) if rows else None
            if packed is None or packed.count < count:
                raise TraceError(f"damaged trace: segment {number} is incomplete")
            return packed

        return self._cache.get(("segment", number, count), load)

    def column(self, number: int, name: str) -> Column:
        """Return one column of a segment, up to what the snapshot knows."""
        count = int(self.index.count[number])

        def load() -> Column:
            return self.segment(number).column(name, lambda: self._order(number))[:count]

        return self._cache.get(("column", number, count, name), load)

    def _order(self, number: int) -> Order:
        key = ("order", number, int(self.index.count[number]))
        return self._cache.get(key, lambda: self.segment(number).order())

    def events(self, first: int = 0, last: int | None = None) -> Events:
        """Return the events from time ``first`` up to, not including, ``last``."""
        parts = [self._events(i, part) for i, part in self.parts(first, last)]
        return join_events(parts)

    def _events(self, number: int, where: slice | Ints) -> Events:
        if isinstance(where, slice) or len(where) > _FEW:
            return events_of({name: self.column(number, name)[where] for name in FIELDS})
        grouped = self._grouped(number, where)
        return events_of({name: self._picked(number, name, where, grouped) for name in FIELDS})

    def _picked(self, number: int, name: str, where: Ints, grouped: Column) -> Column:
        """Return a few fields without putting the whole column in order."""
        if is_grouped(name):
            return self._stored(number, name)[grouped]
        return self.column(number, name)[where]

    def _stored(self, number: int, name: str) -> Column:
        """Return a column as it is stored, grouped; it may hold more than the snapshot knows."""
        key = ("stored", number, int(self.index.count[number]), name)
        return self._cache.get(key, lambda: self.segment(number).stored(name))

    def _grouped(self, number: int, where: Ints) -> Column:
        """Return where in the grouped columns these events are."""
        keys = self._stored(number, "site").astype(np.uint16)
        chosen = keys[where]
        sites = distinct(chosen.astype(np.int64))
        if len(sites) > _FEW_SITES:
            return self._rank(number)[where]
        # Groups lie in the order of their sites, and in each the events in time order.
        found = np.empty(len(where), dtype=np.int64)
        for site in sites:
            mine = chosen == site
            before = int(np.count_nonzero(keys < site))
            found[mine] = before + np.searchsorted(np.flatnonzero(keys == site), where[mine])
        return found

    def _rank(self, number: int) -> Order:
        """Return where in the grouped columns each event is."""

        def make() -> Order:
            order = self._order(number)
            rank = np.empty_like(order)
            rank[order] = np.arange(len(order), dtype=order.dtype)
            return rank

        return self._cache.get(("rank", number, int(self.index.count[number])), make)

    def parts(self, first: int, last: int | None) -> Iterator[tuple[int, slice]]:
        """Cut a span of times into the segments it goes over."""
        last = self.event_count if last is None else min(last, self.event_count)
        first = max(first, 0)
        while first < last:
            number, begin = divmod(first, SEGMENT_EVENTS)
            end = min(last - number * SEGMENT_EVENTS, SEGMENT_EVENTS)
            yield number, slice(begin, end)
            first = (number + 1) * SEGMENT_EVENTS

    # -- selection ---------------------------------------------------------------------------------

    def at(self, times: Ints) -> Found:
        """Return the events at these times, which rise."""
        parts = [NOTHING]
        for number, chosen in _by_segment(times):
            parts.append(Found(chosen, self._events(number, chosen % SEGMENT_EVENTS)))
        return join_found(parts)

    def fields(self, times: Ints, *names: str) -> list[Column]:
        """Return fields of the events at these times, which rise: less work than all of them."""
        parts = [[np.empty(0, EVENT[name]) for name in names]]
        for number, chosen in _by_segment(times):
            where = chosen % SEGMENT_EVENTS
            if len(where) > _FEW:
                parts.append([self.column(number, name)[where] for name in names])
            else:
                grouped = self._grouped(number, where)
                parts.append([self._picked(number, name, where, grouped) for name in names])
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
        table = None if kinds is None else kind_table(kinds)
        for number, where in self._found(table, call, obj, first, last, sites, backward):
            yield Found(where + number * SEGMENT_EVENTS, self._events(number, where))

    def times_of(self, call: int, first: int, last: int) -> Ints:
        """Return the times of a call's events in a span."""
        found = self._found(None, call, None, first, last, None, False)
        times = [where + number * SEGMENT_EVENTS for number, where in found]
        return np.concatenate([np.empty(0, np.int64), *times])

    def _found(
        self,
        table: Bools | None,
        call: int | None,
        obj: int | None,
        first: int,
        last: int | None,
        sites: Bools | None,
        backward: bool,
    ) -> Iterator[tuple[int, Ints]]:
        """Go through the segments with selected events, and where in them these are."""
        last = self.event_count if last is None else min(last, self.event_count)
        begin, end = max(first, 0) // SEGMENT_EVENTS, (last - 1) // SEGMENT_EVENTS + 1
        wanted = np.zeros(len(self.index.count), dtype=np.bool_)
        wanted[begin:end] = True
        numbers = np.flatnonzero(self._candidates(wanted, table, call, obj)).tolist()
        for number in reversed(numbers) if backward else numbers:
            start = number * SEGMENT_EVENTS
            part = slice(max(first - start, 0), min(last - start, SEGMENT_EVENTS))
            among = None if sites is None else self._at_sites(number, part, sites)
            where = self._matching(number, part, table, call, obj, among)
            if len(where):
                yield number, where

    def with_call(self, call: int, first: int) -> list[int]:
        """Return the segments from one on in which a call may have events."""
        wanted = np.zeros(len(self.index.count), dtype=np.bool_)
        wanted[first:] = True
        found: list[int] = np.flatnonzero(self._candidates(wanted, None, call, None)).tolist()
        return found

    def _candidates(
        self, chosen: Bools, table: Bools | None, call: int | None, obj: int | None
    ) -> Bools:
        index = self.index
        if table is not None:
            bits = np.packbits(table, bitorder="little")
            chosen &= (index.kinds & bits).any(axis=1)
        if call is not None:
            chosen &= (index.min_call <= call) & (call <= index.max_call)
            chosen &= self._may_have("call_filter", call, chosen)
        if obj is not None:
            chosen &= (index.min_obj <= obj) & (obj <= index.max_obj)
            chosen &= self._may_have("obj_filter", obj, chosen)
        return chosen

    def _may_have(self, name: str, number: int, chosen: Bools) -> Bools:
        """Return which of the chosen segments the filters do not rule out."""
        found = np.zeros(len(chosen), dtype=np.bool_)
        place = number % FILTER_BITS
        for first in range(0, len(chosen), _TOGETHER):
            part = slice(first, first + _TOGETHER)
            if chosen[part].any():
                column = self._filters(name, first)[:, place >> 3]
                found[part] = column >> np.uint8(place & 7) & np.uint8(1)
        return found

    def _filters(self, name: str, first: int) -> Bytes:
        """Return the filters of many segments, a row for each."""
        count = self.index.count[first : first + _TOGETHER]

        def load() -> Bytes:
            sql = f"SELECT {name} FROM segments WHERE id >= ? AND id < ? ORDER BY id"
            rows = self._db.rows("b", sql, first, first + len(count))
            if len(rows) != len(count):
                raise TraceError("damaged trace: a segment is missing")
            return np.stack([unpack_filter(row[0]) for row in rows])

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
        """Return the indices in a segment of the events that are asked for, among some or all."""
        if call is not None:
            where = self._having(number, part, where, call, "call", self.index.max_call)
        if obj is not None:
            where = self._about(number, part, where, obj)
        if where is None:
            where = np.arange(part.start, part.stop)
        return where if table is None else where[table[self._kinds(number, where)]]

    def _kinds(self, number: int, where: Ints) -> Column:
        if len(where) > _FEW:
            return self.column(number, "kind")[where]
        return self._stored(number, "kind")[self._grouped(number, where)]

    def _about(self, number: int, part: slice, among: Ints | None, obj: int) -> Ints:
        """Return the indices of events about an object, or about the variables of a call."""
        if among is None:
            # Most segments that the filters let pass do not have it: then order does not matter.
            grouped = np.flatnonzero(self._stored(number, "obj") == obj & 0xFFFFFFFF)
            if not len(grouped):
                return grouped
            among = np.sort(self._order(number)[grouped]).astype(np.int64)
            among = among[(among >= part.start) & (among < part.stop)]
        where = self._having(number, part, among, obj, "obj", self.index.max_obj)
        return where[HAS_OBJECT[self._kinds(number, where)]]

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
    """Cut times, which rise, into those of each segment."""
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
