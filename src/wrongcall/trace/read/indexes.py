"""The indexes of a trace's extents: made when somebody first needs them, and kept in the trace.

Recording a run is cheaper without them, and many traces are never read. So the writer leaves the tables of owner
indexes and checkpoints empty. The first reader that asks for a state or a history fills them from the segments, and
stores them in the trace for all that come after. It keeps them in a temporary file, for itself alone, while the run is
still being recorded, or if the trace can't be written (permissions, a full disk, another writer).

A reader that will need them soon says so (`Indexes.begin`): then another thread makes them while the reader does
something else. That thread has connections of its own.

Invariants: extents are indexed in order, and stored in groups: a transaction for each, so a reader that is killed
leaves whole groups behind. What is stored follows from the events alone, so it doesn't matter who stores it, or if two
do.
"""

from __future__ import annotations

import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from threading import Event
from typing import Any, TypeAlias

import numpy as np

from wrongcall.errors import TraceError
from wrongcall.trace.file.opening import Connection, connect_to_write
from wrongcall.trace.format import schema
from wrongcall.trace.format.checksums import sealed
from wrongcall.trace.format.event_records import EVENT, OPAQUE, Events
from wrongcall.trace.format.extents import Checkpoint, Extent, ExtentBuilder
from wrongcall.trace.format.owner_index import EXTENT, EXTENT_EVENTS, OwnerIndexHead
from wrongcall.trace.format.segment import SEGMENT_EVENTS
from wrongcall.trace.format.sizes import GROUP_EXTENTS
from wrongcall.trace.read.database import Database
from wrongcall.trace.read.segments import Segments

Rows = list[tuple[Any, ...]]
Visit: TypeAlias = Callable[[int, Events], None]
"""Is shown the time of the first event, and events."""


