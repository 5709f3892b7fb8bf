"""Stops: the places at which a person who walks through a run can be.

A *line stop* is right before a line of a call runs. An *event stop* is right after an event: after a call returned,
after a place was written, where an exception was raised.

Invariant: the stops of a thread are totally ordered. Stops of one call are ordered by `Stop.index`, then lines before
events, then by time; those of different calls by `Stop.time`.
"""

from __future__ import annotations

from dataclasses import dataclass

from wrongcall.trace.format.event_records import Ints


@dataclass(frozen=True)
class Stop:
    """Where a walk stands."""

    call: int
    index: int
    """Which execution of a line of the call this is in, from 0; -1: before the first."""
    line: int
    time: int
    """Of a line: the first event of the statement, or of what runs next; else the event that has just happened."""
    state: int
    """The time whose state holds here."""
    is_line: bool = True

    @property
    def happened(self) -> int:
        """The last event that has happened."""
        return self.time - 1 if self.is_line else self.time

    @property
    def order(self) -> tuple[int, int, int]:
        """Compares stops of the same thread."""
        return (self.time, int(not self.is_line), self.index)


@dataclass(frozen=True)
class CallLines:
    """The executions of lines in a call, in order, as columns."""

    call: int
    time: Ints
    state: Ints
    line: Ints

    @property
    def nbytes(self) -> int:
        """Their size in memory, in bytes."""
        return self.time.nbytes + self.state.nbytes + self.line.nbytes + 500

    def __len__(self) -> int:
        return len(self.time)

    def stop(self, index: int) -> Stop:
        """Return the stop at an execution of a line."""
        place = (int(self.line[index]), int(self.time[index]), int(self.state[index]))
        return Stop(self.call, index, *place)

    def first_from(self, time: int) -> int:
        """Return the index of the first line at or after a time."""
        return int(self.time.searchsorted(time))

    def last_until(self, time: int) -> int:
        """Return the index of the last line at or before a time; -1: none."""
        return int(self.time.searchsorted(time, "right")) - 1

    def after(self, time: int, line: int = 0) -> Stop:
        """Return the stop right after an event of this call; ``line``: where that is, if it is known better."""
        index = self.last_until(time)
        known = int(self.line[index]) if index >= 0 else 0
        return Stop(self.call, index, line or known, time, time, is_line=False)
