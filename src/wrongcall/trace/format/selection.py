"""Selections of events, passed between readers, indexes and checkpoints."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from wrongcall.trace.format.event_records import (
    EVENT,
    Events,
    Ints,
    join_events,
)


class Found(NamedTuple):
    """Selected events, by time."""

    times: Ints
    events: Events

    @property
    def nbytes(self) -> int:
        """Their size in memory, in bytes."""
        return int(self.times.nbytes + self.events.nbytes) + 100


NOTHING = Found(np.empty(0, np.int64), np.empty(0, EVENT))


def join_found(parts: Sequence[Found]) -> Found:
    """Concatenate selections."""
    parts = [part for part in parts if len(part.times)]
    if len(parts) < 2:
        return parts[0] if parts else NOTHING
    times = np.concatenate([part.times for part in parts])
    return Found(times, join_events([part.events for part in parts]))
