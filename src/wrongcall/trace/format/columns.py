"""Arrays of numbers as small byte strings: the coding that segments and contents share.

A column is rearranged so that similar bytes are next to each other, then compressed:

* `ROWS`: unchanged;
* `PLANES`: byte-transposed (all lowest bytes, then all second bytes, ...), for small numbers. The highest planes are
  left out if they are all zero; a column of zeros takes no space;
* `DELTA`: differences from the previous number, with the sign in the lowest bit, byte-transposed, for numbers that
  change gradually.

Each column is one zstandard frame with a checksum, so damage is noticed. `decode` allocates what the caller says the
column must hold, never what the damaged input claims. Native code makes the columns (`native/planes.c`).
"""

from __future__ import annotations

from enum import IntEnum
from typing import Any

import numpy as np
import numpy.typing as npt

from wrongcall.errors import TraceError
from wrongcall.trace.format import _packing
from wrongcall.trace.format.frames import decompress

Column = npt.NDArray[Any]
Order = npt.NDArray[np.uint16]
"""A permutation of at most 65,536 numbers."""


class Coding(IntEnum):
    """How a column is rearranged before it is compressed."""

    ROWS = 0
    PLANES = 1
    DELTA = 2


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
    """Return the column of ``count`` numbers in a frame; ``how``: its coding, with the number of planes."""
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
