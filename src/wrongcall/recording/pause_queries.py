"""Queries for what a walk pauses at: lines, functions, exceptions, writes to a place; with conditions and counts.

`Pauses` are all stops of one such kind, in order. Stops are made on demand: there may be millions. A condition is an
expression over the recording, evaluated in batches; where it can't be evaluated, there is no pause, and that is
counted. A *hit count* (``5``, ``>= 5``, ``% 2``) counts the pauses over the whole run, so that it means the same
forwards and backwards.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from wrongcall.analysis.walking.stops import Stop
from wrongcall.errors import UsageError
from wrongcall.events import Kind, Tag
from wrongcall.languages.python.asked.expression import parse
from wrongcall.recording.asking_queries import AskingQueries
from wrongcall.recording.place_queries import PlaceQueries
from wrongcall.recording.walk_queries import WalkQueries
from wrongcall.replay.spans import SUSPENDED
from wrongcall.trace.format.event_records import Ints, call_ids
from wrongcall.trace.read.call_table import CallTable
from wrongcall.trace.read.store import Store

MAX_SORTED_CALLS = 2000
"""Sort the stops of up to this many calls; with more, lines that resume generators may be out of order."""
_BATCH = 64
_LARGEST_BATCH = 4096
_SLACK = 2
"""How far the state that a line found can lie behind the stop's place in the order."""
_COUNTED = re.compile(r"\s*(==|>=|<=|>|<|%)?\s*(\d+)\s*")
_COMPARED: dict[str, Callable[[int, int], bool]] = {
    "": operator.eq,
    "==": operator.eq,
    ">=": operator.ge,
    "<=": operator.le,
    ">": operator.gt,
    "<": operator.lt,
    "%": lambda count, every: count % every == 0,
}
_SILENT = ("SystemExit", "GeneratorExit")


def parse_count(text: str) -> Callable[[int], bool]:
    """Return whether a hit with a number, from 1, counts."""
    found = _COUNTED.fullmatch(text)
    if found is None or (found[1] == "%" and not int(found[2])):
        raise UsageError(f"{text!r} is not a hit count: write 5, >= 5, < 5 or % 5")
    compare, number = _COMPARED[found[1] or ""], int(found[2])
    return lambda count: compare(count, number)


class Pauses:
    """Stops of one kind, in order."""

    def __init__(
        self,
        near: Ints,
        make: Callable[[int], Stop | None],
        holds: Callable[[Sequence[Stop]], list[bool | None]] | None = None,
        counts: Callable[[int], bool] | None = None,
    ) -> None:
        """``near``: for each, a time near the state it has, ascending; ``make`` makes one by its number."""
        self._near = near
        self._make = make
        self._holds = holds
        self._known: dict[int, bool] = {}
        self.check: Callable[[], None] = lambda: None
        """Called now and then during a long search; it may raise an error to end it."""
        self.undecided = 0
        """Where the condition could not be evaluated, so far."""
        self._counted = None if counts is None else self._count(counts)

    def __len__(self) -> int:
        return len(self._near)

    def next(self, stop: Stop) -> Stop | None:
        """Return the first one after a stop."""
        begin = int(np.searchsorted(self._near, stop.state - _SLACK))
        return self._first(range(begin, len(self._near)), lambda each: each.order > stop.order)

    def previous(self, stop: Stop) -> Stop | None:
        """Return the last one before a stop."""
        end = int(np.searchsorted(self._near, max(stop.state, stop.time) + _SLACK, "right"))
        return self._first(range(end - 1, -1, -1), lambda each: each.order < stop.order)

    def between(self, first: Stop, last: Stop) -> Iterator[Stop]:
        """Iterate over those after a stop and up to another one."""
        found = self.next(first)
        while found is not None and found.order <= last.order:
            yield found
            found = self.next(found)

    def _first(self, numbers: range, wanted: Callable[[Stop], bool]) -> Stop | None:
        size, at = 1 if self._holds is None else _BATCH, 0
        while at < len(numbers):
            self.check()
            part = numbers[at : at + size]
            stops = [(number, stop) for number in part if (stop := self._made(number)) is not None]
            stops = [(number, stop) for number, stop in stops if wanted(stop)]
            self._decide(stops)
            for number, stop in stops:
                if self._known.get(number, True):
                    return stop
            at, size = at + size, min(2 * size, _LARGEST_BATCH)
        return None

    def _made(self, number: int) -> Stop | None:
        if self._counted is not None and number not in self._counted:
            return None
        return self._make(number)

    def _decide(self, stops: list[tuple[int, Stop]]) -> None:
        if self._holds is None:
            return
        asked = [(number, stop) for number, stop in stops if number not in self._known]
        for (number, _), holds in zip(asked, self._holds([s for _, s in asked]), strict=True):
            self._known[number] = bool(holds)
            self.undecided += holds is None

    def _count(self, counts: Callable[[int], bool]) -> set[int]:
        stops = [(n, stop) for n in range(len(self._near)) if (stop := self._make(n)) is not None]
        self._decide(stops)
        hits = [number for number, _ in stops if self._known.get(number, True)]
        return {number for hit, number in enumerate(hits, 1) if counts(hit)}


