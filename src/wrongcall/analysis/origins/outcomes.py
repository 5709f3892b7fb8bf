"""The outcomes of tests in a call: when a test was last evaluated, and how it came out.

Tests leave no events of their own. Entering a block shows which tests led there (`control_flow`), so a test was
evaluated right before the block that it led to was entered. A long call is read in windows.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import NamedTuple

import numpy as np

from wrongcall.analysis.flow.block_entries import Execution
from wrongcall.analysis.flow.call_events import call_events
from wrongcall.analysis.flow.control_flow import Flow
from wrongcall.analysis.flow.entries import ways
from wrongcall.trace.format.event_records import Ints
from wrongcall.trace.format.program_tables import Function
from wrongcall.trace.read.call_table import CallTable
from wrongcall.trace.read.store import Store

WINDOW_EVENTS = 1 << 16
"""Events of the trace that are read at once."""
_WINDOWS_KEPT = 16
_AROUND = 2
"""Entries at the beginning of a window that depend on what is before it."""


class Evaluation(NamedTuple):
    """One evaluation of a test."""

    time: int
    """The time before which it had been evaluated: nothing that it led to has happened."""
    taken: bool


class _Window(NamedTuple):
    times: Ints
    """When blocks were entered."""
    which: Ints
    passed: list[dict[int, bool]]
    """For each number in ``which``: the outcomes of tests that led there, by line."""
    is_first: bool


class Outcomes:
    """Finds the outcomes of tests."""

    def __init__(self, store: Store, calls: CallTable, execution: Execution, flow: Flow) -> None:
        self._store = store
        self._calls = calls
        self._execution = execution
        self._flow = flow
        self._windows: OrderedDict[tuple[int, int, int], _Window] = OrderedDict()

    def last(self, call: int, line: int, time: int, after: int = -1) -> Evaluation | None:
        """Return how the test at a line came out last before a time, in a call; None if it was not evaluated.

        ``after``: only later than this time.
        """
        first, end = self._calls.span(call)
        stop = min(time, end)
        first = max(first, after)
        begin = self._calls.span(call)[0]
        number = (stop - begin) // WINDOW_EVENTS
        while number >= 0 and begin + (number + 1) * WINDOW_EVENTS > first:
            found = self._in_window(call, begin, number, line, stop, after)
            if found is not None:
                return found
            number -= 1
        return None

    def _in_window(
        self, call: int, begin: int, number: int, line: int, stop: int, after: int
    ) -> Evaluation | None:
        window = self._window(call, begin, number)
        wanted = np.array([line in passed for passed in window.passed], dtype=np.bool_)
        if not wanted.any():
            return None
        kept = wanted[window.which] & (window.times <= stop) & (window.times > after)
        if not window.is_first:
            kept[:_AROUND] = False
        found = np.flatnonzero(kept)
        if not len(found):
            return None
        at = int(found[-1])
        return Evaluation(int(window.times[at]) - 1, window.passed[int(window.which[at])][line])

    def _window(self, call: int, begin: int, number: int) -> _Window:
        """Return a part of a call, with some of what is before it."""
        last = self._calls.span(call)[1]
        key = (call, number, last)
        known = self._windows.get(key)
        if known is not None:
            self._windows.move_to_end(key)
            return known
        first = begin + number * WINDOW_EVENTS
        stop = min(first + WINDOW_EVENTS - 1, last)
        before = max(first - WINDOW_EVENTS // 4, begin)
        events = call_events(self._store, self._calls, call, (before, stop))
        entries = self._execution.entries(call, events, is_end=stop >= last)
        which, told = ways(self._function(call), self._flow, entries)
        passed = [{p.line: p.taken for p in t.passed if p.taken is not None} for t in told]
        found = _Window(entries.time, which, passed, before == begin)
        self._windows[key] = found
        if len(self._windows) > _WINDOWS_KEPT:
            self._windows.popitem(last=False)
        return found

    def _function(self, call: int) -> Function:
        return self._store.program.functions[self._calls.begun(call).function]
