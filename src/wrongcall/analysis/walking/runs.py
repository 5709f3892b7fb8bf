"""The events of a thread as *runs*: stretches in which one call has all the events.

Events that belong to no call, such as first sights of objects, are left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from operator import attrgetter
from typing import NamedTuple

import numpy as np

from wrongcall.analysis.walking.threads import Threads
from wrongcall.events import Kind
from wrongcall.trace.format.event_records import Bytes, Ints, call_ids, kind_table, obj_ids
from wrongcall.trace.format.segment import SEGMENT_EVENTS
from wrongcall.trace.read.store import Store

_FIRST_EVENTS = 256
"""How many events are looked at first; then twice as many, and so on."""
LEAVING = kind_table({Kind.RETURN, Kind.RAISE, Kind.DROP, Kind.YIELD})
"""The last event of a run is of one of these kinds if the call returned or yielded to another."""


class Run(NamedTuple):
    """Events of one call with none of another call of the thread in between."""

    call: int
    first: int
    last: int
    leaves: bool
    """The last event returns or yields to the call that called or resumed this one."""


class Runs:
    """Reads the runs of a thread."""

    def __init__(self, store: Store, threads: Threads) -> None:
        self._store = store
        self._threads = threads

    def forward(self, time: int, thread: int) -> Iterator[Run]:
        """Iterate over the runs from a time on; the first may have begun before."""
        parts = self._parts_forward(time, thread)
        return _joined(run for part in parts for run in _runs(*part))

    def backward(self, time: int, thread: int) -> Iterator[Run]:
        """Iterate over the runs from a time back; the first may end after it."""
        parts = self._parts_backward(time, thread)
        return _joined(run for part in parts for run in reversed(_runs(*part)))

    def _parts_forward(self, time: int, thread: int) -> Iterator[tuple[Ints, Ints, Bytes]]:
        size, end = _FIRST_EVENTS, self._store.segments.event_count
        while time < end:
            until = min(time + size, end, (time // SEGMENT_EVENTS + 1) * SEGMENT_EVENTS)
            yield self._part(time, until, thread)
            time, size = until, 2 * size

    def _parts_backward(self, time: int, thread: int) -> Iterator[tuple[Ints, Ints, Bytes]]:
        size, end = _FIRST_EVENTS, min(time + 1, self._store.segments.event_count)
        while end > 0:
            begin = max(end - size, (end - 1) // SEGMENT_EVENTS * SEGMENT_EVENTS)
            yield self._part(begin, end, thread)
            end, size = begin, 2 * size

    def _part(self, begin: int, end: int, thread: int) -> tuple[Ints, Ints, Bytes]:
        """Return times, calls and kinds of the events of a thread in a part of a segment."""
        number, first = divmod(begin, SEGMENT_EVENTS)
        part = slice(first, first + end - begin)
        column = self._store.segments.column
        kinds = column(number, "kind")[part]
        columns = {name: column(number, name)[part] for name in ("call", "hi", "obj")}
        calls = call_ids(columns)
        # A generator that is created does not run: the call that creates it does.
        created = np.flatnonzero(kinds == Kind.CREATE)
        calls[created] = obj_ids({name: columns[name][created] for name in ("obj", "hi")})
        mine = self._threads.among(calls, thread) & (kinds != Kind.ACTIVATION)
        where = np.flatnonzero(mine)
        return where + begin, calls[where], kinds[where]


def _joined(runs: Iterable[Run]) -> Iterator[Run]:
    """Join runs of the same call that follow each other, in whichever direction."""
    pending: Run | None = None
    for run in runs:
        if pending is not None and pending.call == run.call:
            earlier, later = sorted((pending, run), key=attrgetter("first"))
            pending = later._replace(first=earlier.first)
            continue
        if pending is not None:
            yield pending
        pending = run
    if pending is not None:
        yield pending


def _runs(times: Ints, calls: Ints, kinds: Bytes) -> list[Run]:
    if not len(times):
        return []
    starts = np.flatnonzero(np.append(True, np.diff(calls) != 0))
    lasts = np.append(starts[1:], len(times)) - 1
    rows = (calls[starts], times[starts], times[lasts], LEAVING[kinds[lasts]])
    return [Run(*row) for row in zip(*(column.tolist() for column in rows), strict=True)]