class PauseQueries:
    """Finds what to pause at."""

    def __init__(
        self,
        store: Store,
        calls: CallTable,
        walk: WalkQueries,
        asking: AskingQueries,
        places: PlaceQueries,
    ) -> None:
        self._store = store
        self._calls = calls
        self._walk = walk
        self._asking = asking
        self._places = places

    def at_line(self, line: str, condition: str = "", count: str = "") -> Pauses:
        """Return the executions of a line (``prog.py:12``)."""
        found = self._asking.executions(line)
        number = int(line.rpartition(":")[2])
        calls = np.unique(found.call)
        if len(calls) <= MAX_SORTED_CALLS:
            return self._sorted(self._stops_at(calls, number), condition, count)
        ordinals = _ordinals(found.call)

        def make(at: int) -> Stop | None:
            lines = self._walk.lines(int(found.call[at]))
            where = np.flatnonzero(lines.line == number)
            return lines.stop(int(where[ordinals[at]])) if ordinals[at] < len(where) else None

        return Pauses(found.state, make, *self._conditions(condition, count))

    def _stops_at(self, calls: Ints, line: int) -> Iterator[Stop]:
        for call in calls.tolist():
            lines = self._walk.lines(call)
            yield from (lines.stop(at) for at in np.flatnonzero(lines.line == line).tolist())

    def at_function(self, name: str, condition: str = "", count: str = "") -> Pauses:
        """Return the first lines of the calls to a function, by its name or qualified name."""
        functions = self._store.program.functions.values()
        found = {f.id: f for f in functions if name in (f.name, f.qualname)}
        if not found:
            raise UsageError(f"no recorded function is called {name!r}")
        calls = np.fromiter(self._calls.of_functions(set(found)), np.int64)
        if len(calls) <= MAX_SORTED_CALLS or any(f.kind in SUSPENDED for f in found.values()):
            return self._sorted(self._first_lines(calls), condition, count)
        entries = np.array([self._calls.begun(call).entry for call in calls.tolist()], np.int64)

        def make(at: int) -> Stop | None:
            lines = self._walk.lines(int(calls[at]))
            return lines.stop(0) if len(lines) else None

        return Pauses(entries, make, *self._conditions(condition, count))

    def _first_lines(self, calls: Ints) -> Iterator[Stop]:
        found = (self._walk.lines(call) for call in calls.tolist())
        return (lines.stop(0) for lines in found if len(lines))

    def at_writes(
        self, call: int, path: str, time: int, condition: str = "", count: str = ""
    ) -> Pauses:
        """Return the writes to the place that a path means in a call at a time."""
        times = self._places.write_times(call, path, time)
        return Pauses(times, self._after(times), *self._conditions(condition, count))

    def at_exceptions(self, *, uncaught: bool, names: Sequence[str] = ()) -> Pauses:
        """Return where exceptions were raised; ``uncaught``: those that ended a thread; ``names``: of these types."""
        found = self._store.segments.select({Kind.RAISE, Kind.CAUGHT, Kind.BLOCK})
        events = found.events
        told = (events["vtag"] == Tag.OBJ) & (
            (events["kind"] != Kind.BLOCK) | (events["ktag"] != 0)
        )
        times, events = found.times[told], events[told]
        _, first = np.unique(events["value"], return_index=True)
        first = np.sort(first)
        kept = [at for at in first.tolist() if self._is_wanted(int(events["value"][at]), names)]
        if uncaught:
            ended = self._ending(events)
            kept = [at for at in kept if int(events["value"][at]) in ended]
        chosen = np.array(kept, np.int64)
        lines = np.where(events["ktag"] != 0, events["key"], 0)
        return Pauses(times[chosen], self._after(times[chosen], lines[chosen]))

    def _is_wanted(self, exception: int, names: Sequence[str]) -> bool:
        name = self._type_of(exception)
        return not names or name in names or name.rpartition(".")[2] in names

    def _type_of(self, exception: int) -> str:
        return self._places.type_of(exception)

    def _ending(self, events: Any) -> set[int]:
        """Return the exceptions that ended the outermost call of a thread."""
        raised = events[events["kind"] == Kind.RAISE]
        calls = call_ids(raised)
        parents, _ = self._calls.parents(calls)
        found = set(raised["value"][parents == 0].tolist())
        return {each for each in found if self._type_of(each) not in _SILENT}

    def _after(self, times: Ints, lines: Ints | None = None) -> Callable[[int], Stop | None]:
        def make(at: int) -> Stop | None:
            line = 0 if lines is None else max(int(lines[at]), 0)
            return self._walk.after(int(times[at]), line)

        return make

    # -- conditions --------------------------------------------------------------------------------

    def _sorted(self, stops: Iterable[Stop], condition: str, count: str) -> Pauses:
        found = sorted(stops, key=lambda stop: stop.order)
        near = np.array([max(stop.state, 0) for stop in found], np.int64)
        near = np.maximum.accumulate(near) if len(near) else near
        return Pauses(near, found.__getitem__, *self._conditions(condition, count))

    def _conditions(
        self, condition: str, count: str
    ) -> tuple[Callable[[Sequence[Stop]], list[bool | None]] | None, Callable[[int], bool] | None]:
        counts = parse_count(count) if count.strip() else None
        if not condition.strip():
            return None, counts
        parse(condition)  # a wrong one is an error now
        return lambda stops: self._asking.hold(
            condition, [stop.call for stop in stops], [stop.state for stop in stops]
        ), counts


def _ordinals(calls: Ints) -> Ints:
    """Return for each element how many equal ones come before it."""
    order = np.argsort(calls, kind="stable")
    ranked = calls[order]
    starts = np.flatnonzero(np.append(True, np.diff(ranked) != 0)) if len(ranked) else ranked
    sizes = np.diff(np.append(starts, len(ranked)))
    found = np.empty(len(calls), np.int64)
    found[order] = np.arange(len(calls)) - np.repeat(starts, sizes)
    return found
