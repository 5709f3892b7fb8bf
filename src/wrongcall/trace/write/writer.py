"""Write a trace: events in, segments and tables out.

Vocabulary: the *tail* is the segment that is not full yet; each flush writes it, and writes it again when more has
arrived. The same goes for the last batch of contents. Full segments are packed in threads (`packing_threads`); the file
belongs to the calling thread. The indexes of extents are made by whoever reads the trace first (`read.indexes`).

Invariants: only a flush commits, and it commits whole events with everything they refer to. So a reader (or anyone who
finds the file after a crash) sees the run completely up to some time. When the disk is full, the file stays as of the
last flush and the writer raises `TraceFullError` from then on.
"""

from __future__ import annotations

import json
import os
import sqlite3
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import asdict, astuple
from functools import partial
from pathlib import Path
from typing import Any

from wrongcall.errors import TraceError, TraceFullError
from wrongcall.events import EVENT_SIZE
from wrongcall.trace.file.lock import RecorderLock
from wrongcall.trace.file.replacing import nothing_is_precious, set_aside
from wrongcall.trace.format import schema
from wrongcall.trace.format.checksums import CHECKED, KEYS, Totals, sealed
from wrongcall.trace.format.failed_tests import MarksOfTests
from wrongcall.trace.format.run_facts import UNRECORDED, Unrecorded
from wrongcall.trace.format.sizes import SEGMENT_EVENTS
from wrongcall.trace.write.batch import Batch, ContentColumns, OtherEvent, read_batch
from wrongcall.trace.write.contents import ContentTail
from wrongcall.trace.write.dictionary_events import Extract, extract
from wrongcall.trace.write.event_memory import Buffer, EventMemory
from wrongcall.trace.write.packing_threads import Jobs, spare_cores
from wrongcall.trace.write.process_rows import ProcessRows
from wrongcall.trace.write.segment_rows import segment_row

RESERVED_DISK_BYTES = 16 << 20
"""Disk space to leave free, for the end of this trace and for other programs."""

RESERVE_SHARE = 16
"""On a small disk, leave one part in this many free."""

UNPACKED = 8
"""Segments that may wait to be packed."""

DISK_FULL = "disk full"

_Row = tuple[Any, ...]


