"""When objects were first seen, and what kind of thing they are: known without reading what they hold.

What an object is called for (a function, a class, a list) is decided by its first event. Ids rise, so the segment of
that event follows from the id, and one look at a segment finds the first events of all objects that are new in it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from wrongcall.events import Kind
from wrongcall.trace.format.event_records import Bytes, Ints, obj_ids
from wrongcall.trace.format.segment import SEGMENT_EVENTS
from wrongcall.trace.read.cache import ByteCache
from wrongcall.trace.read.owner_events import OwnerEvents
from wrongcall.trace.read.segments import Segments


class FirstSight(NamedTuple):
    """The first event of an object."""

    time: int
    layout: int
    """Its layout, as the event has it."""


class FirstSights:
    """Finds the first events of objects."""

    def __init__(self, segments: Segments, owner_events: OwnerEvents, cache: ByteCache) -> None:
        self._segments = segments
        self._owner_events = owner_events
        self._cache = cache

    def of(self, oid: int) -> FirstSight | None:
        """Return the first event of an object; None if there is none in the snapshot."""
        number = self._owner_events.first_segment(oid)
        if number is None:
            return None
        key = ("first sights", number, int(self._segments.index.count[number]))
        return self._cache.get(key, lambda: _SegmentSights(self._segments, number)).of(oid)


class _SegmentSights:
    """The objects that are first seen in a segment."""

    def __init__(self, segments: Segments, number: int) -> None:
        where = np.flatnonzero(segments.column(number, "kind") == Kind.OBJ)
        names = ("obj", "hi", "ktag")
        found = {name: segments.fields(number, name, where) for name in names}
        objs = obj_ids(found)
        # An object that gets another class has more such events; the first one counts.
        order = np.argsort(objs, kind="stable")
        self._objs: Ints = objs[order]
        self._times: Ints = where[order] + number * SEGMENT_EVENTS
        self._layouts: Bytes = found["ktag"][order]

    @property
    def nbytes(self) -> int:
        """Its size in memory, in bytes."""
        return int(self._objs.nbytes + self._times.nbytes + self._layouts.nbytes) + 100

    def of(self, oid: int) -> FirstSight | None:
        at = int(self._objs.searchsorted(oid))
        if at == len(self._objs) or self._objs[at] != oid:
            return None
        return FirstSight(int(self._times[at]), int(self._layouts[at]))
