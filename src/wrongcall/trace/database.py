"""A trace's file, open for reading: questions to it and the errors they may meet.

Invariant: what goes wrong leaves here as `TraceError`.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from wrongcall.errors import TraceError
from wrongcall.trace import schema


class Database:
    """A connection that reads."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._db = schema.connect(path)

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    def query(self, sql: str, *values: int) -> list[tuple[Any, ...]]:
        """Return the rows that answer a query."""
        with schema.sqlite_errors(self.path):
            return self._db.execute(sql, values).fetchall()

    @contextmanager
    def unchanged(self) -> Iterator[None]:
        """Let several queries see the same, whatever the writer does meanwhile."""
        self.query("BEGIN")
        try:
            yield
        except (ValueError, TypeError) as exc:
            raise TraceError(f"{self.path}: damaged trace: {exc}") from exc
        finally:
            self.query("COMMIT")