class TraceWriter:
    """Creates the file and appends what the program hands over."""

    def __init__(
        self,
        path: Path,
        meta: Mapping[str, Any] | None = None,
        *,
        force: bool = False,
        precious: Callable[[Path], bool] = nothing_is_precious,
    ) -> None:
        """Create a new trace in place of an older one, which is set aside until `close` or `discard`.

        ``precious`` decides which older traces are kept; a file that is not a trace is overwritten only with ``force``.
        """
        self.path = path
        self.events = 0
        self.calls = 0
        self.bytes = 0
        self.full = False
        self.unrecorded: list[Unrecorded] = []
        self._tests = MarksOfTests()
        self.keep_code: Callable[[str, bytes], None] = _keep_nothing
        """Called with the name and content of each entry for the cache of instrumented code."""
        self._memory = EventMemory(SEGMENT_EVENTS)
        """The events of the tail."""
        self._packing: deque[EventMemory] = deque()
        """Those of the segments that are being packed, in order."""
        self._spare: list[EventMemory] = []
        self._arrived = 0
        self._dirty = False
        self._contents = ContentTail()
        self._segment_jobs: Jobs[_Row] = Jobs(spare_cores(), UNPACKED)
        self._totals = Totals()
        self._processes = ProcessRows()
        self.earlier = set_aside(path, force=force, precious=precious)
        try:
            self._lock = RecorderLock(path)
            self._db = self._created()
            self.set_meta(meta or {})
            self.flush()
        except BaseException:
            self.earlier.restore()
            raise

    def _created(self) -> sqlite3.Connection:
        try:
            return schema.create(self.path, self._lock.descriptor)
        except BaseException:
            self.path.unlink()
            self._lock.release()
            raise

    def set_meta(self, meta: Mapping[str, Any]) -> None:
        """Note facts about the run as a whole, to be written by the next flush."""
        rows = [(key, json.dumps(value)) for key, value in meta.items()]
        self._insert("meta", rows)

    def add(self, events: Buffer, data: bytes) -> None:
        """Append events, given as records, and the bytes they own."""
        with memoryview(events) as view:
            plain = view.format == "B"
        self.add_batch(Batch(events if plain else bytes(events), data))

    def add_batch(self, batch: Batch) -> None:
        """Append a batch."""
        self._check_open()
        found = batch.found or read_batch(batch.events)
        extracted = extract(found, batch.data)
        self._add_dictionary(extracted)
        if found.contents.id:
            self._add_contents(found.contents, extracted.data)
        self._add_processes(extracted.processes)
        self.calls += found.begun
        self._add_events(batch, extracted.shortened)
        self.bytes += len(batch.data)
        self._store_segments()

    def room(self) -> memoryview:
        """Return the memory where the next events belong, as many as the segment has room for.

        Events that are there when a batch is added need not be copied.
        """
        return self._memory.part(self.events % SEGMENT_EVENTS, SEGMENT_EVENTS)

    def _add_events(self, batch: Batch, shortened: Mapping[int, int]) -> None:
        with memoryview(batch.events).cast("B") as records:
            done, count = 0, batch.count
            while done < count:
                used = self.events % SEGMENT_EVENTS
                size = min(count - done, SEGMENT_EVENTS - used)
                if not batch.in_place:
                    part = records[done * EVENT_SIZE : (done + size) * EVENT_SIZE]
                    self._memory.put(part, used)
                for place, length in shortened.items():
                    if done <= place < done + size:
                        self._memory.set_obj(used + place - done, length)
                self._grow(size, used)
                done += size

    def flush(self) -> None:
        """Make everything added so far visible to readers."""
        self._check_open()
        self._store_segments(whole=True)
        if self._dirty:
            self._insert("segments", [self._packed_tail()()])
            self._dirty = False
        if self._contents.dirty:
            self._store_contents()
        if self._db.in_transaction:
            self._commit()
            self._check_space()

    def close(self, ended: str, summary: Mapping[str, Any] | None = None) -> None:
        """Write what is left, why the trace ends, and a summary.

        If the disk is full, the trace says so, provided there is room.
        """
        try:
            if not self.full:
                self.flush()
        except TraceFullError:
            pass
        finally:
            self._segment_jobs.close()
            self._last_words({**(summary or {}), "ended": DISK_FULL if self.full else ended})
            self._db.close()
            self._lock.release()
            self.earlier.forget()

    def discard(self) -> None:
        """Remove the new trace and restore what was there before."""
        self._segment_jobs.close()
        self._db.close()
        self.path.unlink(missing_ok=True)
        self._lock.release()
        self.earlier.restore()

    def _last_words(self, meta: Mapping[str, Any]) -> None:
        try:
            self.set_meta(meta)
            self._commit()
            with self._errors():
                schema.settle(self._db)
        except TraceFullError:
            pass  # then the file ends without its closing facts

    def _commit(self) -> None:
        self._insert("checks", self._totals.changed())
        with self._errors():
            self._db.execute("COMMIT")
        self._totals.keep()

    def _check_open(self) -> None:
        if self.full:
            raise TraceFullError(f"{self.path}: the disk is full, the trace ends here")

    def _check_space(self) -> None:
        try:
            disk = os.statvfs(self.path)
        except OSError as exc:
            raise TraceError(f"{self.path}: {exc.strerror}") from exc
        reserve = min(RESERVED_DISK_BYTES, disk.f_blocks * disk.f_frsize // RESERVE_SHARE)
        if disk.f_bavail * disk.f_frsize < reserve:
            self.full = True
            self._check_open()

    def _grow(self, count: int, used: int) -> None:
        if not used:
            self._arrived = time.time_ns()
        self.events += count
        self._dirty = self.events % SEGMENT_EVENTS != 0
        if not self._dirty:
            self._segment_jobs.begin(self._packed_tail())
            self._packing.append(self._memory)
            self._memory = self._spare.pop() if self._spare else EventMemory(SEGMENT_EVENTS)

    def _packed_tail(self) -> Callable[[], _Row]:
        """Return a job that packs the segment with the latest event, as far as it is filled."""
        number = (self.events - 1) // SEGMENT_EVENTS
        events = self._memory.part(0, self.events - number * SEGMENT_EVENTS)
        return partial(segment_row, number, self._arrived, events)

    def _store_segments(self, *, whole: bool = False) -> None:
        for row in self._segment_jobs.results(whole=whole):
            self._spare.append(self._packing.popleft())
            self._insert("segments", [row])

    def _add_dictionary(self, found: Extract) -> None:
        for table, rows in found.rows.items():
            self._insert(table, rows)
        for module in found.unrecorded:
            self.unrecorded.append(module)
            self.set_meta({f"{UNRECORDED}{len(self.unrecorded)}": asdict(module)})
        for place, mark in found.marks:
            self.set_meta(self._tests.take(self.events + place, mark))
        for name, content in found.code:
            self.keep_code(name, content)

    def _add_contents(self, contents: ContentColumns, data: bytes) -> None:
        self._contents.add(contents, data)
        if self._contents.full:
            self._store_contents()
            self._contents.next()

    def _add_processes(self, events: list[OtherEvent]) -> None:
        for event in events:
            number = self._processes.note(event, self.events + event.place)
            if number:
                self._insert("processes", [astuple(self._processes.rows[number])])

    @property
    def starts(self) -> int:
        """How many processes were started that are not recorded."""
        return self._processes.unrecorded

    def process_began(self, number: int, pid: int) -> None:
        """Note the system's number of a process."""
        self._insert("processes", [astuple(self._processes.began(number, pid))])

    def process_ended(self, number: int, how: str) -> None:
        """Note how a process ended, if there is room: a full disk is reported by `close`."""
        with suppress(TraceFullError):
            self._insert("processes", [astuple(self._processes.ended(number, how))])

    def _store_contents(self) -> None:
        self._insert("contents", [self._contents.packed()])

    def _insert(self, table: str, rows: list[Any]) -> None:
        if not rows:
            return
        if table in CHECKED:
            self._totals.add(table, rows)
        if table in KEYS:
            rows = [sealed(table, row) for row in rows]
        marks = ", ".join("?" * len(rows[0]))
        with self._errors():
            if not self._db.in_transaction:
                self._db.execute("BEGIN")
            self._db.executemany(f"INSERT OR REPLACE INTO {table} VALUES ({marks})", rows)

    @contextmanager
    def _errors(self) -> Iterator[None]:
        """Turn SQLite's errors into ours; after "full", the file is as of the last flush."""
        try:
            yield
        except sqlite3.Error as exc:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
            self._totals.revert()
            if getattr(exc, "sqlite_errorcode", 0) != sqlite3.SQLITE_FULL:
                raise TraceError(f"{self.path}: {exc}") from exc
            self.full = True
            raise TraceFullError(f"{self.path}: {exc}") from exc


def _keep_nothing(name: str, content: bytes) -> None:
    """Drop an entry: there is no cache."""
