"""A segment: up to 65,536 consecutive events, packed.

Events of one place in the source resemble each other: the same kind, the same tags, values that change slowly. So a
segment stores the sites in time order and then every other column but the call *grouped by site*: first all events of
one site, in time order, then all of the next. The grouping takes no space, because it follows from the sites::

    +-------+-----------------------+------+------+------+-----
    | count | 9 x (coding, size)    | site | call | kind | ...   each column one zstandard frame
    +-------+-----------------------+------+------+------+-----

Vocabulary: the *order* of a segment is the permutation that groups it.

Invariants: unpacking gives back the events, byte for byte. Columns are decoded when first used, so a scan that looks at
kinds does not pay for values. Keys and values that are mostly short strings are stored as they are, since they match as
a whole.
"""

from __future__ import annotations

import struct
import threading
from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from wrongcall.errors import TraceError
from wrongcall.trace.format import _packing, sizes
from wrongcall.trace.format.columns import Coding, Column, Order, decode, is_zero
from wrongcall.trace.format.event_records import EVENT, OPAQUE, Columns, Events
from wrongcall.trace.format.frames import decompress

SEGMENT_EVENTS = sizes.SEGMENT_EVENTS

_NAMES = ("site", "call", "kind", "ktag", "vtag", "hi", "obj", "key", "value")
_TIME_ORDER = frozenset({"site", "call"})
_HEADER = struct.Struct("<I" + "BI" * len(_NAMES))


class _Room(threading.local):
    """The memory in which a thread unpacks events."""

    def __init__(self) -> None:
        self.memory = np.empty(_packing.unpacking_room(), np.uint8)


_room = _Room()


def grouping(sites: npt.NDArray[np.uint32]) -> Order:
    """Return the order of a segment with these sites."""
    order = np.empty(len(sites), np.uint16)
    _packing.group(sites, order)
    return order


def ranks(sites: npt.NDArray[np.uint32]) -> Order:
    """Return the position of each event in that order."""
    found = np.empty(len(sites), np.uint16)
    _packing.rank(sites, found)
    return found


def is_grouped(name: str) -> bool:
    """Return whether a column is stored grouped by site instead of in time order."""
    return name not in _TIME_ORDER


class Packed:
    """A packed segment; its columns are decoded one by one."""

    def __init__(self, packed: bytes) -> None:
        if len(packed) < _HEADER.size:
            raise TraceError(f"damaged trace: a segment of {len(packed)} bytes")
        self.count, *directory = _HEADER.unpack_from(packed)
        if self.count > SEGMENT_EVENTS:
            raise TraceError(f"damaged trace: a segment claims to hold {self.count} events")
        self._codings = dict(zip(_NAMES, directory[0::2], strict=True))
        self._frames = _cut(packed, directory[1::2])
        self.nbytes = len(packed)

    def column(self, name: str, order: Callable[[], Order]) -> Column:
        """Return one column in time order; ``order`` is called only if it is needed."""
        return self._decode(name, None if self._is_plain(name) else order())

    def columns(self, names: Sequence[str]) -> Columns:
        """Return some columns in time order."""
        grouped = {name for name in names if not self._is_plain(name)}
        sites = self._decode("site") if grouped or "site" in names else None
        order = grouping(sites) if grouped and sites is not None else None
        return {
            name: sites
            if name == "site" and sites is not None
            else self._decode(name, order if name in grouped else None)
            for name in names
        }

    def _is_plain(self, name: str) -> bool:
        """Return whether a column is the same in both orders."""
        return name in _TIME_ORDER or is_zero(self._codings[name])

    def events(self, into: Events | None = None) -> Events:
        """Return the events: all columns in one pass, which is faster than one after the other.

        ``into``: so many records to be overwritten, for callers that use their memory again.
        """
        events = np.empty(self.count, EVENT) if into is None else into
        planes = tuple(self._planes(name) for name in _NAMES)
        codings = bytes(self._codings[name] for name in _NAMES)
        try:
            _packing.unpack_segment(planes, codings, events.view(OPAQUE), _room.memory)
        except ValueError as exc:
            raise TraceError(f"damaged trace: {exc}") from exc
        return events

    def _planes(self, name: str) -> bytes:
        """Return the decompressed bytes of a column, as many as its coding says."""
        how, width = self._codings[name], EVENT[name].itemsize
        height = width if how & 0x0F == Coding.ROWS else how >> 4
        if not height and len(self._frames[name]):
            raise TraceError(f"damaged trace: a column has the unknown coding {how}")
        return decompress(self._frames[name], self.count * height) if height else b""

    def stored(self, name: str) -> Column:
        """Return one column in its stored order."""
        return self._decode(name)

    def _decode(self, name: str, order: Order | None = None) -> Column:
        return decode(self._frames[name], self._codings[name], EVENT[name], self.count, order)


def _cut(packed: bytes, sizes: list[int]) -> dict[str, memoryview]:
    view = memoryview(packed)
    ends = np.cumsum([_HEADER.size, *sizes]).tolist()
    if ends[-1] != len(packed):
        raise TraceError(f"damaged trace: a segment of {len(packed)} bytes should have {ends[-1]}")
    return {name: view[ends[i] : ends[i + 1]] for i, name in enumerate(_NAMES)}


def unpack(packed: bytes) -> Events:
    """Return the events of a packed segment."""
    return Packed(packed).events()
