"""Who was waiting for a call at a time: the stack, as it was.

A function was called by its parent in the tree. A generator is resumed by whoever asks it for a value, which need not
be the call that created it: that one is found among the events before. A coroutine counts as called by the call that
created it, which usually awaits it; the event loop is in between.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from wrongcall.analysis.walking.call_lines import LinesOfCalls
from wrongcall.analysis.walking.runs import Runs
from wrongcall.analysis.walking.stops import Stop
from wrongcall.analysis.walking.threads import Threads
from wrongcall.replay.spans import SUSPENDED
from wrongcall.trace.read.call_table import CallTable
from wrongcall.trace.read.store import Store

MAX_RUNS = 2000
"""Runs of events to examine for who resumed a generator; beyond that, the call that created it is shown."""
_GENERATOR = "generator"


class Caller(NamedTuple):
    """The call that another one returns or yields to, and where it is."""

    call: int
    """0: there is none, or it was not recorded."""
    line: int
    """0: not known."""
    time: int
    """Its last event before it called or resumed the other one, or the beginning of that."""
    begin: int
    """The first event of the other one, from then on."""
    is_creator: bool = False
    """It created the generator or coroutine; whether it resumed it is not known."""


class Callers:
    """Finds callers."""

    def __init__(
        self, store: Store, calls: CallTable, threads: Threads, runs: Runs, lines: LinesOfCalls
    ) -> None:
        self._store = store
        self._calls = calls
        self._threads = threads
        self._runs = runs
        self._lines = lines

    def kind(self, call: int) -> str:
        """Return the kind of a call's function."""
        return self._store.program.functions[self._calls.begun(call).function].kind

    def is_suspended_kind(self, call: int) -> bool:
        """Return whether a call is the life of a generator or coroutine."""
        return self.kind(call) in SUSPENDED

    def of(self, call: int, time: int) -> Caller:
        """Return the caller of a call that is running at a time."""
        if self.kind(call) == _GENERATOR:
            found = self._resumer(call, time)
            if found is not None:
                return found
        return self._parent(call)

    def stack(self, stop: Stop) -> Iterator[Caller]:
        """Iterate over the calls at a stop, the innermost first; the first is the stop's own."""
        frame = Caller(stop.call, stop.line, stop.happened, stop.time)
        seen: set[int] = set()
        while frame.call and frame.call not in seen:
            seen.add(frame.call)
            yield frame
            frame = self.of(frame.call, frame.time)

    def _parent(self, call: int) -> Caller:
        begun = self._calls.begun(call)
        if not begun.parent:
            return Caller(0, 0, begun.entry, begun.entry)
        site = self._calls.event(begun.entry, "key")[0] & 0xFFFFFFFF
        line = self._store.program.line(site) or self._line_at(begun.parent, begun.entry)
        is_creator = self.is_suspended_kind(call)
        return Caller(begun.parent, line, begun.entry, begun.entry, is_creator)

    def _line_at(self, call: int, time: int) -> int:
        lines = self._lines.of(call)
        index = lines.last_until(time)
        return int(lines.line[index]) if index >= 0 else 0

    def _resumer(self, call: int, time: int) -> Caller | None:
        """Return who asked a generator for a value; None: that takes too long to find out."""
        passed, begin = {call}, time
        for count, run in enumerate(self._runs.backward(time, self._threads.of(call))):
            if count == MAX_RUNS:
                return None
            if self._is_below(run.call, passed):
                begin = run.first if run.call == call else begin
                continue
            if not run.leaves:
                return Caller(run.call, self._line_at(run.call, begin), run.last, begin)
            passed.add(run.call)
            if not self.is_suspended_kind(run.call):
                parent = self._calls.begun(run.call).parent
                if not parent:
                    return None
                if not self._is_below(parent, passed):
                    return Caller(parent, self._line_at(parent, begin), run.last, begin)
        return None

    def _is_below(self, call: int, tops: set[int]) -> bool:
        """Return whether a call is one of these, or was made by one."""
        least = min(tops)
        while call not in tops and call > least:
            call = self._calls.begun(call).parent
        return call in tops
