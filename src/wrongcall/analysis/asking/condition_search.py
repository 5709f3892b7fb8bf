"""Search for the times at which a condition on the program's variables becomes true.

It is evaluated right before every line of the functions that have these variables, and at the end of their calls. It
*becomes* true at a line if it is true there and was not at the line before, in the same call.

As what happens in one call says nothing about another, calls are searched in *batches*, the first ones small: whoever
asks for `steps` gets the first times early, can stop in between, and knows how far the search is.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from wrongcall.analysis.asking.answers import Answers
from wrongcall.analysis.asking.executions import Executions, LineExecutions, joined
from wrongcall.errors import UsageError
from wrongcall.events import Scope
from wrongcall.languages.python.asked.expression import Expression
from wrongcall.languages.python.asked.pure_calls import FUNCTIONS
from wrongcall.trace.format.event_records import Ints, distinct
from wrongcall.trace.format.program_tables import Function
from wrongcall.trace.read.call_table import CallTable
from wrongcall.trace.read.store import Store

AT_THE_END = 0
"""Used as a line: the end of a call."""
FIRST_BATCH = 128
"""Calls in the first batch; each batch has twice as many as the one before."""
LARGEST_BATCH = 8192
BATCH_EVENTS = 1 << 16
"""A batch ends with the call that exceeds this many events, in all of its calls together."""
_PER_STEP = 128
"""Executions to evaluate before the search can be interrupted."""


class SearchStep(NamedTuple):
    """What a part of a search has found, and how far the search is."""

    found: tuple[tuple[int, int, int], ...]
    """Call, time and line, as in `BecameTrue`."""
    done: float
    """From 0 to 1."""


class BecameTrue(NamedTuple):
    """The times at which a condition became true, as columns."""

    call: Ints
    time: Ints
    """The state at this time satisfies it."""
    line: Ints
    """The line that is about to run; `AT_THE_END`: none, the call has ended."""


class ConditionSearch:
    """Finds when conditions become true."""

    def __init__(
        self, store: Store, calls: CallTable, lines: LineExecutions, answers: Answers
    ) -> None:
        self._store = store
        self._program = store.program
        self._calls = calls
        self._lines = lines
        self._answers = answers

    def of(self, condition: Expression, below: int = 0) -> BecameTrue:
        """Return when a condition became true, by time; ``below``: only in this call and those below it."""
        found = [row for step in self._all(condition, below) for row in step.found]
        table = np.array(found, dtype=np.int64).reshape(-1, 3)
        return BecameTrue(*table[np.lexsort((table[:, 2], table[:, 0], table[:, 1]))].T)

    def steps(self, condition: Expression) -> Iterator[SearchStep]:
        """Iterate over when a condition became true, bit by bit: by function, then by time."""
        functions = list(self._functions(condition))
        batches = [(f, calls) for f in functions for calls in self._batches(f)]
        every, before = max(sum(len(calls) for _, calls in batches), 1), 0
        for function, calls in batches:
            yield SearchStep((), before / every)
            for step in self._in_calls(function, condition, calls):
                yield step._replace(done=(before + step.done * len(calls)) / every)
            before += len(calls)

    def _all(self, condition: Expression, below: int) -> Iterator[SearchStep]:
        for function in self._functions(condition):
            yield from self._in_calls(function, condition, self._lines.calls_of(function, below))

    def _batches(self, function: Function) -> Iterator[Ints]:
        calls, size, first = self._lines.calls_of(function), FIRST_BATCH, 0
        columns = self._calls.columns()
        rows = np.searchsorted(columns.id, calls)
        lasts = np.where(
            columns.exit[rows] < 0, self._store.segments.event_count, columns.exit[rows]
        )
        events = np.concatenate([[0], np.cumsum(lasts - columns.entry[rows])])
        while first < len(calls):
            enough = int(np.searchsorted(events, events[first] + BATCH_EVENTS))
            end = min(first + size, max(enough, first + 1))
            yield calls[first:end]
            first, size = end, min(2 * size, LARGEST_BATCH)

    def _in_calls(
        self, function: Function, condition: Expression, calls: Ints
    ) -> Iterator[SearchStep]:
        found = self._with_ends(self._lines.in_calls(function, calls, 0, None))
        order = np.lexsort((found.call, found.state))
        ranked = found.chosen(order)
        rows = zip(ranked.call.tolist(), ranked.state.tolist(), ranked.line.tolist(), strict=True)
        truths = self._answers.truths(function, ranked, condition)
        held: set[int] = set()
        """The calls in which it was true at the line before."""
        became: list[tuple[int, int, int]] = []
        for number, (row, truth) in enumerate(zip(rows, truths, strict=True), start=1):
            if truth and row[0] not in held:
                became.append(row)
            (held.add if truth else held.discard)(row[0])
            if number % _PER_STEP == 0:
                yield SearchStep(tuple(became), number / len(order))
                became = []
        yield SearchStep(tuple(became), 1.0)

    def _with_ends(self, found: Executions) -> Executions:
        """Add the ends of the calls."""
        calls = np.array(distinct(found.call), dtype=np.int64)
        columns = self._calls.columns()
        exits = columns.exit[np.searchsorted(columns.id, calls)]
        lasts = np.where(exits < 0, self._store.segments.event_count - 1, exits)
        none = np.zeros(len(calls), np.int64)
        return joined([found, Executions(calls, lasts, lasts, none, none + AT_THE_END)])

    def _functions(self, condition: Expression) -> Iterator[Function]:
        """Iterate over the functions whose calls have the variables of a condition."""
        names = {name for name in condition.names if name not in FUNCTIONS}
        if not names:
            raise UsageError(f"{condition.text!r} has no variable of the program")
        functions = [f for f in self._program.functions.values() if f.kind != "class"]
        own = [f for f in functions if f.kind != "module" and names & _own(f)]
        if own:
            yield from (f for f in own if names <= _own(f) | self._globals(f))
            return
        found = [f for f in functions if names <= self._globals(f)]
        if not found:
            listed = ", ".join(sorted(names))
            raise UsageError(f"no function and no module of the program has the variables {listed}")
        yield from found

    def _globals(self, function: Function) -> set[str]:
        """Return the global variables of a function's module that are written somewhere in it."""
        functions = self._program.functions
        return {
            site.name
            for site in self._program.sites.values()
            if site.scope == Scope.GLOBAL
            and site.name
            and functions[site.function].file == function.file
        }


def _own(function: Function) -> set[str]:
    return {*function.locals, *function.params, *function.free}
