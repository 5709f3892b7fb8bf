"""The coverage of all calls of a trace at once, equal to what `call_coverage` gives for each of them.

The events are scanned once, some segments at a time. Calls that began and ended in those segments are computed at once;
the others, which are few, at the end. Of all calls that did the same (`path_classes`), only one is examined. A plain
call goes from stretch to stretch; what it knows about its variables and has covered so far is its *state*, and a state
remembers where each stretch leads. So a loop, or a function that was called before, costs one lookup per stretch. A
call that is not plain is computed on its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import numpy as np

from wrongcall.analysis.coverage.call_coverage import ENTRY, EXIT, Coverage, DefUse, Edge
from wrongcall.analysis.flow.block_entries import Execution
from wrongcall.analysis.flow.control_flow import Arrival, Flow, Passed
from wrongcall.analysis.flow.entries import merged, told
from wrongcall.analysis.flow.path_classes import MADE, Sites, Steps, Ways, ways_of
from wrongcall.analysis.steps.step_reader import DELETIONS
from wrongcall.analysis.steps.steps import CallStep, StepKind
from wrongcall.events import Kind, Scope
from wrongcall.languages.paths import plain
from wrongcall.languages.python.sources import Sources
from wrongcall.trace.format.event_records import Ints, call_ids, kind_table, obj_ids
from wrongcall.trace.format.program_tables import Function, Site
from wrongcall.trace.format.segment import SEGMENT_EVENTS
from wrongcall.trace.read.call_table import Calls
from wrongcall.trace.read.store import Store

_TOGETHER = 4
"""Segments to scan together."""
_BEGINNINGS = kind_table({Kind.ENTER, Kind.CREATE})
_RAISED = kind_table({Kind.RAISE, Kind.CAUGHT})


@dataclass(frozen=True)
class Covered:
    """The coverage of calls; those with the same coverage share a class."""

    call: Ints
    """The calls, in ascending order."""
    class_of: Ints
    classes: tuple[Coverage, ...]


@dataclass(eq=False)
class _State:
    """What a call has covered so far, and which line defined each of its variables."""

    defined: dict[str, int]
    covered: Coverage
    next: dict[int, _State] = field(default_factory=dict)
    """The states that stretches lead to."""


@dataclass(frozen=True)
class _Stretch:
    """What a stretch does, in order: a variable's name, the line, and whether that defines it."""

    edge: Edge
    does: tuple[tuple[str, int, bool], ...]


