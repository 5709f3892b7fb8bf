"""Moves events from the ring into the file, while the program runs and after it has ended.

Invariants: what the program handed over is in the file after at most `FLUSH_EVERY` seconds plus
the time it takes to write. If the file takes no more, the ring is stopped, so that the program
never waits for a drain that gave up; the file stays readable, and `Drain.full` says so.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from wrongcall.errors import TraceFullError
from wrongcall.trace.ring import TAKE_EVENTS, Ring
from wrongcall.trace.writer import TraceWriter

FLUSH_EVERY = 0.1
SHORTEST_NAP = 0.001
LONGEST_NAP = 0.005


class Drain:
    """Takes from a ring and gives to a writer; counts what passes."""

    def __init__(self, ring: Ring, writer: TraceWriter) -> None:
        self.ring = ring
        self.writer = writer
        self.full = False
        self._flushed = time.monotonic()

    @property
    def events(self) -> int:
        """How many events have passed."""
        return self.writer.events

    @property
    def calls(self) -> int:
        """How many calls have begun in what has passed."""
        return self.writer.calls

    @property
    def bytes(self) -> int:
        """How many bytes of text have passed."""
        return self.writer.bytes

    def pump(self) -> int:
        """Move what is there, at most one segment, and return how many events that was."""
        if self.full:
            return 0
        events, data = self.ring.take()
        try:
            if len(events):
                self.writer.add(events, data)
            if time.monotonic() - self._flushed >= FLUSH_EVERY:
                self.flush()
        except TraceFullError:
            self._give_up()
        return len(events)

    def flush(self) -> None:
        """Make everything that was moved visible to readers."""
        if self.full:
            return
        try:
            self.writer.flush()
        except TraceFullError:
            self._give_up()
        self._flushed = time.monotonic()

    def run_until(self, finished: Callable[[], bool]) -> None:
        """Move events until the program is finished, then what it left behind."""
        try:
            self._run(finished)
        except BaseException:
            self.ring.stop()
            raise

    def _run(self, finished: Callable[[], bool]) -> None:
        nap = SHORTEST_NAP
        while not finished():
            moved = self.pump()
            # A full take means that more is waiting; little came: longer naps cost less.
            if moved < TAKE_EVENTS:
                nap = SHORTEST_NAP if moved else min(nap * 2, LONGEST_NAP)
                time.sleep(nap)
        while self.pump():
            pass
        self.flush()

    def _give_up(self) -> None:
        self.full = True
        self.ring.stop()
