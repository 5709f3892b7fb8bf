"""Where calls were that had not ended when the trace did: killed, or left behind at exit.

A function that had not ended was still running. A generator or coroutine may have been suspended, or never begun: its
last event shows which. The line is that of its own last event, or of the call it was waiting for; statements after that
one leave no event until something is written, called or another block is entered.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

import numpy as np

from wrongcall.events import Kind
from wrongcall.replay.call import Call
from wrongcall.replay.spans import SUSPENDED
from wrongcall.trace.read.call_table import CallTable, Outcome
from wrongcall.trace.read.store import Store


class Pause(Enum):
    """What a call was doing when the trace ended."""

    RUNNING = "running"
    SUSPENDED = "suspended"  # at a yield
    # a generator or coroutine that was created and never asked for a value
    NOT_STARTED = "not started"
    UNKNOWN = "unknown"  # a generator or coroutine that ran, or waited for another one


@dataclass(frozen=True)
class Stopped:
    """Where a call was when the trace ended."""

    pause: Pause
    line: int
    """The line at which it was last seen; 0 if that is not known."""
    inner: int
    """The call that it was waiting for, which had not ended either; 0 if none."""


class Stopping:
    """Finds where unfinished calls were."""

    def __init__(self, store: Store, calls: CallTable) -> None:
        self._store = store
        self._calls = calls

    def of(self, call: Call) -> Stopped | None:
        """Return where a call was, or None if it has ended."""
        if call.outcome != Outcome.NONE:
            return None
        kind, line = self._last_event(call.id)
        pause = self._pause(call, kind)
        inner = self._inner(call) if pause is Pause.RUNNING else None
        if inner is not None and inner.caller_line:
            line = inner.caller_line
        return Stopped(pause, line, inner.id if inner is not None else 0)

    def _pause(self, call: Call, last_kind: int) -> Pause:
        if call.function.kind not in SUSPENDED:
            return Pause.RUNNING
        if (
            next(self._store.segments.find({Kind.START}, call=call.id, first=call.entry), None)
            is None
        ):
            return Pause.NOT_STARTED
        return Pause.SUSPENDED if last_kind == Kind.YIELD else Pause.UNKNOWN

    def _last_event(self, call: int) -> tuple[int, int]:
        """Return the kind of a call's last event, and the last line known from its events."""
        first, last = self._calls.span(call)
        kind = 0
        parts = self._store.segments.find(call=call, first=first, last=last + 1, backward=True)
        for number, where in parts:
            kinds, sites = (self._store.segments.fields(number, n, where) for n in ("kind", "site"))
            kind = kind or int(kinds[-1])
            known = np.flatnonzero(sites)
            if len(known):
                return kind, self._store.program.line(int(sites[known[-1]]))
        return kind, 0

    def _inner(self, call: Call) -> Call | None:
        """Return the unfinished call to a function that a running call had made."""
        columns = self._calls.columns()
        rows = np.flatnonzero((columns.parent == call.id) & (columns.exit < 0))
        for number in reversed(columns.id[rows].tolist()):
            made = call.other(number)
            if made.function.kind not in SUSPENDED and made.thread == call.thread:
                return made
        return None
