"""Count how often the lines of a very long call ran, and find the last writes on them, in bounded memory.

The steps of a call with many millions of events do not fit into memory. They are processed in *windows*, each with some
events of the ones before and after it: an entry of a block depends only on what is near it. So the counts are exact; of
the writes on a line, only the last ones are examined.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from wrongcall.analysis.flow.block_entries import Execution
from wrongcall.analysis.flow.call_events import CallEvents, call_events
from wrongcall.analysis.flow.control_flow import Flow
from wrongcall.analysis.flow.entries import ways
from wrongcall.analysis.steps.steps import CallStep, StepColumns, StepKind, Steps, step_table
from wrongcall.replay.call import Call
from wrongcall.trace.read.call_table import CallTable
from wrongcall.trace.read.store import Store

LONG_EVENTS = 4_000_000
"""A call with more events of its own is processed in windows."""
WINDOW_EVENTS = 1 << 20
_AROUND = 4096
"""Events before and after a window that are read, too."""
_LAST_WRITES = 64
"""Writes on a line to examine, the last ones."""
_SHOWN = step_table(StepKind.WRITE, StepKind.GIVEN)


class Window(NamedTuple):
    """Some of the events of a call."""

    events: CallEvents
    first: int
    """Entries from this time on belong to the window."""
    end: int
    """Up to, not including, this time."""
    is_last: bool


class Told(NamedTuple):
    """The annotations for a call's source."""

    counts: dict[int, int]
    """How often each line ran."""
    latest: dict[int, list[CallStep]]
    """The last writes on each line."""


def all_told(steps: Steps, most: int, first: int, last: int) -> Told:
    """Compute it from the steps, for lines from ``first`` to ``last``, with at most ``most`` writes on each."""
    return Told(steps.line_counts(), steps.latest(most, first, last))


class StepParts(NamedTuple):
    """What the steps of a call are made from."""

    store: Store
    calls: CallTable
    execution: Execution
    flow: Flow
    event_steps: Callable[[CallEvents], StepColumns]
    """Returns the steps of the events themselves."""


class Windows:
    """Processes very long calls in windows."""

    def __init__(self, parts: StepParts) -> None:
        self._parts = parts

    def is_long(self, call: int, most: int | None = None) -> bool:
        """Return whether a call has too many events to hold its steps in memory: more than ``most``."""
        most = LONG_EVENTS if most is None else most
        first, last = self._parts.calls.span(call)
        if last - first <= most:
            return False
        parts = self._parts.store.segments.find(call=call, first=first, last=last + 1)
        return sum(len(where) for _, where in parts) > most

    def lines(self, call: Call) -> tuple[dict[int, int], StepColumns]:
        """Return how often lines ran, and the last writes on each of them."""
        counts: Counter[int] = Counter()
        latest: dict[int, StepColumns] = {}
        for window in self.windows(call.id):
            self._count(call, window, counts)
            _keep_latest(self._parts.event_steps(window.events), window, latest)
        return dict(counts), _joined(list(latest.values()))

    def windows(self, call: int) -> Iterator[Window]:
        """Iterate over the windows of a call, in order."""
        first, last = self._parts.calls.span(call)
        carried: CallEvents | None = None
        done = first
        for begin in range(first, last + 1, WINDOW_EVENTS):
            end = min(begin + WINDOW_EVENTS, last + 1)
            events = call_events(self._parts.store, self._parts.calls, call, (begin, end - 1))
            events = events if carried is None else carried.then(events)
            is_last = end > last
            if not is_last and len(events.time) <= 2 * _AROUND:
                carried = events
                continue
            reached = end if is_last else int(events.time[-_AROUND])
            yield Window(events, done, reached, is_last)
            carried, done = events.part(slice(-2 * _AROUND, None)), reached

    def _count(self, call: Call, window: Window, counts: Counter[int]) -> None:
        entries = self._parts.execution.entries(call.id, window.events, is_end=window.is_last)
        which, lists = ways(call.function, self._parts.flow, entries)
        inside = (entries.time >= window.first) & (entries.time < window.end)
        times = np.bincount(which[inside], minlength=len(lists)).tolist()
        for told, count in zip(lists, times, strict=True):
            for passed in told.passed if count else ():
                if passed.taken is None:
                    counts[passed.line] += count


def _keep_latest(steps: StepColumns, window: Window, latest: dict[int, StepColumns]) -> None:
    """Keep the last writes on each line; those of earlier windows only if there are no later ones."""
    inside = (steps.time >= window.first) & (steps.time < window.end)
    written = steps[np.flatnonzero(inside & steps.has(_SHOWN))]
    for line in np.unique(written.line).tolist():
        latest[line] = written[np.flatnonzero(written.line == line)[-_LAST_WRITES:]]


def _joined(parts: list[StepColumns]) -> StepColumns:
    if not parts:
        return StepColumns(
            np.empty(0, np.int64),
            np.empty(0, np.uint8),
            np.empty(0, np.int32),
            np.empty(0, np.bool_),
        )
    joined = StepColumns(
        *(
            np.concatenate([getattr(part, name) for part in parts])
            for name in ("time", "kind", "line", "taken")
        )
    )
    return joined[np.argsort(joined.time, kind="stable")]
