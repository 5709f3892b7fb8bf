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
from typing import Any, NamedTuple

import numpy as np

from wrongcall.events import Kind
from wrongcall.trace.format.column_block import (
    pack_column_block,
    pack_column_blocks,
    unpack_column_block,
)
from wrongcall.trace.format.columns import Coding, Column
from wrongcall.trace.format.compaction import kept_of_many
from wrongcall.trace.format.event_records import (
    EVENT,
    FIELDS,
    OBJECT_KINDS,
    Columns,
    Ints,
    call_ids,
    events_of,
    kind_table,
    obj_ids,
)
from wrongcall.trace.format.owner_index import EXTENT_EVENTS, Sifted
from wrongcall.trace.format.selection import Found

GROUP_EXTENTS = 8
"""Extents in a group, which share a checkpoint."""
CHUNK = 256
"""Events in one chunk."""
MOST_MERGED = 1 << 20
"""Above this number of events, an extent group gets no checkpoint: the writer has to hold them all."""

_OBJECTS = (np.dtype("<i8"), np.dtype("<u4"))
_COLUMNS: dict[str, tuple[np.dtype[Any], Coding]] = {
    "time": (np.dtype("<i8"), Coding.DELTA),
    "kind": (np.dtype("u1"), Coding.PLANES),
    "ktag": (np.dtype("u1"), Coding.PLANES),
    "vtag": (np.dtype("u1"), Coding.PLANES),
    "key": (np.dtype("<i8"), Coding.DELTA),
    "value": (np.dtype("<i8"), Coding.PLANES),
}
_DTYPES = [dtype for dtype, _ in _COLUMNS.values()]
_ZEROS = {name: np.zeros(CHUNK, EVENT[name]) for name in FIELDS if name not in _COLUMNS}
_WANTED = kind_table(OBJECT_KINDS)
_NONE = [np.empty(0, dtype) for dtype in _OBJECTS]


Rows = dict[str, Column]
"""Events of objects as columns, with ``time`` and ``obj``: sorted by object, then by time."""


class Checkpoint(NamedTuple):
    """A checkpoint in its stored form."""

    objects: bytes
    chunks: list[bytes]


def checkpoint_events(first: int, columns: Columns, sifted: Sifted) -> Rows:
    """Return the rows for the checkpoint of the extent that begins at time ``first``."""
    order = sifted.by_owner[_WANTED[columns["kind"][sifted.by_owner]]]
    rows = {name: columns[name][order] for name in _COLUMNS if name != "time"}
    rows["time"] = order.astype(np.int64) + first
    rows["obj"] = obj_ids({name: columns[name][order] for name in ("obj", "hi")})
    # A generator's identity is the call of its event: store it in a column that is free.
    is_generator = np.flatnonzero(rows["kind"] == Kind.ACTIVATION)
    if len(is_generator):
        chosen = {name: columns[name][order[is_generator]] for name in ("call", "hi")}
        rows["value"][is_generator] = call_ids(chosen)
    return _compacted(rows)


def merged(parts: Sequence[Rows]) -> Rows | None:
    """Merge the checkpoints of extents into that of their group; return None if it is too large."""
    if sum(len(part["time"]) for part in parts) > MOST_MERGED:
        return None
    rows = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
    order = np.argsort(rows["obj"], kind="stable")
    return _compacted({name: column[order] for name, column in rows.items()})


def _compacted(rows: Rows) -> Rows:
    kept = kept_of_many(rows, rows["obj"])
    return {name: column[kept] for name, column in rows.items()}


def pack_checkpoint(rows: Rows) -> Checkpoint:
    """Pack a checkpoint for storing."""
    columns = [(rows[name], how) for name, (_, how) in _COLUMNS.items()]
    return Checkpoint(_pack_objects(rows["obj"]), list(pack_column_blocks(columns, CHUNK)))


def _pack_objects(objs: Ints) -> bytes:
    first = np.flatnonzero(np.diff(objs, prepend=-1))
    counts = np.diff(first, append=len(objs)).astype(np.uint32)
    return pack_column_block([(objs[first], Coding.DELTA), (counts, Coding.PLANES)])


class CheckpointObjects:
    """The objects in a checkpoint, and where their events are."""

    def __init__(self, packed: bytes | None) -> None:
        self.known = packed is not None
        """False if there is no such checkpoint."""
        most = GROUP_EXTENTS * EXTENT_EVENTS
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


def unpack_chunk(packed: bytes) -> Found:
    """Return the events of a chunk; it does not store their sites and calls."""
    columns = dict(zip(_COLUMNS, unpack_column_block(packed, _DTYPES, CHUNK), strict=True))
    times = columns.pop("time")
    columns |= {name: zeros[: len(times)] for name, zeros in _ZEROS.items()}
    events = events_of(columns)
    is_generator = events["kind"] == Kind.ACTIVATION
    if is_generator.any():
        calls = events["value"][is_generator]
        events["call"][is_generator] = calls & 0xFFFFFFFF
        events["hi"][is_generator] = calls >> 32
    return Found(times, events)
