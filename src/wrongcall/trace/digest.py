"""Digests: what happened to long-lived objects, many segments at a time, by object.

The state of an object is what its events make of it. An object that lives long and changes often has
events in most segments, and unpacking them all for one look at it takes too long. So for every
`VOLUME` segments there is a digest: of each object with events in them the events that matter for
its state (`thinning`), sorted by object and packed in chunks that can be read one by one. Most
objects are left out: those that are first seen in the volume and have events in one segment of it only.

Invariants: an object that is in a digest has all its events of that volume there, but for those that
later ones of the volume make irrelevant. An object that is not in it has no events in the volume,
unless it is first seen there: then it has them in one segment.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from wrongcall.errors import TraceError
from wrongcall.events import Kind
from wrongcall.trace.columns import Coding, Column, decode, encode
from wrongcall.trace.records import (
    EVENT,
    OBJECT_KINDS,
    Columns,
    Ints,
    call_ids,
    kind_table,
    obj_ids,
)
from wrongcall.trace.segment import SEGMENT_EVENTS
from wrongcall.trace.segments import Found
from wrongcall.trace.thinning import kept_of_many

VOLUME = 8
"""So many segments have a digest together."""
CHUNK = 1024
"""So many events lie in one chunk."""

_OBJECTS = struct.Struct("<qIBIBI")
_COLUMNS: dict[str, tuple[np.dtype[Any], Coding]] = {
    "time": (np.dtype("<i8"), Coding.DELTA),
    "kind": (np.dtype("u1"), Coding.ROWS),
    "ktag": (np.dtype("u1"), Coding.ROWS),
    "vtag": (np.dtype("u1"), Coding.ROWS),
    "key": (np.dtype("<i8"), Coding.DELTA),
    "value": (np.dtype("<i8"), Coding.PLANES),
}
_HEADER = struct.Struct("<I" + "BI" * len(_COLUMNS))
_WANTED = kind_table(OBJECT_KINDS)
_FIELDS = ("kind", "ktag", "vtag", "key", "value")


class Digest(NamedTuple):
    """A digest as it is stored."""

    volume: int
    objects: bytes
    chunks: list[bytes]


class DigestBuilder:
    """Collects full segments and makes a digest of every `VOLUME` of them."""

    def __init__(self) -> None:
        self._parts: list[dict[str, Column]] = []
        self._newest = 0  # the last object that was seen before this volume

    def add(self, number: int, events: Columns) -> Digest | None:
        """Take a full segment; return the digest of its volume if it is the last one."""
        where = np.flatnonzero(_WANTED[events["kind"]])
        part = {name: events[name][where] for name in _FIELDS}
        part["obj"] = obj_ids({name: events[name][where] for name in ("obj", "hi")})
        part["time"] = where + number * SEGMENT_EVENTS
        # What a generator is, is the call of its event: it goes where there is room for it.
        is_generator = np.flatnonzero(part["kind"] == Kind.ACTIVATION)
        if len(is_generator):
            chosen = {name: events[name][where[is_generator]] for name in ("call", "hi")}
            part["value"][is_generator] = call_ids(chosen)
        self._parts.append(part)
        if len(self._parts) < VOLUME:
            return None
        columns = {name: np.concatenate([p[name] for p in self._parts]) for name in part}
        self._parts = []
        before = self._newest
        made = columns["obj"][columns["kind"] == Kind.OBJ]
        self._newest = max(before, int(made.max(initial=0)))
        return _digest(number // VOLUME, columns, before, self._newest)


def _digest(volume: int, columns: dict[str, Column], before: int, newest: int) -> Digest:
    order = np.argsort(columns["obj"], kind="stable")
    objs = columns["obj"][order]
    first = np.flatnonzero(np.diff(objs, prepend=-1))
    counts = np.diff(first, append=len(objs))
    numbers = columns["time"][order] // SEGMENT_EVENTS
    several = numbers[first] != numbers[first + counts - 1]
    wanted = np.repeat(several | (objs[first] <= before), counts)
    order, objs = order[wanted], objs[wanted]
    sorted_columns = {name: column[order] for name, column in columns.items() if name != "obj"}
    kept = kept_of_many(sorted_columns, objs)
    objs = objs[kept]
    rows = {name: column[kept] for name, column in sorted_columns.items()}
    return Digest(volume, _pack_objects(objs, newest), list(_pack_chunks(rows, len(objs))))


def _pack_objects(objs: Ints, newest: int) -> bytes:
    first = np.flatnonzero(np.diff(objs, prepend=-1))
    unique, counts = objs[first], np.diff(first, append=len(objs))
    how, frame = encode(unique, Coding.DELTA)
    how_counts, counts_frame = encode(counts.astype(np.uint32), Coding.PLANES)
    head = _OBJECTS.pack(newest, len(unique), how, len(frame), how_counts, len(counts_frame))
    return head + frame + counts_frame


def _pack_chunks(rows: dict[str, Column], count: int) -> Iterator[bytes]:
    for begin in range(0, count, CHUNK):
        head: list[int] = [min(CHUNK, count - begin)]
        frames = []
        for name, (dtype, coding) in _COLUMNS.items():
            part = rows[name][begin : begin + CHUNK].astype(dtype)
            how, frame = encode(part, coding)
            frames.append(frame)
            head += [how, len(frame)]
        yield _HEADER.pack(*head) + b"".join(frames)


class DigestObjects:
    """Which objects are in a digest, and where their events are."""

    def __init__(self, packed: bytes) -> None:
        if len(packed) < _OBJECTS.size:
            raise TraceError(f"damaged trace: a digest of {len(packed)} bytes")
        newest, count, how, size, how_counts, counts_size = _OBJECTS.unpack_from(packed)
        self.newest: int = newest
        """The last object that was first seen up to the end of the volume."""
        if _OBJECTS.size + size + counts_size != len(packed):
            raise TraceError(f"damaged trace: a digest of {len(packed)} bytes")
        view = memoryview(packed)[_OBJECTS.size :]
        self._objs: Ints = decode(view[:size], how, np.dtype("<i8"), count)
        counts = decode(view[size:], how_counts, np.dtype("<u4"), count)
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
    if len(packed) < _HEADER.size:
        raise TraceError(f"damaged trace: a chunk of {len(packed)} bytes")
    count, *directory = _HEADER.unpack_from(packed)
    ends = np.cumsum([_HEADER.size, *directory[1::2]]).tolist()
    if count > CHUNK or ends[-1] != len(packed):
        raise TraceError(f"damaged trace: a chunk of {len(packed)} bytes should have {ends[-1]}")
    events = np.zeros(count, EVENT)
    times: Ints = np.empty(0, np.int64)
    for i, (name, (dtype, _)) in enumerate(_COLUMNS.items()):
        frame = memoryview(packed)[ends[i] : ends[i + 1]]
        column = decode(frame, directory[2 * i], dtype, count)
        if name == "time":
            times = column
        else:
            events[name] = column
    is_generator = events["kind"] == Kind.ACTIVATION
    if is_generator.any():
        calls = events["value"][is_generator]
        events["call"][is_generator] = calls & 0xFFFFFFFF
        events["hi"][is_generator] = calls >> 32
    return Found(times, events)
