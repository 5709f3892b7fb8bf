"""Checkpoints: what happened to long-lived objects, many segments at a time, by object.

The state of an object is what its events make of it. An object that lives long and changes often has
events in most segments, and unpacking them all for one look at it takes too long. So each extent has,
beside the `owner_index` of all that happened to such objects, a checkpoint: of each of them the events that matter
for its state (`compaction`), sorted by object and packed in chunks that can be read one by one. Every `GROUP_EXTENTS`
extents have one more, made of theirs, so that not all have to be read for an old object.

Invariants: an object that is in a checkpoint has all its events of that extent there, but for those that
later ones of the extent make irrelevant. An object that is not in it has no events in the extent,
unless it is first seen there: then it has them in the segment in which it is new. The checkpoint of an extent group
has what is in those of its extents; there is none if that is too much.
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
"""So many extents have a checkpoint together."""
CHUNK = 256
"""So many events lie in one chunk."""
MOST_MERGED = 1 << 20
"""Of more events than this no checkpoint is made for an extent group: the writer has to keep them."""

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
    """A checkpoint as it is stored."""

    objects: bytes
    chunks: list[bytes]


def checkpoint_events(first: int, columns: Columns, sifted: Sifted) -> Rows:
    """Return what a checkpoint has of the extent that begins at a time."""
    order = sifted.by_owner[_WANTED[columns["kind"][sifted.by_owner]]]
    rows = {name: columns[name][order] for name in _COLUMNS if name != "time"}
    rows["time"] = order.astype(np.int64) + first
    rows["obj"] = obj_ids({name: columns[name][order] for name in ("obj", "hi")})
    # What a generator is, is the call of its event: it goes where there is room for it.
    is_generator = np.flatnonzero(rows["kind"] == Kind.ACTIVATION)
    if len(is_generator):
        chosen = {name: columns[name][order[is_generator]] for name in ("call", "hi")}
        rows["value"][is_generator] = call_ids(chosen)
    return _compacted(rows)


def merged(parts: Sequence[Rows]) -> Rows | None:
    """Return what the checkpoint of an extent group has, given that of its extents; None: too much."""
    if sum(len(part["time"]) for part in parts) > MOST_MERGED:
        return None
    rows = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
    order = np.argsort(rows["obj"], kind="stable")
    return _compacted({name: column[order] for name, column in rows.items()})


def _compacted(rows: Rows) -> Rows:
    kept = kept_of_many(rows, rows["obj"])
    return {name: column[kept] for name, column in rows.items()}


def pack_checkpoint(rows: Rows) -> Checkpoint:
    """Return a checkpoint to be stored."""
    columns = [(rows[name], how) for name, (_, how) in _COLUMNS.items()]
    return Checkpoint(_pack_objects(rows["obj"]), list(pack_column_blocks(columns, CHUNK)))


def _pack_objects(objs: Ints) -> bytes:
    first = np.flatnonzero(np.diff(objs, prepend=-1))
    counts = np.diff(first, append=len(objs)).astype(np.uint32)
    return pack_column_block([(objs[first], Coding.DELTA), (counts, Coding.PLANES)])


class CheckpointObjects:
    """Which objects are in a checkpoint, and where their events are."""

    def __init__(self, packed: bytes | None) -> None:
        self.known = packed is not None
        """False: there is no such checkpoint."""
        most = GROUP_EXTENTS * EXTENT_EVENTS
        self._objs: Ints
        self._objs, counts = (
            _NONE if packed is None else unpack_column_block(packed, _OBJECTS, most)
        )
        self._ends = np.cumsum(counts, dtype=np.int64)

    @property
    def nbytes(self) -> int:
        """What it costs to keep."""
        return int(self._objs.nbytes + self._ends.nbytes) + 100

    def find(self, oid: int) -> tuple[int, int] | None:
        """Return the first and the last row, exclusive, of an object; None: it is not in it."""
        at = int(np.searchsorted(self._objs, oid))
        if at == len(self._objs) or self._objs[at] != oid:
            return None
        return (int(self._ends[at - 1]) if at else 0), int(self._ends[at])


def unpack_chunk(packed: bytes) -> Found:
    """Return the events of a chunk; their sites and calls are not in it."""
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
