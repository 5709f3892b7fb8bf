"""Search a recording: for values that were written or returned, exceptions, output, and conditions.

A search is a text: ``raised KeyError``, ``printed /total: \\d+/``, or an expression. In an expression, ``value`` stands
for whatever was written to a variable, attribute or element, or returned by a call: ``value == -1``. Without it, the
expression is about variables of the program, and found where it becomes true: ``len(xs) > 100``.
"""

from __future__ import annotations

import builtins
import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from wrongcall.analysis.asking.answers import Answers
from wrongcall.analysis.asking.condition_search import BecameTrue, ConditionSearch
from wrongcall.analysis.asking.executions import LineExecutions
from wrongcall.analysis.asking.value_search import RETURNS, VALUE, WRITES, ValueSearch
from wrongcall.analysis.steps.step_reader import StepReader
from wrongcall.analysis.steps.steps import NUMBERS, StepColumns, StepKind
from wrongcall.errors import UsageError
from wrongcall.events import Kind
from wrongcall.languages.python.asked.expression import Expression, parse
from wrongcall.replay.call import Call
from wrongcall.replay.heap import Heap
from wrongcall.replay.position import Positions
from wrongcall.trace.format.event_records import Ints, call_ids
from wrongcall.trace.format.selection import Found
from wrongcall.trace.read.call_table import CallTable, Outcome
from wrongcall.trace.read.store import Store
from wrongcall.trace.read.values import UNSET, Clipped, Ref, Value, Values

_RAISED = re.compile(r"raised(?:\s+(?P<name>[\w.]+))?")
_PRINTED = re.compile(r"printed\s+/(?P<pattern>.*)/", re.DOTALL)
_TOGETHER = 256
"""Matches to make at once."""


class Match(NamedTuple):
    """Something that was found."""

    kind: str
    """returned, wrote, raised, printed or became true."""
    time: int
    call: int
    line: int
    """0: not known, or the end of a call."""
    place: str = ""
    """What was written to."""
    value: Value = UNSET
    text: str = ""
    """What was printed."""


class FindStep(NamedTuple):
    """What a part of a search has found, and how far the search is."""

    found: tuple[Match, ...]
    done: float
    """From 0 to 1."""


