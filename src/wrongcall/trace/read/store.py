"""The file as readers see it: a snapshot of everything in it.

A `Store` knows what was there at the last `refresh`, however much the writer adds in the meantime. Segments and
contents are read on demand and kept in one bounded cache.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from wrongcall.errors import TraceError
from wrongcall.trace.format.checkpoint import CHUNK, CheckpointObjects, unpack_chunks
from wrongcall.trace.format.checksums import CHECKED, Total, Totals
from wrongcall.trace.format.content_batch import (
    Batch,
    Content,
    ContentIndex,
    unpack_batch,
    unpack_ids,
)
from wrongcall.trace.format.meta import facts_of
from wrongcall.trace.format.program_tables import (
    BlockFlow,
    File,
    Function,
    Program,
    RecordedProcess,
    Thread,
    Type,
    listed,
)
from wrongcall.trace.format.selection import Found, join_found
from wrongcall.trace.read.cache import DEFAULT_BUDGET, ByteCache
from wrongcall.trace.read.database import Database
from wrongcall.trace.read.first_sights import FirstSights
from wrongcall.trace.read.gc_pause import uncollected
from wrongcall.trace.read.indexes import Indexes, Visit
from wrongcall.trace.read.owner_events import OwnerEvents
from wrongcall.trace.read.segments import Segments

_CHUNKS = 256
"""Chunks of a checkpoint that are read together."""


class Store:
    """An open trace file."""

    def __init__(self, path: Path, budget: int = DEFAULT_BUDGET) -> None:
        self.path = path
        self.cache = ByteCache(budget)
        self.program = Program()
        self.meta: dict[str, Any] = {}
        self._contents = ContentIndex()
        self._known_contents = (0, 0)
        self._db = Database(path)
        self._totals = Totals()
        self.segments = Segments(self._db, self.cache, self._totals)
        self._indexes = Indexes(self._db, self.segments)
        self.owner_events = OwnerEvents(self._indexes, self.cache, self.segments)
        self.first_sights = FirstSights(self.segments, self.owner_events, self.cache)
        try:
            self.refresh()
        except TraceError:
            self._db.close()
            raise

    def prepare(self, visit: Visit | None = None) -> None:
        """Begin to make what queries about states and histories need, in another thread.

        ``visit`` is called there, see `Indexes.begin`.
        """
        self._indexes.begin(visit)

    def prepared(self) -> None:
        """Wait for that thread, if there is one."""
        self._indexes.finish()

    def reconnect(self) -> None:
        """Open the file once more, in a forked process."""
        self._db.reconnect()
        self._indexes.reconnect()

    def close(self) -> None:
        """Close the file."""
        self._indexes.close()
        self._db.close()

    @property
    def is_recorded(self) -> bool:
        """Whether a recorder is writing the trace."""
        return self._db.is_recorded

    # -- the snapshot ------------------------------------------------------------------------------

    def refresh(self) -> None:
        """Update the snapshot."""
        with self._db.unchanged():
            self._refresh_meta()
            with uncollected():
                self._refresh_program()
            self._refresh_contents()
            self.segments.refresh()
            self._indexes.refresh()
            stored = self._db.rows("tii", "SELECT name, rows, sum FROM checks")
            self._totals.compare(CHECKED, {name: Total(*total) for name, *total in stored})

    def _refresh_meta(self) -> None:
        rows = self._db.rows("tt", "SELECT key, value FROM meta")
        self._totals.add("meta", rows)
        self.meta = facts_of(rows)

    def _refresh_contents(self) -> None:
        row, count = self._known_contents
        sql = "SELECT id, ids FROM contents WHERE id >= ? ORDER BY id"
        found = self._db.rows("ib", sql, row, sealed="contents")
        self._totals.add("contents", found)
        for number, packed in found:
            ids = unpack_ids(packed)
            self._contents.note(number, count if number == row else 0, ids)
            self._known_contents = (number, len(ids))

    def _refresh_program(self) -> None:
        known = self.program
        for row in self._rows("files", "nttt", known.files.last):
            known.files.add(row[0], File(*row))
        self._refresh_functions()
        known.sites.add_rows(self._rows("sites", "nnnnnnnonn", known.sites.last))
        for row in self._rows("types", "nttnn", known.types.last):
            known.types.add(row[0], Type.from_row(row))
        for number, of_type, kind, names in self._rows("fields", "nntt", known.last_fields):
            declared = replace(known.types[of_type], kind=kind, fields=listed(names, str))
            known.types.add(of_type, declared)
            known.last_fields = number
        for number, text in self._rows("names", "nt", known.names.last):
            known.names.add(number, text)
        for row in self._rows("threads", "nin", known.threads.last):
            known.threads.add(row[0], Thread(*row))
        rows = self._db.rows("nnninit", "SELECT * FROM processes ORDER BY id")
        self._totals.add("processes", rows)
        known.processes = {row[0]: RecordedProcess(*row) for row in rows}

    def _refresh_functions(self) -> None:
        last = self.program.functions.last
        blocks: dict[int, list[tuple[tuple[int, ...], BlockFlow]]] = {}
        sql = "SELECT * FROM blocks WHERE function > ? ORDER BY function, number"
        found = self._db.rows("nntnntt", sql, last)
        self._totals.add("blocks", found)
        for function, _, lines, *flow in found:
            block = (listed(lines, int), BlockFlow.from_row(*flow))
            blocks.setdefault(function, []).append(block)
        for row in self._rows("functions", "nntttnnntttn", last):
            function = Function.from_row(row, blocks.get(row[0], []))
            self.program.functions.add(row[0], function)

    def _rows(self, table: str, shape: str, last: int) -> list[tuple[Any, ...]]:
        """Return the rows added to a table after the row with number ``last``."""
        found = self._db.rows(shape, f"SELECT * FROM {table} WHERE id > ?", last)
        self._totals.add(table, found)
        return found

    # -- checkpoints -----------------------------------------------------------------------------------

    @property
    def extents(self) -> int:
        """How many extents there are in this snapshot; they have checkpoints."""
        return self.owner_events.extents

    def checkpoint(self, level: int, number: int) -> CheckpointObjects:
        """Return which objects are in the checkpoint of an extent (level 0) or of an extent group (level 1)."""

        def load() -> CheckpointObjects:
            sql = "SELECT level, number, objects FROM checkpoints WHERE level = ? AND number = ?"
            rows = self._indexes.rows("iib", sql, level, number, sealed="checkpoints")
            if not rows and level == 0:
                raise TraceError(f"damaged trace: there is no checkpoint {number}")
            return CheckpointObjects(rows[0][2] if rows else None)

        return self.cache.get(("checkpoint", level, number), load)

    def checkpoint_events(self, level: int, checkpoint: int, first: int, last: int) -> Found:
        """Return events of a checkpoint, by their rows; what is unpacked is cached."""
        numbers = range(first // CHUNK, (last - 1) // CHUNK + 1)
        found = join_found([self._chunk(level, checkpoint, number) for number in numbers])
        return _rows(found, first - numbers.start * CHUNK, last - numbers.start * CHUNK)

    def checkpoint_parts(
        self, level: int, checkpoint: int, first: int, last: int
    ) -> Iterator[Found]:
        """Iterate over the same events in parts that are not cached: there may be millions."""
        stop = (last - 1) // CHUNK + 1
        for begin in range(first // CHUNK, stop, _CHUNKS):
            found = self._chunks(level, checkpoint, begin, min(begin + _CHUNKS, stop))
            yield _rows(found, first - begin * CHUNK, last - begin * CHUNK)

    def _chunk(self, level: int, checkpoint: int, number: int) -> Found:
        def load() -> Found:
            return self._chunks(level, checkpoint, number, number + 1)

        return self.cache.get(("chunk", level, checkpoint, number), load)

    def _chunks(self, level: int, checkpoint: int, first: int, stop: int) -> Found:
        """Read some chunks of a checkpoint; a query for each would take longer than unpacking it."""
        sql = (
            "SELECT * FROM checkpoint_chunks "
            "WHERE level = ? AND checkpoint = ? AND number >= ? AND number < ? ORDER BY number"
        )
        where = (level, checkpoint, first, stop)
        rows = self._indexes.rows("iiib", sql, *where, sealed="checkpoint_chunks")
        missing = set(range(first, stop)) - {row[2] for row in rows}
        if missing:
            raise TraceError(
                f"damaged trace: there is no chunk {min(missing)} of checkpoint {checkpoint}"
            )
        return unpack_chunks([row[3] for row in rows])

    # -- contents ----------------------------------------------------------------------------------

    def content(self, number: int) -> Content:
        """Return the content with this id, assembled if it grew by appending."""
        return self.cache.get(("content", number), lambda: self._content(number))

    def _content(self, number: int) -> Content:
        parts: list[bytes] = []
        seen = {number}
        while True:
            entry, data = self._stored(number)
            if not entry["appended"]:
                whole = int(entry["length"]) if entry["clipped"] else None
                return Content(data, int(entry["tag"]), whole).continued(parts[::-1])
            parts.append(data)
            number = int(entry["base"])
            if number in seen:
                raise TraceError(f"damaged trace: content {number} continues itself")
            seen.add(number)
            # The versions of a growing text are often read in order.
            known = self.cache.peek(("content", number))
            if isinstance(known, Content):
                return known.continued(parts[::-1])

    def _stored(self, number: int) -> tuple[np.void, bytes]:
        row, place = self._contents.find(number)
        batch = self._batch(row, place)
        return batch.entries[place], batch.stored(place)

    def _batch(self, row: int, place: int) -> Batch:
        def load() -> Batch:
            sql = "SELECT id, ids, packed FROM contents WHERE id = ?"
            found = self._db.rows("ibb", sql, row, sealed="contents")
            if not found:
                raise TraceError(f"damaged trace: the contents in row {row} are missing")
            return unpack_batch(unpack_ids(found[0][1]), found[0][2])

        batch = self.cache.get(("contents", row), load)
        if place >= len(batch.entries):  # the batch has grown since it was read
            self.cache.drop(("contents", row))
            batch = self.cache.get(("contents", row), load)
        if place >= len(batch.entries):
            raise TraceError(f"damaged trace: the contents in row {row} have shrunk")
        return batch


def _rows(found: Found, first: int, last: int) -> Found:
    """Return the events in these rows, as far as there are any."""
    rows = slice(max(first, 0), max(last, 0))
    return Found(found.times[rows], found.events[rows])
