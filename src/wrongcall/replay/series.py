"""Columns of values that are kept in arrays: numpy's, and those of pandas' own kinds.

A `Column` is a row of the array that holds it, as pandas stores the columns of a frame. Its *cells* are values, or
`Written` where a value is more than its number: dates, durations, missing values, intervals. Only the first elements of
an array are recorded; `Column.known` says how many.

Anything that does not fit (unexpected shapes, unknown kinds of arrays) is a column without known cells, never a guess.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from wrongcall.events import Layout
from wrongcall.replay.heap import Heap, Peek
from wrongcall.trace.read.values import UNKNOWN, Ref, Value


@dataclass(frozen=True)
class Written:
    """A cell given in the usual notation: ``2024-01-02``, ``<NA>``."""

    text: str


Cell: TypeAlias = "Value | Written | tuple[Cell, ...]"
"""A tuple is a label of several levels."""
Read: TypeAlias = Callable[[int, int], list[Cell]]

NA = Written("<NA>")
NAT = Written("NaT")
_NAT = -(1 << 63)
_UNITS = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}
_DAY = 86400
_ZONED = ("DatetimeTZDtype",)


@dataclass(frozen=True)
class Column:
    """Values of one dtype, of which the first are known."""

    dtype: str
    length: int
    known: int
    read: Read
    """Returns known cells, from one index up to another."""

    def cells(self, first: int = 0, last: int | None = None) -> list[Cell]:
        """Return cells, with `UNKNOWN` for those that are not known."""
        end = self.length if last is None else min(last, self.length)
        found = self.read(first, min(end, self.known)) if first < self.known else []
        missing: list[Cell] = [UNKNOWN] * max(end - first - len(found), 0)
        return [*found, *missing]


def unknown_column(dtype: str, length: int) -> Column:
    """Return a column of which only dtype and length are known."""
    return Column(dtype, length, 0, lambda _first, _last: [])


class Reader:
    """Reads columns as of one time, and notes the objects that they are made of."""

    def __init__(self, heap: Heap, time: int) -> None:
        self._heap = heap
        self._time = time
        self.met: set[int] = set()

    def peek(self, value: Value) -> Peek | None:
        """Peek into an object, or return None if it is not an object or its contents are not known."""
        if not isinstance(value, Ref):
            return None
        self.met.add(value.oid)
        peek = self._heap.peek(value.oid, self._time)
        return peek if peek.explored else None

    def part(self, peek: Peek | None, name: str) -> Peek | None:
        """Peek into the value of an attribute."""
        return None if peek is None else self.peek(peek.attr(name))

    # -- arrays ------------------------------------------------------------------------------------

    def column(self, array: Peek, row: int, length: int) -> Column:
        """Return a row of an array as a column."""
        if array.layout == Layout.NDARRAY:
            return self._plain(array, row, length)
        name = array.type.qualname
        inner = self.part(array, "_ndarray")
        if inner is not None and inner.layout == Layout.NDARRAY:
            return self._backed(array, name, self._plain(inner, row, length))
        data, mask = self.part(array, "_data"), self.part(array, "_mask")
        if data is not None and mask is not None and data.layout == mask.layout == Layout.NDARRAY:
            return _masked(self._plain(data, row, length), self._plain(mask, row, length))
        left, right = self.part(array, "_left"), self.part(array, "_right")
        if left is not None and right is not None:
            return self._intervals(array, self.column(left, row, length), right, row, length)
        return unknown_column(name, length)

    def shape(self, array: Peek) -> tuple[int, ...] | None:
        """Return the shape of an array of any of these kinds, or None if it is not known."""
        for name in ("_ndarray", "_data", "_left"):
            inner = None if array.layout == Layout.NDARRAY else self.part(array, name)
            if inner is not None:
                return self.shape(inner)
        return numbers(self.part(array, "shape")) if array.layout == Layout.NDARRAY else None

    def _plain(self, array: Peek, row: int, length: int) -> Column:
        shape, dtype = numbers(self.part(array, "shape")), dtype_name(array.attr("dtype"))
        if shape is None or not _has_row(shape, row, length):
            return unknown_column(dtype, length)
        corner = numbers(self.part(array, "recorded"))
        width = length if corner is None or len(shape) != 2 else corner[1]
        start = row * width if len(shape) == 2 else 0
        known = max(min(array.counts[1] - start, width), 0)

        def read(first: int, last: int) -> list[Cell]:
            return [told(value, dtype) for value in array.items(start + first, start + last)]

        return Column(dtype, length, known, read)

    def _backed(self, array: Peek, name: str, column: Column) -> Column:
        """Return a column of a pandas array that is backed by a numpy array."""
        dtype = self.part(array, "_dtype")
        if name == "Categorical":
            return self._categories(dtype, column)
        if name in ("StringArray", "StringArrayNumpySemantics", "ObjectStringArray"):
            missing = None if dtype is None else dtype.attr("_na_value")
            kind = "str" if isinstance(missing, float) else "string"
            return Column(kind, column.length, column.known, column.read)
        if name == "DatetimeArray" and dtype is not None and dtype.type.qualname in _ZONED:
            return _zoned(column)
        if name in ("DatetimeArray", "TimedeltaArray", "NumpyExtensionArray"):
            return column
        return unknown_column(name.removesuffix("Array").lower(), column.length)

    def _categories(self, dtype: Peek | None, column: Column) -> Column:
        index = self.part(dtype, "_categories")
        labels = None if index is None else self.labels(index)
        if labels is None or labels.known < labels.length:
            return unknown_column("category", column.length)
        names = labels.cells()

        def read(first: int, last: int) -> list[Cell]:
            return [_category(names, code) for code in column.read(first, last)]

        return Column("category", column.length, column.known, read)

    def _intervals(self, array: Peek, left: Column, other: Peek, row: int, length: int) -> Column:
        right = self.column(other, row, length)
        dtype = self.part(array, "_dtype")
        closed = None if dtype is None else dtype.attr("_closed")
        opening = "[" if closed in ("left", "both") else "("
        closing = "]" if closed in ("right", "both") else ")"
        if not isinstance(closed, str):
            return unknown_column("interval", length)

        def read(first: int, last: int) -> list[Cell]:
            pairs = zip(left.read(first, last), right.read(first, last), strict=False)
            return [Written(f"{opening}{_bare(a)}, {_bare(b)}{closing}") for a, b in pairs]

        return Column("interval", length, min(left.known, right.known), read)

    # -- labels ------------------------------------------------------------------------------------

    def labels(self, index: Peek) -> Column | None:
        """Return the labels of an axis, or None if their kind is not known."""
        bounds = self.part(index, "_range")
        if bounds is not None:
            return _ranged(bounds)
        levels, codes = self.part(index, "_levels"), self.part(index, "_codes")
        if levels is not None and codes is not None:
            return self._several(levels, codes)
        data = self.part(index, "_data")
        shape = None if data is None else self.shape(data)
        if data is None or shape is None or len(shape) != 1:
            return None
        return self.column(data, 0, shape[0])

    def _several(self, levels: Peek, codes: Peek) -> Column | None:
        """Return multi-level labels, as tuples."""
        found: list[tuple[list[Cell], Column]] = []
        for level, code in zip(levels.items(), codes.items(), strict=False):
            index, array = self.peek(level), self.peek(code)
            labels = None if index is None else self.labels(index)
            shape = None if array is None else self.shape(array)
            if labels is None or array is None or shape is None or len(shape) != 1:
                return None
            found.append((labels.cells(), self.column(array, 0, shape[0])))
        if not found or len({column.length for _, column in found}) != 1:
            return None

        def read(first: int, last: int) -> list[Cell]:
            each = [[_category(names, c) for c in part.read(first, last)] for names, part in found]
            return [tuple(cells) for cells in zip(*each, strict=True)]

        known = min(column.known for _, column in found)
        return Column("several levels", found[0][1].length, known, read)


def _has_row(shape: tuple[int, ...], row: int, length: int) -> bool:
    """Return whether an array of this shape has such a row; a one-dimensional array is a row."""
    rows = shape[0] if len(shape) == 2 else 1
    return len(shape) in (1, 2) and shape[-1] == length and row < rows


def numbers(peek: Peek | None) -> tuple[int, ...] | None:
    """Return a tuple of plain numbers, or None if it is not one."""
    if peek is None or peek.layout != Layout.TUPLE:
        return None
    items = peek.items()
    found = tuple(item for item in items if isinstance(item, int))
    return found if len(found) == len(items) else None


def dtype_name(value: Value) -> str:
    """Return the type of an array's elements in the usual notation: float64 for ``<f8``."""
    try:
        return str(np.dtype(value).name) if isinstance(value, str) else "?"
    except (TypeError, ValueError, SyntaxError):
        return str(value)


