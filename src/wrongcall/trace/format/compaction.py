"""Drop the events of an object that later ones make irrelevant for its state.

A loop that sets the same attribute a million times leaves a million events: the last one gives the value, and the first
one the attribute's place among the others. So of the writes to one slot, the first and the last are kept. That holds as
long as nothing in between moves or removes slots. The events that do are *barriers*, and writes are compared only
between two of them.

Invariant: replaying the compacted events gives the same contents, in the same order, written at the same times.
"""

from __future__ import annotations

import numpy as np

from wrongcall.events import SEEN
from wrongcall.trace.format import event_kinds
from wrongcall.trace.format.event_records import Bools, Columns, Ints, kind_table
from wrongcall.trace.format.selection import Found

MIN_EVENTS_TO_COMPACT = 64
"""Below this number of events, replaying is faster than compacting."""

_WRITES = kind_table(event_kinds.WRITES)
BARRIERS = kind_table(event_kinds.BARRIERS)
"""Kinds of events that move or remove slots."""


def compacted(found: Found, spared: Bools | None = None) -> Found:
    """Return the events of an object without those that do not matter for its state.

    Events marked in ``spared`` are all kept, so that the result shows every state of some slots.
    """
    if len(found.times) < MIN_EVENTS_TO_COMPACT:
        return found
    kept = _kept(found)
    if spared is not None:
        kept |= spared
    return Found(found.times[kept], found.events[kept])


def _kept(found: Found) -> Bools:
    events = found.events
    epoch = np.cumsum(BARRIERS[events["kind"]], dtype=np.int64)
    columns = {name: events[name] for name in ("kind", "ktag", "key")}
    return _first_and_last(columns, epoch)


def _first_and_last(columns: Columns, epoch: Ints) -> Bools:
    """Keep the first and last write to each slot in each epoch, and all other events."""
    kept: Bools = ~_WRITES[columns["kind"]]
    writes = np.flatnonzero(~kept)
    kinds = (columns["kind"][writes] & np.uint8(~SEEN & 0xFF)).astype(np.int64)
    groups = epoch[writes] << 16 | kinds << 8 | columns["ktag"][writes]
    keys = columns["key"][writes]
    order = np.lexsort((keys, groups))
    same = (np.diff(groups[order]) == 0) & (np.diff(keys[order]) == 0)
    # Sorting is stable: within a slot, the events are still in time order.
    first = np.concatenate([[True], ~same]) if len(order) else np.empty(0, np.bool_)
    last = np.concatenate([~same, [True]]) if len(order) else np.empty(0, np.bool_)
    kept[writes[order[first | last]]] = True
    return kept
