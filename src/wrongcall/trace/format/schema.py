"""The tables of a trace, and the only way to create a file that has them; `opening` opens it.

History of the format (``user_version`` of the file; the events have their own, `events.FORMAT_VERSION`):

1. The first one.
2. Runs of elements of bytearrays and arrays (PATCH, SPLICE); characters (CHAR). A table beside each segment lists the
   calls that begin and end in it; checkpoints.
3. Checksums of every BLOB and every table. Owner indexes. The chunks of checkpoints are column blocks.
4. The sites at which anything happens in an extent, beside its owner index. Modules are in the owner index, too.
5. Checksums are bound to their table, column and row. A trace stays in WAL mode when it is finished. How the blocks of
   a function follow each other; the test of a loop is a block of its own.
6. Processes that were started (PROCESS); where types are defined, and the fields that classes declare.
7. The tables are named after extents, owner indexes and checkpoints.
8. Several processes: a table of them, and the process of each thread.
9. Readers make the checkpoints and the owner indexes, when they first need them.
10. Elements of xml.etree have a layout of their own (ELEMENT).

Invariants: a file that is not a trace, or has another version, is refused before any of its tables is read. Connections
are in autocommit mode: a transaction is what stands between an explicit ``BEGIN`` and ``COMMIT``. Errors of SQLite
leave this layer as `TraceError`. A trace is never written with a rollback journal, so one that lies beside it is of
unknown origin (see `beside`).
"""

from __future__ import annotations

import os
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import cache
from pathlib import Path

from wrongcall.errors import TraceError, TraceVersionError

APPLICATION_ID = 0x77726F6E  # "wron"
FILE_VERSION = 10

INDEX_TABLES = """
-- 8 full segments are an extent, 8 extents an extent group. Each has a checkpoint: the events that matter for
-- the states of objects that outlive a segment. The checkpoint lists the objects; the events are in
-- chunks, sorted by object.
CREATE TABLE checkpoints (
    level    INTEGER NOT NULL,       -- 0: of an extent, 1: of an extent group (missing if it would be too large)
    number   INTEGER NOT NULL,
    objects  BLOB NOT NULL,
    PRIMARY KEY (level, number)
);
CREATE TABLE checkpoint_chunks (
    level   INTEGER NOT NULL,
    checkpoint  INTEGER NOT NULL,
    number  INTEGER NOT NULL,
    packed  BLOB NOT NULL,
    PRIMARY KEY (level, checkpoint, number)
);

-- The owner index of an extent: all events of long-lived objects, and of the variables of long-lived calls,
-- in pages, sorted by owner.
CREATE TABLE owner_indexes (
    extent    INTEGER PRIMARY KEY,
    newest    BLOB NOT NULL,         -- the newest object and call at the end of each segment
    heads     BLOB NOT NULL,         -- owner and slot of the first event of each page
    left_out  BLOB NOT NULL,         -- owners and slots that have too many events
    sites     BLOB NOT NULL          -- at which sites anything happens in the extent
);
CREATE TABLE owner_pages (
    extent  INTEGER NOT NULL REFERENCES owner_indexes(extent),
    number  INTEGER NOT NULL,
    packed  BLOB NOT NULL,
    PRIMARY KEY (extent, number)
);
"""
"""The tables that readers fill, when they first need them."""

