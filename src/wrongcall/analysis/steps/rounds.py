"""The rounds of a loop in one call: when each began and ended.

A loop that is inside another one is *entered* several times; the rounds of each entry are numbered from 1.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from wrongcall.analysis.steps.steps import StepColumns, StepKind, step_table
from wrongcall.trace.format.event_records import Ints

_LINES = step_table(StepKind.LINE)


class Rounds(NamedTuple):
    """The rounds of a loop as columns, by time."""

    start: Ints
    """When the header ran."""
    end: Ints
    """The last time of the round."""
    number: Ints
    """From 1, in each entry of the loop."""
    total: Ints
    """How many rounds that entry has."""

    def at(self, time: int) -> int:
        """Return the position of the round that had begun last at a time; -1: none had."""
        return int(np.searchsorted(self.start, time, "right")) - 1


def rounds(columns: StepColumns, header: int, last: int, end: int) -> Rounds:
    """Find the rounds of a loop in the steps of a call, which are by time.

    ``header`` and ``last`` are its first line and the last one of its body; ``end`` is the last time of the call. The
    header runs once more than the body, unless the loop is left early: that is no round.
    """
    chosen = columns.has(_LINES)
    line, time = columns.line[chosen], columns.time[chosen]
    inside = (line >= header) & (line <= last)
    is_header = line == header
    before = np.append(False, inside[:-1])[: len(inside)]
    after = np.append(line[1:], 0)[: len(line)]
    body_runs = (after > header) & (after <= last) if last > header else after == header
    begins = np.flatnonzero(is_header & body_runs)
    # A round ends where the header runs again, or something outside of the loop.
    stops = np.flatnonzero(is_header | ~inside)
    following = np.searchsorted(stops, begins, "right")
    times = np.append(time[stops] - 1, end)
    entry = np.cumsum(is_header & ~before)[begins] if len(line) else begins
    first = np.flatnonzero(np.diff(entry, prepend=-1)) if len(entry) else begins
    sizes = np.diff(np.append(first, len(entry)))
    number = np.arange(len(begins)) - np.repeat(first, sizes) + 1
    return Rounds(time[begins], times[following], number, np.repeat(sizes, sizes))
