"""Puts lines and branches among what happened in a call: the order in which it is told.

All of it is done on columns, whatever the number of steps. Each entry of a block gives first the *branches*
that led to it, then its lines, each before what happened on it. What happened on a line that
is not ahead in the block comes where it happened.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from wrongcall.errors import TraceError
from wrongcall.events import SITE_LINE
from wrongcall.trace.execution import Entries
from wrongcall.trace.flow import Flow
from wrongcall.trace.program import Function
from wrongcall.trace.records import Bools, Ints, distinct
from wrongcall.trace.steps import NUMBERS, StepColumns, StepKind


class _Lists(NamedTuple):
    """For each entry one of a few lists of lines: those of its block, or of the tests before it."""

    which: Ints
    size: Ints
    """How long each list is."""
    line: Ints
    """All lists one after the other."""
    taken: Bools

    @property
    def sizes(self) -> Ints:
        """For each entry, how long its list is."""
        found: Ints = self.size[self.which]
        return found

    def rows(self) -> tuple[Ints, Ints]:
        """Return for all elements of all entries' lists whose they are, and where in ``line``."""
        group, number = _spread(self.sizes)
        begin = _begins(self.size)
        return group, begin[self.which][group] + number

    def find(self, group: Ints, line: Ints) -> Ints:
        """Return where in the list of an entry a line is, -1 if it is not there."""
        if not len(self.line):
            return np.full(len(line), -1)
        whose, number = _spread(self.size)
        keys = whose << 32 | self.line
        order = np.argsort(keys)
        keys = keys[order]
        wanted = self.which[group] << 32 | line
        place = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
        return np.where(keys[place] == wanted, number[order][place], -1)


def told(
    function: Function, flow: Flow, entries: Entries, happened: StepColumns, end: int
) -> StepColumns:
    """Return what happened in a call that ended before a time, with lines and branches among it."""
    if not len(entries.time):
        return happened
    branches, lines = _branches(function, flow, entries), _lines(function, entries)
    begin = np.searchsorted(happened.time, entries.time)
    ends = np.append(entries.time[1:], end)
    done = np.maximum(np.searchsorted(happened.time, ends), begin)
    early, late = int(begin[0]), len(happened.time) - int(done[-1])
    events: Ints = done - begin
    sizes = branches.sizes + lines.sizes + events
    first = _begins(sizes) + early
    made = _Table(early + int(sizes.sum()) + late)
    made.put(slice(0, early), happened[:early])
    made.put(slice(len(made) - late, len(made)), happened[len(happened.time) - late :])

    group, row = branches.rows()
    number = np.arange(len(group)) - _begins(branches.sizes)[group]
    told = _steps(StepKind.BRANCH, entries.time[group], branches.line[row], branches.taken[row])
    made.put(first[group] + number, told)

    inside = happened[early : int(done[-1])]
    group = np.repeat(np.arange(len(begin)), events)
    before = np.minimum(
        _reached(lines, group, inside.line.astype(np.int64)) + 1, lines.sizes[group]
    )
    number = np.arange(early, early + len(group))
    made.put((first + branches.sizes - begin)[group] + number + before, inside)

    group, row = lines.rows()
    where = made.free()
    passed = np.arange(len(group)) + np.cumsum(branches.sizes)[group]
    following = where - passed  # what happened up to there: the next one has this number
    times = np.append(happened.time, 0)[np.minimum(following, len(happened.time))]
    times = np.where(following < done[group], times, ends[group] - 1)
    made.put(where, _steps(StepKind.LINE, times, lines.line[row], lines.taken[row]))
    return made.columns


class _Table:
    """Columns with room for so many steps, which are put in part by part."""

    def __init__(self, count: int) -> None:
        self.columns = StepColumns(
            np.empty(count, np.int64),
            np.empty(count, np.uint8),
            np.empty(count, np.int32),
            np.empty(count, np.bool_),
        )
        self._free = np.ones(count, dtype=np.bool_)

    def __len__(self) -> int:
        return len(self._free)

    def put(self, where: slice | Ints, steps: StepColumns) -> None:
        self.columns.time[where] = steps.time
        self.columns.kind[where] = steps.kind
        self.columns.line[where] = steps.line
        self.columns.taken[where] = steps.taken
        self._free[where] = False

    def free(self) -> Ints:
        """Return where nothing was put yet."""
        return np.flatnonzero(self._free)


def _steps(kind: StepKind, time: Ints, line: Ints, taken: Bools) -> StepColumns:
    kinds = np.full(len(time), NUMBERS[kind], dtype=np.uint8)
    return StepColumns(time, kinds, line.astype(np.int32), taken)


def _begins(sizes: Ints) -> Ints:
    """Return where groups of these sizes begin that lie one after the other."""
    begins: Ints = np.cumsum(sizes) - sizes
    return begins


def _spread(sizes: Ints) -> tuple[Ints, Ints]:
    """Return for the elements of groups of these sizes their group, and their number in it."""
    group = np.repeat(np.arange(len(sizes)), sizes)
    return group, np.arange(len(group)) - _begins(sizes)[group]


def _reached(lines: _Lists, group: Ints, line: Ints) -> Ints:
    """Return how far in the lines of its entry each event is; none goes back."""
    most = int(lines.size.max(initial=0)) + 1
    places = np.maximum(lines.find(group, line), 0) + group * most
    reached: Ints = np.maximum.accumulate(places) - group * most
    return reached


def _branches(function: Function, flow: Flow, entries: Entries) -> _Lists:
    """Return the tests that led to each entry."""
    block = entries.block
    previous = np.append(-1, block[:-1])
    cut = np.append(0, entries.cut[:-1]) != 0  # an exception led there
    codes = ((previous + 1) << 32 | block) << 1 | cut
    known = distinct(codes)
    lists = []
    for code in known:
        before, after = divmod(code >> 1, 1 << 32)
        if code & 1:
            test = flow.test(function, before - 1, after)
            lists.append([] if test is None else [test])
        else:
            lists.append(flow.tests(function, before - 1, after))
    return _listed(np.searchsorted(np.array(known), codes), lists)


def _lines(function: Function, entries: Entries) -> _Lists:
    """Return the lines that each entry ran, each once."""
    codes = entries.block << 32 | entries.cut
    known = distinct(codes)
    lists = []
    for code in known:
        block, cut = divmod(code, 1 << 32)
        lines = function.blocks[block] if block < len(function.blocks) else ()
        ran = dict.fromkeys(line for line in lines if not cut or line <= cut)
        lists.append([(line, False) for line in ran])
    return _listed(np.searchsorted(np.array(known), codes), lists)


def _listed(which: Ints, lists: Sequence[Sequence[tuple[int, bool]]]) -> _Lists:
    lines = [line for made in lists for line, _ in made]
    if not all(0 <= line < SITE_LINE for line in lines):
        raise TraceError("damaged trace: a block has a line that no file has")
    return _Lists(
        which,
        np.array([len(made) for made in lists], dtype=np.int64),
        np.array(lines, dtype=np.int64),
        np.array([taken for made in lists for _, taken in made], dtype=np.bool_),
    )
