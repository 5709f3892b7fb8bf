"""What happened while a call ran: the events that count as its own doing.

A plain function runs from its entry to its exit, and everything that happens in its thread
meanwhile is its doing or that of what it called, generators it drove included. A generator or
coroutine is left and resumed: of what happens between its creation and its end only its own events and
those of calls below it count.

Vocabulary: the *span* of a call are the times from its entry to its exit; for a call that is not
completed, to the end of the trace.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from wrongcall.trace.calls import CallTable
from wrongcall.trace.records import Bools, Ints, call_ids
from wrongcall.trace.store import Store

SUSPENDED = frozenset({"generator", "coroutine", "async generator"})
"""Functions that are left before they are done."""


class Spans:
    """Finds the events of calls with all that is below them."""

    def __init__(self, store: Store, calls: CallTable) -> None:
        self._store = store
        self._calls = calls

    def parts(self, call: int, until: int = 0) -> Iterator[tuple[int, Ints]]:
        """Go through the span of a call: a segment, and the indices of the events that count.

        ``until``: a later call of the same caller; the span is that of both and what is between.
        """
        first, last = self.span(call, until)
        return self.between(first, last, self.family(call, until))

    def between(
        self, first: int, last: int, family: Family | None, kinds: Bools | None = None
    ) -> Iterator[tuple[int, Ints]]:
        """Go through the events of a family, None: all, in a span of times, the last included.

        ``kinds``: those of interest; a segment that has none of them may be left out.
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
        """Return the first and the last time of a call, or of all up to a later one."""
        first, last = self._calls.span(call)
        return first, max(last, self._calls.span(until)[1]) if until else last

    def shared(self, call: int) -> bool:
        """Return whether others may run during the span of a call."""
        program = self._store.program
        kind = program.functions[self._calls.begun(call).function].kind
        return kind in SUSPENDED or len(program.threads) > 1

    def _call_ids(self, number: int) -> Ints:
        column = self._store.segments.column
        return call_ids({name: column(number, name) for name in ("call", "hi")})

    def family(self, call: int, until: int = 0) -> Family | None:
        """Return which calls count in the span of a call, None if all do."""
        if not self.shared(call):
            return None
        first, last = self.span(call, until)
        function = self._store.program.functions[self._calls.begun(call).function]
        ids, parents = self._calls.begun_between(first, last)
        if function.kind in SUSPENDED:
            siblings = ids[(parents == self._calls.begun(call).parent) & (ids <= (until or call))]
            return Family(ids, below(siblings, ids, parents))
        thread = self._thread(call)
        return Family(ids, self._in_thread(ids, parents, thread), self._thread, thread)

    def _in_thread(self, ids: Ints, parents: Ints, thread: int) -> Bools:
        """Return which calls began in a thread: those of a thread hang from the same calls."""
        member = np.zeros(len(ids), dtype=np.bool_)
        outside = ~np.isin(parents, ids)
        for root in ids[outside].tolist():
            if self._thread(root) == thread:
                member |= below(root, ids, parents)
        return member

    def _thread(self, call: int) -> int:
        return self._calls.event(self._calls.begun(call).entry, "key")[0] >> 32


class Family:
    """A call and others, as a table to look calls up in."""

    def __init__(
        self,
        ids: Ints,
        member: Bools,
        thread_of: Callable[[int], int] | None = None,
        thread: int = 0,
    ) -> None:
        self._ids = ids
        self._member = member
        self._thread_of = thread_of
        self._thread = thread

    def includes(self, calls: Ints) -> Bools:
        """Return which of these calls count; first sights, which have no call, do not."""
        rows = np.searchsorted(self._ids, calls)
        rows[rows == len(self._ids)] = 0
        found: Bools = (self._ids[rows] == calls) & self._member[rows]
        if self._thread_of is not None:
            # Older calls that run meanwhile in the same thread are generators that it drives.
            older = np.unique(calls[(calls < self._ids[0]) & (calls > 0)]).tolist()
            driven = [call for call in older if self._thread_of(call) == self._thread]
            found |= np.isin(calls, driven)
        return found


def below(call: int | Ints, ids: Ints, parents: Ints) -> Bools:
    """Return which calls are this one (or one of these) or below; ids rise, parents come first."""
    rows = np.searchsorted(ids, parents)
    rows[rows == len(ids)] = 0
    inside = ids[rows] == parents if len(ids) else np.zeros(0, dtype=np.bool_)
    member: Bools = np.isin(ids, call) | np.isin(parents, call)
    # Each round asks the parent's answer and then jumps twice as far up.
    up = np.where(inside, rows, np.arange(len(ids)))
    while True:
        grown = member | member[up]
        further = up[up]
        if np.array_equal(further, up) and np.array_equal(grown, member):
            return grown
        member, up = grown, further
