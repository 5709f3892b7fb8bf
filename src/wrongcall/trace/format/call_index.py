"""Which calls begin and end in a segment, stored beside it.

Two short tables with the rows in time order::

    +-------+-------+-------+--------------------+-------+----+--------+------+-------+------+------
    | begun | ended | width | 7 x (coding, size) | where | id | parent | site | where | call | kind
    +-------+-------+-------+--------------------+-------+----+--------+------+-------+------+------
                                                 '---------- begun -----------' '------ ended ------'

``where`` is the index of the event in the segment; everything else about a call is in that event. So the tree of all
calls can be built without unpacking the segments, and the beginning and end of one call can be found in a few of these
tables. Call ids take ``width`` bytes: 4 where that is enough, else 8.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from wrongcall.errors import TraceError
from wrongcall.trace.format.columns import Column, decode
from wrongcall.trace.format.event_records import Bytes, Ints

_COLUMNS = 7
_BEGUN = 4  # the first columns describe beginnings
_HEADER = struct.Struct("<IIB" + "BI" * _COLUMNS)


@dataclass(frozen=True)
class SegmentCalls:
    """The beginnings and ends of calls in one segment; ``where`` is an index in the segment."""

    begun_where: npt.NDArray[np.uint16]
    id: npt.NDArray[np.uint32] | Ints
    parent: npt.NDArray[np.uint32] | Ints
    site: npt.NDArray[np.uint32]
    ended_where: npt.NDArray[np.uint16]
    call: npt.NDArray[np.uint32] | Ints
    kind: Bytes

    @property
    def _columns(self) -> tuple[Column, ...]:
        begun = (self.begun_where, self.id, self.parent, self.site)
        return (*begun, self.ended_where, self.call, self.kind)

    @property
    def nbytes(self) -> int:
        """Its size in memory, in bytes."""
        return 100 + sum(column.nbytes for column in self._columns)


def unpack_calls(packed: bytes, most: int) -> SegmentCalls:
    """Return the tables of a segment of at most ``most`` events."""
    if len(packed) < _HEADER.size:
        raise TraceError(f"damaged trace: a table of calls of {len(packed)} bytes")
    begun, ended, width, *directory = _HEADER.unpack_from(packed)
    ends = np.cumsum([_HEADER.size, *directory[1::2]]).tolist()
    if begun > most or ended > most or ends[-1] != len(packed) or width not in (4, 8):
        raise TraceError(f"damaged trace: {begun} calls begin and {ended} end in one segment")
    ids = np.dtype("<u4" if width == 4 else "<i8")
    where, site = np.dtype("<u2"), np.dtype("<u4")
    dtypes = (where, ids, ids, site, where, ids, np.dtype("u1"))
    columns: list[Column] = []
    for i, dtype in enumerate(dtypes):
        frame = memoryview(packed)[ends[i] : ends[i + 1]]
        columns.append(decode(frame, directory[2 * i], dtype, begun if i < _BEGUN else ended))
    return SegmentCalls(*columns)
