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
from wrongcall.trace.columns import Column
from wrongcall.trace.database import Database
from wrongcall.trace.records import (
    EVENT,
    FIELDS,
    Bools,
    Bytes,
    Events,
    Ints,
    events_of,
    join_events,
    kind_table,
)
from wrongcall.trace.segment import SEGMENT_EVENTS, Order, Packed
from wrongcall.trace.summary import may_contain, unpack_filter

KINDS_SIZE = 32
"""Bytes of a bitmap of kinds."""

_INDEX = "id, count, min_call, max_call, min_obj, max_obj, arrived, kinds"


class Found(NamedTuple):
    """Selected events, by time."""

    times: Ints
    events: Events


NOTHING = Found(np.empty(0, np.int64), np.empty(0, EVENT))


def join_found(parts: Sequence[Found]) -> Found:
    """Return selections one after the other."""
    if len(parts) == 1:
        return parts[0]
    times = np.concatenate([NOTHING.times, *(part.times for part in parts)])
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

    def __init__(self, db: Database, cache: ByteCache) -> None:
        self._db = db
        self._cache = cache
        self._rows: list[tuple[Any, ...]] = []
        self.index = _index([])
        self.event_count = 0

    def refresh(self) -> None:
        """Look again at what is there."""
        # The last one known may have grown.
        del self._rows[-1:]
        self._rows += self._db.rows(
            "iiiiiiib", f"SELECT {_INDEX} FROM segments WHERE id >= ? ORDER BY id", len(self._rows)
        )
        if [row[0] for row in self._rows] != list(range(len(self._rows))):
            raise TraceError("damaged trace: a segment is missing")
        if any(len(row[-1]) != KINDS_SIZE for row in self._rows):
            raise TraceError("damaged trace: the kinds of a segment are not told")
        self.index = _index(self._rows)
        self.event_count = int(self.index.count.sum())
        if (self.index.count[:-1] != SEGMENT_EVENTS).any() or (self.index.count < 1).any():
            raise TraceError("damaged trace: a segment is not full")

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
        return events_of({name: self.column(number, name)[where] for name in FIELDS})

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
    ) -> Iterator[Found]:
        """Like `select`, segment by segment."""
        table = None if kinds is None else kind_table(kinds)
        candidates = self._candidates(table, call, obj)
        for number, part in self.parts(first, last):
            if candidates[number] and self._filters_pass(number, call, obj):
                where = self._matching(number, part, table, call, obj)
                if len(where):
                    yield Found(where + number * SEGMENT_EVENTS, self._events(number, where))

    def _candidates(self, table: Bools | None, call: int | None, obj: int | None) -> Bools:
        index = self.index
        chosen = np.ones(len(index.count), dtype=np.bool_)
        if table is not None:
            bits = np.packbits(table, bitorder="little")
            chosen &= (index.kinds & bits).any(axis=1)
        if call is not None:
            chosen &= (index.min_call <= call) & (call <= index.max_call)
        if obj is not None:
            chosen &= (index.min_obj <= obj) & (obj <= index.max_obj)
        return chosen

    def _filters_pass(self, number: int, call: int | None, obj: int | None) -> bool:
        if call is not None and not may_contain(self._filter("call_filter", number), call):
            return False
        return obj is None or may_contain(self._filter("obj_filter", number), obj)

    def _filter(self, name: str, number: int) -> Bytes:
        def load() -> Bytes:
            sql = f"SELECT {name} FROM segments WHERE id = ?"
            rows = self._db.rows("b", sql, number)
            if not rows:
                raise TraceError(f"damaged trace: segment {number} is gone")
            return unpack_filter(rows[0][0])

        return self._cache.get((name, number, int(self.index.count[number])), load)

    def _matching(
        self, number: int, part: slice, table: Bools | None, call: int | None, obj: int | None
    ) -> Ints:
        """Return the indices in a segment of the events that are asked for."""
        where: Ints | None = None
        if call is not None:
            where = self._having(number, part, where, call, "call", self.index.max_call)
        if obj is not None:
            where = self._having(number, part, where, obj, "obj", self.index.max_obj)
        if where is None:
            where = np.arange(part.start, part.stop)
        return where if table is None else where[table[self.column(number, "kind")[where]]]

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


def _index(rows: list[tuple[Any, ...]]) -> SegmentIndex:
    numbers = np.array([row[1:7] for row in rows], dtype=np.int64).reshape(-1, 6).T
    kinds = np.frombuffer(b"".join(row[7] for row in rows), dtype=np.uint8).reshape(-1, KINDS_SIZE)
    count, min_call, max_call, min_obj, max_obj, arrived = numbers
    return SegmentIndex(count, min_call, max_call, min_obj, max_obj, arrived, kinds)
