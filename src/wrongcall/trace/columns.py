"""Arrays of numbers as small byte strings: the coding that segments and contents share.

A column is rearranged so that what resembles each other lies together, then compressed:

* `ROWS`: as it is;
* `PLANES`: byte-transposed (all lowest bytes, then all second bytes, ...): for small numbers. The
  highest planes are left out if they are zero throughout; a column of zeros takes no room;
* `DELTA`: differences to the one before, their sign in the lowest bit, byte-transposed: for
  numbers that wander.

Each column is one zstandard frame with a checksum, so a damaged one is noticed. `decode`
allocates what the caller says the column must hold, never what the damaged input claims.
"""

from __future__ import annotations

import threading
from enum import IntEnum
from typing import Any, cast

import numpy as np
import numpy.typing as npt
import zstandard

from wrongcall.errors import TraceError

LEVEL = 1

Column = npt.NDArray[Any]


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
    """Return the ``size`` bytes in the frame; anything else in it is an error."""
    try:
        found = zstandard.frame_content_size(cast(bytes, frame))
        if found != size:
            raise TraceError(f"damaged trace: a block of {size} bytes claims to hold {found}")
        return _zstd.decompressor.decompress(cast(bytes, frame)) if size else b""
    except zstandard.ZstdError as exc:
        raise TraceError(f"damaged trace: {exc}") from exc


def _planes_needed(column: Column) -> int:
    return (int(column.max(initial=0)).bit_length() + 7) // 8


def _split(column: Column) -> Column:
    """Return the byte planes of unsigned numbers, lowest first, without the highest zero ones."""
    rows = column.view(np.uint8).reshape(len(column), column.itemsize)
    planes = np.empty((_planes_needed(column), len(column)), dtype=np.uint8)
    for i in range(len(planes)):
        planes[i] = rows[:, i]
    return planes


def _join(planes: Column, width: int) -> Column:
    rows = np.zeros((planes.shape[1], width), dtype=np.uint8)
    for i in range(len(planes)):
        rows[:, i] = planes[i]
    return rows.reshape(-1).view(f"<u{width}")


def _delta(column: Column) -> Column:
    steps = np.empty_like(column)
    steps[:1] = column[:1]
    np.subtract(column[1:], column[:-1], out=steps[1:])
    signs = steps.view(f"<i{column.itemsize}") >> (8 * column.itemsize - 1)
    steps <<= steps.dtype.type(1)
    steps ^= signs.view(steps.dtype)
    return steps


def _undelta(steps: Column) -> Column:
    one = steps.dtype.type(1)
    signs = steps & one
    np.negative(signs, out=signs)
    signs ^= steps >> one
    return np.cumsum(signs, dtype=steps.dtype)


def encode(column: Column, coding: Coding) -> tuple[int, bytes]:
    """Return how a contiguous column was rearranged (one byte) and the frame it became."""
    if coding == Coding.ROWS:
        return coding, compress(column)
    unsigned = column.view(f"<u{column.itemsize}")
    planes = _split(_delta(unsigned) if coding == Coding.DELTA else unsigned)
    return coding | len(planes) << 4, compress(planes) if len(planes) else b""


def is_zero(how: int) -> bool:
    """Return whether a column that was rearranged like this holds zeros only."""
    return how & 0x0F == Coding.PLANES and how >> 4 == 0


def decode(frame: bytes | memoryview, how: int, dtype: np.dtype[Any], count: int) -> Column:
    """Return the column of ``count`` numbers that `encode` made this frame from."""
    coding, height = how & 0x0F, how >> 4
    empty = coding != Coding.ROWS and not height
    if coding > Coding.DELTA or height > dtype.itemsize or (empty and len(frame)):
        raise TraceError(f"damaged trace: a column has the unknown coding {how}")
    if coding == Coding.ROWS:
        return np.frombuffer(decompress(frame, count * dtype.itemsize), dtype=dtype)
    data = decompress(frame, count * height) if height else b""
    planes = np.frombuffer(data, dtype=np.uint8).reshape(height, count)
    joined = _join(planes, dtype.itemsize)
    return (_undelta(joined) if coding == Coding.DELTA else joined).view(dtype)
