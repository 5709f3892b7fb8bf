"""Pack a segment, with what is stored beside it: its summary and its table of calls.

The native code makes columns and rearranges them, without the GIL, in memory that each thread uses again and again;
what is left to do here is to compress them.
"""

from __future__ import annotations

import struct
import threading
from typing import NamedTuple

from wrongcall.events import Tag
from wrongcall.trace.format import _packing
from wrongcall.trace.format.event_kinds import TRAITS
from wrongcall.trace.format.frames import compress
from wrongcall.trace.format.sizes import SEGMENT_EVENTS
from wrongcall.trace.write.event_memory import Buffer, new_memory

_EVENT_COLUMNS = 9
_CALL_COLUMNS = 7
_HEADER = struct.Struct("<I" + "BI" * _EVENT_COLUMNS)
_CALLS_HEADER = struct.Struct("<IIB" + "BI" * _CALL_COLUMNS)
_ROWS = 0
"""The coding of a column that is compressed as it is, even if it is empty."""

_Piece = tuple[int, int, int]
"""The coding of a column, and where it begins and ends in the room."""


class PackedSegment(NamedTuple):
    """A segment in its stored form; the comments of the table ``segments`` describe it."""

    events: int
    ranges: tuple[int, int, int, int]
    """The smallest and the largest call, and the same of objects."""
    kinds: bytes
    call_filter: bytes
    obj_filter: bytes
    calls: bytes
    packed: bytes

    def row(self, number: int, arrived: int) -> tuple[int | bytes, ...]:
        """Return the row of the segment; ``arrived``: the time of the wall clock at its first event."""
        first = number * SEGMENT_EVENTS
        return (number, first, self.events, *self.ranges, arrived, *self[2:])


class _Room(threading.local):
    """The memory in which a thread rearranges columns."""

    def __init__(self) -> None:
        self.memory = new_memory(_packing.segment_room())


_room = _Room()


def pack_segment(events: Buffer) -> PackedSegment:
    """Pack events, given as records, at most as many as a segment has."""
    view = _room.memory
    count, ranges, kinds, calls, pieces = _packing.pack_segment(
        events, TRAITS, int(Tag.STR_INLINE), view
    )
    call_filter, obj_filter = (compress(view[begin:end]) for _, begin, end in pieces[:2])
    packed = _joined(_HEADER, (count,), view, pieces[2 : 2 + _EVENT_COLUMNS])
    table = _joined(_CALLS_HEADER, calls, view, pieces[2 + _EVENT_COLUMNS :])
    return PackedSegment(count, ranges, kinds, call_filter, obj_filter, table, packed)


def segment_row(number: int, arrived: int, events: Buffer) -> tuple[int | bytes, ...]:
    """Pack a segment and return its row."""
    return pack_segment(events).row(number, arrived)


def _joined(
    header: struct.Struct, begin: tuple[int, ...], view: memoryview, pieces: list[_Piece]
) -> bytes:
    """Return columns as one byte string, each compressed, with the codings and sizes in the header."""
    directory, frames = list(begin), []
    for how, start, end in pieces:
        frame = compress(view[start:end]) if end > start or how == _ROWS else b""
        directory += (how, len(frame))
        frames.append(frame)
    return header.pack(*directory) + b"".join(frames)
