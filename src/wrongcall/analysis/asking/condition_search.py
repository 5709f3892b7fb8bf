"""Search for the times at which a condition on the program's variables becomes true.

It is evaluated right before every line of the functions that have these variables, and at the end of their calls. It
*becomes* true at a line if it is true there and was not at the line before, in the same call.
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
        parts = [
            self._in_function(function, condition, below) for function in self._functions(condition)
        ]
        empty = np.empty(0, np.int64)
        columns = zip(BecameTrue(empty, empty, empty), *parts, strict=True)
        found = BecameTrue(*(np.concatenate(column) for column in columns))
        order = np.argsort(found.time, kind="stable")
        return BecameTrue(*(column[order] for column in found))

    def _in_function(self, function: Function, condition: Expression, below: int) -> BecameTrue:
        found = self._with_ends(self._lines.of(function, 0, None, below))
        order = np.lexsort((found.state, found.call))
        ranked = found.chosen(order)
        by_time = np.argsort(ranked.state, kind="stable")
        truths = self._answers.truths(function, ranked.chosen(by_time), condition)
        holds = np.zeros(len(order), np.bool_)
        holds[by_time] = [truth is True for truth in truths]
        is_first = np.diff(ranked.call, prepend=-1) != 0
        before = np.append(False, holds[:-1])[: len(holds)] & ~is_first
        which = np.flatnonzero(holds & ~before)
        return BecameTrue(ranked.call[which], ranked.state[which], ranked.line[which])

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
