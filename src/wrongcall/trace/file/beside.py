"""The files beside a trace: SQLite's log while it is in use, and whatever else was put there.

SQLite trusts what it finds under these names: it undoes what a ``-journal`` says, deletes the file that such a journal
names, and writes through links. So SQLite gets to see only what wrongcall itself leaves there: a ``-wal`` and a
``-shm`` that are regular files of the trace's owner, have no other name, and (the log) begin as SQLite's do. A
``-journal`` is never ours.

The *log* is the ``-wal``: what was written but is not in the trace itself yet. It stays if the process that wrote it
was killed.
"""

from __future__ import annotations

import os
import stat
import struct
from pathlib import Path

from wrongcall.errors import TraceError
from wrongcall.trace.format.schema import PAGE_SIZE

LOG, INDEX, JOURNAL = "-wal", "-shm", "-journal"
SUFFIXES = (LOG, INDEX, JOURNAL)
"""What SQLite keeps beside a file while it is in use."""

_LOG_MAGIC = (0x377F0682, 0x377F0683)
_LOG_FORMAT = 3007000
_LOG_HEADER = struct.Struct(">III")
_INDEX_BYTES = 32 << 10


def beside(path: Path, suffix: str) -> Path:
    """Return the name of a file beside a trace."""
    return path.with_name(path.name + suffix)


def has_log(path: Path) -> bool:
    """Return whether a trace has a log with more data; refuse anything that is not a log."""
    check_journal(path)
    return bool(_size_of(path, LOG))


def check_all(path: Path) -> None:
    """Refuse a trace if a file beside it must not be seen by SQLite when it writes."""
    check_journal(path)
    _size_of(path, LOG)
    _size_of(path, INDEX)


def check_journal(path: Path) -> None:
    """Refuse a trace that has a journal: wrongcall never writes one, and SQLite would act on it."""
    found = beside(path, JOURNAL)
    if os.path.lexists(found):
        raise TraceError(f"{found}: wrongcall did not write this file; move it away to read {path}")


def is_ours(path: Path, suffix: str) -> bool:
    """Return whether a file beside a trace (which itself may be gone) is one that wrongcall leaves there."""
    try:
        return _size_of(path, suffix) is not None
    except TraceError:
        return False


def _size_of(path: Path, suffix: str) -> int | None:
    """Return the size of the log or its index, or None if there is none; refuse anything else."""
    file = beside(path, suffix)
    try:
        found = os.lstat(file)
        owner = path.stat().st_uid if path.exists() else os.geteuid()
    except FileNotFoundError:
        return None
    except OSError as exc:
        raise TraceError(f"{file}: {exc.strerror}") from exc
    if not stat.S_ISREG(found.st_mode):
        raise TraceError(f"{file}: is not a regular file; move it away to read {path}")
    if found.st_nlink != 1 or found.st_uid != owner:
        why = "has another owner than the trace" if found.st_nlink == 1 else "has a second name"
        raise TraceError(f"{file}: {why}; move it away to read {path}")
    # The index is not opened: closing it would release SQLite's locks on it.
    good = not found.st_size % _INDEX_BYTES if suffix == INDEX else _is_log(file, found.st_size)
    if not good:
        raise TraceError(f"{file}: wrongcall did not write this file; move it away to read {path}")
    return found.st_size


def _is_log(file: Path, size: int) -> bool:
    """Return whether a file is empty or begins like a log."""
    if not size:
        return True
    try:
        descriptor = os.open(file, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as exc:
        raise TraceError(f"{file}: {exc.strerror}") from exc
    try:
        begin = os.pread(descriptor, _LOG_HEADER.size, 0)
    finally:
        os.close(descriptor)
    if len(begin) < _LOG_HEADER.size:
        return False
    magic, version, page_size = _LOG_HEADER.unpack(begin)
    return magic in _LOG_MAGIC and (version, page_size) == (_LOG_FORMAT, PAGE_SIZE)
