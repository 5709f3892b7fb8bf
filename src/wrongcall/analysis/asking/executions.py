"""Every execution of a line: when it began, in which call, and in which round of the loop around it.

An execution of a line is one of the statement that begins there, or of the header of a compound statement: the test of
`while`, each time a `for` takes its next element. A line inside a statement of several lines counts, too. Its *state
time* is the time whose state the statement found: nothing that it does has happened, everything before it has.

A hundred thousand calls often take few different paths. Their events are read at once; of the calls whose events
happen at the same sites in the same order, one is examined, by numbering its events, and the others have their own
times for the same numbers. Calls in which an exception occurs are examined one by one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from wrongcall.analysis.flow.call_events import CallEvents, call_events
from wrongcall.analysis.flow.path_classes import sequence_hashes
from wrongcall.analysis.steps.line_windows import StepParts, Windows
from wrongcall.analysis.steps.step_order import bind_first, told
from wrongcall.analysis.steps.steps import StepKind, step_table
from wrongcall.events import Kind
from wrongcall.trace.format.event_records import (
    Bools,
    Ints,
    call_ids,
    kind_table,
    obj_ids,
)
from wrongcall.trace.format.program_tables import Function
from wrongcall.trace.format.segment import SEGMENT_EVENTS

_LINES = step_table(StepKind.LINE)
_AHEAD = step_table(StepKind.LINE, StepKind.BRANCH)
_BEGINNINGS = kind_table({Kind.ENTER, Kind.CREATE})
_RAISED = kind_table({Kind.RAISE, Kind.CAUGHT})
LONG_EVENTS = 1 << 20
"""A call with more events of its own is processed in windows, to bound memory."""
_FEW_CALLS = 16
"""Up to this many calls are read one by one."""
_APART = 4
"""Events are numbered with room in between for what comes right before them."""
_TIME_BITS = 36


class Executions(NamedTuple):
    """Executions of a line as columns, by time."""

    call: Ints
    time: Ints
    """When the first event of the statement happened, or of what follows it."""
    state: Ints
    """The time whose state the statement found."""
    round: Ints
    """The round of the innermost loop around it, from 1; 0 if there is no loop."""
    line: Ints

    def chosen(self, which: slice | Ints | Bools) -> Executions:
        """Return some of them."""
        return Executions(*(column[which] for column in self))


class _Path(NamedTuple):
    """The executions of a line in one call, by the numbers of its events."""

    time: Ints
    state: Ints
    round: Ints
    line: Ints


class LineExecutions:
    """Finds the executions of lines."""

    def __init__(self, parts: StepParts) -> None:
        self._parts = parts
        self._windows = Windows(parts)

    def of(
        self, function: Function, line: int, loop: tuple[int, int] | None, below: int = 0
    ) -> Executions:
        """Return the executions of a line of a function, by time; 0: of all its lines.

        ``loop``: the first and last line of the loop around it; ``below``: only in this call and those below it.
        """
        return self.in_calls(function, self.calls_of(function, below), line, loop)

    def calls_of(self, function: Function, below: int = 0) -> Ints:
        """Return the calls of a function; ``below``: only this call and those below it."""
        if not below:
            table = self._parts.calls.columns()
            found: Ints = table.id[table.function == function.id].astype(np.int64)
            return found
        numbers = list(self._parts.calls.of_functions({function.id}, below))
        if self._parts.calls.begun(below).function == function.id:
            numbers.insert(0, below)
        return np.array(numbers, dtype=np.int64)

    def in_calls(
        self, function: Function, calls: Ints, line: int, loop: tuple[int, int] | None
    ) -> Executions:
        """Return the executions of a line in some calls of a function, as `of` does."""
        if not len(calls) or len(calls) <= _FEW_CALLS:
            parts = [self._single(function, call, line, loop) for call in calls.tolist()]
        else:
            parts = list(self._many(function, calls, line, loop))
        return joined(parts)

    def in_call(self, function: Function, call: int) -> Executions:
        """Return the executions of all lines of one call, in the order in which they ran."""
        return self._single(function, call, 0, None)

    def _single(
        self, function: Function, call: int, line: int, loop: tuple[int, int] | None
    ) -> Executions:
        if self._windows.is_long(call, LONG_EVENTS):
            return joined(list(self._in_windows(function, call, line, loop)))
        events = call_events(self._parts.store, self._parts.calls, call)
        path = self._path(function, call, events, line, loop)
        return _at(path, events.time[np.newaxis], np.array([call]), self._parts.calls.span(call)[1])

    def _in_windows(
        self, function: Function, call: int, line: int, loop: tuple[int, int] | None
    ) -> Iterator[Executions]:
        """Iterate over the executions of a line in a very long call, window by window."""
        reached = 0
        for window in self._windows.windows(call):
            path = self._path(function, call, window.events, 0, None, is_end=window.is_last)
            last = (
                self._parts.calls.span(call)[1] if window.is_last else int(window.events.time[-1])
            )
            found = _at(path, window.events.time[np.newaxis], np.array([call]), last)
            inside = (found.time >= window.first) & (found.time < window.end)
            if loop is not None:
                before = found.line[: int(np.argmax(inside))] if inside.any() else found.line[:0]
                was_inside = len(before) > 0 and loop[0] <= int(before[-1]) <= loop[1]
                found = found.chosen(inside)
                rounds = _rounds(found.line, *loop, reached if was_inside else 0, was_inside)
                found = found._replace(round=rounds)
                reached = int(rounds[-1]) if len(rounds) else reached
            else:
                found = found.chosen(inside)
            yield found.chosen((found.line == line) | (line == 0))

    def _path(
        self,
        function: Function,
        call: int,
        events: CallEvents,
        line: int,
        loop: tuple[int, int] | None,
        *,
        is_end: bool = True,
    ) -> _Path:
        """Return the executions of a line in a call, whose events are given; ``is_end``: up to its end."""
        numbers = (np.arange(len(events.time)) + 1) * _APART
        numbered = events._replace(time=numbers)
        entries = self._parts.execution.entries(call, numbered, is_end=is_end)
        steps = self._parts.event_steps(numbered)
        end = (len(numbers) + 1) * _APART
        columns = told(function, self._parts.flow, entries, steps, end)
        ahead = columns.has(_AHEAD)
        state = np.maximum.accumulate(columns.time - ahead) if len(columns.time) else columns.time
        is_line = columns.has(_LINES)
        bind_first(function, columns, is_line, state)
        where = np.flatnonzero(is_line & ((columns.line == line) | (line == 0)))
        rounds = np.zeros(len(columns.time), np.int64)
        if loop is not None:
            ran = np.flatnonzero(is_line)
            rounds[ran] = _rounds(columns.line[ran].astype(np.int64), *loop)
        lines = columns.line[where].astype(np.int64)
        return _Path(columns.time[where], state[where], rounds[where], lines)

    # -- many calls --------------------------------------------------------------------------------

    def _many(
        self, function: Function, calls: Ints, line: int, loop: tuple[int, int] | None
    ) -> Iterator[Executions]:
        events, owner = self._events(calls)
        begins = np.searchsorted(owner, calls)
        ends = np.searchsorted(owner, calls, "right")
        odd = np.zeros(len(calls), np.bool_)
        strange = _RAISED[events.kind] | events.left
        odd[np.searchsorted(calls, owner[strange])] = True
        lasts = self._parts.calls.lasts(calls, events.time[begins]) if len(calls) else calls
        count = self._parts.store.segments.event_count
        tokens = events.kind.astype(np.uint64) << np.uint64(33)
        tokens |= events.made.astype(np.uint64) << np.uint64(32) | events.site
        hashes = sequence_hashes(tokens, begins, ends)
        hashes ^= ((lasts == count - 1).astype(np.uint64) << np.uint64(1)) | odd
        for number in np.flatnonzero(odd).tolist():
            yield self._single(function, int(calls[number]), line, loop)
        plain = np.flatnonzero(~odd)
        _, first, which = np.unique(hashes[plain], return_index=True, return_inverse=True)
        order = np.argsort(which, kind="stable")
        bounds = np.searchsorted(which[order], np.arange(len(first) + 1))
        for number, where in enumerate(first.tolist()):
            one, rows = int(plain[where]), order[bounds[number] : bounds[number + 1]]
            part = events.part(slice(int(begins[one]), int(ends[one])))
            path = self._path(function, int(calls[one]), part, line, loop)
            members = plain[rows]
            places = begins[members][:, np.newaxis] + np.arange(len(part.time))
            yield _at(path, events.time[places], calls[members], lasts[members])

    def _events(self, calls: Ints) -> tuple[CallEvents, Ints]:
        """Return the events of calls, and to which call each belongs; by call, then by time."""
        names = ("kind", "ktag", "hi", "site", "call", "obj", "key")
        parts: list[list[Ints]] = []
        first, last = self._parts.calls.begun(int(calls[0])).entry, self._end(calls)
        for number, part in self._parts.store.segments.parts(first, last):
            columns = self._parts.store.segments.once(number, names)
            columns = {name: column[part] for name, column in columns.items()}
            times = np.arange(part.start, part.stop) + number * SEGMENT_EVENTS
            parts += _of_calls(columns, times, calls)
        owner, time, kind, site, made, left = (
            np.concatenate(column) for column in zip(*parts, strict=True)
        )
        order = np.argsort(owner << _TIME_BITS | time, kind="stable")
        zeros = np.zeros(len(order), np.int64)
        events = CallEvents(
            time[order],
            kind[order].astype(np.uint8),
            site[order].astype(np.uint32),
            made[order].astype(np.bool_),
            zeros,
            left[order].astype(np.bool_),
            zeros,
        )
        return events, owner[order]

    def _end(self, calls: Ints) -> int:
        """Return a time at which all of these calls have ended, or the run has."""
        table = self._parts.calls.columns()
        exits = table.exit[np.searchsorted(table.id, calls)]
        count = self._parts.store.segments.event_count
        return count if (exits < 0).any() else int(exits.max()) + 1


def _of_calls(columns: dict[str, Ints], times: Ints, calls: Ints) -> Iterator[list[Ints]]:
    """Iterate over the events of calls in a segment: their own, and the beginnings of those they made."""
    own = call_ids(columns)
    mine = np.flatnonzero(_among(own, calls))
    kind = columns["kind"][mine]
    left = (kind == Kind.BLOCK) & (columns["ktag"][mine] != 0)
    yield [own[mine], times[mine], kind, columns["site"][mine], np.zeros(len(mine), np.int64), left]
    begun = np.flatnonzero(_BEGINNINGS[columns["kind"]])
    parents = obj_ids({name: columns[name][begun] for name in ("obj", "hi")})
    made = _among(parents, calls)
    begun, parents = begun[made], parents[made]
    sites = columns["key"][begun] & 0xFFFFFFFF
    ones, zeros = np.ones(len(begun), np.int64), np.zeros(len(begun), np.int64)
    yield [parents, times[begun], columns["kind"][begun], sites, ones, zeros]


def _among(numbers: Ints, calls: Ints) -> Bools:
    places = np.minimum(np.searchsorted(calls, numbers), len(calls) - 1)
    found: Bools = calls[places] == numbers
    return found


def _at(path: _Path, times: Ints, calls: Ints, lasts: Ints | int) -> Executions:
    """Return the executions of calls that took a path; ``times``: those of their events, by call."""
    count, rounds = len(calls), len(path.time)
    ends = np.broadcast_to(np.asarray(lasts) + 1, (count,))
    known = np.concatenate([np.full((count, 1), -1), times, ends[:, np.newaxis]], axis=1)
    time, state = (_real(known, numbers) for numbers in (path.time, path.state))
    # Whatever lies between two events has happened before the second one.
    same = (np.tile(column, count) for column in (path.round, path.line))
    return Executions(np.repeat(calls, rounds), time.ravel(), state.ravel(), *same)


def _real(known: Ints, numbers: Ints) -> Ints:
    """Return the times for numbers of events, in each row of known times."""
    following = -(-numbers // _APART)
    before = following * _APART - numbers
    found = known[:, following] - before
    return np.maximum(found, known[:, np.maximum(following - 1, 0)])


def _rounds(lines: Ints, first: int, last: int, reached: int = 0, was_inside: bool = False) -> Ints:
    """Return the round of a loop for each line that a call executed; 0 outside of it.

    ``reached``: the round that was reached before these lines; ``was_inside``: the line before them is in the loop.
    """
    inside = (lines >= first) & (lines <= last)
    header = inside & (lines == first)
    enters = header & ~np.append(was_inside, inside[:-1])[: len(lines)]
    total = np.cumsum(header)
    base = np.maximum.accumulate(np.where(enters, total - 1, -reached)) if len(lines) else total
    return np.where(inside, total - base, 0)


def joined(parts: Sequence[Executions]) -> Executions:
    """Concatenate executions, by time."""
    empty = np.empty(0, np.int64)
    columns = list(zip(Executions(empty, empty, empty, empty, empty), *parts, strict=True))
    found = Executions(*(np.concatenate(column) for column in columns))
    return found.chosen(np.argsort(found.time, kind="stable"))
