"""Queries with expressions: what they were at a time, or at every execution of a line."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from heapq import merge
from typing import Any

import numpy as np

from wrongcall.analysis.asking.answers import Answer, Answered, Answers
from wrongcall.analysis.asking.executions import Executions, LineExecutions, joined
from wrongcall.analysis.steps.step_reader import StepReader
from wrongcall.errors import UsageError
from wrongcall.languages.python.asked.expression import parse
from wrongcall.languages.python.enclosing_loop import enclosing_loop
from wrongcall.languages.python.sources import Sources
from wrongcall.recording.find_queries import FindQueries, FindStep, Match
from wrongcall.recording.locations import Location, locate
from wrongcall.recording.state_queries import StateQueries
from wrongcall.replay.call import Call
from wrongcall.replay.position import Positions
from wrongcall.trace.format.event_records import Ints
from wrongcall.trace.format.program_tables import Function
from wrongcall.trace.read.gc_pause import uncollected
from wrongcall.trace.read.store import Store
from wrongcall.trace.read.values import Value


@dataclass(frozen=True)
class PrintedLine:
    """What expressions were at the executions of a line."""

    location: Location
    expressions: tuple[str, ...]
    rows: tuple[Answered, ...]
    """By time."""
    total: int
    """How often the line ran."""
    undecided: int
    """Executions that were left out because the condition could not be evaluated there."""
    left_out: int | None
    """Executions that match beyond those that were asked for; None: not counted."""

    def to_columns(self) -> dict[str, list[Any]]:
        """Return the rows as columns, for pandas and polars.

        Numbers, texts and None are themselves; anything else is None: its text depends on how it is shown.
        """
        columns: dict[str, list[Any]] = {
            "call": [row.call for row in self.rows],
            "round": [row.round or None for row in self.rows],
            "time": [row.time for row in self.rows],
        }
        for number, text in enumerate(self.expressions):
            columns[text] = [_atom(row.answers[number]) for row in self.rows]
        return columns


def _atom(answer: Answer) -> Any:
    is_atom = isinstance(answer.value, int | float | complex | str | bytes)
    return answer.value if answer.is_known and is_atom else None


class AtTime:
    """The state at one time, as one call sees it."""

    def __init__(self, call: Call, time: int, line: int, queries: AskingQueries) -> None:
        self.call = call
        self.time = time
        self.line = line
        self._queries = queries

    def eval(self, expression: str) -> Answer:
        """Evaluate an expression with the call's variables."""
        return self._queries.eval(expression, self.call.id, self.time)

    @property
    def locals(self) -> dict[str, Value]:
        """The call's variables."""
        return self._queries.states.locals(self.call.id, self.time)


