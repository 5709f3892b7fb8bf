"""Collect contents and pack them in batches; the last one is packed again whenever it has grown.

`content_batch` describes the stored form, and reads it.
"""

from __future__ import annotations

import struct

from wrongcall.trace.format import _packing
from wrongcall.trace.format.frames import compress
from wrongcall.trace.write.batch import ContentColumns
from wrongcall.trace.write.event_memory import Buffer

BATCH_CONTENTS = 4096
BATCH_BYTES = 512 << 10

_PLANES, _DELTA = 1, 2
_IDS = struct.Struct("<IB")
_HEADER = struct.Struct("<IQ" + "BI" * 7)
"""Of six columns and the bytes."""
_WIDE = 4
"""The first columns have numbers of 8 bytes."""


class ContentTail:
    """The batch of contents that is still growing."""

    def __init__(self) -> None:
        self.row = 1
        self.dirty = False
        self._clear()

    def _clear(self) -> None:
        self._columns = [bytearray() for _ in ContentColumns._fields]
        self._data = bytearray()

    def add(self, contents: ContentColumns, data: bytes) -> None:
        """Add contents and their bytes."""
        for column, more in zip(self._columns, contents, strict=True):
            column += more
        self._data += data
        self.dirty = True

    @property
    def full(self) -> bool:
        """Whether the next contents belong in another batch."""
        return len(self._columns[-1]) >= BATCH_CONTENTS or len(self._data) >= BATCH_BYTES

    def packed(self) -> tuple[int, bytes, bytes]:
        """Return the row of the table ``contents``."""
        self.dirty = False
        return (self.row, *pack_contents(self._columns, self._data))

    def next(self) -> None:
        """Begin the next batch."""
        self.row += 1
        self._clear()


def pack_contents(columns: list[bytearray], data: Buffer) -> tuple[bytes, bytes]:
    """Return the ids of contents, and everything else about them, as compact byte strings."""
    ids, base, length, size = (memoryview(column).cast("q") for column in columns[:_WIDE])
    count = len(ids)
    how, frame = _encoded(ids, _DELTA)
    parts = [_encoded(base, _DELTA), _encoded(length, _PLANES), _encoded(size, _PLANES)]
    parts += [(0, compress(part)) for part in (*columns[_WIDE:], data)]
    directory = [number for how, frame in parts for number in (how, len(frame))]
    head = _HEADER.pack(count, len(data), *directory)
    return _IDS.pack(count, how) + frame, head + b"".join(frame for _, frame in parts)


def _encoded(column: memoryview, coding: int) -> tuple[int, bytes]:
    """Return the coding byte of a column, and its frame (see `columns`)."""
    height, planes = _packing.split(column, column.itemsize, None, coding == _DELTA)
    return coding | height << 4, compress(planes) if height else b""
