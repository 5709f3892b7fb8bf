"""A segment: up to 65,536 consecutive events, packed small.

Events of one place in the source resemble each other: the same kind, the same tags, values that
develop slowly. So a segment stores the sites in time order and then every other column but the
call *grouped by site*: first all events of one site, in time order, then all of the next. The
grouping needs no room, for it follows from the sites::

    +-------+-----------------------+------+------+------+-----
    | count | 9 x (coding, size)    | site | call | kind | ...   each column one zstandard frame
    +-------+-----------------------+------+------+------+-----

Vocabulary: the *order* of a segment is the permutation that groups it.

Invariants: `unpack(pack(events))` equals the events, byte for byte. Columns are decoded when
first asked for, so a scan that looks at kinds does not pay for values.
"""

from __future__ import annotations

import struct
from functools import cached_property

import numpy as np
import numpy.typing as npt

from wrongcall.errors import TraceError
from wrongcall.events import Tag
from wrongcall.trace.columns import Coding, Column, decode, encode
from wrongcall.trace.records import EVENT, Columns, Events, Ints

SEGMENT_EVENTS = 65_536

_NAMES = ("site", "call", "kind", "ktag", "vtag", "hi", "obj", "key", "value")
_TIME_ORDER = frozenset({"site", "call"})
_TAGS = {"key": "ktag", "value": "vtag"}
_HEADER = struct.Struct("<I" + "BI" * len(_NAMES))


def _order(sites: npt.NDArray[np.uint32]) -> npt.NDArray[np.intp]:
    # 16 bits are enough to group by, and numpy sorts them in linear time.
    return np.argsort(sites.astype(np.uint16), kind="stable")


def _coding(name: str, events: Columns) -> Coding:
    """Choose by what a key or value column mostly holds; short strings match as a whole."""
    if name not in _TAGS:
        return Coding.ROWS if EVENT[name].itemsize == 1 else Coding.DELTA
    tags = events[_TAGS[name]]
    if np.count_nonzero(tags >= Tag.STR_INLINE) * 2 > len(tags):
        return Coding.ROWS
    return Coding.DELTA if name == "key" else Coding.PLANES


def pack(events: Columns) -> bytes:
    """Return events, given as contiguous columns, as one compact byte string."""
    count = len(events["kind"])
    if count > SEGMENT_EVENTS:
        raise ValueError(f"a segment holds {SEGMENT_EVENTS} events, not {count}")
    order = _order(events["site"])
    head = [count]
    frames = []
    for name in _NAMES:
        column = events[name] if name in _TIME_ORDER else events[name].take(order)
        how, frame = encode(column, _coding(name, events))
        frames.append(frame)
        head += [how, len(frame)]
    return _HEADER.pack(*head) + b"".join(frames)


class Packed:
    """A packed segment whose columns are decoded one by one, when asked for."""

    def __init__(self, packed: bytes) -> None:
        if len(packed) < _HEADER.size:
            raise TraceError(f"damaged trace: a segment of {len(packed)} bytes")
        self.count, *directory = _HEADER.unpack_from(packed)
        if self.count > SEGMENT_EVENTS:
            raise TraceError(f"damaged trace: a segment claims to hold {self.count} events")
        self._codings = dict(zip(_NAMES, directory[0::2], strict=True))
        self._frames = _cut(packed, directory[1::2])
        self._columns: dict[str, Column] = {}

    @property
    def nbytes(self) -> int:
        """What it costs to keep when every column is decoded: events, their order, and itself."""
        decoded = int(self.count) * (EVENT.itemsize + 8)
        return decoded + sum(len(frame) for frame in self._frames.values())

    @cached_property
    def _order(self) -> npt.NDArray[np.intp]:
        return _order(self.column("site"))

    def column(self, name: str) -> Column:
        """Return one column in time order."""
        if name not in self._columns:
            column = decode(self._frames[name], self._codings[name], EVENT[name], self.count)
            if name not in _TIME_ORDER:
                grouped, column = column, np.empty_like(column)
                column[self._order] = grouped
            self._columns[name] = column
        return self._columns[name]

    def events(self, where: slice | Ints = slice(None)) -> Events:
        """Return these events, all by default, with all their fields."""
        columns = {name: self.column(name)[where] for name in _NAMES}
        events: Events = np.empty(len(columns["kind"]), EVENT)
        for name, column in columns.items():
            events[name] = column
        return events


def _cut(packed: bytes, sizes: list[int]) -> dict[str, memoryview]:
    view = memoryview(packed)
    ends = np.cumsum([_HEADER.size, *sizes]).tolist()
    if ends[-1] != len(packed):
        raise TraceError(f"damaged trace: a segment of {len(packed)} bytes should have {ends[-1]}")
    return {name: view[ends[i] : ends[i + 1]] for i, name in enumerate(_NAMES)}


def unpack(packed: bytes) -> Events:
    """Return the events that `pack` was given."""
    return Packed(packed).events()
