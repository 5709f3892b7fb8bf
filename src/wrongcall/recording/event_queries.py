"""Queries about events: the raw records of a trace, by time, kind, call and object."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from wrongcall.trace.format.event_records import EVENT, Bools, Columns, Events
from wrongcall.trace.format.segment import SEGMENT_EVENTS
from wrongcall.trace.format.selection import Found
from wrongcall.trace.read.store import Store


class EventQueries:
    """Reads events."""

    def __init__(self, store: Store) -> None:
        self._store = store

    @property
    def count(self) -> int:
        """How many events there are; the last one has this time minus one."""
        return self._store.segments.event_count

    def between(self, first: int = 0, last: int | None = None) -> Events:
        """Return the events from time ``first`` up to, not including, ``last``."""
        return self._store.segments.events(first, last)

    def segments(self, wanted: Bools | None = None) -> Iterator[tuple[int, Events]]:
        """Iterate over all events in large parts: the time of the first event, and the events.

        ``wanted``: a flag for each part of `SEGMENT_EVENTS` that should be read.
        """
        for number, count in enumerate(self._store.segments.index.count.tolist()):
            if wanted is not None and not wanted[number]:
                continue
            first = number * SEGMENT_EVENTS
            yield first, self._store.segments.events(first, first + count)

    def parts(
        self, names: Sequence[str], wanted: Bools | None = None
    ) -> Iterator[tuple[int, Columns]]:
        """Iterate over columns of all events in large parts: the time of the first event, and the columns.

        ``wanted``: a flag for each part of `SEGMENT_EVENTS` that should be read. Nothing is cached.
        """
        for number in range(len(self._store.segments.index.count)):
            if wanted is None or wanted[number]:
                yield number * SEGMENT_EVENTS, self._store.segments.once(number, names)

    def records(self, wanted: Bools | None = None, first: int = 0) -> Iterator[tuple[int, Events]]:
        """Iterate like `segments` from a time on, at which a segment begins; nothing is cached.

        The events are only there until the next ones: their memory is used again.
        """
        segments, room = self._store.segments, np.empty(SEGMENT_EVENTS, EVENT)
        counts = segments.index.count.tolist()
        for number in range(first // SEGMENT_EVENTS, len(counts)):
            if wanted is None or wanted[number]:
                yield number * SEGMENT_EVENTS, segments.records(number, room[: counts[number]])

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
        return self._store.segments.select(kinds, call=call, obj=obj, first=first, last=last)
