"""Events as numpy records.

`EVENT` is the 32-byte record pictured in ``wrongcall.events``, as a numpy dtype: the form in which events leave the
ring, enter the file, and come back out of it. Nothing in this layer loops over all events in Python; it selects with
whole-column operations and loops over the selection.

Vocabulary: a *call id* or *object id* has 36 bits: 32 in its own column and 4 in ``hi``. Columns hold the low 32;
`call_ids` and `obj_ids` give the whole numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from wrongcall.events import CARRIERS, EVENT_SIZE
from wrongcall.trace.format import _packing, event_kinds

EVENT = np.dtype(
    [
        ("kind", "u1"),
        ("ktag", "u1"),
        ("vtag", "u1"),
        ("hi", "u1"),
        ("site", "<u4"),
        ("call", "<u4"),
        ("obj", "<u4"),
        ("key", "<i8"),
        ("value", "<i8"),
    ]
)
FIELDS = tuple(EVENT.fields or ())
assert EVENT.itemsize == EVENT_SIZE

OPAQUE = np.dtype(f"V{EVENT_SIZE}")
"""The same records without fields: numpy copies these as plain memory, not field by field."""

Events = npt.NDArray[np.void]
Columns = Mapping[str, npt.NDArray[Any]]
Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]
Bytes = npt.NDArray[np.uint8]

DICTIONARY_END = event_kinds.DICTIONARY_END
OBJECT_KINDS = event_kinds.OBJECT_KINDS
with_seen = event_kinds.with_seen


def empty_columns(count: int) -> Columns:
    """Return uninitialised columns for ``count`` events, each column an array of its own."""
    return {name: np.empty(count, EVENT[name]) for name in FIELDS}


def copy_columns(events: Events, columns: Columns, at: int = 0) -> None:
    """Copy the fields of events into columns, starting at index ``at``."""
    ordered = tuple(columns[name] for name in FIELDS)
    _packing.to_columns(np.ascontiguousarray(events), ordered, at)


def contiguous(events: Events) -> Columns:
    """Return the fields of events as columns."""
    columns = empty_columns(len(events))
    copy_columns(events, columns)
    return columns


def events_of(columns: Columns) -> Events:
    """Return events made of columns."""
    events: Events = np.empty(len(columns["kind"]), EVENT)
    ordered = tuple(np.ascontiguousarray(columns[name]) for name in FIELDS)
    _packing.to_events(ordered, events.view(OPAQUE))
    return events


def join_events(parts: Sequence[Events]) -> Events:
    """Concatenate events."""
    if len(parts) == 1:
        return parts[0]
    plain = [np.empty(0, OPAQUE), *(np.ascontiguousarray(part).view(OPAQUE) for part in parts)]
    return np.concatenate(plain).view(EVENT)


def _wide(low: npt.NDArray[np.uint32], high: Bytes) -> Ints:
    ids = low.astype(np.int64)
    if high.any():
        ids |= high.astype(np.int64) << 32
    return ids


def call_ids(events: Events | Columns) -> Ints:
    """Return the call each event belongs to (0: none)."""
    return _wide(events["call"], events["hi"] & np.uint8(0x0F))


def obj_ids(events: Events | Columns) -> Ints:
    """Return what each event has in ``obj``, all 36 bits of it."""
    return _wide(events["obj"], events["hi"] >> np.uint8(4))


def distinct(numbers: npt.NDArray[Any]) -> list[int]:
    """Return the distinct numbers in an array, in ascending order."""
    # Like numpy.unique, which would load numpy.ma.
    ordered = np.sort(numbers)
    is_new = np.ones(len(ordered), np.bool_)
    is_new[1:] = ordered[1:] != ordered[:-1]
    found: list[int] = ordered[is_new].tolist()
    return found


def kind_table(kinds: Iterable[int]) -> Bools:
    """Return a table of 256 flags, for indexing with a ``kind`` column."""
    table = np.zeros(256, dtype=np.bool_)
    table[[int(kind) for kind in kinds]] = True
    return table


_CARRIERS = kind_table(CARRIERS)


def kinds_of(events: Events) -> Bytes:
    """Return the kinds as an array of their own, which is faster to work with."""
    return np.ascontiguousarray(events["kind"])


def carriers(events: Events) -> tuple[Ints, Ints]:
    """Return the indices of the events that own bytes, and how many bytes each owns."""
    where = np.flatnonzero(kinds_of(events) < DICTIONARY_END)
    where = where[_CARRIERS[events["kind"][where]]]
    return where, obj_ids(events[where])
