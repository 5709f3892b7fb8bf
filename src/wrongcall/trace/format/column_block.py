"""Several short columns of the same length in one compressed block.

What is read a little at a time is packed in small portions, and a frame per column and portion would cost more than its
contents. So the byte planes of all columns (`columns`) share one frame::

    +-------+------------+-----------------------------+
    | count | n x coding | planes of column 1, of 2 .. |
    +-------+------------+-----------------------------+

Invariant: `unpack_column_block(pack_column_block(columns))` equals the columns; damage is an error.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from wrongcall.errors import TraceError
from wrongcall.trace.format import _packing
from wrongcall.trace.format.columns import Coding, Column, compress, decompress

_COUNT = struct.Struct("<I")


def pack_column_block(columns: Sequence[tuple[Column, Coding]]) -> bytes:
    """Return contiguous columns as one compact byte string; the coding is `PLANES` or `DELTA`."""
    count = len(columns[0][0])
    blocks = list(pack_column_blocks(columns, max(count, 1)))
    return blocks[0] if blocks else _column_block(0, bytes(coding for _, coding in columns), b"")


def pack_column_blocks(
    columns: Sequence[tuple[Column, Coding]],
    size: int,
    order: npt.NDArray[np.uint32] | None = None,
) -> Iterator[bytes]:
    """Pack columns into column blocks of ``size`` rows; with an order, only the rows it names, in that order."""
    count = len(columns[0][0]) if order is None else len(order)
    arrays = tuple(column for column, _ in columns)
    codings = bytes(coding for _, coding in columns)
    for number, page in enumerate(_packing.split_pages(arrays, codings, order, size)):
        yield _column_block(min(size, count - number * size), *page)


def _column_block(count: int, codings: bytes, planes: bytes) -> bytes:
    return _COUNT.pack(count) + codings + compress(planes)


def unpack_column_block(packed: bytes, dtypes: Sequence[np.dtype[Any]], most: int) -> list[Column]:
    """Return the columns that `pack_column_block` was given; they have at most ``most`` numbers."""
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
