"""Move events from the ring into the file, while the program runs and after it has ended.

Invariants: a flush begins at most `FLUSH_INTERVAL_S` seconds after the previous one began, or as soon as the current
write is done, and it includes everything that was in the ring when it began. So if the drain is killed, what the
program handed over in the last `FLUSH_INTERVAL_S` seconds is lost, plus what it handed over during the last flush; on a
machine too busy to run the drain, it is more. If the file takes no more, the ring is stopped, so that the program never
waits for a drain that gave up; the file stays readable, and `Drain.full` is set.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from wrongcall.errors import TraceFullError
from wrongcall.trace.write.ring import TAKE_EVENTS, Ring
from wrongcall.trace.write.rings import Rings
from wrongcall.trace.write.writer import TraceWriter

FLUSH_INTERVAL_S = 0.05
"""Seconds."""
SHORTEST_NAP = 0.003
"""Seconds. Each look at the ring costs as much as a few hundred events; it has room for ten times as long."""
LONGEST_NAP = 0.005


class Drain:
    """Moves events from a ring to a writer, and counts them."""

    def __init__(
        self, ring: Ring | Rings, writer: TraceWriter, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.ring = ring
        self.writer = writer
        self.full = False
        self._clock = clock
        self._begun = clock()
        """When the last flush began."""

    @property
    def events(self) -> int:
        """How many events have been moved."""
        return self.writer.events

    @property
    def calls(self) -> int:
        """How many calls have begun in the events moved."""
        return self.writer.calls

    @property
    def bytes(self) -> int:
        """How many bytes of text have been moved."""
        return self.writer.bytes

    def pump(self) -> int:
        """Move pending events, at most one segment unless a flush is due; return how many."""
        if self.full:
            return 0
        due = self._clock() - self._begun >= FLUSH_INTERVAL_S
        moved, waiting = self._move(), self.ring.pending if due else 0
        while due and waiting > 0 and not self.full:
            taken = self._move()
            moved, waiting = moved + taken, waiting - taken if taken else 0
        if due:
            self.flush()
        return moved

    def _move(self) -> int:
        batch = self.ring.take(TAKE_EVENTS, self.writer.room())
        count = batch.count
        try:
            if count:
                self.writer.add_batch(batch)
        except TraceFullError:
            self._give_up()
        return count

    def flush(self) -> None:
        """Make everything that was moved visible to readers."""
        if self.full:
            return
        self._begun = self._clock()
        try:
            self.writer.flush()
        except TraceFullError:
            self._give_up()

    def run_until(self, finished: Callable[[], bool]) -> None:
        """Move events until the program is finished, then whatever it left behind."""
        try:
            self._run(finished)
        except BaseException:
            self.ring.stop()
            raise

    def _run(self, finished: Callable[[], bool]) -> None:
        nap = SHORTEST_NAP
        while not finished():
            moved = self.pump()
            # Taking many events at once costs less, and so does a longer sleep if there are none.
            if self.ring.pending < TAKE_EVENTS:
                nap = SHORTEST_NAP if moved else min(nap * 2, LONGEST_NAP)
                time.sleep(nap)
        while self.pump():
            pass
        self.flush()

    def _give_up(self) -> None:
        self.full = True
        self.ring.stop()