class Indexes:
    """The indexes of all whole extents."""

    def __init__(self, trace: Database, segments: Segments) -> None:
        self._trace = trace
        self._segments = segments
        self._apart: Database | None = None
        """The temporary file, if they are kept there."""
        self._builder = ExtentBuilder()
        """Makes the next extent of the temporary file."""
        self._extents = 0
        """How many extents have indexes; they are made in order."""
        self._thread: _IndexThread | None = None

    def refresh(self) -> None:
        """Update the snapshot: see which extents have indexes in the trace."""
        self.finish()
        if self._apart is None:
            sql = "SELECT count(*), coalesce(max(extent), -1) FROM owner_indexes"
            ((self._extents, last),) = self._trace.rows("ii", sql)
            if last != self._extents - 1 or self._extents > self._whole:
                raise TraceError(
                    f"damaged trace: {self._extents} owner indexes, the last of them {last}, "
                    f"for {self._whole} extents"
                )

    @property
    def _whole(self) -> int:
        return self._segments.event_count // EXTENT_EVENTS

    def begin(self, visit: Visit | None = None) -> None:
        """Begin to make the indexes that are missing, in another thread; whoever needs them waits for it.

        ``visit`` is shown the events that are unpacked for that: in order, from the first one on, until there is an
        extent that has its index already. Until the thread has ended, nobody else may use what it fills.
        """
        if self._thread is None and self._can_store():
            with suppress(TraceError):  # then they are made when they are needed
                self._thread = _IndexThread(self._trace.path, self._segments, self._whole, visit)

    def _can_store(self) -> bool:
        """Return whether indexes are missing that could be stored in the trace."""
        missing = self._extents < self._whole and self._apart is None
        return missing and not self._trace.is_recorded

    def finish(self) -> None:
        """Wait for the other thread, if there is one."""
        thread, self._thread = self._thread, None
        if thread is not None:
            with suppress(TraceError):  # then they are made once more, or in a temporary file
                self._extents = thread.finish()
            self._trace.reopen()

    def complete(self) -> int:
        """Make the indexes that are missing; return how many extents have them."""
        if self._thread is None and self._extents == self._whole:
            return self._extents
        self.finish()
        if self._can_store():
            with suppress(TraceError):  # if it can't be written, a temporary file will do
                self._store_in_trace()
        if self._extents < self._whole:
            self._store_apart()
        return self._extents

    def rows(self, shape: str, sql: str, *values: int, sealed: str) -> Rows:
        """Return the rows of a query about indexes (see `Database.rows`)."""
        self.complete()
        return (self._apart or self._trace).rows(shape, sql, *values, sealed=sealed)

    def reconnect(self) -> None:
        """Forget the temporary file and the thread, in a forked process: they are the parent's."""
        self._thread = None
        if self._apart is not None:
            self._apart, self._extents, self._builder = None, 0, ExtentBuilder()
            self.refresh()

    def close(self) -> None:
        """Stop the thread, and remove the temporary file."""
        if self._thread is not None:
            self._thread.stop()
            self._thread = None
        if self._apart is not None:
            self._apart.close()

    # -- in the trace ------------------------------------------------------------------------------

    def _store_in_trace(self) -> None:
        with closing(Database(self._trace.path, connect_to_write(self._trace.path))) as trace:
            for first, last in _groups(self._whole):
                _store_group(trace, self._segments, first, last)
        self._trace.reopen()
        self._extents = self._whole

    # -- in a temporary file -----------------------------------------------------------------------

    def _store_apart(self) -> None:
        if self._apart is None:
            self._apart, self._extents = self._temporary(), 0
        _store(self._apart, self._segments, self._builder, self._extents, self._whole)
        self._extents = self._whole

    def _temporary(self) -> Database:
        """Open a new temporary file. It has no name, so nothing is left of it, however this process ends."""
        try:
            with tempfile.NamedTemporaryFile(prefix="wrongcall-", suffix=".index") as file:
                db = sqlite3.connect(
                    file.name, isolation_level=None, check_same_thread=False, factory=Connection
                )
                db.execute("PRAGMA journal_mode = OFF")
                db.execute("PRAGMA synchronous = OFF")
                db.execute("PRAGMA locking_mode = EXCLUSIVE")
                db.executescript(schema.INDEX_TABLES)
        except (OSError, sqlite3.Error) as exc:
            raise TraceError(
                f"{self._trace.path}: no room for indexes, neither in the trace nor in "
                f"{tempfile.gettempdir()}: {exc}"
            ) from exc
        return Database(Path(file.name), db)


class _IndexThread:
    """Makes the indexes of a trace in another thread, and stores them in the trace."""

    def __init__(self, path: Path, known: Segments, whole: int, visit: Visit | None) -> None:
        self._whole = whole
        self._visit = visit
        self._stopped = Event()
        with ExitStack() as opened:
            reader = opened.enter_context(closing(Database(path)))
            self._trace = opened.enter_context(closing(Database(path, connect_to_write(path))))
            self._segments = known.read_by(reader)
            self._opened = opened.pop_all()
        self._executor = ThreadPoolExecutor(1, "indexing")
        self._made = self._executor.submit(self._make)

    def _make(self) -> int:
        for first, last in _groups(self._whole):
            if self._stopped.is_set():
                return first
            is_new = _stored(self._trace, first, last) < last - first
            self._visit = self._visit if is_new else None  # which would miss the events before
            _store_group(self._trace, self._segments, first, last, self._stopped, self._visit)
        return self._whole

    def finish(self) -> int:
        """Wait for it; return how many extents have indexes now."""
        try:
            return self._made.result()
        finally:
            self._executor.shutdown()
            self._opened.close()

    def stop(self) -> None:
        """Stop it as soon as possible; what it did not store is lost."""
        self._stopped.set()
        with suppress(TraceError):  # nobody needs the indexes any more
            self.finish()


def _groups(whole: int) -> Iterator[tuple[int, int]]:
    """Iterate over groups of extents: the first one, and the one after the last."""
    for first in range(0, whole, GROUP_EXTENTS):
        yield first, min(first + GROUP_EXTENTS, whole)


