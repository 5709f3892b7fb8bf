"""The tables of a trace, and the only ways to make or open a file that has them.

History of the format (``user_version`` of the file; the events have their own, `events.FORMAT_VERSION`):

1. The first one.
2. Runs of elements of bytearrays and arrays (PATCH, SPLICE); characters (CHAR). Beside each segment
   stands a table of the calls that begin and end in it; digests.
3. Checksums of every BLOB and every table. Ledgers. The chunks of digests are sheets.
4. Beside each ledger, at which sites anything happens in its volume. Modules are in the ledger, too.

Invariants: a file that is not a trace, or is one of another version, is refused before any of its
tables is read. Connections are in autocommit mode: a transaction is what stands between an
explicit ``BEGIN`` and ``COMMIT``. Errors of SQLite leave this layer as `TraceError`.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from functools import cache
from pathlib import Path

from wrongcall.errors import TraceError, TraceVersionError

APPLICATION_ID = 0x77726F6E  # "wron"
FILE_VERSION = 4
SUFFIXES = ("-wal", "-shm", "-journal")
"""What SQLite keeps beside a file while it is in use."""

SCHEMA = """
-- What is known about the run as a whole; values are JSON. `ended` says why the trace ends
-- and is missing while it is being written.
CREATE TABLE meta (
    key    TEXT PRIMARY KEY,
    value  TEXT NOT NULL
) WITHOUT ROWID;

-- An instrumented file, with its source as it was.
CREATE TABLE files (
    id      INTEGER PRIMARY KEY,
    path    TEXT NOT NULL,
    module  TEXT NOT NULL,
    source  TEXT NOT NULL
);

-- A function, class body, module body or lambda in the source. Lists of names are JSON.
CREATE TABLE functions (
    id        INTEGER PRIMARY KEY,
    file      INTEGER NOT NULL REFERENCES files(id),
    name      TEXT NOT NULL,
    qualname  TEXT NOT NULL,
    kind      TEXT NOT NULL,
    line      INTEGER NOT NULL,
    end_line  INTEGER NOT NULL,
    outside   INTEGER NOT NULL,      -- the enclosing function, 0: none
    params    TEXT NOT NULL,
    free      TEXT NOT NULL,
    locals    TEXT NOT NULL,
    entry     INTEGER NOT NULL       -- its entry site
);

-- The lines (JSON) that are executed together when one block of a function is.
CREATE TABLE blocks (
    function  INTEGER NOT NULL REFERENCES functions(id),
    number    INTEGER NOT NULL,
    lines     TEXT NOT NULL,
    PRIMARY KEY (function, number)
) WITHOUT ROWID;

-- A place in the source at which events happen.
CREATE TABLE sites (
    id        INTEGER PRIMARY KEY,
    kind      INTEGER NOT NULL,      -- SiteKind
    function  INTEGER NOT NULL,
    line      INTEGER NOT NULL,
    col       INTEGER NOT NULL,
    end_line  INTEGER NOT NULL,
    end_col   INTEGER NOT NULL,
    name      TEXT,                  -- variable, attribute or callee
    scope     INTEGER NOT NULL,      -- Scope
    block     INTEGER NOT NULL
);

CREATE TABLE types (
    id        INTEGER PRIMARY KEY,
    module    TEXT NOT NULL,
    qualname  TEXT NOT NULL,
    layout    INTEGER NOT NULL       -- Layout
);

CREATE TABLE names (
    id    INTEGER PRIMARY KEY,
    text  TEXT NOT NULL
);

CREATE TABLE threads (
    id     INTEGER PRIMARY KEY,      -- from 1
    ident  INTEGER NOT NULL          -- the system's identifier
);

-- Events. All segments but the last are full, so event t is in segment t / 65,536. The small
-- columns come first: they are read without touching the packed ones.
CREATE TABLE segments (
    id           INTEGER PRIMARY KEY,
    first        INTEGER NOT NULL,   -- time of its first event
    count        INTEGER NOT NULL,
    min_call     INTEGER NOT NULL,   -- 0: no event in it belongs to a call
    max_call     INTEGER NOT NULL,
    min_obj      INTEGER NOT NULL,   -- 0: no object occurs in it
    max_obj      INTEGER NOT NULL,
    arrived      INTEGER NOT NULL,   -- wall clock at its first event, ns since 1970
    kinds        BLOB NOT NULL,      -- bitmap of 256 bits
    call_filter  BLOB NOT NULL,      -- compressed bitmap of 65,536 bits: id modulo 65,536
    obj_filter   BLOB NOT NULL,      -- parents of calls do not count
    calls        BLOB NOT NULL,      -- which calls begin and end in it
    packed       BLOB NOT NULL
);

