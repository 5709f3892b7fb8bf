"""The event in which an object was first seen, and what held it then."""

from __future__ import annotations

import numpy as np

from wrongcall.events import Kind, Tag
from wrongcall.trace.format.event_records import OBJECT_KINDS, Events, kind_table, with_seen
from wrongcall.trace.read.store import Store

WINDOW = 2048
"""Events before and after an object's first sight that are searched."""
HOLDING = kind_table(OBJECT_KINDS)
_KEYED = kind_table(with_seen({Kind.ENTRY, Kind.MEMBER}))


def first_reference(store: Store, oid: int, born: int) -> Events | None:
    """Return the first event near an object's first sight that has the object as its value or key."""
    last = min(born + WINDOW, store.segments.event_count)
    events = store.segments.events(max(born - WINDOW, 0), last)
    as_value = (events["vtag"] == Tag.OBJ) & (events["value"] == oid)
    as_key = (events["ktag"] == Tag.OBJ) & (events["key"] == oid) & _KEYED[events["kind"]]
    where = np.flatnonzero(as_value | as_key)
    return events[where[:1]] if len(where) else None
