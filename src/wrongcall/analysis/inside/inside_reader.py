"""Find the executions inside a call from its steps.

A step that begins a part is a start: the first line of a statement, a condition whose suite is on the same line, a
binding of a comprehension, a call. With each start comes the path of its part, the body first. Compared with the path
of the start before, it says which executions end there and which begin: those from the first difference on, and a new
round if the start is the header of a loop. All of it works on columns, one depth at a time.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from wrongcall.analysis.inside.inside import DEPTHS, Inside, narrow
from wrongcall.analysis.steps.step_order import bind_first
from wrongcall.analysis.steps.step_reader import StepReader
from wrongcall.analysis.steps.steps import StepColumns, StepKind, step_table
from wrongcall.languages.python.outline import Outline, PartKind, outline_of
from wrongcall.languages.python.sources import Sources
from wrongcall.replay.call import Call
from wrongcall.trace.format.event_records import Bools, Ints
from wrongcall.trace.format.program_tables import Function, site_span
from wrongcall.trace.read.call_table import CallTable
from wrongcall.trace.read.store import Store

_LINES = step_table(StepKind.LINE)
_BRANCHES = step_table(StepKind.BRANCH)
_WRITES = step_table(StepKind.WRITE)
_CALLS = step_table(StepKind.CALL)
_CALLER = 0xFFFFFFFF
_TOGETHER = 1 << 18
"""Starts to process at once, which bounds the memory for intermediate results."""


class _Starts(NamedTuple):
    """Starts as columns, by step."""

    step: Ints
    part: Ints
    """Of a call, the part that made it."""
    child: Ints

    def chosen(self, which: Bools | Ints) -> _Starts:
        return _Starts(*(column[which] for column in self))


class InsideReader:
    """Reads what happened inside calls."""

    def __init__(self, store: Store, calls: CallTable, sources: Sources, steps: StepReader) -> None:
        self._store = store
        self._calls = calls
        self._sources = sources
        self._steps = steps
        self._outlines: dict[int, Outline | None] = {}

    def outline(self, function: Function) -> Outline | None:
        """Return the outline of a function; None if its source can't be parsed."""
        if function.id not in self._outlines:
            source = self._sources.of_function(function)
            node = self._sources.definition(function)
            self._outlines[function.id] = None if node is None else outline_of(source, node)
        return self._outlines[function.id]

    def of(self, call: Call) -> Inside | None:
        """Return the executions inside a call; None if its source can't be parsed, or nothing ran."""
        outline = self.outline(call.function)
        if outline is None:
            return None
        key = ("inside", call.id, self._store.segments.event_count)
        found: Inside | None = self._store.cache.get(key, lambda: self._read(call, outline))
        return found

    def _read(self, call: Call, outline: Outline) -> Inside:
        columns = self._steps.of(call).columns
        starts = self._starts(call, outline, columns)
        return _tree(call, outline, columns, starts)

    # -- starts ------------------------------------------------------------------------------------

    def _starts(self, call: Call, outline: Outline, columns: StepColumns) -> _Starts:
        own = _own_starts(outline, columns)
        bound = self._bindings(call, outline, columns, own)
        made = self._made(call, outline, columns, own)
        if not len(bound.step) and not len(made.step):
            return own
        joined = _Starts(*(np.concatenate(each) for each in zip(own, bound, made, strict=True)))
        return joined.chosen(np.argsort(joined.step, kind="stable"))

    def _bindings(
        self, call: Call, outline: Outline, columns: StepColumns, own: _Starts
    ) -> _Starts:
        """Return the starts of rounds of comprehensions."""
        sites = {
            number: outline.bindings[site_span(site), site.name or ""]
            for number, site in self._store.program.sites.items()
            if site.function == call.function.id
            and (site_span(site), site.name or "") in outline.bindings
        }
        if not sites or not len(own.step):
            return _no_starts()
        steps = np.flatnonzero(columns.has(_WRITES))
        (site,) = self._store.segments.columns_at(columns.time[steps], "site")
        known = np.isin(site, list(sites))
        steps, site = steps[known], site[known]
        parts = np.array([sites[number] for number in site.tolist()], np.int64)
        current = own.part[np.maximum(np.searchsorted(own.step, steps, "right") - 1, 0)]
        owner = np.array([_statement(outline, part) for part in range(len(outline.parts))])
        # The header that ends a loop has parts of its own, in the same order.
        ended = np.arange(len(outline.parts))
        for header, last in outline.ends_loop.items():
            ended[header] = last
        parts = np.where(
            current == ended[owner[parts]], parts - owner[parts] + ended[owner[parts]], parts
        )
        parts = np.minimum(parts, len(outline.parts) - 1)
        mine = owner[parts] == current
        return _Starts(steps[mine], parts[mine], np.zeros(int(mine.sum()), np.int64))

    def _made(self, call: Call, outline: Outline, columns: StepColumns, own: _Starts) -> _Starts:
        """Return the calls that were made, each with the part that made it."""
        steps = np.flatnonzero(columns.has(_CALLS))
        if not len(steps) or not len(own.step):
            return _no_starts()
        ids, entries = self._calls.made(call.id)
        order = np.argsort(entries, kind="stable")
        times = columns.time[steps]
        child = ids[order][np.searchsorted(entries[order], times)]
        (key,) = self._store.segments.columns_at(times, "key")
        before = np.searchsorted(own.step, steps, "right") - 1
        part = own.part[np.maximum(before, 0)]
        pairs = part.astype(np.int64) << 32 | (key.astype(np.int64) & _CALLER)
        known, which = np.unique(pairs, return_inverse=True)
        exact = [self._calling(outline, pair >> 32, pair & _CALLER) for pair in known.tolist()]
        return _Starts(steps, np.array(exact, np.int64)[which], child)

    def _calling(self, outline: Outline, part: int, site: int) -> int:
        """Return the innermost part that a calling site is in, within a statement."""
        found = self._store.program.sites.get(site)
        return part if found is None else outline.part_at(found.line, found.col, part)


