"""Several short columns of the same length in one compressed block.

What is read a little at a time is packed in little portions, and a frame for each column of each of
them would cost more than what is in it. So the byte planes of all columns (`columns`) lie in one
frame::

    +-------+------------+-----------------------------+
    | count | n x coding | planes of column 1, of 2 .. |
    +-------+------------+-----------------------------+

Invariant: `unpack_sheet(pack_sheet(columns))` equals the columns; damage is an error.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import Any

import numpy as np

from wrongcall.errors import TraceError
from wrongcall.trace import _packing
from wrongcall.trace.columns import Coding, Column, compress, decompress

_COUNT = struct.Struct("<I")


def pack_sheet(columns: Sequence[tuple[Column, Coding]]) -> bytes:
    """Return contiguous columns as one compact byte string; the coding is `PLANES` or `DELTA`."""
    count = len(columns[0][0])
    codings = bytearray()
    planes = []
    for column, coding in columns:
        height, split = _packing.split(column, column.itemsize, None, coding == Coding.DELTA)
        codings.append(coding | height << 4)
        planes.append(split)
    return _COUNT.pack(count) + codings + compress(b"".join(planes))


def unpack_sheet(packed: bytes, dtypes: Sequence[np.dtype[Any]], most: int) -> list[Column]:
    """Return the columns that `pack_sheet` was given; they have at most so many numbers."""
    begin = _COUNT.size + len(dtypes)
    count = _COUNT.unpack_from(packed)[0] if len(packed) >= begin else most + 1
    codings = packed[_COUNT.size : begin]
    heights = [how >> 4 for how in codings]
    fits = all(height <= dtype.itemsize for height, dtype in zip(heights, dtypes, strict=False))
    if count > most or not fits or any(how & 15 not in (1, 2) for how in codings):
        raise TraceError(f"damaged trace: a sheet of {len(packed)} bytes")
    planes = decompress(memoryview(packed)[begin:], count * sum(heights))
    columns = tuple(np.empty(count, dtype) for dtype in dtypes)
    _packing.join_all(planes, codings, columns)
    return list(columns)
