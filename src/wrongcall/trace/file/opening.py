"""The only ways to open a trace. Whoever wrote it, no other file is read, written or deleted.

How a trace is opened depends on who is writing it:

- nobody: read-only and *immutable*, so that SQLite takes no lock and looks at nothing beside it;
- a recorder, which holds the lock of the trace: read-only, *shared*, through the log beside it;
- nobody any more, but a killed process left a log: a *private copy* of both, which SQLite merges. The copy is unlinked
  at once, so that only its descriptor remains. The original is not touched.

Answers are written (`connect_to_write`) through SQLite's log, which is removed afterwards. The log names no other file,
and before it is used `beside` refuses anything that is not a log of ours.

There is no protection against other processes that change the folder of a trace while it is being opened.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import tempfile
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

from wrongcall.errors import TraceError
from wrongcall.trace.file.beside import LOG, beside, check_all, check_journal, has_log
from wrongcall.trace.file.lock import is_recorded
from wrongcall.trace.format import schema

LOCK_TIMEOUT_S = 10.0
"""How long to wait for another process that writes to the same file."""
LONGEST_VALUE = 1 << 30
_COPY_ATTEMPTS = 5
_LIMITS = {
    sqlite3.SQLITE_LIMIT_LENGTH: LONGEST_VALUE,
    sqlite3.SQLITE_LIMIT_ATTACHED: 0,
    sqlite3.SQLITE_LIMIT_TRIGGER_DEPTH: 1,
    sqlite3.SQLITE_LIMIT_WORKER_THREADS: 0,
}
_CONFIG = {
    "SQLITE_DBCONFIG_DEFENSIVE": True,
    "SQLITE_DBCONFIG_ENABLE_VIEW": False,
    "SQLITE_DBCONFIG_ENABLE_TRIGGER": False,
    "SQLITE_DBCONFIG_DQS_DML": False,
    "SQLITE_DBCONFIG_DQS_DDL": False,
}
"""Settings that `sqlite3` supports from Python 3.12 on; the tables are compared with ours on any version."""


class _Watch:
    """A descriptor of a trace that stays open as long as SQLite holds locks on it in this process."""

    by_file: dict[tuple[int, int], _Watch] = {}  # noqa: RUF012 - one for the process

    def __init__(self, path: Path) -> None:
        self.descriptor = schema.open_regular(path)
        self.users = 0
        found = os.fstat(self.descriptor)
        self._key = (found.st_dev, found.st_ino)

    @classmethod
    def of(cls, path: Path) -> _Watch:
        """Return the watch of a file that is already open, or a new one, and count one more user."""
        try:
            found = path.stat()
        except OSError as exc:
            raise TraceError(f"{path}: {_why(exc)}") from exc
        watch = cls.by_file.get((found.st_dev, found.st_ino)) or cls(path)
        cls.by_file[watch._key] = watch
        watch.users += 1
        return watch

    def leave(self) -> None:
        """Count one user less, and close the descriptor after the last one."""
        self.users -= 1
        if not self.users:
            del self.by_file[self._key]
            os.close(self.descriptor)


class Connection(sqlite3.Connection):
    """A connection that keeps the file's locks until it is closed."""

    watch: _Watch | None = None

    @property
    def is_recorded(self) -> bool:
        """Whether a recorder is writing the trace."""
        return self.watch is not None and is_recorded(self.watch.descriptor)

    def close(self) -> None:
        """Close the file."""
        super().close()
        watch, self.watch = self.watch, None
        if watch is not None:
            watch.leave()


def connect(path: Path) -> Connection:
    """Open a trace for reading, even while it is being written."""
    return _watched(path, _connect_to_read)


def connect_to_write(path: Path) -> Connection:
    """Open a trace for writing answers, even while it is being recorded."""
    return _watched(path, _connect_to_write)


