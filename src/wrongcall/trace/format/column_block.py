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
from itertools import accumulate
from typing import Any

import numpy as np

from wrongcall.errors import TraceError
from wrongcall.trace.format import _packing
from wrongcall.trace.format.columns import Column
from wrongcall.trace.format.frames import decompress

_COUNT = struct.Struct("<I")


def unpack_column_block(packed: bytes, dtypes: Sequence[np.dtype[Any]], most: int) -> list[Column]:
    """Return the columns in a block; they have at most ``most`` numbers."""
    return unpack_column_blocks([packed], dtypes, most)[0]


def unpack_column_blocks(
    blocks: Sequence[bytes], dtypes: Sequence[np.dtype[Any]], most: int
) -> tuple[list[Column], list[int]]:
    """Return the columns in several blocks, one after the other, and where each block ends in them.

    Each block has at most ``most`` numbers in a column.
    """
    counts = [_count(packed, len(dtypes), most) for packed in blocks]
    ends = list(accumulate(counts))
    columns = [np.empty(sum(counts), dtype) for dtype in dtypes]
    for packed, count, end in zip(blocks, counts, ends, strict=True):
        _unpack(packed, dtypes, count, tuple(column[end - count : end] for column in columns))
    return columns, ends


def _count(packed: bytes, columns: int, most: int) -> int:
    """Return how many numbers a block has in each column."""
    count: int = _COUNT.unpack_from(packed)[0] if len(packed) >= _COUNT.size + columns else most + 1
    if count > most:
        raise TraceError(f"damaged trace: a column block of {len(packed)} bytes")
    return count


def _unpack(
    packed: bytes, dtypes: Sequence[np.dtype[Any]], count: int, columns: tuple[Column, ...]
) -> None:
    begin = _COUNT.size + len(dtypes)
    codings = packed[_COUNT.size : begin]
    heights = [how >> 4 for how in codings]
    fits = all(height <= dtype.itemsize for height, dtype in zip(heights, dtypes, strict=False))
    if not fits or any(how & 15 not in (1, 2) for how in codings):
        raise TraceError(f"damaged trace: a column block of {len(packed)} bytes")
    planes = decompress(memoryview(packed)[begin:], count * sum(heights))
    _packing.join_all(planes, codings, columns)
