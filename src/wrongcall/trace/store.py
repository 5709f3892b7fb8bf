"""The file as readers see it: the only SQL on the reading side.

A `Store` is a snapshot: it knows the events that were there at the last `refresh`, however much
the writer adds meanwhile. Segments and contents are read when needed and kept in one bounded
cache.

Vocabulary: `Found` is a selection of events with their times. A *candidate* is a segment that
cannot be ruled out by what stands beside it: the range of ids, the kinds, the filters.

Invariants: event t is number ``t % 65,536`` of segment ``t // 65,536``; a segment that is read
later than the snapshot may have grown, but begins with the same events.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from wrongcall.errors import TraceError
from wrongcall.trace import schema
from wrongcall.trace.cache import DEFAULT_BUDGET, ByteCache
from wrongcall.trace.columns import Column
from wrongcall.trace.contents import Batch, Content, ContentIndex, join, unpack_batch
from wrongcall.trace.program import File, Function, Program, Site, Thread, Type
from wrongcall.trace.records import EVENT, FIELDS, Bools, Bytes, Events, Ints, events_of, kind_table
from wrongcall.trace.segment import SEGMENT_EVENTS, Order, Packed
from wrongcall.trace.summary import may_contain, unpack_filter

_INDEX = "id, count, min_call, max_call, min_obj, max_obj, arrived, kinds"


class Found(NamedTuple):
    """Selected events, by time."""

    times: Ints
    events: Events


NOTHING = Found(np.empty(0, np.int64), np.empty(0, EVENT))


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


class Store:
    """An open trace file."""

    def __init__(self, path: Path, budget: int = DEFAULT_BUDGET) -> None:
        self.path = path
        self.cache = ByteCache(budget)
        self.program = Program()
        self.meta: dict[str, Any] = {}
        self._contents = ContentIndex()
        self._known_contents = (0, 0)
        self._rows: list[tuple[Any, ...]] = []
        self._db = schema.connect(path)
        try:
            self.refresh()
        except TraceError:
            self._db.close()
            raise

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    # -- the snapshot ------------------------------------------------------------------------------

    def refresh(self) -> None:
        """Look again at what is there."""
        with schema.sqlite_errors(self.path):
            self._db.execute("BEGIN")
            try:
                self._refresh_meta()
                self._refresh_program()
                self._refresh_segments()
                self._refresh_contents()
            except (ValueError, TypeError) as exc:
                raise TraceError(f"{self.path}: damaged trace: {exc}") from exc
            finally:
                self._db.execute("COMMIT")

    def _query(self, sql: str, *values: int) -> list[tuple[Any, ...]]:
        with schema.sqlite_errors(self.path):
            return self._db.execute(sql, values).fetchall()

    def _refresh_meta(self) -> None:
        rows = self._query("SELECT key, value FROM meta")
        self.meta = {key: json.loads(value) for key, value in rows}

    def _refresh_segments(self) -> None:
        # The last one known may have grown.
        del self._rows[-1:]
        self._rows += self._query(
            f"SELECT {_INDEX} FROM segments WHERE id >= ? ORDER BY id", len(self._rows)
        )
        if [row[0] for row in self._rows] != list(range(len(self._rows))):
            raise TraceError(f"{self.path}: damaged trace: a segment is missing")
        self.index = _index(self._rows)
        self.event_count = int(self.index.count.sum())
        if (self.index.count[:-1] != SEGMENT_EVENTS).any() or (self.index.count < 1).any():
            raise TraceError(f"{self.path}: damaged trace: a segment is not full")

    def _refresh_contents(self) -> None:
        row, count = self._known_contents
        sql = "SELECT id, ids FROM contents WHERE id >= ? ORDER BY id"
        for number, ids in self._query(sql, row):
            self._contents.note(number, count if number == row else 0, ids)
            self._known_contents = (number, len(ids) // 8)

    def _refresh_program(self) -> None:
        known = self.program
        for row in self._query("SELECT * FROM files WHERE id > ?", known.files.last):
            known.files.add(row[0], File(*row))
        self._refresh_functions()
        for row in self._query("SELECT * FROM sites WHERE id > ?", known.sites.last):
            known.sites.add(row[0], Site.from_row(row))
        for row in self._query("SELECT * FROM types WHERE id > ?", known.types.last):
            known.types.add(row[0], Type.from_row(row))
        for number, text in self._query("SELECT * FROM names WHERE id > ?", known.names.last):
            known.names.add(number, text)
        for row in self._query("SELECT * FROM threads WHERE id > ?", known.threads.last):
            known.threads.add(row[0], Thread(*row))

    def _refresh_functions(self) -> None:
        last = self.program.functions.last
        blocks: dict[int, list[tuple[int, ...]]] = {}
        for function, lines in self._query(
            "SELECT function, lines FROM blocks WHERE function > ? ORDER BY function, number", last
        ):
            blocks.setdefault(function, []).append(tuple(json.loads(lines)))
        for row in self._query("SELECT * FROM functions WHERE id > ?", last):
            function = Function.from_row(row, tuple(blocks.get(row[0], ())))
            self.program.functions.add(row[0], function)

    # -- segments ----------------------------------------------------------------------------------

    def segment(self, number: int) -> Packed:
        """Return a segment; it may hold more events than the snapshot knows."""
        count = int(self.index.count[number])

        def load() -> Packed:
            rows = self._query("SELECT packed FROM segments WHERE id = ?", number)
            packed = Packed(rows[0][0]) if rows else None
            if packed is None or packed.count < count:
                raise TraceError(f"{self.path}: damaged trace: segment {number} is incomplete")
            return packed

        return self.cache.get(("segment", number, count), load)

    def column(self, number: int, name: str) -> Column:
        """Return one column of a segment, up to what the snapshot knows."""
        count = int(self.index.count[number])

        def load() -> Column:
            return self.segment(number).column(name, lambda: self._order(number))[:count]

        return self.cache.get(("column", number, count, name), load)

    def _order(self, number: int) -> Order:
        key = ("order", number, int(self.index.count[number]))
        return self.cache.get(key, lambda: self.segment(number).order())

    def events(self, first: int = 0, last: int | None = None) -> Events:
        """Return the events from time ``first`` up to, not including, ``last``."""
        parts = [self._events(i, part) for i, part in self.parts(first, last)]
        return np.concatenate([NOTHING.events, *parts])

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
        times = np.concatenate([NOTHING.times, *(part.times for part in parts)])
        return Found(times, np.concatenate([NOTHING.events, *(part.events for part in parts)]))

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
            return unpack_filter(self._query(sql, number)[0][0])

        return self.cache.get((name, number, int(self.index.count[number])), load)

    def _matching(
        self, number: int, part: slice, table: Bools | None, call: int | None, obj: int | None
    ) -> Ints:
        """Return the indices in a segment of the events that are asked for."""
        chosen = np.ones(part.stop - part.start, dtype=np.bool_)
        if call is not None:
            chosen &= self.column(number, "call")[part] == call & 0xFFFFFFFF
            chosen &= self.column(number, "hi")[part] & 15 == call >> 32
        if obj is not None:
            chosen &= self.column(number, "obj")[part] == obj & 0xFFFFFFFF
            chosen &= self.column(number, "hi")[part] >> 4 == obj >> 32
        if table is not None:
            chosen &= table[self.column(number, "kind")[part]]
        where: Ints = np.flatnonzero(chosen) + part.start
        return where

    # -- contents ----------------------------------------------------------------------------------

    def content(self, number: int) -> Content:
        """Return the content with this id, put together if it grew by appending."""
        chain: list[tuple[np.void, bytes]] = []
        seen = set()
        while number not in seen:
            seen.add(number)
            row, place = self._contents.find(number)
            batch = self._batch(row, place)
            entry = batch.entries[place]
            chain.append((entry, batch.stored(place)))
            if not entry["appended"]:
                return join(chain)
            number = int(entry["base"])
        raise TraceError(f"{self.path}: damaged trace: content {number} continues itself")

    def _batch(self, row: int, place: int) -> Batch:
        def load() -> Batch:
            sql = "SELECT ids, packed FROM contents WHERE id = ?"
            return unpack_batch(*self._query(sql, row)[0])

        batch = self.cache.get(("contents", row), load)
        if place >= len(batch.entries):  # it has grown since it was read
            self.cache.drop(("contents", row))
            batch = self.cache.get(("contents", row), load)
        return batch


def _index(rows: list[tuple[Any, ...]]) -> SegmentIndex:
    numbers = np.array([row[1:7] for row in rows], dtype=np.int64).reshape(-1, 6).T
    kinds = np.frombuffer(b"".join(row[7] for row in rows), dtype=np.uint8).reshape(-1, 32)
    count, min_call, max_call, min_obj, max_obj, arrived = numbers
    return SegmentIndex(count, min_call, max_call, min_obj, max_obj, arrived, kinds)
