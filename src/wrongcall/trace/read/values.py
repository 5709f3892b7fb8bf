"""Values of the debugged program, as descriptions that are safe to handle.

Exact atoms (numbers, strings, bytes, None, ...) are described by equal Python values. Everything that has an identity
is a `Ref`, to be looked up in the heap at some time. Values that are not fully known are marked: `Clipped` is the
beginning of a long text, `Missing` stands for no value or an unknown one.

Invariants: descriptions are immutable and hashable. `same_key` gives two keys the same mark if and only if the
program's dicts and sets could not distinguish them.
"""

from __future__ import annotations

import struct
import sys
from dataclasses import dataclass
from enum import Enum
from types import EllipsisType, NotImplementedType
from typing import TypeAlias

from wrongcall.errors import TraceError
from wrongcall.events import Tag
from wrongcall.trace.format.content_batch import Content
from wrongcall.trace.read.store import Store

_INLINE_MAX = 8


@dataclass(frozen=True)
class Ref:
    """An object of the program, by its id."""

    oid: int


@dataclass(frozen=True)
class Clipped:
    """The beginning of a text or of bytes that were too long to be stored whole."""

    beginning: str | bytes
    length: int
    content: int
    """Its content id: two of them are known to be equal only if these are."""


@dataclass(frozen=True)
class TupleKey:
    """A tuple used as a key, by its elements."""

    structure: int


class Missing(Enum):
    """A placeholder for a value."""

    UNSET = "unset"  # there is none: not bound, deleted
    UNKNOWN = "unknown"  # there is one, but it was not recorded by that time

    def __repr__(self) -> str:
        return self.name


UNSET = Missing.UNSET
UNKNOWN = Missing.UNKNOWN

Value: TypeAlias = (
    int
    | float
    | complex
    | str
    | bytes
    | EllipsisType
    | NotImplementedType
    | Ref
    | Clipped
    | TupleKey
    | Missing
    | None
)


_CONSTANTS: tuple[Value, ...] = (None, False, True, Ellipsis, NotImplemented)


@dataclass(frozen=True)
class _Kept:
    value: Value
    nbytes: int


class Values:
    """Reads tagged values."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def read(self, tag: int, bits: int) -> Value:
        """Return the description of a value, given its tag and its 64 bits (signed)."""
        if tag == Tag.INT:
            return bits
        if tag == Tag.OBJ:
            return Ref(bits)
        if tag >= Tag.STR_INLINE:
            return _inline(tag, bits)
        if tag == Tag.CONST and 0 <= bits < len(_CONSTANTS):
            return _CONSTANTS[bits]
        if tag == Tag.FLOAT:
            return _float(bits)
        if Tag.STR <= tag <= Tag.COMPLEX:
            return self._content(tag, bits)
        return self._other(tag, bits)

    def _other(self, tag: int, bits: int) -> Value:
        if tag == Tag.UNSET:
            return UNSET
        if tag == Tag.NAME:
            return self._store.program.names[bits]
        if tag == Tag.TUPLE:
            return TupleKey(bits)
        if tag == Tag.CHAR and 0 <= bits <= sys.maxunicode:
            return chr(bits)
        raise TraceError(f"damaged trace: {bits} has the unknown tag {tag}")

    def content_of(self, tag: int, bits: int) -> Content:
        """Return the content of a bytes value, however it is stored."""
        if tag >= Tag.BYTES_INLINE:
            return Content(_inline_data(tag - Tag.BYTES_INLINE, tag, bits), Tag.BYTES)
        return self._store.content(bits)

    def _content(self, tag: int, number: int) -> Value:
        def make() -> _Kept:
            content = self._store.content(number)
            value = _describe(tag, content.data, content.whole, number)
            return _Kept(value, len(content.data) + 100)

        return self._store.cache.get(("value", tag, number), make).value


def _float(bits: int) -> float:
    return float(struct.unpack("<d", struct.pack("<q", bits))[0])


def _inline(tag: int, bits: int) -> str | bytes:
    if tag < Tag.BYTES_INLINE:
        return _inline_data(tag - Tag.STR_INLINE, tag, bits).decode("latin-1")
    return _inline_data(tag - Tag.BYTES_INLINE, tag, bits)


def _inline_data(size: int, tag: int, bits: int) -> bytes:
    if size > _INLINE_MAX:
        raise TraceError(f"damaged trace: {bits} has the unknown tag {tag}")
    return struct.pack("<q", bits)[:size]


def _describe(tag: int, data: bytes, whole: int | None, number: int) -> Value:
    try:
        if tag == Tag.BIGINT:
            return int(data, 16) if whole is None else Clipped(data, whole, number)
        if tag == Tag.COMPLEX:
            return complex(*struct.unpack("<2d", data))
        value = data.decode("utf-8", "surrogatepass") if tag == Tag.STR else data
        return value if whole is None else Clipped(value, whole, number)
    except (ValueError, struct.error) as exc:
        raise TraceError(f"damaged trace: content {number}: {exc}") from exc


def identical(one: Value, other: Value) -> bool:
    """Return whether two descriptions are of the same value: equal, and of the same type."""
    if type(one) is not type(other):
        return False
    return one == other or (one != one and other != other)


def same_key(value: Value) -> Value | tuple[str, str]:
    """Return a mark that is equal for keys that a dict or set considers the same.

    Python's equality does that (``1 == 1.0 == True``), except for numbers that do not equal themselves.
    """
    if isinstance(value, float | complex) and value != value:
        return ("nan", repr(value))
    return value