SCHEMA = f"""
-- Facts about the run as a whole; values are JSON. `ended` says why the trace ends; while the
-- trace is being written, it is missing.
CREATE TABLE meta (
    key    TEXT PRIMARY KEY,
    value  TEXT NOT NULL
) WITHOUT ROWID;

-- An instrumented file, with its source at the time of the run.
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

-- A block of a function: the lines that are executed together, and which blocks can follow. Lists are JSON.
CREATE TABLE blocks (
    function  INTEGER NOT NULL REFERENCES functions(id),
    number    INTEGER NOT NULL,
    lines     TEXT NOT NULL,
    silent    INTEGER NOT NULL,      -- 1: may be passed without an event
    begin     INTEGER NOT NULL,      -- the body of a loop: the site of the event that begins a round; else 0
    next      TEXT NOT NULL,         -- which block follows, line of the test (0: none), 1 true or 2 false; ...
    resume    TEXT NOT NULL,         -- of each `with` around it, from inside out: the block behind, its own lines
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
    layout    INTEGER NOT NULL,      -- Layout
    origin    INTEGER NOT NULL       -- TypeOrigin
);

-- The fields that a class declares, in their order; the latest row for a type counts.
CREATE TABLE fields (
    id     INTEGER PRIMARY KEY,
    type   INTEGER NOT NULL REFERENCES types(id),
    kind   TEXT NOT NULL,            -- dataclass, attrs, pydantic, ...
    names  TEXT NOT NULL             -- JSON
);

CREATE TABLE names (
    id    INTEGER PRIMARY KEY,
    text  TEXT NOT NULL
);

CREATE TABLE threads (
    id     INTEGER PRIMARY KEY,      -- from 1
    ident  INTEGER NOT NULL,         -- the system's identifier
    process  INTEGER NOT NULL        -- the process it belongs to
);

-- The recorded processes: the program, and those that it started, directly or not.
CREATE TABLE processes (
    id      INTEGER PRIMARY KEY,     -- from 1, which is the program
    pid     INTEGER NOT NULL,        -- the system's number; 0: not known, it may never have begun
    parent  INTEGER NOT NULL,        -- the process that started it; 0: none
    call    INTEGER NOT NULL,        -- the call that started it; 0: none that is recorded
    how     INTEGER NOT NULL,        -- Start; 0: the program
    time    INTEGER NOT NULL,        -- when it was started: the time of its PROCESS event
    ended   TEXT NOT NULL            -- how it ended; empty: not known
);

-- Events. All segments but the last are full, so event t is in segment t / 65,536. The small
-- columns come first, so that they can be read without touching the packed ones.
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

{INDEX_TABLES}
-- Texts, bytes and large numbers; each row has many of them.
CREATE TABLE contents (
    id      INTEGER PRIMARY KEY,
    ids     BLOB NOT NULL,           -- packed apart: enough to know what is in the row
    packed  BLOB NOT NULL
);

-- The number of rows of each table, and the sum of their checksums. Each BLOB ends with its own (see checksums.py).
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

-- The entries of a session in order: verdicts about calls, and decisions about findings (JSON).
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
PAGE_SIZE = 8192
_HEADER_SIZE = 108
"""Bytes of SQLite's file header, and of the header of the page that lists the tables."""
_MAGIC = b"SQLite format 3\0"
_WRITE_AHEAD = 2
_LEAF = 0x0D


@contextmanager
def sqlite_errors(path: Path) -> Iterator[None]:
    """Turn SQLite's errors into `TraceError`, naming the file."""
    try:
        yield
    except sqlite3.Error as exc:
        raise TraceError(f"{path}: {exc}") from exc
    except UnicodeDecodeError as exc:  # the message itself quotes damaged text
        raise TraceError(f"{path}: damaged trace: {exc}") from exc


