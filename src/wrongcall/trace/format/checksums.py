"""Checksums over everything in a trace, so that damage is refused and never read as another run.

A *sealed* BLOB is followed by its CRC-32, 4 bytes, little endian; every BLOB in a trace is sealed. The CRC begins with
the BLOB's *place* (table, column and key), so a BLOB is valid in one place only. The *check* of a row is a hash of its
values, without BLOBs (`native/checks.c`: a large program has 100,000 rows). The *total* of a table is its number of
rows and the sum of their checks modulo 2**63. Totals are stored in the table `checks` and written in the same
transaction as the rows, so they are right whenever a reader looks, and however the writer ended.

A sum does not depend on the order of rows: writer and reader both add what is new to what they know, and neither has to
scan a table again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple
from zlib import crc32

from wrongcall.errors import TraceError
from wrongcall.trace.format import _packing

Row = tuple[Any, ...]

CHECKED = (
    "meta",
    "files",
    "functions",
    "blocks",
    "sites",
    "types",
    "fields",
    "names",
    "threads",
    "processes",
    "segments",
    "contents",
)
"""The tables of a recording that have totals. Missing rows of checkpoints are noticed when they are read."""

CHANGING = ("meta", "processes")
"""The tables whose rows may change."""

SESSIONS = ("sessions", "answers")
"""The tables of debugging sessions, which have totals too."""

KEYS = {
    "segments": ("id",),
    "contents": ("id",),
    "checkpoints": ("level", "number"),
    "checkpoint_chunks": ("level", "checkpoint", "number"),
    "owner_indexes": ("extent",),
    "owner_pages": ("extent", "number"),
}
"""The tables that have BLOBs, with the columns that identify their rows, which come first."""
BLOBS = {
    "segments": ("kinds", "call_filter", "obj_filter", "calls", "packed"),
    "contents": ("ids", "packed"),
    "checkpoints": ("objects",),
    "checkpoint_chunks": ("packed",),
    "owner_indexes": ("newest", "heads", "left_out", "sites"),
    "owner_pages": ("packed",),
}
"""The BLOB columns of those tables, which come last."""

_KEY_SIZES = {"blocks": 2, "answers": 2}
"""The number of key columns of each table, if not one."""
_SEAL = 4
_MODULUS = 1 << 63


class Total(NamedTuple):
    """The number of rows of a table, and the sum of their checks."""

    rows: int = 0
    sum: int = 0


def seal(data: bytes, table: str, column: str, *key: int) -> bytes:
    """Return the stored form of these bytes at a place."""
    return data + _crc(data, table, column, key)


def unseal(stored: bytes, table: str, column: str, *key: int) -> bytes:
    """Return the bytes that were sealed; raise `ValueError` if they are not what was stored there."""
    data = stored[:-_SEAL]
    if _crc(data, table, column, key) != stored[-_SEAL:]:
        raise ValueError("a checksum is wrong")
    return data


def _crc(data: bytes, table: str, column: str, key: tuple[int, ...]) -> bytes:
    # The place is a list in JSON, put together here because there are many of them.
    place = f'["{table}", "{column}", {", ".join(map(str, key))}]'
    return crc32(data, crc32(place.encode())).to_bytes(_SEAL, "little")


def sealed(table: str, row: Row) -> Row:
    """Return a row with its BLOBs sealed."""
    names, key = BLOBS[table], row[: len(KEYS[table])]
    plain = len(row) - len(names)
    if len(names) == 1:  # a page, of which there are many
        return (*row[:plain], row[plain] + _crc(row[plain], table, names[0], key))
    stored = (seal(data, table, name, *key) for name, data in zip(names, row[plain:], strict=True))
    return (*row[:plain], *stored)


class Totals:
    """The totals of some tables, kept up to date as rows are added.

    Invariant: a row is added once. Exceptions are rows of `meta` and `processes`, and the last row of any other table:
    these may be added again, changed.
    """

    def __init__(self) -> None:
        self._totals: dict[str, Total] = {}
        self._again: dict[str, dict[Row | None, int]] = {}
        """The checks of the rows that may be added again, by key."""
        self._changed: set[str] = set()
        self._kept: tuple[dict[str, Total], dict[str, dict[Row | None, int]]] = ({}, {})

    def of(self, table: str) -> Total:
        """Return the total of a table."""
        return self._totals.get(table, Total())

    def add(self, table: str, rows: Iterable[Row]) -> None:
        """Count rows."""
        size = _KEY_SIZES.get(table, 1)
        add = self._add_changing if table in CHANGING else self._add_rising
        more, total = add(table, list(rows), size)
        count, before = self.of(table)
        self._totals[table] = Total(count + more, (before + total) % _MODULUS)
        self._changed.add(table)

    def _add_changing(self, table: str, rows: list[Row], size: int) -> Total:
        """Count rows of a table in which any row may come again."""
        count, total = 0, 0
        again = self._again.setdefault(table, {})
        for row in rows:
            key, check = row[:size], _packing.check_row(row)
            before = again.get(key)
            count += before is None
            total += check - (before or 0)
            again[key] = check
        return Total(count, total)

    def _add_rising(self, table: str, rows: list[Row], size: int) -> Total:
        """Count rows of a table in which only the last row may come again."""
        if not rows:
            return Total()
        ((last, check),) = self._again.get(table, {None: 0}).items()
        count, total, check = _packing.sum_checks(rows, size, last, check)
        self._again[table] = {rows[-1][:size]: check}
        return Total(count, total)

    def changed(self) -> list[tuple[str, int, int]]:
        """Return the rows of `checks` that have changed since the last call."""
        found = [(table, *self._totals[table]) for table in sorted(self._changed)]
        self._changed.clear()
        return found

    def keep(self) -> None:
        """Note that everything counted so far was committed."""
        self._kept = (dict(self._totals), {name: dict(rows) for name, rows in self._again.items()})

    def revert(self) -> None:
        """Drop what was counted since the last commit: it was rolled back."""
        self._totals, self._again = self._kept
        self._changed.clear()
        self.keep()

    def compare(self, tables: Iterable[str], stored: Mapping[str, Total]) -> None:
        """Refuse a trace in which these tables are not what was written."""
        for table in tables:
            have, want = self.of(table), stored.get(table, Total())
            if have != want:
                raise TraceError(
                    f"damaged trace: the table {table} is not as it was written: it has "
                    f"{have.rows} rows with the checksum {have.sum}, "
                    f"not {want.rows} with {want.sum}"
                )
