"""One debugger at a time: who asks about a trace holds its lock.

The lock is the operating system's (`flock` on the trace itself), so it is gone when its process is,
however that ended, and nothing is left behind. Reading a trace and recording it need no lock.

Invariant: the descriptor stays open as long as the lock is held. Closing it any earlier would also
give up the locks that SQLite has on the same file.
"""

from __future__ import annotations

import fcntl
import os
from pathlib import Path
from types import TracebackType
from typing import Self

from wrongcall.errors import TraceBusyError, TraceError


class DebuggerLock:
    """Keeps other debuggers away from a trace, until it is released or its process ends."""

    def __init__(self, path: Path) -> None:
        try:
            self._descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        except OSError as exc:
            raise TraceError(f"{path}: cannot be opened: {exc.strerror}") from exc
        try:
            fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as exc:
            os.close(self._descriptor)
            raise TraceBusyError(
                f"{path}: another debugger is asking about this trace; answer there, or end it first"
            ) from exc

    def release(self) -> None:
        """Let others have the trace."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.release()