def open_regular(path: Path) -> int:
    """Open a file for reading; refuse anything but a regular file, and never wait for one."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except FileNotFoundError as exc:
        raise TraceError(f"{path}: no such file") from exc
    except OSError as exc:
        raise TraceError(f"{path}: {exc.strerror}") from exc
    mode = os.fstat(descriptor).st_mode
    if not stat.S_ISREG(mode):
        os.close(descriptor)
        what = "a directory" if stat.S_ISDIR(mode) else "not a regular file"
        raise TraceError(f"{path}: is {what}, not a trace of wrongcall")
    return descriptor


def format_version(path: Path) -> int | None:
    """Return the format version of a trace, or None if the file is not a trace."""
    descriptor = open_regular(path)
    try:
        return version_in(os.pread(descriptor, _HEADER_SIZE, 0))
    except OSError as exc:
        raise TraceError(f"{path}: {exc.strerror}") from exc
    finally:
        os.close(descriptor)


def version_in(header: bytes) -> int | None:
    """Return the format version in the first bytes of a file, or None if it is not a trace."""
    # SQLite's file header has the user version at 60 and the application id at 68.
    ours = header[68:72] == APPLICATION_ID.to_bytes(4, "big")
    return int.from_bytes(header[60:64], "big") if ours and header.startswith(_MAGIC) else None


def check_header(path: Path, descriptor: int) -> None:
    """Refuse a file that is not a trace of this version, before SQLite sees it."""
    try:
        header = os.pread(descriptor, _HEADER_SIZE, 0)
    except OSError as exc:
        raise TraceError(f"{path}: {exc.strerror}") from exc
    _check_version(path, version_in(header))
    # A trace is always in WAL mode, has one page size, and its list of tables takes one page.
    written, read, listed = header[18], header[19], header[100:101]
    sizes = int.from_bytes(header[16:18], "big") == PAGE_SIZE
    if (written, read) != (_WRITE_AHEAD, _WRITE_AHEAD) or not sizes or listed != bytes([_LEAF]):
        raise TraceError(f"{path}: damaged trace: its header is not one that wrongcall writes")


def _check_version(path: Path, version: int | None) -> None:
    if version is None:
        raise TraceError(f"{path}: not a trace of wrongcall")
    if version != FILE_VERSION:
        age = "a newer" if version > FILE_VERSION else "an older"
        raise TraceVersionError(
            f"{path}: written in format {version} by {age} wrongcall; this one reads format "
            f"{FILE_VERSION}. Record the program again, or use the wrongcall that wrote it"
        )


def create(path: Path, descriptor: int) -> sqlite3.Connection:
    """Fill a new, empty file with empty tables and return the connection that writes it.

    The first page is written last: the file does not count as a trace until it is complete, and no journal is needed.
    """
    image = _empty_trace()
    try:
        for begin in (PAGE_SIZE, 0):
            _write_all(descriptor, image[begin : None if begin else PAGE_SIZE], begin)
    except OSError as exc:
        raise TraceError(f"{path}: {exc.strerror}") from exc
    with sqlite_errors(path):
        db = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        try:
            db.execute("PRAGMA synchronous = NORMAL")
            db.execute("PRAGMA wal_autocheckpoint = 2000")
        except sqlite3.Error:
            db.close()
            raise
        return db


def _write_all(descriptor: int, data: bytes, at: int) -> None:
    while data:
        written = os.pwrite(descriptor, data, at)
        data, at = data[written:], at + written


@cache
def _empty_trace() -> bytes:
    """Return the bytes of a trace without rows, in WAL mode."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as db:
        db.execute(f"PRAGMA page_size = {PAGE_SIZE}")
        db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        db.execute(f"PRAGMA user_version = {FILE_VERSION}")
        db.executescript(SCHEMA)
        image = bytearray(db.serialize())
    image[18:20] = bytes([_WRITE_AHEAD, _WRITE_AHEAD])
    return bytes(image)


def settle(db: sqlite3.Connection) -> None:
    """Move everything from the log into the file; if there is no reader, closing then removes the log."""
    db.execute("PRAGMA busy_timeout = 0")
    try:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    except sqlite3.OperationalError as exc:
        # Another process is reading, or the folder is no longer writable: the log stays.
        if exc.sqlite_errorcode & 0xFF not in _LOG_STAYS:
            raise


def check_tables(db: sqlite3.Connection) -> None:
    """Refuse a file whose tables are not exactly those of a trace.

    A view in place of a table could compute forever or call functions; a trigger could change what is written.
    """
    found = db.execute(f"{_LISTED}, rootpage FROM sqlite_master LIMIT 100").fetchall()
    if [row[:-1] for row in found] != _own_tables():
        raise sqlite3.DatabaseError("its tables are not those of a trace")
    if len({row[-1] for row in found}) != len(found):
        raise sqlite3.DatabaseError("damaged trace: two tables are in the same place")


_LISTED = "SELECT type, name, tbl_name, sql"


@cache
def _own_tables() -> list[tuple[str, str, str, str | None]]:
    """Return the tables and indexes that a trace consists of."""
    with closing(sqlite3.connect(":memory:")) as db:
        db.executescript(SCHEMA)
        return db.execute(f"{_LISTED} FROM sqlite_master").fetchall()