class FindQueries:
    """Searches the whole recording."""

    def __init__(
        self,
        store: Store,
        values: Values,
        heap: Heap,
        table: CallTable,
        steps: StepReader,
        lines: LineExecutions,
        answers: Answers,
        view: Callable[[int], Call],
    ) -> None:
        """``view`` returns the view of a call."""
        self._store = store
        self._values = values
        self._heap = heap
        self._table = table
        self._steps = steps
        self._view = view
        self._positions = Positions(store)
        self._search = ValueSearch(store, values, answers)
        self._conditions = ConditionSearch(store, table, lines, answers)

    def find(self, text: str, *, newest: bool = False, what: str = "") -> Iterator[Match]:
        """Iterate over what a search finds, the oldest first; ``newest``: the newest first.

        ``what``: only ``calls`` or only ``writes``, in a search for values.
        """
        raised = _RAISED.fullmatch(text.strip())
        if raised:
            return self._raised(raised["name"] or "", newest)
        printed = _PRINTED.fullmatch(text.strip())
        if printed:
            return self._printed(printed["pattern"], newest)
        condition = parse(text)
        if VALUE in condition.names:
            return self._values_found(condition, newest, what)
        found = self.became_true(condition)
        rows = zip(*(column.tolist() for column in found), strict=True)
        matches = [_became_true(row) for row in rows]
        return iter(matches[::-1] if newest else matches)

    def steps(self, text: str) -> Iterator[FindStep]:
        """Search in small steps, so that the caller can do something else in between.

        It finds the same as `find`; times at which a condition becomes true come function by function.
        """
        raised, printed = _RAISED.fullmatch(text.strip()), _PRINTED.fullmatch(text.strip())
        if raised:
            yield from (
                FindStep((match,), 0.0) for match in self._raised(raised["name"] or "", False)
            )
            yield FindStep((), 1.0)
        elif printed:
            yield from self._printed_steps(printed["pattern"])
        else:
            condition = parse(text)
            is_value = VALUE in condition.names
            yield from (self._value_steps if is_value else self._condition_steps)(condition)

    def _condition_steps(self, condition: Expression) -> Iterator[FindStep]:
        for step in self._conditions.steps(condition):
            yield FindStep(tuple(map(_became_true, step.found)), step.done)

    def _value_steps(self, condition: Expression) -> Iterator[FindStep]:
        _check_value_alone(condition)
        for times, done in self._search.steps(condition, WRITES | RETURNS):
            for first in range(0, len(times), _TOGETHER):
                yield FindStep(tuple(self._made(times[first : first + _TOGETHER])), done)
            yield FindStep((), done)

    def became_true(self, condition: Expression, below: int = 0) -> BecameTrue:
        """Return when a condition on variables of the program became true."""
        return self._conditions.of(condition, below)

    # -- values ------------------------------------------------------------------------------------

    def _values_found(self, condition: Expression, newest: bool, what: str) -> Iterator[Match]:
        _check_value_alone(condition)
        kinds = {"": WRITES | RETURNS, "calls": RETURNS, "writes": WRITES}[what]
        for times in self._search.times(condition, kinds, newest):
            for first in range(0, len(times), _TOGETHER):
                yield from self._made(times[first : first + _TOGETHER])

    def _made(self, times: Ints) -> Iterator[Match]:
        """Describe events that return or write values, in their order."""
        order = np.argsort(times)
        kinds, sites, calls, hi = self._store.segments.columns_at(
            times[order], "kind", "site", "call", "hi"
        )
        numbers = np.where(kinds == Kind.RETURN, NUMBERS[StepKind.RETURN], NUMBERS[StepKind.WRITE])
        line = self._store.program.line
        lines = np.array([line(site) for site in sites.tolist()], dtype=np.int32)
        none = np.zeros(len(times), np.bool_)
        columns = StepColumns(times[order], numbers.astype(np.uint8), lines, none)
        made = zip(
            self._steps.steps(columns), call_ids({"call": calls, "hi": hi}).tolist(), strict=True
        )
        found = {step.time: (step, call) for step, call in made}
        for time in times.tolist():
            step, call = found[time]
            if step.kind is not StepKind.RETURN:
                yield Match("wrote", time, call, step.line, step.place, step.value)
            elif self._table.ended(call).exit == time:
                yield Match("returned", time, call, step.line, value=step.value)

    # -- exceptions and output ---------------------------------------------------------------------

    def _raised(self, name: str, newest: bool) -> Iterator[Match]:
        calls = self._table.columns()
        rows = np.flatnonzero(calls.outcome == Outcome.RAISED)
        rows = rows[np.argsort(calls.exit[rows], kind="stable")]
        types: dict[int, bool] = {}
        for row in (rows[::-1] if newest else rows).tolist():
            call = int(calls.id[row])
            value = self._view(call).value
            if not isinstance(value, Ref):
                continue
            kind = self._heap.object(value.oid).type
            if kind.id not in types:
                types[kind.id] = _is_called(kind.module, kind.qualname, name)
            if types[kind.id]:
                line = self._view(call).raised_at
                yield Match("raised", int(calls.exit[row]), call, line, value=value)

    def _printed(self, pattern: str, newest: bool) -> Iterator[Match]:
        lines = [match for step in self._printed_steps(pattern) for match in step.found]
        return iter(lines[::-1] if newest else lines)

    def _printed_steps(self, pattern: str) -> Iterator[FindStep]:
        try:
            wanted = re.compile(pattern)
        except re.error as exc:
            raise UsageError(f"/{pattern}/ is not a regular expression: {exc}") from exc
        count = max(self._store.segments.event_count, 1)
        for match, time in self._output():
            yield FindStep((match,) if wanted.search(match.text) else (), time / count)
        yield FindStep((), 1.0)

    def _output(self) -> Iterator[tuple[Match, int]]:
        """Iterate over the lines of the program's output, each with the time up to which the output was read."""
        open_lines: dict[int, Match] = {}
        for part in self._store.segments.select_parts({Kind.PRINT}):
            last = int(part.times[-1])
            yield from ((line, last) for line in self._lines_of(part, open_lines))
        yield from ((line, self._store.segments.event_count) for line in open_lines.values())

    def _lines_of(self, found: Found, open_lines: dict[int, Match]) -> Iterator[Match]:
        """Iterate over the lines that end in a part of the output; ``open_lines``: those that do not, by stream."""
        columns = [found.events[name].tolist() for name in ("key", "vtag", "value", "site")]
        for time, stream, tag, bits, site in zip(found.times.tolist(), *columns, strict=True):
            value = self._values.read(tag, bits)
            text = value.beginning if isinstance(value, Clipped) else value
            words = text.decode("utf-8", "replace") if isinstance(text, bytes) else str(text)
            position = self._positions.at(time)
            empty = Match("printed", time, position.call, self._store.program.line(site))
            line = open_lines.pop(stream, empty)
            *complete, rest = words.split("\n")
            for more in complete:
                yield line._replace(text=line.text + more)
                line = empty
            if line.text or rest:
                open_lines[stream] = line._replace(text=line.text + rest)


def _became_true(row: tuple[int, int, int]) -> Match:
    """Return a match of call, time and line."""
    return Match("became true", row[1], row[0], row[2])


def _check_value_alone(condition: Expression) -> None:
    others = sorted(condition.names - {VALUE})
    if any(not hasattr(builtins, name) for name in others):
        raise UsageError(f"{VALUE!r} stands alone in a search: leave out {', '.join(others)}")


def _is_called(module: str, qualname: str, name: str) -> bool:
    """Return whether a type of exceptions is meant by a name; builtin ones include what derives from them."""
    if not name or name in (qualname, f"{module}.{qualname}", qualname.rpartition(".")[2]):
        return True
    kind, base = getattr(builtins, qualname, None), getattr(builtins, name, None)
    both = isinstance(kind, type) and isinstance(base, type) and module == "builtins"
    return both and issubclass(kind, base)  # type: ignore[arg-type]
