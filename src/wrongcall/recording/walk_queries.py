"""Queries for walking through a run: the next and previous stop, and the stack at one.

A walk stands at a `Stop`: right before a line, or right after an event. Lines are stepped *in* (the next line of the
thread, whichever call it is in), *over* (the next line of the same call) and *out* (back to where the call was
called), and each of these backwards. A generator or coroutine is one call: stepping over its `yield` leads to its
next line.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from wrongcall.analysis.asking.executions import LineExecutions
from wrongcall.analysis.walking.call_lines import LinesOfCalls
from wrongcall.analysis.walking.callers import Caller, Callers
from wrongcall.analysis.walking.runs import LEAVING, Runs
from wrongcall.analysis.walking.stops import CallLines, Stop
from wrongcall.analysis.walking.tasks import Tasks
from wrongcall.analysis.walking.thread_order import ThreadOrder
from wrongcall.analysis.walking.threads import Threads
from wrongcall.languages.python.sources import Sources
from wrongcall.replay.position import Positions
from wrongcall.trace.read.call_table import CallTable
from wrongcall.trace.read.store import Store

_LEAVING = np.flatnonzero(LEAVING).tolist()


class WalkQueries:
    """Finds stops."""

    def __init__(
        self, store: Store, calls: CallTable, executions: LineExecutions, sources: Sources
    ) -> None:
        self._store = store
        self._calls = calls
        self._positions = Positions(store)
        self._threads = Threads(store, calls)
        self._runs = Runs(store, self._threads)
        self._lines = LinesOfCalls(store, calls, executions, sources, self._threads)
        self._callers = Callers(store, calls, self._threads, self._runs, self._lines)
        self._tasks = Tasks(store, calls, sources, self._lines)
        self._order = ThreadOrder(self._threads, self._runs, self._lines, self._callers)

    # -- where to begin ----------------------------------------------------------------------------

    def first(self) -> Stop | None:
        """Return the first line of the run; None: no call was recorded."""
        call = self._positions.at(0).call
        return self._order.first_from(0, self.thread(call)) if call else None

    def last(self) -> Stop | None:
        """Return the stop after the last event of the run."""
        return self.after(self._store.segments.event_count - 1)

    def after(self, time: int, line: int = 0) -> Stop | None:
        """Return the stop right after an event; ``line``: where that is, if it is known better."""
        position = self._positions.at(time)
        while not position.call and time > 0:  # the rest of the trace belongs to no call
            time -= 1
            position = self._positions.at(time)
        if not position.call:
            return None
        known = line or (position.line if position.time == time else 0)
        return self._lines.of(position.call).after(time, known)

    def at(self, time: int, thread: int) -> Stop | None:
        """Return where a thread was at a time: after its last event up to then; None: it had not begun."""
        run = next(self._runs.backward(time, thread), None)
        if run is None:
            return None
        call = self._callers.of(run.call, run.last).call if run.leaves else run.call
        return self._lines.of(call or run.call).after(run.last)

    def near(self, time: int) -> Stop | None:
        """Return where the thread that was running at a time was then: right before a line, if that is known."""
        position = self._positions.at(time)
        if not position.call:
            return self.last()
        thread = self.thread(position.call)
        here = self.at(time, thread)
        following = next(self._runs.forward(time + 1, thread), None)
        if following is not None:
            line = self._order.last_until(following.first, thread)
            begun = -1 if here is None else here.time
            if line is not None and line.state <= time and line.time > begun:
                return line
        return here or self.first()

    def lines(self, call: int) -> CallLines:
        """Return the executions of lines in a call."""
        return self._lines.of(call)

    def thread(self, call: int) -> int:
        """Return the thread of a call."""
        return self._threads.of(call)

    def stack(self, stop: Stop) -> Iterator[Caller]:
        """Iterate over the calls at a stop, the innermost first."""
        return self._callers.stack(stop)

    def waiting(self, time: int, running: Iterable[Stop]) -> dict[int, Stop]:
        """Return where tasks wait after an event, by their calls; ``running``: where the threads are then.

        A task is a coroutine that was not awaited where it was created.
        """
        return self._tasks.waiting(time, (self._callers.stack(stop) for stop in running))

    # -- steps -------------------------------------------------------------------------------------

    def step_in(self, stop: Stop) -> Stop | None:
        """Return the next line of the thread."""
        return self._order.following(stop)

    def step_over(self, stop: Stop) -> Stop | None:
        """Return the next line of the call; after its last one, where it was called."""
        lines = self._lines.of(stop.call)
        if stop.index + 1 < len(lines):
            return lines.stop(stop.index + 1)
        return self._left(stop.call, self._calls.ended(stop.call).exit)

    def step_out(self, stop: Stop) -> Stop | None:
        """Return where the call was called or resumed, right after it has returned or yielded."""
        first = stop.time if stop.is_line else stop.time + 1
        last = self._calls.span(stop.call)[1] + 1
        if self._callers.kind(stop.call) == "generator":
            for part in self._store.segments.select_parts(
                _LEAVING, call=stop.call, first=first, last=last
            ):
                return self._left(stop.call, int(part.times[0]))
        return self._left(stop.call, self._calls.ended(stop.call).exit)

    def _left(self, call: int, time: int) -> Stop | None:
        """Return the stop after a call has returned or yielded at a time."""
        if time < 0:
            return None
        caller = self._callers.of(call, time)
        if not caller.call:
            return None
        if self._calls.span(caller.call)[1] < time:  # a coroutine may outlive what created it
            return None
        return self._lines.of(caller.call).after(time, caller.line)

    def step_in_back(self, stop: Stop) -> Stop | None:
        """Return the line of the thread that ran before."""
        return self._order.preceding(stop)

    def step_over_back(self, stop: Stop) -> Stop | None:
        """Return the previous line of the call; before its first one, where it was called."""
        index = stop.index - 1 if stop.is_line else stop.index
        if index >= 0:
            return self._lines.of(stop.call).stop(index)
        return self.step_out_back(stop)

    def step_out_back(self, stop: Stop) -> Stop | None:
        """Return the line that called or resumed the call of a stop, before it did."""
        caller = self._callers.of(stop.call, stop.happened)
        if not caller.call:
            return None
        lines = self._lines.of(caller.call)
        index = lines.last_until(caller.begin)
        return lines.stop(index) if index >= 0 else None
