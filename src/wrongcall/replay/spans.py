"""The events during a call that count as its own.

These are its own events and those of the calls below it in the tree: the calls that it made, and the generators and
coroutines that it created. In a program with one thread, a plain function runs from its entry to its exit without
interruption, unless it asks an older generator for values. A generator or coroutine is suspended and resumed, and
threads take turns: then each event's call decides.

Vocabulary: the *span* of a call is the times from its entry to its exit; for a call that is not completed, to the end
of the trace.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from wrongcall.events import Kind
from wrongcall.trace.format.event_records import Bools, Ints, call_ids
from wrongcall.trace.read.call_table import CallTable
from wrongcall.trace.read.store import Store

SUSPENDED = frozenset({"generator", "coroutine", "async generator"})
"""Functions that can be suspended."""
MAX_FLAGS = 1 << 26
"""Up to this many calls, a family has a flag for each of them: much faster than searching."""


class Spans:
    """Finds the events of calls and of everything below them."""

    def __init__(self, store: Store, calls: CallTable) -> None:
        self._store = store
        self._calls = calls
        self._suspending = (0, False)
        self._latest: tuple[tuple[int, ...], Family | None] = ((), None)

    def between(
        self, first: int, last: int, family: Family | None, kinds: Bools | None = None
    ) -> Iterator[tuple[int, Ints]]:
        """Iterate over the events of a family (None: all) in a span of times, the last included.

        ``kinds``: those of interest; a segment without any of them may be skipped.
        """
        wanted = None if kinds is None else np.packbits(kinds, bitorder="little")
        for number, part in self._store.segments.parts(first, last + 1):
            if wanted is not None and not (self._store.segments.index.kinds[number] & wanted).any():
                continue
            where = np.arange(part.start, part.stop)
            if family is not None:
                where = where[family.includes(self._call_ids(number)[part])]
            yield number, where

    def span(self, call: int, until: int = 0) -> tuple[int, int]:
        """Return the first and the last time of a call, or of all calls up to a later one."""
        first, last = self._calls.span(call)
        return first, max(last, self._calls.span(until)[1]) if until else last

    def _shared(self, call: int, until: int) -> bool:
        """Return whether others run during the span of a call, or of all calls up to a later one."""
        if len(self._store.program.threads) > 1:
            return True
        if any(self._kind(member) in SUSPENDED for member in (call, until or call)):
            return True
        return self.can_suspend() and self._resumes_others(call, until)

    def _kind(self, call: int) -> str:
        return self._store.program.functions[self._calls.begun(call).function].kind

    def can_suspend(self) -> bool:
        """Return whether any function of the program can be suspended."""
        functions = self._store.program.functions
        if self._suspending[0] != functions.last:
            some = any(function.kind in SUSPENDED for function in functions.values())
            self._suspending = (functions.last, some)
        return self._suspending[1]

    def _resumes_others(self, call: int, until: int) -> bool:
        """Return whether a generator that is older than a call runs in its span."""
        first, last = self.span(call, until)
        # Between the members of a group, their caller runs; it writes only to its variables.
        caller = self._calls.begun(call).parent if until else 0
        segments = self._store.segments
        for number, part in segments.parts(first, last + 1):
            if segments.index.min_call[number] >= call:
                continue
            calls = self._call_ids(number)[part]
            where = np.flatnonzero((calls > 0) & (calls < call) & (calls != caller)) + part.start
            if (segments.fields(number, "kind", where) != Kind.DROP).any():
                return True
        return False

    def _call_ids(self, number: int) -> Ints:
        column = self._store.segments.column
        return call_ids({name: column(number, name) for name in ("call", "hi")})

    def family(self, call: int, until: int = 0) -> Family | None:
        """Return which calls count in the span of a call, or None if all do."""
        key = (self._store.segments.event_count, call, until)
        if self._latest[0] != key:
            self._latest = (key, self._family(call, until))
        return self._latest[1]

    def _family(self, call: int, until: int) -> Family | None:
        if not self._shared(call, until):
            return None
        ids, parents = self._calls.begun_between(*self.span(call, until))
        tops = np.array([call])
        if until:
            tops = ids[(parents == self._calls.begun(call).parent) & (ids <= until)]
        return Family(ids[below(tops, ids, parents)])


class Family:
    """Calls and everything below them, as a lookup table."""

    def __init__(self, members: Ints) -> None:
        """``members``: in ascending order."""
        self._members = members
        self._first = int(members[0]) if len(members) else 0
        self._flags: Bools | None = None
        size = int(members[-1]) - self._first + 1 if len(members) else 0
        if size <= MAX_FLAGS:
            # One more at each end, for all other calls.
            self._flags = np.zeros(size + 2, np.bool_)
            self._flags[members - (self._first - 1)] = True

    def includes(self, calls: Ints) -> Bools:
        """Return which of these calls count; first sights, which have no call, do not."""
        if self._flags is None:
            return self._searched(calls)
        found: Bools = self._flags.take(calls - (self._first - 1), mode="clip")
        return found

    def _searched(self, calls: Ints) -> Bools:
        rows = np.searchsorted(self._members, calls)
        rows[rows == len(self._members)] = 0
        found: Bools = self._members[rows] == calls
        return found


def below(call: int | Ints, ids: Ints, parents: Ints) -> Bools:
    """Return which calls are this one (or one of these) or below; ids rise, parents come first."""
    rows = np.searchsorted(ids, parents)
    rows[rows == len(ids)] = 0
    inside = ids[rows] == parents if len(ids) else np.zeros(0, dtype=np.bool_)
    member: Bools = np.isin(ids, call) | np.isin(parents, call)
    # Each round takes over the parent's answer and then jumps twice as far up.
    up = np.where(inside, rows, np.arange(len(ids)))
    while True:
        grown = member | member[up]
        further = up[up]
        if np.array_equal(further, up) and np.array_equal(grown, member):
            return grown
        member, up = grown, further
