"""The events after the last whole extent, sorted by owner.

Those have no owner index in the file yet. In a short trace that is all of them, so a question about many objects would
search the same segments again for each. Sorting them once takes less time than a few dozen such searches.

Invariant: for an owner, the events are those that a search of the segments gives, in the order of their times.
"""

from __future__ import annotations

import numpy as np

from wrongcall.trace.format.event_records import (
    OBJECT_KINDS,
    Ints,
    call_ids,
    kind_table,
    obj_ids,
)
from wrongcall.trace.format.owner_index import OBJECT, VARIABLE_KINDS
from wrongcall.trace.format.segment import SEGMENT_EVENTS
from wrongcall.trace.format.selection import NOTHING, Found, join_found
from wrongcall.trace.read.segments import Segments

_OBJECTS = kind_table(OBJECT_KINDS)
_VARIABLES = kind_table(VARIABLE_KINDS)
_OWNED = _OBJECTS | _VARIABLES


class TailOwners:
    """The events of all owners in a span of times."""

    def __init__(self, segments: Segments, first: int, last: int) -> None:
        parts, owners = [NOTHING], [np.empty(0, np.int64)]
        for number, part in segments.parts(first, last):
            kinds = segments.column(number, "kind")[part]
            times = np.flatnonzero(_OWNED[kinds]) + number * SEGMENT_EVENTS + part.start
            found = segments.at(times)
            parts.append(found)
            owners.append(_owners_of(found))
        found, numbers = join_found(parts), np.concatenate(owners)
        order = np.argsort(numbers, kind="stable")
        self._owners: Ints = numbers[order]
        self._found = Found(found.times[order], found.events[order])

    @property
    def nbytes(self) -> int:
        """Its size in memory, in bytes."""
        return self._found.nbytes + int(self._owners.nbytes)

    def of(self, owner: int) -> Found:
        """Return the events of an owner, in order."""
        begin, end = self._owners.searchsorted([owner, owner + 1]).tolist()
        return Found(self._found.times[begin:end], self._found.events[begin:end])


def _owners_of(found: Found) -> Ints:
    """Return the owner of each event: an object, or the call that a variable belongs to."""
    objs, calls = obj_ids(found.events), call_ids(found.events)
    of_variable = np.where(objs > 0, objs, calls)
    owners: Ints = np.where(_OBJECTS[found.events["kind"]], objs | OBJECT, of_variable)
    return owners
