"""Merge line and branch steps into the event stream of a call, in display order.

All of it works on columns, whatever the number of steps. Each entry of a block first gives what was passed on the way
to it (the *lead*: branches, and the lines of loops' tests), then its lines, each before the events on it. Events on a
line that is not ahead in the block stay where they happened.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from wrongcall.analysis.flow.control_flow import Flow
from wrongcall.analysis.flow.entries import Entries, Told, ways
from wrongcall.analysis.steps.steps import NUMBERS, StepColumns, StepKind, step_table
from wrongcall.errors import TraceError
from wrongcall.events import SITE_LINE
from wrongcall.trace.format.event_records import Bools, Bytes, Ints
from wrongcall.trace.format.program_tables import Function

_GIVEN = step_table(StepKind.GIVEN)
_WRITES = step_table(StepKind.WRITE)

_TOGETHER = 4096
"""Entries to process at once, which bounds the memory for intermediate results."""


class _Lists(NamedTuple):
    """For each entry, one of a few lists of what it passes."""

    which: Ints
    size: Ints
    """The length of each list."""
    lead: Ints
    """How much of each list comes before any event."""
    line: Ints
    """All lists one after the other."""
    kind: Bytes
    taken: Bools

    def part(self, first: int, last: int) -> _Lists:
        """Return those of some entries."""
        return self._replace(which=self.which[first:last])

    @property
    def sizes(self) -> Ints:
        """For each entry, the length of its list."""
        found: Ints = self.size[self.which]
        return found

    @property
    def leads(self) -> Ints:
        """For each entry, how much of its list comes first."""
        found: Ints = self.lead[self.which]
        return found

    def rows(self) -> Ints:
        """Return for all entries, one after the other, the positions of their lists in ``line``."""
        sizes = self.sizes
        begins = np.repeat(_begins(self.size)[self.which] - _begins(sizes), sizes)
        return begins + np.arange(len(begins))

    def find(self, counts: Ints, line: npt.NDArray[np.int32]) -> Ints:
        """Return the last position of lines in the list of their entry (``counts`` lines per entry); -1 if absent."""
        if not len(self.line):
            return np.full(len(line), -1)
        number = np.arange(len(self.line)) - np.repeat(_begins(self.size), self.size)
        keys = np.repeat(np.arange(len(self.size)), self.size) << 32 | self.line
        order = np.argsort(keys, kind="stable")
        keys = keys[order]
        wanted = np.repeat(self.which << 32, counts) | line
        place = np.maximum(np.searchsorted(keys, wanted, "right") - 1, 0)
        return np.where(keys[place] == wanted, number[order][place], -1)


def told(
    function: Function, flow: Flow, entries: Entries, steps: StepColumns, end: int
) -> StepColumns:
    """Merge lines and branches into the steps of a call that ended before ``end``.

    The arguments come first.
    """
    is_given = steps.has(_GIVEN)
    given, steps = steps[is_given], steps[~is_given]
    lists = _listed(*ways(function, flow, entries))
    begin = np.searchsorted(steps.time, np.append(entries.time, end))
    begin[-1] = begin.max()
    times = np.append(entries.time, end)
    more = np.append(0, np.cumsum(lists.sizes))
    made = _room(len(given.time) + len(steps.time) + int(more[-1]))
    _put(made, slice(0, len(given.time)), given)
    told = made[len(given.time) :]
    _put(told, slice(0, int(begin[0])), steps[: int(begin[0])])
    for first in range(0, len(entries.time), _TOGETHER):
        last = min(first + _TOGETHER, len(entries.time))
        where = slice(int(more[first] + begin[first]), int(more[last] + begin[last]))
        _tell(
            told[where],
            steps[int(begin[first]) : int(begin[last])],
            begin[first : last + 1] - begin[first],
            times[first : last + 1],
            lists.part(first, last),
        )
    late = int(more[-1] + begin[-1])
    _put(told, slice(late, len(told.time)), steps[int(begin[-1]) :])
    return made


def bind_first(function: Function, columns: StepColumns, is_line: Bools, state: Ints) -> None:
    """Let the first line inside a `with` find what its header bound: the steps tell that after the line."""
    spans = {each[1:] for flow in function.flow for each in flow.resume}
    headers = [line for first, last in spans for line in range(first, last + 1)]
    bound = columns.has(_WRITES) & np.isin(columns.line, headers)
    if not bound.any():
        return
    others = np.append(np.flatnonzero(~bound), len(bound))
    lines = np.flatnonzero(is_line[:-1] & bound[1:] & ~np.isin(columns.line[:-1], headers))
    ends = others[np.searchsorted(others, lines + 1)] - 1
    state[lines] = np.maximum(state[lines], columns.time[ends])


def _tell(made: StepColumns, steps: StepColumns, begin: Ints, times: Ints, lists: _Lists) -> None:
    """Merge some entries; ``begin`` and ``times`` give the start of each, and of what follows."""
    sizes, events = lists.sizes, np.diff(begin)
    first = _begins(sizes + events)

    before = np.minimum(_reached(lists, events, steps.line) + 1, np.repeat(sizes, events))
    where = np.arange(len(before)) + np.repeat(first - begin[:-1], events) + before
    _put(made, where, steps)
    free = np.ones(len(made.time), dtype=np.bool_)
    free[where] = False

    row = lists.rows()
    where = np.flatnonzero(free)
    # Everything up to there that is not in a list is an event: the next one is this.
    following = where - np.arange(len(row))
    is_inside = following < np.repeat(begin[1:], sizes)
    next_time = np.append(steps.time, 0)[np.minimum(following, len(steps.time))]
    last_time = np.maximum(times[1:] - 1, times[:-1])
    time = np.where(is_inside, next_time, np.repeat(last_time, sizes))
    is_lead = np.arange(len(row)) - np.repeat(_begins(sizes), sizes) < np.repeat(lists.leads, sizes)
    made.time[where] = np.where(is_lead, np.repeat(times[:-1], sizes), time)
    made.line[where], made.kind[where] = lists.line[row], lists.kind[row]
    made.taken[where] = lists.taken[row]


def _room(count: int) -> StepColumns:
    """Return columns for ``count`` steps, all lines until something else is put there."""
    return StepColumns(
        np.empty(count, np.int64),
        np.full(count, NUMBERS[StepKind.LINE], np.uint8),
        np.empty(count, np.int32),
        np.zeros(count, np.bool_),
    )


def _put(made: StepColumns, where: slice | Ints, steps: StepColumns) -> None:
    made.time[where] = steps.time
    made.kind[where] = steps.kind
    made.line[where] = steps.line


def _begins(sizes: Ints) -> Ints:
    """Return where contiguous groups of these sizes begin."""
    begins: Ints = np.cumsum(sizes) - sizes
    return begins


def _reached(lists: _Lists, events: Ints, line: npt.NDArray[np.int32]) -> Ints:
    """Return how far in the list of its entry each event is, never going back.

    Events on none of the lines come after the first line of the block.
    """
    most = int(lists.size.max(initial=0)) + 2
    offset = np.repeat(np.arange(len(events)) * most, events)
    leads = np.repeat(lists.leads, events)
    found = lists.find(events, line)
    places = np.where(found < 0, leads, np.maximum(found, leads - 1)) + offset
    reached: Ints = np.maximum.accumulate(places) - offset
    return reached


def _listed(which: Ints, lists: list[Told]) -> _Lists:
    passed = [one for told in lists for one in told.passed]
    if not all(0 <= one.line < SITE_LINE for one in passed):
        raise TraceError("damaged trace: a block has a line that no file has")
    kinds = [StepKind.LINE if one.taken is None else StepKind.BRANCH for one in passed]
    return _Lists(
        which,
        np.array([len(told.passed) for told in lists], dtype=np.int64),
        np.array([told.lead for told in lists], dtype=np.int64),
        np.array([one.line for one in passed], dtype=np.int64),
        np.array([NUMBERS[kind] for kind in kinds], dtype=np.uint8),
        np.array([bool(one.taken) for one in passed], dtype=np.bool_),
    )
