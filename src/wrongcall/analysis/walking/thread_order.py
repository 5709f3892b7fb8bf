"""The lines of a thread in the order in which they ran, one step at a time.

The runs of a thread (`runs`) tell where control was. The lines of a run's call belong to it if they are not later
than the beginning of the next run: a line begins at an event of its own call, or at the beginning of a call that it
made. When a call returns to another one that resumes a generator without an event of its own, the line is right
before that.
"""

from __future__ import annotations

from wrongcall.analysis.walking.call_lines import LinesOfCalls
from wrongcall.analysis.walking.callers import Callers
from wrongcall.analysis.walking.runs import Run, Runs
from wrongcall.analysis.walking.stops import Stop
from wrongcall.analysis.walking.threads import Threads


class ThreadOrder:
    """Finds the next and previous line of a thread."""

    def __init__(self, threads: Threads, runs: Runs, lines: LinesOfCalls, callers: Callers) -> None:
        self._threads = threads
        self._runs = runs
        self._lines = lines
        self._callers = callers

    def following(self, stop: Stop) -> Stop | None:
        """Return the line that runs next in the thread of a stop; None: there is none."""
        lines = self._lines.of(stop.call)
        index = stop.index + 1
        if stop.is_line and index < len(lines) and int(lines.time[index]) == stop.time:
            return lines.stop(index)
        begin = stop.time if stop.is_line else stop.time + 1
        return self.first_from(begin, self._threads.of(stop.call), stop)

    def first_from(self, time: int, thread: int, stop: Stop | None = None) -> Stop | None:
        """Return the first line of a thread from a time on; ``stop``: after this stop of the thread."""
        before: Run | None = None
        runs = self._runs.forward(time, thread)
        run = next(runs, None)
        if stop is None or not stop.is_line:
            # There may be a line between the last event and the next one.
            before = next(self._runs.backward(time - 1, thread), None)
        while run is not None:
            if before is not None:
                found = self._between(before, run, stop)
                if found is not None:
                    return found
            before, run = run, next(runs, None)
            found = self._in_run(before, None if run is None else run.first, time, stop)
            if found is not None:
                return found
        return self._at_the_end(before, stop)

    def _in_run(self, run: Run, end: int | None, time: int, stop: Stop | None) -> Stop | None:
        """Return the first line in a run after a stop; ``end``: when the next run begins."""
        lines = self._lines.of(run.call)
        index = lines.first_from(max(run.first, time))
        if stop is not None and run.call == stop.call:
            index = max(index, stop.index + 1)
        if index < len(lines) and (end is None or int(lines.time[index]) <= end):
            return lines.stop(index)
        return None

    def _between(self, before: Run, run: Run, stop: Stop | None) -> Stop | None:
        """Return the line of the call that a run returned to, if that resumed the next run without an event."""
        call = self._returned_to(before, run)
        if not call:
            return None
        lines = self._lines.of(call)
        index = lines.first_from(before.last + 1)
        if stop is not None and stop.call == call:
            index = max(index, stop.index + 1)
        if index < len(lines) and int(lines.time[index]) == run.first:
            return lines.stop(index)
        return None

    def _returned_to(self, before: Run, run: Run) -> int:
        """Return the call that runs between two runs, if it has no event there; 0: none."""
        if not before.leaves:
            return 0
        call = self._callers.of(before.call, before.last).call
        return 0 if call == run.call else call

    def _at_the_end(self, before: Run | None, stop: Stop | None) -> Stop | None:
        """Return a line that leaves no event because the trace ends."""
        if before is None or not before.leaves:
            return None
        call = self._callers.of(before.call, before.last).call
        if not call:
            return None
        lines = self._lines.of(call)
        index = lines.first_from(before.last + 1)
        if stop is not None and stop.call == call:
            index = max(index, stop.index + 1)
        return lines.stop(index) if index < len(lines) else None

    # -- backwards ---------------------------------------------------------------------------------

    def preceding(self, stop: Stop) -> Stop | None:
        """Return the line that ran before in the thread of a stop; None: there is none."""
        lines = self._lines.of(stop.call)
        if stop.is_line:
            index = stop.index - 1
            if index >= 0 and int(lines.time[index]) == stop.time:
                return lines.stop(index)
        end = stop.time - 1 if stop.is_line else stop.time
        return self.last_until(end, self._threads.of(stop.call), stop)

    def last_until(self, time: int, thread: int, stop: Stop | None = None) -> Stop | None:
        """Return the last line of a thread up to a time; ``stop``: before this stop of the thread."""
        limit = time if stop is None else stop.time
        after: Run | None = None
        for run in self._runs.backward(time, thread):
            if after is None and stop is not None and stop.is_line and run.call != stop.call:
                after = Run(stop.call, stop.time, stop.time, leaves=False)
            if after is not None:
                found = self._between_back(run, after, stop)
                if found is not None:
                    return found
            end = limit if after is None else after.first
            lines = self._lines.of(run.call)
            index = lines.last_until(end)
            if stop is not None and run.call == stop.call:
                index = min(index, stop.index - 1 if stop.is_line else stop.index)
            if index >= 0 and int(lines.time[index]) >= run.first:
                return lines.stop(index)
            after = run
        return None

    def _between_back(self, run: Run, after: Run, stop: Stop | None) -> Stop | None:
        call = self._returned_to(run, after)
        if not call:
            return None
        lines = self._lines.of(call)
        index = lines.last_until(after.first)
        if stop is not None and stop.call == call:
            index = min(index, stop.index - 1 if stop.is_line else stop.index)
        if index >= 0 and int(lines.time[index]) == after.first:
            return lines.stop(index)
        return None
