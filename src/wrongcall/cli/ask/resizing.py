"""Notice that the terminal has another size now, while waiting for a key."""

from __future__ import annotations

import os
import signal
from contextlib import suppress
from types import FrameType


class Resizes:
    """SIGWINCH as something to poll for: readable once the size has changed.

    Make it in the main thread, which is where signals arrive.
    """

    def __init__(self) -> None:
        self._reader, self._writer = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        self._before = signal.signal(signal.SIGWINCH, self._on_signal)

    def _on_signal(self, number: int, frame: FrameType | None) -> None:
        with suppress(BlockingIOError):  # the pipe is full: that says enough
            os.write(self._writer, b"\0")

    def fileno(self) -> int:
        """Return the descriptor to poll."""
        return self._reader

    def clear(self) -> bool:
        """Return whether the size has changed since the last time."""
        try:
            return bool(os.read(self._reader, 4096))
        except BlockingIOError:
            return False

    def close(self) -> None:
        """Leave SIGWINCH to whoever had it before."""
        signal.signal(signal.SIGWINCH, self._before)
        os.close(self._reader)
        os.close(self._writer)
