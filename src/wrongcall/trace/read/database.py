"""A trace's file, open for reading: queries, and the errors they may meet.

SQLite does not enforce the type of a column, so code that reads a possibly damaged file says which *shape* its rows
must have: a letter for each column (see `_TYPES`).

Invariants: errors leave this module as `TraceError`; rows have the requested shape.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from wrongcall.errors import TraceError
from wrongcall.trace.file.opening import Connection, connect
from wrongcall.trace.format import schema
from wrongcall.trace.format.checksums import KEYS, unseal

_TYPES: dict[str, set[type]] = {
    "n": {int},  # a number from 0 up to 2**31 - 1
    "i": {int},  # any number of 64 bits
    "t": {str},
    "o": {str, type(None)},  # an optional text
    "b": {bytes},  # sealed, as every BLOB is
}
_MAX_NUMBER = (1 << 31) - 1


class Database:
    """A connection, mostly for reading."""

    def __init__(self, path: Path, db: Connection | None = None) -> None:
        """Open a trace, or use a connection that is open already."""
        self.path = path
        self._db = connect(path) if db is None else db
        self._parents: list[object] = []

    @property
    def is_recorded(self) -> bool:
        """Whether a recorder is writing the trace."""
        return self._db.is_recorded

    def reconnect(self) -> None:
        """Open the file once more, in a forked process: a connection must not be used in two of them."""
        self._parents.append(self._db)  # closing it here could disturb the parent
        self._db = connect(self.path)

    def reopen(self) -> None:
        """Open the file anew, after it was written to: a finished trace is read as if it never changed."""
        self._db.close()
        self._db = connect(self.path)

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    def query(self, sql: str, *values: int) -> list[tuple[Any, ...]]:
        """Return the rows of a query."""
        return self._query(sql, values)[0]

    def _query(self, sql: str, values: tuple[int, ...]) -> tuple[list[tuple[Any, ...]], list[str]]:
        with schema.sqlite_errors(self.path):
            cursor = self._db.execute(sql, values)
            return cursor.fetchall(), [column[0] for column in cursor.description or ()]

    def rows(
        self, shape: str, sql: str, *values: int, sealed: str | None = None
    ) -> list[tuple[Any, ...]]:
        """Return the rows of a query, which must have this shape.

        ``sealed``: the table whose BLOBs are selected. The columns of its key must be selected, too.
        """
        found, names = self._query(sql, values)
        for letter, column in zip(shape, zip(*found, strict=True), strict=bool(found)):
            wrong = set(map(type, column)) - _TYPES[letter]
            if wrong:
                raise TraceError(f"{self.path}: damaged trace: {wrong.pop().__name__} in: {sql}")
            if letter == "n" and (min(column) < 0 or max(column) > _MAX_NUMBER):
                raise TraceError(f"{self.path}: damaged trace: numbers out of range in: {sql}")
        if sealed is None:
            return found
        try:
            return _unsealed(sealed, names, found)
        except ValueError as exc:
            raise TraceError(f"{self.path}: damaged trace: {exc} in: {sql}") from exc

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """Write all or nothing; the connection must have been opened for that."""
        with schema.sqlite_errors(self.path):
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield self._db
                self._db.execute("COMMIT")
            except BaseException:
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
                raise

    @contextmanager
    def unchanged(self) -> Iterator[None]:
        """Let several queries see the same state, whatever the writer does in the meantime."""
        self.query("BEGIN")
        try:
            yield
        except (ValueError, TypeError) as exc:
            raise TraceError(f"{self.path}: damaged trace: {exc}") from exc
        finally:
            self.query("COMMIT")


def _unsealed(table: str, names: list[str], rows: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    key = [names.index(name) for name in KEYS[table]]
    return [
        tuple(
            unseal(value, table, name, *(row[at] for at in key))
            if isinstance(value, bytes)
            else value
            for name, value in zip(names, row, strict=True)
        )
        for row in rows
    ]
