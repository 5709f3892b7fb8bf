"""One of several processes that are recorded: its ring, and what was taken from it and cannot be appended yet."""

from __future__ import annotations

from wrongcall.trace.write.batch import Batch
from wrongcall.trace.write.ring import Ring


class Source:
    """Where the events of a process come from."""

    def __init__(self, ring: Ring, process: int) -> None:
        self.ring = ring
        self.process = process
        self.held: list[Batch] = []
        """What was taken and is not in the trace yet."""
        self.begin = 0
        """When the burst began to which the first of those events belongs."""
        self.ended = False

    def take(self) -> None:
        """Take everything that is in the ring."""
        self.hold(self.ring.take(self.ring.event_capacity))

    def hold(self, batch: Batch) -> None:
        """Keep a batch until it can be appended."""
        if batch.count:
            self.held.append(Batch(bytes(batch.events), batch.data))