class AskingQueries:
    """Evaluates expressions over the recording."""

    def __init__(
        self,
        store: Store,
        states: StateQueries,
        sources: Sources,
        steps: StepReader,
        view: Callable[[int], Call],
    ) -> None:
        """``view`` returns the view of a call."""
        self._store = store
        self.states = states
        self._sources = sources
        self._view = view
        self._positions = Positions(store)
        self.lines = LineExecutions(steps.parts)
        self._answers = Answers(store, states.values, states.heap, states.variables, sources)
        found = (
            store,
            states.values,
            states.heap,
            steps.parts.calls,
            steps,
            self.lines,
            self._answers,
            view,
        )
        self._finding = FindQueries(*found)

    def find(self, search: str, *, newest: bool = False, what: str = "") -> Iterator[Match]:
        """Iterate over what a search finds (see `find_queries`), the oldest first."""
        return self._finding.find(search, newest=newest, what=what)

    def find_steps(self, search: str) -> Iterator[FindStep]:
        """Search in small steps, to do something else in between (see `FindQueries.steps`)."""
        return self._finding.steps(search)

    # -- from any time -----------------------------------------------------------------------------

    def next_execution(self, line: str, time: int, *, below: int = 0) -> int | None:
        """Return when a line runs next after a time: the time whose state it finds; None if never."""
        found = np.sort(self.executions(line, below).state)
        return _after(found, time)

    def previous_execution(self, line: str, time: int, *, below: int = 0) -> int | None:
        """Return when a line ran last before a time: the time whose state it found; None if never."""
        return _before(np.sort(self.executions(line, below).state), time)

    def next_true(self, condition: str, time: int, *, below: int = 0) -> int | None:
        """Return when a condition next becomes true after a time; None if never."""
        return _after(np.sort(self._finding.became_true(parse(condition), below).time), time)

    def previous_true(self, condition: str, time: int, *, below: int = 0) -> int | None:
        """Return when a condition last became true before a time; None if never."""
        return _before(np.sort(self._finding.became_true(parse(condition), below).time), time)

    # -- at a time ---------------------------------------------------------------------------------

    def at(self, time: int, call: int = 0) -> AtTime:
        """Return the state at a time, as the call that was running then sees it, or another one."""
        count = self._store.segments.event_count
        if not 0 <= time < count:
            raise UsageError(f"there is no time {time}: the trace has 0 to {count - 1}")
        position = self._positions.at(time)
        if not call and not position.call:
            raise UsageError(f"no call of the program was running at time {time}")
        view = self._view(call or position.call)
        return AtTime(view, time, position.line if view.id == position.call else 0, self)

    def eval(self, expression: str, call: int, time: int) -> Answer:
        """Evaluate an expression with a call's variables at a time."""
        compiled = parse(expression)
        one = Executions(*(np.array([n], dtype=np.int64) for n in (call, time, time, 0, 0)))
        (row,) = self._answers.at(self._view(call).function, one, [compiled])
        return row.answers[0]

    def truths(self, condition: str, call: int, times: Ints) -> list[bool | None]:
        """Return whether a condition held for a call at some times; None where that is not known."""
        none = np.zeros(len(times), np.int64)
        found = Executions(none + call, times, times, none, none)
        order = np.argsort(times, kind="stable")
        truths = self._answers.truths(
            self._view(call).function, found.chosen(order), parse(condition)
        )
        held: list[bool | None] = [None] * len(times)
        for at, truth in zip(order.tolist(), truths, strict=True):
            held[at] = truth
        return held

    def hold(self, condition: str, calls: Sequence[int], times: Sequence[int]) -> list[bool | None]:
        """Return whether a condition held for calls, each at a time; None where that is not known."""
        compiled = parse(condition)
        held: list[bool | None] = [None] * len(calls)
        functions: dict[int, list[int]] = {}
        for at in sorted(range(len(calls)), key=times.__getitem__):
            functions.setdefault(self._view(calls[at]).function.id, []).append(at)
        for number, places in functions.items():
            call, time = (
                np.array([each[at] for at in places], np.int64) for each in (calls, times)
            )
            none = np.zeros(len(places), np.int64)
            found = Executions(call, time, time, none, none)
            truths = self._answers.truths(self._store.program.functions[number], found, compiled)
            for at, truth in zip(places, truths, strict=True):
                held[at] = truth
        return held

    # -- at a line ---------------------------------------------------------------------------------

    def executions(self, line: str, below: int = 0) -> Executions:
        """Return every execution of a line (``prog.py:12``); ``below``: only in this call and those below it."""
        location = locate(self._store.program, line)
        return joined([self._of(f, location, below) for f in location.functions])

    def _of(self, function: Function, location: Location, below: int) -> Executions:
        loop = enclosing_loop(self._sources.of_file(location.file.id), location.line)
        return self.lines.of(function, location.line, loop, below)

    def some_executions(
        self, line: str, expressions: Sequence[str], which: slice, *, below: int = 0
    ) -> tuple[Executions, list[Answered]]:
        """Return every execution of a line, and what expressions were at some of them, right before it ran."""
        location = locate(self._store.program, line)
        compiled = [parse(text) for text in expressions]
        found = [(f, self._of(f, location, below)) for f in location.functions]
        every = joined([each for _, each in found])
        times = every.time[which]
        rows = merge(
            *(
                self._answers.at(f, each.chosen(np.isin(each.time, times)), compiled)
                for f, each in found
            ),
            key=lambda row: row.time,
        )
        with uncollected():
            return every, list(rows)

    def print(
        self,
        line: str,
        expressions: Sequence[str],
        *,
        where: str = "",
        first: int | None = None,
        last: int | None = None,
        below: int = 0,
    ) -> PrintedLine:
        """Evaluate expressions at every execution of a line (``prog.py:12``), right before it runs.

        ``where``: only where this is true; ``first``, ``last``: only the first or last ones; ``below``: only in this
        call and those below it.
        """
        location = locate(self._store.program, line)
        compiled = [parse(text) for text in expressions]
        condition = parse(where) if where else None
        found = [(f, self._of(f, location, below)) for f in location.functions]
        total = sum(len(each.time) for _, each in found)
        if condition is None:
            found = [(f, _limited(each, first, last)) for f, each in found]
        rows = merge(
            *(self._answers.at(f, each, compiled, condition) for f, each in found),
            key=lambda row: row.time,
        )
        with uncollected():
            kept, undecided, matching = _collected(rows, first, last)
        left_out: int | None = (total if condition is None else matching) - len(kept)
        if condition is not None and first is not None and len(kept) == first:
            left_out = None
        return PrintedLine(location, tuple(expressions), tuple(kept), total, undecided, left_out)


def _after(times: Ints, time: int) -> int | None:
    at = int(np.searchsorted(times, time, "right"))
    return int(times[at]) if at < len(times) else None


def _before(times: Ints, time: int) -> int | None:
    at = int(np.searchsorted(times, time)) - 1
    return int(times[at]) if at >= 0 else None


def _collected(
    rows: Iterable[Answered], first: int | None, last: int | None
) -> tuple[Sequence[Answered], int, int]:
    """Return the first or last rows that match, how many are undecided, and how many match."""
    kept: deque[Answered] = deque(maxlen=None if first is not None else last)
    undecided = matching = 0
    for row in rows if first != 0 else ():
        if row.is_undecided:
            undecided += 1
            continue
        matching += 1
        kept.append(row)
        if matching == first:
            break
    return kept, undecided, matching


def _limited(found: Executions, first: int | None, last: int | None) -> Executions:
    if first is not None:
        return found.chosen(slice(0, first))
    if last is not None:
        return found.chosen(slice(max(len(found.time) - last, 0), None))
    return found