def _no_starts() -> _Starts:
    none = np.empty(0, np.int64)
    return _Starts(none, none, none)


def _statement(outline: Outline, number: int) -> int:
    """Return the statement or condition that a part of a comprehension is in; else the part itself."""
    while outline.parts[number].is_comprehension:
        number = outline.parts[number].parent
    return number


def _own_starts(outline: Outline, columns: StepColumns) -> _Starts:
    """Return the starts of statements and conditions."""
    lines = int(max([*outline.by_line, *outline.taken, int(columns.line.max(initial=0))])) + 1
    by_line, taken = np.full((2, lines), -1, np.int32)
    by_line[list(outline.by_line)] = list(outline.by_line.values())
    if outline.taken:
        taken[list(outline.taken)] = list(outline.taken.values())
    line = np.clip(columns.line, 0, lines - 1)
    part = np.where(columns.has(_LINES), by_line[line], np.int32(-1))
    branch = columns.has(_BRANCHES)
    part = np.where(branch & columns.taken, taken[line], part)
    step = np.flatnonzero(part >= 0)
    part = part[step]
    return _Starts(step, _ended(outline, columns, step, part, branch), np.zeros_like(step))


def _ended(outline: Outline, columns: StepColumns, step: Ints, part: Ints, branch: Bools) -> Ints:
    """Replace the headers that end their loops: those that no true outcome follows."""
    last = np.arange(len(outline.parts), dtype=np.int32)
    for header, ended in outline.ends_loop.items():
        last[header] = ended
    if not outline.ends_loop or not len(step):
        return part
    outcomes = np.append(np.flatnonzero(branch), len(columns.time))
    following = outcomes[np.searchsorted(outcomes, step)]
    # A suite on the line of its condition begins with the outcome itself.
    is_line = columns.has(_LINES)[step]
    ends = np.append(step[1:], len(columns.time))
    is_suite = np.append(~is_line[1:], False)
    known = (following < ends) | ((following == ends) & is_suite)
    taken = np.append(columns.taken, False)[following] & known
    return np.where(is_line & ~taken, last[part], part)


# -- the tree --------------------------------------------------------------------------------------


class _Paths(NamedTuple):
    """For each start, a row of the table of paths."""

    table: npt.NDArray[np.int32]
    """The parts from the body on, one column for each depth; -1 below the last."""
    row: Ints
    again: Ints
    """For each row, the depth at which something begins although the path is the same; -1 if nothing does."""


