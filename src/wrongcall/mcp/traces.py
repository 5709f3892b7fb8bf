"""Opened traces: a few are kept open, since agents ask many times about the same one.

A path is the only handle: the server can be restarted between two calls. A trace that was recorded again is another
file, and opened anew.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import RLock

import wrongcall.recording
from wrongcall.closing import Closing
from wrongcall.errors import UsageError
from wrongcall.mcp.permissions import Permissions
from wrongcall.recording import Recording

MAX_OPEN = 3


class Traces(Closing):
    """The traces that a server reads. One thread at a time uses them."""

    def __init__(self, permissions: Permissions) -> None:
        self.permissions = permissions
        self._open: OrderedDict[Path, tuple[tuple[int, int], Recording]] = OrderedDict()
        self._lock = RLock()

    @contextmanager
    def use(self, name: str) -> Iterator[Recording]:
        """Open a trace, or take the open one; nobody else reads it meanwhile."""
        with self._lock:
            yield self._opened(self.permissions.trace(name))

    def _opened(self, path: Path) -> Recording:
        try:
            stat = path.stat()
        except FileNotFoundError as exc:
            raise UsageError(f"the trace is gone: {path.name}; record it again") from exc
        identity = (stat.st_dev, stat.st_ino)
        known = self._open.get(path)
        if known is not None and known[0] != identity:
            self._drop(path)
            known = None
        if known is None:
            known = (identity, wrongcall.recording.open(path))
            self._open[path] = known
        self._open.move_to_end(path)
        while len(self._open) > MAX_OPEN:
            self._drop(next(iter(self._open)))
        recording = known[1]
        if recording.ended is None:
            recording.refresh()
        return recording

    def _drop(self, path: Path) -> None:
        _, recording = self._open.pop(path)
        recording.close()

    def close(self) -> None:
        """Close all of them."""
        with self._lock:
            for path in list(self._open):
                self._drop(path)