-- Every 8 full segments are a volume, every 8 volumes a shelf. Of each, the events that matter for the
-- states of objects that live longer than a segment: which objects, and the events, sorted by
-- object, in chunks.
CREATE TABLE digests (
    level    INTEGER NOT NULL,       -- 0: of a volume, 1: of a shelf (missing if it would be too large)
    number   INTEGER NOT NULL,
    objects  BLOB NOT NULL,
    PRIMARY KEY (level, number)
);
CREATE TABLE chunks (
    level   INTEGER NOT NULL,
    digest  INTEGER NOT NULL,
    number  INTEGER NOT NULL,
    packed  BLOB NOT NULL,
    PRIMARY KEY (level, digest, number)
);

-- Of each volume, all events of long-lived objects and of the variables of long-lived calls, sorted by
-- whose they are, in pages.
CREATE TABLE ledgers (
    volume    INTEGER PRIMARY KEY,
    newest    BLOB NOT NULL,         -- the newest object and call at the end of each segment
    heads     BLOB NOT NULL,         -- owner and slot of the first event of each page
    left_out  BLOB NOT NULL,         -- owners and slots that have too many events
    sites     BLOB NOT NULL          -- at which sites anything happens in the volume
);
CREATE TABLE pages (
    volume  INTEGER NOT NULL REFERENCES ledgers(volume),
    number  INTEGER NOT NULL,
    packed  BLOB NOT NULL,
    PRIMARY KEY (volume, number)
);

-- Texts, bytes and big numbers, many to a row.
CREATE TABLE contents (
    id      INTEGER PRIMARY KEY,
    ids     BLOB NOT NULL,           -- packed apart: enough to know what is in the row
    packed  BLOB NOT NULL
);

-- How many rows a table has and the sum of their checksums; BLOBs end with their own (see checks.py).
CREATE TABLE checks (
    name  TEXT PRIMARY KEY,
    rows  INTEGER NOT NULL,
    sum   INTEGER NOT NULL
) WITHOUT ROWID;

-- A debugging session about this run.
CREATE TABLE sessions (
    id        INTEGER PRIMARY KEY,
    name      TEXT NOT NULL UNIQUE,
    settings  TEXT NOT NULL          -- JSON: strategy and the like
);

-- What a session was told, in order: verdicts about calls, decisions about findings (JSON).
CREATE TABLE answers (
    session  INTEGER NOT NULL REFERENCES sessions(id),
    number   INTEGER NOT NULL,
    entry    TEXT NOT NULL,
    PRIMARY KEY (session, number)
) WITHOUT ROWID;
"""


_LOG_STAYS = (
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_LOCKED,
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_CANTOPEN,
)
PATIENCE = 10.0
"""Seconds to wait for somebody else who is writing to the same file."""
_HEADER_SIZE = 100
_MAGIC = b"SQLite format 3\0"


@contextmanager
def sqlite_errors(path: Path) -> Iterator[None]:
    """Turn SQLite's errors into `TraceError`, naming the file."""
    try:
        yield
    except sqlite3.Error as exc:
        raise TraceError(f"{path}: {exc}") from exc
    except UnicodeDecodeError as exc:  # the message itself quotes damaged text
        raise TraceError(f"{path}: damaged trace: {exc}") from exc


def format_version(path: Path) -> int | None:
    """Return the format in which a trace is written; None: the file is not a trace."""
    try:
        with path.open("rb") as file:
            header = file.read(_HEADER_SIZE)
    except OSError as exc:
        raise TraceError(f"{path}: {exc.strerror}") from exc
    # SQLite's file header has the user version at 60 and the application id at 68.
    ours = header[68:72] == APPLICATION_ID.to_bytes(4, "big")
    return int.from_bytes(header[60:64], "big") if ours and header.startswith(_MAGIC) else None


def create(path: Path) -> sqlite3.Connection:
    """Make a new trace with empty tables and return the connection that writes it."""
    with sqlite_errors(path):
        db = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        try:
            _make_tables(db)
        except sqlite3.Error:
            db.close()
            raise
        return db


def _make_tables(db: sqlite3.Connection) -> None:
    db.execute("PRAGMA page_size = 8192")
    db.executescript(
        f"BEGIN; PRAGMA application_id = {APPLICATION_ID};"
        f"PRAGMA user_version = {FILE_VERSION}; {SCHEMA} COMMIT;"
    )
    # From here on there is a log beside the file; its header is already in the file itself.
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("PRAGMA synchronous = NORMAL")
    db.execute("PRAGMA wal_autocheckpoint = 2000")