def _store_group(
    trace: Database,
    segments: Segments,
    first: int,
    last: int,
    stopped: Event | None = None,
    visit: Visit | None = None,
) -> None:
    """Make the extents of a group and store them, unless somebody did."""
    if visit is not None or _stored(trace, first, last) < last - first:
        builder = ExtentBuilder(*_newest_before(trace, first))
        _store(trace, segments, builder, first, last, stopped, visit)


def _store(
    to: Database,
    segments: Segments,
    builder: ExtentBuilder,
    first: int,
    last: int,
    stopped: Event | None = None,
    visit: Visit | None = None,
) -> None:
    """Make some extents and store them in one transaction; none, if it is stopped."""
    made = []
    for extent, events in _unpacked(segments, first, last, visit):
        if stopped is not None and stopped.is_set():
            return
        made.append(builder.make(extent, events))
    with to.writing() as db:
        for each in made:
            _insert(db, each)


def _unpacked(
    segments: Segments, first: int, last: int, visit: Visit | None
) -> Iterator[tuple[int, Events]]:
    """Iterate over some extents and their events; a thread unpacks the next one in the meantime.

    The memory of the events is used again: for the kernel to clear it takes as long as to fill it.
    """
    room, spare = np.empty((2, EXTENT_EVENTS), EVENT)
    with ThreadPoolExecutor(1, "unpacking") as executor:
        ahead = executor.submit(_unpack, segments, first, room, visit)
        for extent in range(first, last):
            ahead.result()
            room, spare = spare, room
            if extent + 1 < last:
                ahead = executor.submit(_unpack, segments, extent + 1, room, visit)
            yield extent, spare.view(OPAQUE)


def _unpack(segments: Segments, extent: int, into: Events, visit: Visit | None) -> None:
    """Unpack the events of an extent, and show them to who wants to see them."""
    for place in range(EXTENT):
        part = into[place * SEGMENT_EVENTS : (place + 1) * SEGMENT_EVENTS]
        segments.records(extent * EXTENT + place, part)
        if visit is not None:
            visit((extent * EXTENT + place) * SEGMENT_EVENTS, part)


def _stored(trace: Database, first: int, last: int) -> int:
    """Return how many of some extents have indexes in a trace."""
    sql = "SELECT count(*) FROM owner_indexes WHERE extent >= ? AND extent < ?"
    count: int = trace.rows("i", sql, first, last)[0][0]
    return count


def _newest_before(trace: Database, extent: int) -> tuple[int, int]:
    """Return the newest object and the newest call before an extent."""
    if not extent:
        return 0, 0
    sql = "SELECT extent, newest, heads, left_out FROM owner_indexes WHERE extent = ?"
    ((_, *packed),) = trace.rows("ibbb", sql, extent - 1, sealed="owner_indexes")
    head = OwnerIndexHead.unpack(*packed)
    return int(head.newest_objects[-1]), int(head.newest_calls[-1])


def _insert(db: sqlite3.Connection, extent: Extent) -> None:
    for table, rows in _tables_of(extent):
        if rows:
            marks = ", ".join("?" * len(rows[0]))
            stored = [sealed(table, row) for row in rows]
            # What another reader has stored in the meantime is the same.
            db.executemany(f"INSERT OR IGNORE INTO {table} VALUES ({marks})", stored)


def _tables_of(extent: Extent) -> Iterator[tuple[str, Rows]]:
    """Iterate over the tables and the rows of an extent in them."""
    number, checkpoint, group, index = extent
    yield from _tables_of_checkpoint(0, number, checkpoint)
    if group is not None:
        yield from _tables_of_checkpoint(1, number // GROUP_EXTENTS, group)
    yield "owner_indexes", [(number, index.newest, index.heads, index.left_out, index.sites)]
    yield "owner_pages", [(number, i, packed) for i, packed in enumerate(index.pages)]


def _tables_of_checkpoint(
    level: int, number: int, checkpoint: Checkpoint
) -> Iterator[tuple[str, Rows]]:
    yield "checkpoints", [(level, number, checkpoint.objects)]
    yield (
        "checkpoint_chunks",
        [(level, number, i, packed) for i, packed in enumerate(checkpoint.chunks)],
    )