class AllCovered:
    """Computes the coverage of all calls."""

    def __init__(
        self,
        store: Store,
        sources: Sources,
        flow: Flow,
        execution: Execution,
        calls: Calls,
        single: Callable[[int], Coverage],
    ) -> None:
        """``single`` computes the coverage of one call."""
        self._store = store
        self._sources = sources
        self._flow = flow
        self._execution = execution
        self._single = single
        self._calls = calls
        self._stretches: dict[int, _Stretch] = {}
        self._states: dict[tuple[frozenset[tuple[str, int]], Coverage], _State] = {}
        self._classes: dict[Coverage, int] = {}
        self._known: dict[int, int] = {}
        self._class_of = np.zeros(len(calls), dtype=np.int64)

    def all(self) -> Covered:
        """Return the coverage of all calls."""
        later: list[Steps] = []
        count = len(self._store.segments.index.count)
        for number in range(0, count, _TOGETHER):
            last = min(number + _TOGETHER, count)
            steps = _joined([part for i in range(number, last) for part in self._steps(i)])
            entry, exit = (column[steps.row] for column in (self._calls.entry, self._calls.exit))
            within = (entry >= number * SEGMENT_EVENTS) & (exit >= 0)
            within &= exit < last * SEGMENT_EVENTS
            later.append(steps.chosen(~within))
            self._work_out(steps.chosen(within))
        self._work_out(_joined(later))
        return Covered(self._calls.id, self._class_of, tuple(self._classes))

    # -- steps -------------------------------------------------------------------------------------

    def _steps(self, number: int) -> Iterator[Steps]:
        """Iterate over the steps of a segment: events of calls, and calls that were made."""
        names = ("kind", "ktag", "hi", "site", "call", "obj", "key")
        columns = self._store.segments.once(number, names)
        kind, key = columns["kind"], columns["key"]
        times = np.arange(len(kind)) + number * SEGMENT_EVENTS
        raised = _RAISED[kind] | ((kind == Kind.BLOCK) & (columns["ktag"] != 0))
        lines = np.where(raised, np.maximum(key, 0), -1)
        own = self._rows(call_ids(columns))
        yield Steps(own, times, kind, columns["site"], lines).chosen(own >= 0)
        made = np.flatnonzero(_BEGINNINGS[kind])
        parents = self._rows(obj_ids({name: columns[name][made] for name in ("obj", "hi")}))
        callers = (key[made] & 0xFFFFFFFF).astype(np.uint32)
        zeros = np.full(len(made), MADE, dtype=np.uint8)
        found = Steps(parents, times[made], zeros, callers, np.full(len(made), -1))
        yield found.chosen(parents >= 0)

    def _rows(self, ids: Ints) -> Ints:
        """Return the rows of calls, or -1 where there is none."""
        known = self._calls.id
        if len(known) and known[0] == 1 and known[-1] == len(known):
            return np.where(ids <= len(known), ids, 0) - 1
        rows = np.searchsorted(known, ids)
        rows[rows == len(known)] = 0
        return np.where(known[rows] == ids, rows, -1)

    # -- calls -------------------------------------------------------------------------------------

    def _work_out(self, steps: Steps) -> None:
        """Note the coverage of the calls with these steps."""
        if not len(steps.row):
            return
        ways = ways_of(steps, self._calls, self._store.program.columns, self._execution.table)
        hashes, firsts, which = np.unique(ways.whole, return_index=True, return_inverse=True)
        classes = np.empty(len(hashes), dtype=np.int64)
        for i, (whole, call) in enumerate(zip(hashes.tolist(), firsts.tolist(), strict=True)):
            if whole not in self._known:
                covered = self._covered(ways, call)
                self._known[whole] = self._classes.setdefault(covered, len(self._classes))
            classes[i] = self._known[whole]
        self._class_of[ways.row] = classes[which]

    def _covered(self, ways: Ways, call: int) -> Coverage:
        row = int(ways.row[call])
        if not ways.plain[call]:
            return self._single(int(self._calls.id[row]))
        function = self._store.program.functions[int(self._calls.function[row])]
        state = self._begin(function, ways.given_site[ways.given[call] : ways.given[call + 1]])
        first, end = int(ways.stretches[call]), int(ways.stretches[call + 1])
        for i, stretch in enumerate(ways.stretch[first:end].tolist(), first):
            after = state.next.get(stretch)
            if after is None:
                after = state.next[stretch] = self._after(state, function, ways, i)
            state = after
        if self._calls.exit[row] < 0:
            return state.covered
        left = Edge(function.id, int(ways.block[end - 1]), EXIT)
        return Coverage(state.covered.edges | {left}, state.covered.def_uses)

    def _begin(self, function: Function, given: Sites) -> _State:
        """Return the state of a call that has its arguments."""
        own = {*function.locals, *function.params}
        steps = [self._step(Kind.LOCAL, number) for number in given.tolist()]
        return self._state(
            {step.place: step.line for step in steps if step.place in own},
            Coverage(frozenset(), frozenset()),
        )

    def _state(self, defined: dict[str, int], covered: Coverage) -> _State:
        key = (frozenset(defined.items()), covered)
        if key not in self._states:
            self._states[key] = _State(defined, covered)
        return self._states[key]

    def _after(self, state: _State, function: Function, ways: Ways, number: int) -> _State:
        """Return the state after a stretch."""
        stretch = self._stretch(function, ways, number)
        defined, found = dict(state.defined), set()
        for name, line, defines in stretch.does:
            if defines:
                defined[name] = line
            elif name in defined:
                found.add(DefUse(function.id, name, defined[name], line))
        edges, def_uses = state.covered.edges, state.covered.def_uses
        return self._state(defined, Coverage(edges | {stretch.edge}, def_uses | found))

    # -- stretches ---------------------------------------------------------------------------------

    def _stretch(self, function: Function, ways: Ways, number: int) -> _Stretch:
        key = int(ways.stretch[number])
        if key not in self._stretches:
            before, block = int(ways.before[number]), int(ways.block[number])
            part = slice(int(ways.told[number]), int(ways.told_end[number]))
            steps = zip(ways.kind[part].tolist(), ways.site[part].tolist(), strict=True)
            inside = [self._step(*step) for step in steps]
            edge = Edge(function.id, ENTRY if before < 0 else before, block)
            does = tuple(self._does(function, before, block, inside))
            self._stretches[key] = _Stretch(edge, does)
        return self._stretches[key]

    def _does(
        self, function: Function, before: int, block: int, inside: list[CallStep]
    ) -> Iterator[tuple[str, int, bool]]:
        """Iterate over what a stretch uses and defines, in the order of its steps."""
        own, uses = {*function.locals, *function.params}, self._sources.uses(function)
        passes = told(function, self._flow, before, block, Arrival.NORMAL, 0)
        for what in merged(passes, [step.line for step in inside]):
            if isinstance(what, Passed):
                names = uses.get(what.line, frozenset()) & own
                yield from ((name, what.line, False) for name in names)
            elif inside[what].kind is StepKind.WRITE and inside[what].place in own:
                yield inside[what].place, inside[what].line, True

    def _step(self, kind: int, number: int) -> CallStep:
        """Return a step with only what matters here: the line, and which variable is written."""
        line, site = self._store.program.line(number), self._store.program.sites.get(number)
        if not Kind.LOCAL <= kind <= Kind.FILL:
            return CallStep(0, StepKind.CALL, line)
        how = StepKind.DELETE if kind in DELETIONS else StepKind.WRITE
        return CallStep(0, how, line, _variable(kind, site))


def _variable(kind: int, site: Site | None) -> str:
    """Return the variable that is written, or an empty string if it is part of an object."""
    if kind in (Kind.LOCAL, Kind.LOCAL_DEL):
        return plain(site.name or "?") if site else "?"
    if site is None or site.scope != Scope.GLOBAL:
        return ""
    return plain(site.name or "")


def _joined(parts: list[Steps]) -> Steps:
    return Steps(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))