def tidy(path: Path) -> None:
    """Merge what a killed process left in the log into the trace, if that is allowed and the trace is not in use."""
    with suppress(TraceError):
        if os.path.lexists(beside(path.resolve(), LOG)):
            connect_to_write(path).close()  # the last one to close removes the log


def _watched(path: Path, open_it: Callable[[Path, _Watch], Connection]) -> Connection:
    real = path.resolve()
    watch = _Watch.of(path)
    try:
        schema.check_header(path, watch.descriptor)
        with schema.sqlite_errors(path):
            db = open_it(real, watch)
    except BaseException:
        watch.leave()
        raise
    db.watch = watch
    return db


def _connect_to_read(path: Path, watch: _Watch) -> Connection:
    if is_recorded(watch.descriptor):
        check_all(path)
        return _opened(path, "mode=ro")
    if has_log(path):
        return _private_copy(path)
    return _opened(path, "mode=ro&immutable=1")


def _connect_to_write(path: Path, watch: _Watch) -> Connection:
    check_all(path)
    return _opened(path, "mode=rw")


def _opened(path: Path, how: str) -> Connection:
    """Open a file whose tables must be those of a trace, and which can do nothing but hold data."""
    db = sqlite3.connect(
        f"{path.as_uri()}?{how}", uri=True, timeout=LOCK_TIMEOUT_S, isolation_level=None,
        check_same_thread=False, factory=Connection,
    )  # fmt: skip
    try:
        _restrict(db)
        schema.check_tables(db)
    except BaseException:
        db.close()
        raise
    return db


def _restrict(db: sqlite3.Connection) -> None:
    db.execute("PRAGMA trusted_schema = OFF")
    db.execute("PRAGMA cell_size_check = ON")
    db.execute("PRAGMA mmap_size = 0")  # a file that gets shorter would kill the process
    for limit, most in _LIMITS.items():
        db.setlimit(limit, most)
    setconfig: Callable[[Any, bool], None] | None = getattr(db, "setconfig", None)
    if setconfig is not None:
        for name, value in _CONFIG.items():
            setconfig(getattr(sqlite3, name), value)


# -- private copies --------------------------------------------------------------------------------


def _private_copy(path: Path) -> Connection:
    """Open an already unlinked copy of a trace, merged with its log."""
    try:
        folder = Path(tempfile.mkdtemp(prefix="wrongcall-"))
    except OSError as exc:
        raise TraceError(f"{path}: its log cannot be read: {_why(exc)}") from exc
    try:
        copy = _copied(path, folder / "trace")
        with closing(sqlite3.connect(copy, isolation_level=None)) as db:
            _restrict(db)
            db.execute("PRAGMA locking_mode = EXCLUSIVE")
            schema.check_tables(db)
        check_journal(copy)
        _check_header(path, copy)
        return _opened(copy, "mode=ro&immutable=1")
    except OSError as exc:
        raise TraceError(f"{path}: its log cannot be read: {_why(exc)}") from exc
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _check_header(path: Path, copy: Path) -> None:
    descriptor = schema.open_regular(copy)
    try:
        schema.check_header(path, descriptor)
    finally:
        os.close(descriptor)


def _copied(path: Path, copy: Path) -> Path:
    """Copy a trace and its log in a consistent state."""
    files = (path, beside(path, LOG)), (copy, beside(copy, LOG))
    for _ in range(_COPY_ATTEMPTS):
        before = [_state_of(file) for file in files[0]]
        for source, target in zip(*files, strict=True):
            shutil.copyfile(source, target, follow_symlinks=False)
        if before == [_state_of(file) for file in files[0]]:
            return copy
    raise TraceError(f"{path}: another process is changing it; try again")


def _state_of(file: Path) -> tuple[int, ...]:
    found = os.lstat(file)
    return found.st_ino, found.st_size, found.st_mtime_ns


def _why(exc: OSError) -> str:
    return "no such file" if isinstance(exc, FileNotFoundError) else exc.strerror or str(exc)
