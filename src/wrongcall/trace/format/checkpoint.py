"""Checkpoints: the events of long-lived objects over many segments, by object.

The state of an object follows from its events. An object that lives long and changes often has events in most segments,
and unpacking all of them for one state takes too long. So each extent has, beside the `owner_index` with all events of
such objects, a checkpoint: for each object the events that matter for its state (`compaction`), sorted by object and
packed in chunks that can be read one by one. Every `GROUP_EXTENTS` extents have one more, made of theirs, so that an
old object does not need all of them.

Invariants: an object that is in a checkpoint has all its events of that extent there, except for those that later ones
of the extent make irrelevant. An object that is not in it has no events in the extent, unless it is first seen there:
then its events are in the segment in which it is new. The checkpoint of an extent group contains those of its extents;
it is missing if that would be too much.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from wrongcall.events import Kind
from wrongcall.trace.format import sizes
from wrongcall.trace.format.column_block import unpack_column_block, unpack_column_blocks
from wrongcall.trace.format.event_records import EVENT, FIELDS, Ints, events_of
from wrongcall.trace.format.selection import Found

GROUP_EXTENTS = sizes.GROUP_EXTENTS
CHUNK = sizes.CHUNK

_OBJECTS = (np.dtype("<i8"), np.dtype("<u4"))
_DTYPES = {
    "time": np.dtype("<i8"),
    **{name: EVENT[name] for name in ("kind", "ktag", "vtag", "key", "value")},
}
_MISSING = [name for name in FIELDS if name not in _DTYPES]
_NONE = [np.empty(0, dtype) for dtype in _OBJECTS]


class CheckpointObjects:
    """The objects in a checkpoint, and where their events are."""

    def __init__(self, packed: bytes | None) -> None:
        self.known = packed is not None
        """False if there is no such checkpoint."""
        most = GROUP_EXTENTS * sizes.EXTENT_EVENTS
        self._objs: Ints
        self._objs, counts = (
            _NONE if packed is None else unpack_column_block(packed, _OBJECTS, most)
        )
        self._ends = np.cumsum(counts, dtype=np.int64)

    @property
    def nbytes(self) -> int:
        """Its size in memory, in bytes."""
        return int(self._objs.nbytes + self._ends.nbytes) + 100

    def find(self, oid: int) -> tuple[int, int] | None:
        """Return the first and the last row (exclusive) of an object, or None if it is not included."""
        at = int(np.searchsorted(self._objs, oid))
        if at == len(self._objs) or self._objs[at] != oid:
            return None
        return (int(self._ends[at - 1]) if at else 0), int(self._ends[at])


def unpack_chunks(packed: Sequence[bytes]) -> Found:
    """Return the events of chunks, which do not store their sites and calls."""
    blocks, _ = unpack_column_blocks(packed, list(_DTYPES.values()), CHUNK)
    columns = dict(zip(_DTYPES, blocks, strict=True))
    times = columns.pop("time")
    columns |= {name: np.zeros(len(times), EVENT[name]) for name in _MISSING}
    events = events_of(columns)
    is_generator = events["kind"] == Kind.ACTIVATION
    if is_generator.any():
        calls = events["value"][is_generator]
        events["call"][is_generator] = calls & 0xFFFFFFFF
        events["hi"][is_generator] = calls >> 32
    return Found(times, events)
