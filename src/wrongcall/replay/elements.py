"""Runs of elements that are written as bytes: of bytearrays, arrays and numpy arrays.

A *type code* is a letter for the layout of an element in memory, little endian: those of `array.array`, but by size
alone (``bBhHiIqQ`` 1, 2, 4, 8 bytes, ``fd`` floats, ``w`` a character), and numpy's ``?`` (bool) and ``e`` (half).
"""

from __future__ import annotations

import sys
from typing import NamedTuple

import numpy as np

from wrongcall.errors import TraceError
from wrongcall.events import Tag
from wrongcall.trace.format.event_records import Ints


class Slot(NamedTuple):
    """A value as it was written, and when."""

    tag: int
    bits: int
    time: int


UNKNOWN_SLOT = Slot(-1, 0, -1)

_DTYPES = {
    "b": "i1",
    "h": "<i2",
    "i": "<i4",
    "q": "<i8",
    "B": "u1",
    "H": "<u2",
    "I": "<u4",
    "Q": "<u8",
    "e": "<f2",
    "f": "<f4",
    "d": "<f8",
    "?": "?",
    "w": "<u4",
}
_FALSE, _TRUE = 1, 2


def elements(data: bytes, code: int, time: int) -> tuple[int, list[Slot]]:
    """Decode bytes; return the size of an element and the elements."""
    letter = chr(code)
    if letter not in _DTYPES:
        raise TraceError(f"damaged trace: elements with the unknown type code {code}")
    dtype = np.dtype(_DTYPES[letter])
    column = np.frombuffer(data[: len(data) // dtype.itemsize * dtype.itemsize], dtype)
    if letter == "w":
        slots = [_character(number, time) for number in column.tolist()]
    elif letter == "?":
        slots = [Slot(Tag.CONST, _TRUE if number else _FALSE, time) for number in column.tolist()]
    elif dtype.kind == "f":
        bits: Ints = column.astype("<f8").view(np.int64)
        slots = [Slot(Tag.FLOAT, number, time) for number in bits.tolist()]
    else:
        slots = [Slot(Tag.INT, number, time) for number in column.tolist()]
    return dtype.itemsize, slots


def _character(point: int, time: int) -> Slot:
    return Slot(Tag.CHAR if point <= sys.maxunicode else Tag.INT, point, time)
