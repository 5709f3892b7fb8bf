"""Arrays of numbers as small byte strings: the coding that segments and contents share.

A column is rearranged so that similar bytes are next to each other, then compressed:

* `ROWS`: unchanged;
* `PLANES`: byte-transposed (all lowest bytes, then all second bytes, ...), for small numbers. The highest planes are
  left out if they are all zero; a column of zeros takes no space;
* `DELTA`: differences from the previous number, with the sign in the lowest bit, byte-transposed, for numbers that
  change gradually.

Each column is one zstandard frame with a checksum, so damage is noticed. `decode` allocates what the caller says the
column must hold, never what the damaged input claims.
"""

from __future__ import annotations

import threading
from enum import IntEnum
from typing import Any, cast

import numpy as np
import numpy.typing as npt
import zstandard

from wrongcall.errors import TraceError
from wrongcall.trace.format import _packing

LEVEL = 1

Column = npt.NDArray[Any]
Order = npt.NDArray[np.uint16]
"""A permutation of at most 65,536 numbers."""


class Coding(IntEnum):
    """How a column is rearranged before it is compressed."""

    ROWS = 0
    PLANES = 1
    DELTA = 2


class _PerThread(threading.local):
    """zstandard's contexts, which threads must not share."""

    def __init__(self) -> None:
        self.compressor = zstandard.ZstdCompressor(level=LEVEL, write_checksum=True)
        self.decompressor = zstandard.ZstdDecompressor()


_zstd = _PerThread()


def compress(data: bytes | bytearray | Column) -> bytes:
    """Return the data as one zstandard frame."""
    return _zstd.compressor.compress(cast(bytes, data))


def decompress(frame: bytes | memoryview, size: int) -> bytes:
    """Return the ``size`` bytes in the frame; any other size is an error."""
    try:
        found = zstandard.frame_content_size(cast(bytes, frame))
        if found != size:
            raise TraceError(f"damaged trace: a block of {size} bytes claims to hold {found}")
        return _zstd.decompressor.decompress(cast(bytes, frame)) if size else b""
    except zstandard.ZstdError as exc:
        raise TraceError(f"damaged trace: {exc}") from exc


def encode(column: Column, coding: Coding, order: Order | None = None) -> tuple[int, bytes]:
    """Return the coding byte of a contiguous column and its compressed frame.

    With an order, the numbers are taken in that order.
    """
    if coding == Coding.ROWS:
        return coding, compress(column if order is None else column.take(order))
    height, planes = _packing.split(column, column.itemsize, order, coding == Coding.DELTA)
    return coding | height << 4, compress(planes) if height else b""


def is_zero(how: int) -> bool:
    """Return whether a column with this coding byte holds only zeros."""
    return how & 0x0F == Coding.PLANES and how >> 4 == 0


def decode(
    frame: bytes | memoryview,
    how: int,
    dtype: np.dtype[Any],
    count: int,
    order: Order | None = None,
) -> Column:
    """Return the column of ``count`` numbers that `encode` made this frame from."""
    coding, height = how & 0x0F, how >> 4
    empty = coding != Coding.ROWS and not height
    if coding > Coding.DELTA or height > dtype.itemsize or (empty and len(frame)):
        raise TraceError(f"damaged trace: a column has the unknown coding {how}")
    if coding == Coding.ROWS:
        stored = np.frombuffer(decompress(frame, count * dtype.itemsize), dtype=dtype)
        return stored if order is None else _restored(stored, order)
    column = np.empty(count, dtype)
    planes = decompress(frame, count * height) if height else b""
    delta = coding == Coding.DELTA
    _packing.join(planes, height, dtype.itemsize, order, delta, column)
    return column


def _restored(stored: Column, order: Order) -> Column:
    column = np.empty_like(stored)
    column[order.astype(np.intp)] = stored
    return column