def _paths(outline: Outline, starts: _Starts) -> _Paths:
    """Return the paths of starts; a call is a part below the one that made it."""
    count = len(outline.parts)
    paths = [outline.path(part.number) for part in outline.parts]
    paths += [[*path, count] for path in paths]
    deepest = max(map(len, paths))
    table = np.full((2 * count, deepest), -1, np.int32)
    again = np.full(2 * count, -1, np.int64)
    for number, path in enumerate(paths):
        table[number, : len(path)] = path
    headers = set(outline.ends_loop)
    for part in outline.parts:
        if part.kind is PartKind.ROUND:
            again[part.number] = part.depth
        elif part.number in headers:
            again[part.number] = part.depth - 1
        again[count + part.number] = part.depth + 1
    return _Paths(table, starts.part + (starts.child > 0) * np.int32(count), again)


def _tree(call: Call, outline: Outline, columns: StepColumns, starts: _Starts) -> Inside:
    """Return the executions. Each start begins one for each depth from the first difference to its part's."""
    paths = _paths(outline, starts)
    state = narrow(_states(call, columns, starts))
    first = _first_differences(paths)
    size = (paths.table >= 0).sum(axis=1).astype(np.int8)[paths.row]
    counts = np.maximum(size - first, 0)
    offset = np.cumsum(counts, dtype=np.int64) - counts
    begin = np.repeat(np.arange(len(first), dtype=np.int32), counts)
    depth = (np.arange(len(begin)) - offset[begin] + first[begin]).astype(np.int8)
    last = np.empty(len(begin), np.int32)
    for level in range(paths.table.shape[1]):
        # An execution ends with the next start that differs at its depth or above.
        breaks = np.flatnonzero(first <= level)
        ends = np.append(breaks[1:], len(first))
        begins = size[breaks] > level
        breaks = breaks[begins]
        last[offset[breaks] + (level - first[breaks])] = ends[begins]
    part = paths.table[paths.row[begin], depth]
    child = np.zeros(len(begin), np.int64)
    is_call = np.flatnonzero(part == len(outline.parts))
    child[is_call] = starts.child[begin[is_call]]
    step = narrow(np.append(starts.step, len(columns.time)))
    return Inside(
        call.id,
        outline,
        narrow(step[begin] * np.int64(DEPTHS) + depth),
        _parents(depth),
        part,
        state[begin],
        state[last],
        child,
        step[begin],
        step[last],
    )


def _first_differences(paths: _Paths) -> npt.NDArray[np.int8]:
    """Return for each start the depth from which on executions begin there; `DEPTHS` if none does."""
    first = np.full(len(paths.row), DEPTHS, np.int8)
    for at in range(0, len(first), _TOGETHER):
        row = paths.row[at : at + _TOGETHER]
        before = np.append(paths.row[max(at - 1, 0)], row[:-1])
        found = first[at : at + _TOGETHER]
        for level in range(paths.table.shape[1] - 1, 0, -1):
            column = paths.table[:, level]
            found[(column[row] != column[before]) | (paths.again[row] == level)] = level
    first[:1] = 0
    return first


def _states(call: Call, columns: StepColumns, starts: _Starts) -> Ints:
    """Return the time whose state each start finds, and that of the end of the call."""
    ahead = columns.has(_LINES) | columns.has(_BRANCHES)
    entry = call.entered
    state = np.maximum.accumulate(columns.time - ahead) if len(columns.time) else columns.time
    bind_first(call.function, columns, columns.has(_LINES), state)
    found = np.where(ahead[starts.step], state[starts.step], columns.time[starts.step] - 1)
    found = np.maximum(np.maximum.accumulate(found), entry) if len(found) else found
    return np.append(found, max(call.last, entry))


def _parents(depth: npt.NDArray[np.int8]) -> npt.NDArray[np.int32]:
    """Return the parents of nodes in preorder, given their depths."""
    parent = np.full(len(depth), -1, np.int32)
    above = np.flatnonzero(depth == 0).astype(np.int32)
    for level in range(1, int(depth.max(initial=0)) + 1):
        where = np.flatnonzero(depth == level).astype(np.int32)
        parent[where] = above[np.searchsorted(above, where) - 1]
        above = where
    return parent
