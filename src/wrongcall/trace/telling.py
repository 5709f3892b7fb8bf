"""Puts lines and branches among what happened in a call: the order in which it is told.

All of it is done on columns, whatever the number of steps. Each entry of a block gives first the *branches*
that led to it, then its lines, each before what happened on it. What happened on a line that
is not ahead in the block comes where it happened.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from wrongcall.errors import TraceError
from wrongcall.events import SITE_LINE
from wrongcall.trace.execution import Entries
from wrongcall.trace.flow import Flow
from wrongcall.trace.program import Function
from wrongcall.trace.records import Bools, Ints, distinct
from wrongcall.trace.steps import NUMBERS, StepColumns, StepKind, step_table

_GIVEN = step_table(StepKind.GIVEN)

_TOGETHER = 4096
"""So many entries are told at once: what is worked out meanwhile stays small."""


class _Lists(NamedTuple):
    """For each entry one of a few lists of lines: those of its block, or of the tests before it."""

    which: Ints
    size: Ints
    """How long each list is."""
    line: Ints
    """All lists one after the other."""
    taken: Bools

    def part(self, first: int, last: int) -> _Lists:
        """Return those of some entries."""
        return self._replace(which=self.which[first:last])

    @property
    def sizes(self) -> Ints:
        """For each entry, how long its list is."""
        found: Ints = self.size[self.which]
        return found

    def rows(self) -> Ints:
        """Return for all entries, one after the other, where in ``line`` their lists are."""
        sizes = self.sizes
        begins = np.repeat(_begins(self.size)[self.which] - _begins(sizes), sizes)
        return begins + np.arange(len(begins))

    def find(self, counts: Ints, line: npt.NDArray[np.int32]) -> Ints:
        """Return where lines, so many of each entry, are in its list; -1: not there."""
        if not len(self.line):
            return np.full(len(line), -1)
        number = np.arange(len(self.line)) - np.repeat(_begins(self.size), self.size)
        keys = np.repeat(np.arange(len(self.size)), self.size) << 32 | self.line
        order = np.argsort(keys)
        keys = keys[order]
        wanted = np.repeat(self.which << 32, counts) | line
        place = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
        return np.where(keys[place] == wanted, number[order][place], -1)


def told(
    function: Function, flow: Flow, entries: Entries, happened: StepColumns, end: int
) -> StepColumns:
    """Return what happened in a call that ended before a time, with lines and branches among it.

    What the call was given comes first.
    """
    is_given = happened.has(_GIVEN)
    given, happened = happened[is_given], happened[~is_given]
    branches, lines = _branches(function, flow, entries), _lines(function, entries)
    begin = np.searchsorted(happened.time, np.append(entries.time, end))
    begin[-1] = begin.max()
    times = np.append(entries.time, end)
    more = np.append(0, np.cumsum(branches.sizes + lines.sizes))
    made = _room(len(given.time) + len(happened.time) + int(more[-1]))
    _put(made, slice(0, len(given.time)), given)
    told = made[len(given.time) :]
    _put(told, slice(0, int(begin[0])), happened[: int(begin[0])])
    for first in range(0, len(entries.time), _TOGETHER):
        last = min(first + _TOGETHER, len(entries.time))
        where = slice(int(more[first] + begin[first]), int(more[last] + begin[last]))
        _tell(
            told[where],
            happened[int(begin[first]) : int(begin[last])],
            begin[first : last + 1] - begin[first],
            times[first : last + 1],
            branches.part(first, last),
            lines.part(first, last),
        )
    late = int(more[-1] + begin[-1])
    _put(told, slice(late, len(told.time)), happened[int(begin[-1]) :])
    return made


def _tell(
    made: StepColumns,
    happened: StepColumns,
    begin: Ints,
    times: Ints,
    branches: _Lists,
    lines: _Lists,
) -> None:
    """Tell some entries; ``begin`` and ``times`` say of each, and of what follows, where it begins."""
    tests, ran, events = branches.sizes, lines.sizes, np.diff(begin)
    first = _begins(tests + ran + events)
    free = np.ones(len(made.time), dtype=np.bool_)

    row = branches.rows()
    where = np.arange(len(row)) + np.repeat(first - _begins(tests), tests)
    made.time[where], made.line[where] = np.repeat(times[:-1], tests), branches.line[row]
    made.kind[where], made.taken[where] = NUMBERS[StepKind.BRANCH], branches.taken[row]
    free[where] = False

    before = np.minimum(_reached(lines, events, happened.line) + 1, np.repeat(ran, events))
    where = np.arange(len(before)) + np.repeat(first + tests - begin[:-1], events) + before
    _put(made, where, happened)
    free[where] = False

    row = lines.rows()
    where = np.flatnonzero(free)
    # What happened up to there is all that is neither a line nor a branch: the next one is this.
    following = where - np.arange(len(row)) - np.repeat(np.cumsum(tests), ran)
    is_inside = following < np.repeat(begin[1:], ran)
    next_time = np.append(happened.time, 0)[np.minimum(following, len(happened.time))]
    made.time[where] = np.where(is_inside, next_time, np.repeat(times[1:] - 1, ran))
    made.line[where] = lines.line[row]


def _room(count: int) -> StepColumns:
    """Return room for so many steps; all are lines until something else is put there."""
    return StepColumns(
        np.empty(count, np.int64),
        np.full(count, NUMBERS[StepKind.LINE], np.uint8),
        np.empty(count, np.int32),
        np.zeros(count, np.bool_),
    )


def _put(made: StepColumns, where: slice | Ints, happened: StepColumns) -> None:
    made.time[where] = happened.time
    made.kind[where] = happened.kind
    made.line[where] = happened.line


def _begins(sizes: Ints) -> Ints:
    """Return where groups of these sizes begin that lie one after the other."""
    begins: Ints = np.cumsum(sizes) - sizes
    return begins


def _reached(lines: _Lists, events: Ints, line: npt.NDArray[np.int32]) -> Ints:
    """Return how far in the lines of its entry each event is; none goes back."""
    most = int(lines.size.max(initial=0)) + 1
    offset = np.repeat(np.arange(len(events)) * most, events)
    places = np.maximum(lines.find(events, line), 0) + offset
    reached: Ints = np.maximum.accumulate(places) - offset
    return reached


def _branches(function: Function, flow: Flow, entries: Entries) -> _Lists:
    """Return the tests that led to each entry."""
    block = entries.block
    previous = np.append(-1, block)[:-1]
    cut = np.append(0, entries.cut)[:-1] != 0  # an exception led there
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
