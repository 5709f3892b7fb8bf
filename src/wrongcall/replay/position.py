"""Where the program was at a time: which call was running, and at which line.

What is found at the first sight of an object belongs to no call; it was found on behalf of the event that follows it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from wrongcall.trace.format.event_records import call_ids
from wrongcall.trace.format.segment import SEGMENT_EVENTS
from wrongcall.trace.read.store import Store


class Position(NamedTuple):
    """The event that shows where the program was; 0 where that is not known."""

    time: int
    call: int
    site: int
    line: int


NOWHERE = Position(-1, 0, 0, 0)


class Positions:
    """Finds where the program was."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def at(self, time: int) -> Position:
        """Return the first event from a time on that belongs to a call."""
        for number, part in self._store.segments.parts(time, None):
            column = self._store.segments.column
            calls = call_ids({name: column(number, name)[part] for name in ("call", "hi")})
            found = np.flatnonzero(calls)
            if len(found):
                where = part.start + int(found[0])
                site = int(column(number, "site")[where])
                call = int(calls[found[0]])
                line = self._store.program.line(site)
                return Position(number * SEGMENT_EVENTS + where, call, site, line)
        return NOWHERE
