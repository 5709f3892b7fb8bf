"""Find the executions of lines in a call, placed among the events of its thread.

A line begins at its first event, or at the next event of its call if it leaves none. There is one exception: a line
that resumes a generator or coroutine (``for x in g``, ``next(g)``, ``await task``) leaves its own event only
afterwards. Such a line is placed right before what it resumed. Which line resumed it follows from the syntax; if
several lines without events could have, the last ones are taken.
"""

from __future__ import annotations

import numpy as np

from wrongcall.analysis.asking.executions import LineExecutions
from wrongcall.analysis.flow.call_events import CallEvents, call_events
from wrongcall.analysis.walking.stops import CallLines
from wrongcall.analysis.walking.threads import Threads
from wrongcall.events import Kind
from wrongcall.languages.python.handing_over import resuming_lines
from wrongcall.languages.python.sources import Sources
from wrongcall.replay.spans import SUSPENDED, Spans
from wrongcall.trace.format.event_records import Bools, Ints, call_ids
from wrongcall.trace.format.program_tables import Function
from wrongcall.trace.format.segment import SEGMENT_EVENTS
from wrongcall.trace.read.call_table import CallTable
from wrongcall.trace.read.store import Store

_RESUMED = (Kind.START, Kind.RESUME)


class LinesOfCalls:
    """Finds the lines of calls; those of recent calls are cached."""

    def __init__(
        self,
        store: Store,
        calls: CallTable,
        executions: LineExecutions,
        sources: Sources,
        threads: Threads,
    ) -> None:
        self._store = store
        self._calls = calls
        self._executions = executions
        self._sources = sources
        self._threads = threads
        self._resuming: dict[int, frozenset[int]] = {}
        self._spans = Spans(store, calls)

    def of(self, call: int) -> CallLines:
        """Return the lines of a call."""
        key = ("call lines", call, self._store.segments.event_count)
        return self._store.cache.get(key, lambda: self._read(call))

    def _read(self, call: int) -> CallLines:
        function = self._store.program.functions[self._calls.begun(call).function]
        found = self._executions.in_call(function, call)
        first, last = self._calls.span(call)
        events = call_events(self._store, self._calls, call)
        state = np.maximum(found.state, first)
        # The state that a line found tells which events had happened: the next one is its own, or that of a later line.
        end = last if self._calls.ended(call).exit >= 0 else last + 1
        time = np.append(events.time, end)[events.time.searchsorted(state, "right")]
        if self._spans.can_suspend():
            time, state = self._before_resumed(call, function, events, time, state, found.line)
        return CallLines(call, time, np.minimum(state, last), found.line)

    # -- lines that resume something ---------------------------------------------------------------

    def _before_resumed(
        self,
        call: int,
        function: Function,
        events: CallEvents,
        time: Ints,
        state: Ints,
        line: Ints,
    ) -> tuple[Ints, Ints]:
        """Place lines before what they resumed."""
        resumed = self._resumed_in(call)
        if not len(resumed) or not len(time):
            return time, state
        before = events.time.searchsorted(time) - 1
        begin = events.time[np.maximum(before, 0)]
        many = resumed.searchsorted(time) - resumed.searchsorted(begin, "right") > 0
        if not many.any():
            return time, state
        time, state = time.copy(), state.copy()
        may = np.isin(line, list(self._resuming_lines(function.file)))
        # Lines with the same time are those between the same two events.
        starts = np.flatnonzero(np.append(True, np.diff(time) != 0))
        ends = np.append(starts[1:], len(time))
        wanted = np.flatnonzero(many[starts])
        # Most are alone between two events, the first of which is not a call: that is quick for all of them.
        alone = (ends - starts == 1)[wanted] & ~events.made[np.maximum(before[starts[wanted]], 0)]
        single = starts[wanted[alone]]
        single = single[may[single] & (before[single] >= 0)]
        when = resumed[resumed.searchsorted(begin[single], "right")]
        time[single], state[single] = when, np.minimum(state[single], when - 1)
        wanted = wanted[~alone]
        for first, end in zip(starts[wanted].tolist(), ends[wanted].tolist(), strict=True):
            after = self._free_from(events.time, events.made, int(before[first]))
            inside = resumed[
                resumed.searchsorted(after, "right") : resumed.searchsorted(time[first])
            ]
            if len(inside):
                able = may[first:end]
                if (
                    able[:-1].any()
                    and events.made[min(int(before[first]) + 1, len(events.made) - 1)]
                ):
                    able[-1] = (
                        False  # its event is a call that it made, which it most likely begins with
                    )
                _move(time[first:end], state[first:end], able, inside)
        return time, state

    def _resumed_in(self, call: int) -> Ints:
        """Return when others were started or resumed in the span of a call, in its thread."""
        first, last = self._calls.span(call)
        found = [np.empty(0, np.int64)]
        thread = self._threads.of(call)
        for number, where in self._store.segments.find(_RESUMED, first=first, last=last + 1):
            names = ("call", "hi")
            who = call_ids({n: self._store.segments.fields(number, n, where) for n in names})
            mine = (who != call) & self._threads.among(who, thread)
            found.append(where[mine] + number * SEGMENT_EVENTS)
        return np.concatenate(found)

    def _free_from(self, times: Ints, made: Bools, before: int) -> int:
        """Return when the call went on after its event ``before``: if that was a call, after it returned."""
        if before < 0:
            return -1
        time = int(times[before])
        if not made[before]:
            return time
        low, high = self._store.segments.columns_at(times[before : before + 1], "call", "hi")
        child = int(call_ids({"call": low, "hi": high})[0])
        begun = self._calls.begun(child)
        if self._store.program.functions[begun.function].kind in SUSPENDED:
            return time
        return self._calls.span(child)[1]

    def _resuming_lines(self, file: int) -> frozenset[int]:
        if file not in self._resuming:
            self._resuming[file] = resuming_lines(self._sources.of_file(file))
        return self._resuming[file]


def _move(time: Ints, state: Ints, may: Bools, resumed: Ints) -> None:
    """Move lines that may resume, and those before them, to before what was resumed; in place."""
    moving = np.flatnonzero(may)[-len(resumed) :]
    begin = 0
    for line, when in zip(moving.tolist(), resumed.tolist(), strict=False):
        time[begin : line + 1] = when
        state[begin : line + 1] = np.minimum(state[begin : line + 1], when - 1)
        begin = line + 1