def told(value: Value, dtype: str) -> Cell:
    """Convert an element of an array to a cell."""
    if dtype.startswith("datetime64") and isinstance(value, str):
        return NAT if value == "NaT" else Written(_date(value))
    if dtype.startswith("timedelta64") and isinstance(value, int):
        return _span(value, dtype)
    return value


def _date(text: str) -> str:
    """Return a date without insignificant trailing zeros."""
    day, _, time = text.partition("T")
    clock, _, fraction = time.partition(".")
    if fraction.strip("0"):
        clock += "." + (fraction if fraction[6:].strip("0") else fraction[:6])
    return day if clock in ("", "00:00:00") else f"{day} {clock}"


def _span(count: int, dtype: str) -> Cell:
    unit = _UNITS.get(dtype.removeprefix("timedelta64[").removesuffix("]"))
    if count == _NAT:
        return NAT
    if unit is None:
        return count
    seconds, rest = divmod(count, unit)
    days, seconds = divmod(seconds, _DAY)
    nanos = rest * (10**9 // unit)
    text = f"{days} days"
    if seconds or nanos:
        sign = " +" if days < 0 else " "
        text += f"{sign}{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"
    if nanos:
        text += f".{nanos:09}" if nanos % 1000 else f".{nanos // 1000:06}"
    return Written(text)


def _zoned(column: Column) -> Column:
    """Return dates with a time zone; they are stored in UTC."""

    def read(first: int, last: int) -> list[Cell]:
        return [_in_utc(cell) for cell in column.read(first, last)]

    return Column(f"{column.dtype} in UTC", column.length, column.known, read)


def _in_utc(cell: Cell) -> Cell:
    if not isinstance(cell, Written) or cell == NAT:
        return cell
    return Written(f"{cell.text}Z" if " " in cell.text else f"{cell.text} 00:00:00Z")


def _category(names: list[Cell], code: Cell) -> Cell:
    if not isinstance(code, int) or code >= len(names):
        return UNKNOWN
    return names[code] if code >= 0 else float("nan")


def _bare(cell: Cell) -> str:
    return cell.text if isinstance(cell, Written) else repr(cell)


def _masked(data: Column, mask: Column) -> Column:
    def read(first: int, last: int) -> list[Cell]:
        pairs = zip(data.read(first, last), mask.read(first, last), strict=False)
        return [NA if hidden is True else value for value, hidden in pairs]

    return Column(_nullable(data.dtype), data.length, min(data.known, mask.known), read)


def _nullable(dtype: str) -> str:
    """Return pandas' name for a type with missing values: Int64, boolean."""
    if dtype == "bool":
        return "boolean"
    return "UInt" + dtype[4:] if dtype.startswith("uint") else dtype.capitalize()


def _ranged(bounds: Peek) -> Column | None:
    start, stop, step = (bounds.attr(name) for name in ("start", "stop", "step"))
    if not (isinstance(start, int) and isinstance(stop, int) and isinstance(step, int) and step):
        return None
    whole = range(start, stop, step)
    return Column("int64", len(whole), len(whole), lambda a, b: list(whole[a:b]))
