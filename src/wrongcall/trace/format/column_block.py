"""Several short columns of the same length in one compressed block.

What is read a little at a time is packed in small portions, and a frame per column and portion would cost more than its
contents. So the byte planes of all columns (`columns`) share one frame::

    +-------+------------+-----------------------------+
    | count | n x coding | planes of column 1, of 2 .. |
    +-------+------------+-----------------------------+

Invariant: damage is an error.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import Any

import numpy as np

from wrongcall.errors import TraceError
from wrongcall.trace.format import _packing
from wrongcall.trace.format.columns import Column
from wrongcall.trace.format.frames import decompress

_COUNT = struct.Struct("<I")


def unpack_column_block(packed: bytes, dtypes: Sequence[np.dtype[Any]], most: int) -> list[Column]:
    """Return the columns in a block; they have at most ``most`` numbers."""
    begin = _COUNT.size + len(dtypes)
    count = _COUNT.unpack_from(packed)[0] if len(packed) >= begin else most + 1
    codings = packed[_COUNT.size : begin]
    heights = [how >> 4 for how in codings]
    fits = all(height <= dtype.itemsize for height, dtype in zip(heights, dtypes, strict=False))
    if count > most or not fits or any(how & 15 not in (1, 2) for how in codings):
        raise TraceError(f"damaged trace: a column block of {len(packed)} bytes")
    planes = decompress(memoryview(packed)[begin:], count * sum(heights))
    columns = tuple(np.empty(count, dtype) for dtype in dtypes)
    _packing.join_all(planes, codings, columns)
    return list(columns)
