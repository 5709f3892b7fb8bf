"""What ``record`` tells about itself: a live counter on a terminal, one line at the end."""

from __future__ import annotations

import sys
import time
from pathlib import Path

from wrongcall.trace.drain import Drain

FIRST = 2.0  # seconds before anything is shown
EVERY = 0.5


class Progress:
    """A counter on stderr, for runs that take a while, on a terminal only."""

    def __init__(self, drain: Drain, began: float, *, quiet: bool = False) -> None:
        self.drain = drain
        self.next = began + FIRST
        self.began = began
        self.shown = False
        self.terminal = not quiet and sys.stderr is not None and sys.stderr.isatty()

    def show(self) -> None:
        """Draw the counter if it is time to."""
        now = time.monotonic()
        if not self.terminal or now < self.next:
            return
        self.next = now + EVERY
        self.shown = True
        text = f"recording: {self.drain.events:,} events, {now - self.began:.0f} s"
        tell(f"\r\x1b[2m{text}\x1b[0m\x1b[K\r", end="")

    def clear(self) -> None:
        """Take the counter away."""
        if self.shown:
            tell("\r\x1b[K", end="")


def tell(text: str, end: str = "\n") -> None:
    """Write to stderr, if there is somebody to read it."""
    if sys.stderr is None:
        return
    try:
        print(text, end=end, file=sys.stderr, flush=True)
    except OSError:
        sys.stderr = None  # or what it holds back would be our last error


def summary_line(drain: Drain, seconds: float, output: Path) -> str:
    """Calls, events, seconds, file, size."""
    size = readable_size(output.stat().st_size)
    text = (
        f"wrongcall: {drain.calls:,} calls, {drain.events:,} events in {seconds:.2f} s"
        f" -> {output} ({size})"
    )
    if drain.full:
        text += "; the disk is full, the trace ends before the program did"
    return text


def readable_size(size: float) -> str:
    """A size for people: 1.5 MB."""
    for unit in ("bytes", "kB", "MB"):
        if size < 1000:
            return f"{size:.0f} {unit}" if unit == "bytes" else f"{size:.1f} {unit}"
        size /= 1000
    return f"{size:.1f} GB"
