"""What objects held, as time moves on: one replay of an object serves all times that follow each other.

`Heap` rebuilds an object for one time from a checkpoint. Asked for a hundred thousand times in ascending order, that
would replay the same events again and again; here, each object keeps a *cursor* that goes forward.
"""

from __future__ import annotations

from collections.abc import Iterator

from wrongcall.replay.heap import Heap
from wrongcall.replay.object_replay import Replay, Row, rows_of
from wrongcall.trace.format.owner_index import OBJECT
from wrongcall.trace.read.store import Store

MAX_CURSORS = 20_000
"""Objects whose cursors are kept."""


class _Cursor:
    """An object's contents up to a time."""

    def __init__(self, store: Store, oid: int, time: int, replay: Replay) -> None:
        self._store = store
        self._oid = oid
        self.replay = replay
        self.time = time
        self.version = 0
        """Changes whenever the object does."""
        self._owns = False
        self._rows: Iterator[Row] | None = None
        self._next: Row | None = None

    def move(self, time: int) -> None:
        """Apply the events up to a later time."""
        if self._rows is None:
            self._rows = self._later(self.time + 1)
            self._next = next(self._rows, None)
        row = self._next
        if row is not None and row.time <= time and not self._owns:
            self.replay, self._owns = self.replay.copy(), True
        while row is not None and row.time <= time:
            self.replay.apply(row)
            self.version += 1
            row = next(self._rows, None)
        self._next = row
        self.time = time

    def _later(self, first: int) -> Iterator[Row]:
        for part in self._store.owner_events.parts(self._oid | OBJECT, first=first):
            yield from rows_of(part)


class MovingHeap:
    """The objects of a trace at times that ascend; going back costs as much as the first time."""

    def __init__(self, store: Store, heap: Heap) -> None:
        self._store = store
        self._heap = heap
        self._cursors: dict[int, _Cursor] = {}
        self._restarts = 0

    def contents(self, oid: int, time: int) -> tuple[Replay, object]:
        """Return what an object held at a time, and a mark that changes when it does; do not modify it.

        What was first explored later is what it held before.
        """
        cursor = self._cursors.get(oid)
        if cursor is None or cursor.time > time:
            if len(self._cursors) >= MAX_CURSORS:
                self._cursors.clear()
            self._restarts += 1
            cursor = _Cursor(self._store, oid, time, self._heap.contents(oid, time))
            cursor.version = self._restarts << 40
            self._cursors[oid] = cursor
        elif cursor.time < time:
            cursor.move(time)
        if cursor.replay.explored:
            return cursor.replay, cursor.version
        known = self._heap.known_by(oid, time)
        return self._heap.contents(oid, known), ("found", known)
