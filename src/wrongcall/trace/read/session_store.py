"""Debugging sessions, kept in the file of the trace they are about.

A session is a name and a list of entries in JSON, which only the layer above understands.

Invariants: saving replaces all entries of a session in one transaction, so a file never holds half a session. The
totals of both tables are written with it (see `checksums`) and compared before anything is read.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from wrongcall.errors import TraceError
from wrongcall.trace.file.opening import connect, connect_to_write
from wrongcall.trace.format.checksums import SESSIONS, Total, Totals
from wrongcall.trace.format.meta import facts_of
from wrongcall.trace.format.schema import sqlite_errors

Plain = dict[str, Any]


@dataclass(frozen=True)
class SavedSession:
    """A session as stored in the file."""

    name: str
    settings: Plain
    entries: tuple[Plain, ...]


def session_names(path: Path) -> list[str]:
    """Return the names of the sessions in a trace."""
    with _reading(path) as db:
        names = [row[0] for row in _rows(db, "SELECT name FROM sessions ORDER BY id")]
    if not all(isinstance(name, str) for name in names):
        raise TraceError(f"{path}: damaged trace: the name of a session is not text")
    return names


def meta_of(path: Path) -> Plain:
    """Return the facts about the run as a whole, without reading the run."""
    with _reading(path) as db:
        rows = _rows(db, "SELECT key, value FROM meta")
        if not all(type(word) is str for row in rows for word in row):
            raise TraceError(f"{path}: damaged trace: a fact about the run is not text")
        return facts_of(rows)


def load_session(path: Path, name: str) -> SavedSession:
    """Return a session by its name."""
    with _reading(path) as db:
        rows = _rows(db, "SELECT id, settings FROM sessions WHERE name = ?", name)
        if not rows:
            raise TraceError(f"{path}: there is no session {name!r}")
        number, settings = rows[0]
        sql = "SELECT entry FROM answers WHERE session = ? ORDER BY number"
        entries = _rows(db, sql, number)
    try:
        return SavedSession(name, _parsed(settings), tuple(_parsed(e) for (e,) in entries))
    except (ValueError, RecursionError) as exc:
        raise TraceError(f"{path}: session {name!r} is damaged: {exc}") from exc


def save_session(path: Path, name: str, settings: Plain, entries: Sequence[Plain]) -> None:
    """Save a session under a name, replacing the earlier one."""
    texts = [json.dumps(entry) for entry in entries]
    with _writing(path) as db:
        _write(db, name, json.dumps(settings), texts)


def delete_session(path: Path, name: str) -> None:
    """Remove a session."""
    load_session(path, name)
    with _writing(path) as db:
        known = "(SELECT id FROM sessions WHERE name = ?)"
        db.execute(f"DELETE FROM answers WHERE session = {known}", (name,))
        db.execute("DELETE FROM sessions WHERE name = ?", (name,))


def _write(db: sqlite3.Connection, name: str, settings: str, entries: Sequence[str]) -> None:
    db.execute(
        "INSERT INTO sessions (name, settings) VALUES (?, ?) "
        "ON CONFLICT (name) DO UPDATE SET settings = excluded.settings",
        (name, settings),
    )
    (number,) = db.execute("SELECT id FROM sessions WHERE name = ?", (name,)).fetchone()
    db.execute("DELETE FROM answers WHERE session = ?", (number,))
    rows = [(number, at, entry) for at, entry in enumerate(entries, 1)]
    db.executemany("INSERT INTO answers VALUES (?, ?, ?)", rows)


def _seal(db: sqlite3.Connection) -> None:
    """Write the totals of the current rows."""
    totals = _totals(db)
    db.executemany("INSERT OR REPLACE INTO checks VALUES (?, ?, ?)", totals.changed())


def _totals(db: sqlite3.Connection) -> Totals:
    totals = Totals()
    for table in SESSIONS:
        totals.add(table, _rows(db, f"SELECT * FROM {table}"))
    return totals


def _rows(db: sqlite3.Connection, sql: str, *values: Any) -> list[tuple[Any, ...]]:
    return db.execute(sql, values).fetchall()


def _parsed(text: Any) -> Plain:
    """Parse a JSON text, which must be an object."""
    found = json.loads(text) if isinstance(text, str) else None
    if not isinstance(found, dict):
        raise ValueError(f"{str(text)[:40]!r} is not a JSON object")
    return found


@contextmanager
def _reading(path: Path) -> Iterator[sqlite3.Connection]:
    """Read a consistent state, whatever others save in the meantime."""
    db = connect(path)
    try:
        with sqlite_errors(path):
            db.execute("BEGIN")
            stored = {name: Total(*total) for name, *total in _rows(db, "SELECT * FROM checks")}
            _totals(db).compare(SESSIONS, stored)
            yield db
    finally:
        db.close()


@contextmanager
def _writing(path: Path) -> Iterator[sqlite3.Connection]:
    """Write all or nothing, with the updated totals."""
    db = connect_to_write(path)
    try:
        with sqlite_errors(path):
            db.execute("BEGIN IMMEDIATE")
            yield db
            _seal(db)
            db.execute("COMMIT")
    finally:
        db.close()  # rolls back what was not committed
