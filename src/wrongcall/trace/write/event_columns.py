"""Columns of events in memory of our own: what segments and extents are packed from.

These are memory views instead of arrays, because the process that writes a trace does without numpy: loading that takes
longer than many programs run.
"""

from __future__ import annotations

import mmap
from collections.abc import Mapping
from typing import Any, Literal, TypeAlias

from wrongcall.trace.format import _packing

Buffer: TypeAlias = Any
"""Contiguous memory: bytes, a memory view, an array."""
EventColumns = Mapping[str, Buffer]
"""The fields of events, each as contiguous numbers of its own width."""

_Format = Literal["B", "I", "q"]
FIELDS: dict[str, _Format] = {
    "kind": "B",
    "ktag": "B",
    "vtag": "B",
    "hi": "B",
    "site": "I",
    "call": "I",
    "obj": "I",
    "key": "q",
    "value": "q",
}
"""The columns in the order of a record, with the formats of their numbers."""
_WIDTHS: dict[_Format, int] = {"B": 1, "I": 4, "q": 8}


def new_columns(count: int) -> EventColumns:
    """Return columns for ``count`` events."""
    return {name: _new_column(count, form) for name, form in FIELDS.items()}


def _new_column(count: int, form: _Format) -> memoryview:
    return new_memory(count * _WIDTHS[form]).cast(form)


def new_memory(size: int) -> memoryview:
    """Return memory that is taken from the system page by page, as it is used: most runs are short."""
    return memoryview(mmap.mmap(-1, max(size, 1)))[:size]


def in_order(columns: EventColumns) -> tuple[Buffer, ...]:
    """Return the columns in the order of a record."""
    return tuple(columns[name] for name in FIELDS)


def part_of(columns: EventColumns, begin: int, end: int) -> EventColumns:
    """Return some of the events."""
    return {name: column[begin:end] for name, column in columns.items()}


def copy_records(records: Buffer, columns: EventColumns, at: int) -> None:
    """Copy the fields of records into columns, starting at index ``at``."""
    _packing.to_columns(records, in_order(columns), at)
