"""Locks on a trace: one recorder writes it, one debugger asks about it.

Both are locks of the operating system on the trace itself, so they disappear with their process, however it ended, and
leave nothing behind. A debugger can ask while the recorder writes: it takes a different lock (`flock`) from the
recorder's (an open-file-description lock on a byte far beyond the end of any file; SQLite's own locks are elsewhere).
Reading a trace needs no lock.

Invariant: the descriptor stays open as long as the lock is held. Closing it earlier would also release SQLite's locks
on the same file.
"""

from __future__ import annotations

import errno
import fcntl
import os
import struct
from pathlib import Path

from wrongcall.closing import Closing
from wrongcall.errors import TraceBusyError, TraceError
from wrongcall.trace.format.schema import open_regular

_RANGE = struct.Struct("hhqqi4x")
"""``struct flock``: type, whence, start, length, process."""
_RECORDER_AT = 1 << 62
_BUSY = (errno.EAGAIN, errno.EACCES)


class DebuggerLock(Closing):
    """Keeps other debuggers away from a trace until it is released or its process ends."""

    def __init__(self, path: Path) -> None:
        self._descriptor = open_regular(path)
        try:
            fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as exc:
            os.close(self._descriptor)
            raise TraceBusyError(
                f"{path}: another debugger has this trace open; answer there, or quit it first"
            ) from exc

    def release(self) -> None:
        """Release the lock."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1

    def close(self) -> None:
        """Release the lock."""
        self.release()


class RecorderLock:
    """A new, empty file that will become a trace, and the right to write it."""

    def __init__(self, path: Path) -> None:
        flags = os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
        try:
            self.descriptor = os.open(path, flags, 0o666)
        except FileExistsError as exc:
            raise TraceBusyError(f"{path}: another process has just created this file") from exc
        except OSError as exc:
            raise TraceError(f"{path}: unable to open database file: {exc.strerror}") from exc
        try:
            take_recorder_lock(self.descriptor, path)
            if not os.path.samestat(os.fstat(self.descriptor), path.stat()):
                raise busy(path)
        except BaseException:
            os.close(self.descriptor)
            raise

    def release(self) -> None:
        """Release the lock, once SQLite has closed the file."""
        os.close(self.descriptor)


def take_recorder_lock(descriptor: int, path: Path) -> None:
    """Mark the trace behind a descriptor as being written, until the descriptor is closed."""
    wanted = _RANGE.pack(fcntl.F_WRLCK, os.SEEK_SET, _RECORDER_AT, 1, 0)
    try:
        fcntl.fcntl(descriptor, fcntl.F_OFD_SETLK, wanted)
    except OSError as exc:
        if exc.errno in _BUSY:
            raise busy(path) from exc
        # A file system without locks: no one is kept out, and no one sees that we are writing.


def is_recorded(descriptor: int) -> bool:
    """Return whether a recorder is writing the trace behind a descriptor."""
    wanted = _RANGE.pack(fcntl.F_WRLCK, os.SEEK_SET, _RECORDER_AT, 1, 0)
    try:
        found = fcntl.fcntl(descriptor, fcntl.F_OFD_GETLK, wanted)
    except OSError:  # a file system without locks
        return False
    kind: int = _RANGE.unpack(found)[0]
    return kind != fcntl.F_UNLCK


def busy(path: Path) -> TraceBusyError:
    """Return the error for a trace that is being recorded."""
    return TraceBusyError(
        f"{path}: another program is being recorded to this trace; wait until it ends, "
        "or choose another file with -o"
    )