def settle(db: sqlite3.Connection) -> None:
    """Make a finished trace a single file that leaves nothing beside it when it is read."""
    db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    db.execute("PRAGMA busy_timeout = 0")
    try:
        db.execute("PRAGMA journal_mode = DELETE")
    except sqlite3.OperationalError as exc:
        # Somebody is reading, or the folder cannot be written to any more: the log stays, empty.
        if exc.sqlite_errorcode & 0xFF not in _LOG_STAYS:
            raise


def connect(path: Path) -> sqlite3.Connection:
    """Open a trace to read it, also while it is being written."""
    if not path.exists():
        raise TraceError(f"{path}: there is no such file")
    _recover(path)
    _check_version(path, format_version(path))
    with sqlite_errors(path):
        return _connect_read_only(path)


def connect_again(path: Path, *, writing: bool = False) -> sqlite3.Connection:
    """Open a trace that this process may have open already.

    The file itself is not touched except by SQLite: to open and close it would give up the locks that
    the other connections of the process have on it.
    """
    if not path.exists():
        raise TraceError(f"{path}: there is no such file")
    address = f"{path.resolve().as_uri()}?mode={'rw' if writing else 'ro'}"
    with sqlite_errors(path):
        db = sqlite3.connect(address, uri=True, timeout=PATIENCE, isolation_level=None)
        try:
            _check_version(path, _version_of(db))
        except BaseException:
            db.close()
            raise
        return db


def _version_of(db: sqlite3.Connection) -> int | None:
    try:
        (application,) = db.execute("PRAGMA application_id").fetchone()
        (version,) = db.execute("PRAGMA user_version").fetchone()
    except sqlite3.DatabaseError as exc:
        if exc.sqlite_errorcode != sqlite3.SQLITE_NOTADB:
            raise
        return None
    return int(version) if application == APPLICATION_ID else None


def tidy(path: Path) -> None:
    """Leave nothing beside a trace that is no longer used; if it is, leave it as it is."""
    if not path.with_name(path.name + "-wal").exists():
        return
    with suppress(sqlite3.Error), closing(sqlite3.connect(path, isolation_level=None)) as db:
        settle(db)


def _check_version(path: Path, version: int | None) -> None:
    if version is None:
        raise TraceError(f"{path}: not a trace of wrongcall")
    if version != FILE_VERSION:
        age = "a newer" if version > FILE_VERSION else "an older"
        raise TraceVersionError(
            f"{path}: written in format {version} by {age} wrongcall; this one reads format "
            f"{FILE_VERSION}. Record the program again, or use the wrongcall that wrote it"
        )


def _recover(path: Path) -> None:
    """Undo what a writer had half done when it was killed while it made or finished the file.

    A connection that only reads cannot do it, and would be refused. If this one may not either,
    the file is taken as it is.
    """
    if path.with_name(path.name + "-journal").exists():
        with suppress(sqlite3.Error), closing(sqlite3.connect(path)) as db:
            db.execute("SELECT count(*) FROM sqlite_master").fetchone()


def _connect_read_only(path: Path) -> sqlite3.Connection:
    address = f"{path.resolve().as_uri()}?mode=ro"
    try:
        return _checked(address)
    except sqlite3.OperationalError:
        # Reading a log needs a file beside the trace, which a read-only folder does not allow.
        if path.with_name(path.name + "-wal").exists():
            raise
        return _checked(f"{address}&immutable=1")


def _checked(address: str) -> sqlite3.Connection:
    db = sqlite3.connect(address, uri=True, isolation_level=None, check_same_thread=False)
    try:
        db.execute("PRAGMA trusted_schema = OFF")
        db.execute("PRAGMA cell_size_check = ON")
        found = db.execute("SELECT name, sql FROM sqlite_master LIMIT 100").fetchall()
        if _tables(found) != _own_tables():
            raise sqlite3.DatabaseError("its tables are not those of a trace")
    except sqlite3.Error:
        db.close()
        raise
    return db


def _tables(found: list[tuple[str, str | None]]) -> dict[str, str | None]:
    """Return what a file consists of, without what SQLite adds itself."""
    return {name: sql for name, sql in found if not str(name).startswith("sqlite_")}


@cache
def _own_tables() -> dict[str, str | None]:
    """Return what a trace consists of.

    Anything else is refused before it is read: a view in the place of a table could compute
    without end, or call functions.
    """
    with closing(sqlite3.connect(":memory:")) as db:
        db.executescript(SCHEMA)
        return _tables(db.execute("SELECT name, sql FROM sqlite_master").fetchall())
