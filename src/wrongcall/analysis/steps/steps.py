"""The steps of a call, in order, as a sequence of any length.

A call can have millions of steps. Time, kind and line of each are columns; a `CallStep`, with what was written, is made
on demand.

Vocabulary: steps are in *display order*, lines before what they did (`step_reader`), or *by time*. The two differ only
in traces that no program can leave.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import overload

import numpy as np
import numpy.typing as npt

from wrongcall.trace.format.event_records import Bools, Bytes, Ints
from wrongcall.trace.read.values import UNSET, Value

_TOGETHER = 1000
"""Steps to make at once when iterating over all of them."""


class StepKind(Enum):
    """What happened."""

    LINE = "line"
    BRANCH = "branch"
    GIVEN = "given"  # a parameter got its argument
    WRITE = "write"
    DELETE = "delete"
    CALL = "call"
    CAUGHT = "caught"
    YIELD = "yield"
    RESUME = "resume"
    PRINT = "print"
    RETURN = "return"
    RAISE = "raise"
    DROP = "dropped"


KINDS = tuple(StepKind)
NUMBERS = {kind: number for number, kind in enumerate(KINDS)}
"""The kinds as numbered in columns."""


def step_table(*kinds: StepKind) -> Bools:
    """Return a flag for each number of a kind."""
    return np.array([kind in kinds for kind in KINDS])


_LINES = step_table(StepKind.LINE)
_SHOWN = step_table(StepKind.WRITE, StepKind.GIVEN)
_AHEAD = step_table(StepKind.LINE, StepKind.BRANCH)


@dataclass(frozen=True)
class CallStep:
    """One step of a call."""

    time: int
    kind: StepKind
    line: int
    place: str = ""
    """What was written to, in the function's own words."""
    value: Value = UNSET
    child: int = 0
    """The call that was made."""
    taken: bool | None = None
    """The outcome of a branch."""


@dataclass(frozen=True)
class StepColumns:
    """Steps as columns."""

    time: Ints
    kind: Bytes
    line: npt.NDArray[np.int32]
    taken: Bools

    def __getitem__(self, where: slice | Ints | Bools) -> StepColumns:
        return StepColumns(self.time[where], self.kind[where], self.line[where], self.taken[where])

    @property
    def nbytes(self) -> int:
        """Their size in memory, in bytes."""
        arrays = (self.time, self.kind, self.line, self.taken)
        return sum(array.nbytes for array in arrays) + 500

    def has(self, table: Bools) -> Bools:
        """Return which of them are of some kinds."""
        found: Bools = table[self.kind]
        return found


Made = Callable[[StepColumns], list[CallStep]]
Latest = Callable[[StepColumns, int], dict[int, list[CallStep]]]


class Steps(Sequence[CallStep]):
    """Steps of a call, made from columns on demand.

    ``make`` makes steps, ``latest`` (`latest_writes`) the last writes on each line.
    """

    def __init__(self, columns: StepColumns, make: Made, latest: Latest) -> None:
        self.columns = columns
        self._make = make
        self._latest = latest

    def __len__(self) -> int:
        return len(self.columns.time)

    @overload
    def __getitem__(self, where: int) -> CallStep: ...

    @overload
    def __getitem__(self, where: slice) -> list[CallStep]: ...

    def __getitem__(self, where: int | slice) -> CallStep | list[CallStep]:
        if isinstance(where, slice):
            return self._make(self.columns[where])
        at = range(len(self))[where]
        return self._make(self.columns[at : at + 1])[0]

    def __iter__(self) -> Iterator[CallStep]:
        for first in range(0, len(self), _TOGETHER):
            yield from self[first : first + _TOGETHER]

    def _of(self, columns: StepColumns) -> Steps:
        return Steps(columns, self._make, self._latest)

    # -- parts -------------------------------------------------------------------------------------

    def by_time(self) -> Steps:
        """Return the steps by their times."""
        times = self.columns.time
        if (times[1:] >= times[:-1]).all():
            return self
        return self._of(self.columns[np.argsort(times, kind="stable")])

    def first(self, count: int) -> Steps:
        """Return the first ``count`` steps."""
        return self._of(self.columns[:count])

    def until(self, time: int) -> Steps:
        """Return the steps up to a time, in the same order."""
        kept = self.columns.time <= time
        count = int(np.count_nonzero(kept))
        return self.first(count) if kept[:count].all() else self._of(self.columns[kept])

    # -- places among them -------------------------------------------------------------------------

    def since(self, time: int) -> Steps:
        """Return the steps from a time on, in the same order."""
        return self._of(self.columns[self.columns.time >= time])

    def last_at(self, time: int) -> int:
        """Return the position of the last step up to a time; steps must be by time."""
        return max(int(np.searchsorted(self.columns.time, time, "right")) - 1, 0)

    def around(self, time: int) -> tuple[int | None, int | None]:
        """Return the times before and after that of the last step up to a time; None where there is none."""
        times = self.columns.time
        if not len(times):
            return None, None
        before = int(np.searchsorted(times, times[self.last_at(time)])) - 1
        after = int(np.searchsorted(times, time, "right"))
        return (
            int(times[before]) if before >= 0 else None,
            int(times[after]) if after < len(times) else None,
        )

    def next_line(self, at: int, line: int) -> int | None:
        """Return the position where a line is next executed, wrapping around to the beginning; None if never."""
        found = np.flatnonzero(self.columns.has(_LINES) & (self.columns.line == line))
        found = found[found != at]
        if not len(found):
            return None
        return int(found[np.searchsorted(found, at) % len(found)])

    def previous_line(self, at: int, line: int) -> int | None:
        """Return the position where a line was last executed, wrapping around to the end; None if never."""
        found = np.flatnonzero(self.columns.has(_LINES) & (self.columns.line == line))
        found = found[found != at]
        return int(found[np.searchsorted(found, at) - 1]) if len(found) else None

    def state_times(self, entry: int) -> Ints:
        """Return for each step the time whose state belongs to it, as `state_time` does for one."""
        times: Ints = np.maximum.accumulate(self.columns.time - self.columns.has(_AHEAD))
        return np.maximum(times, entry)

    # -- summaries ---------------------------------------------------------------------------------

    def last_line(self) -> int:
        """Return the line that was executed last, or 0 if none was."""
        return self._last(self.columns.has(_LINES))

    def known_line(self) -> int:
        """Return the line of the last step that has one, or 0 if none has."""
        return self._last(self.columns.line != 0)

    def _last(self, chosen: Bools) -> int:
        found = np.flatnonzero(chosen)
        return int(self.columns.line[found[-1]]) if len(found) else 0

    def state_time(self, at: int, entry: int) -> int:
        """Return the time whose state belongs to a step: a line or a test has not run yet."""
        some = self.columns[: at + 1]
        return int((some.time - some.has(_AHEAD)).max(initial=entry))

    def line_counts(self) -> dict[int, int]:
        """Return how often each line was executed."""
        counts = np.bincount(self.columns.line[self.columns.has(_LINES)])
        found = np.flatnonzero(counts)
        return dict(zip(found.tolist(), counts[found].tolist(), strict=True))

    def latest(self, most: int, first: int, last: int) -> dict[int, list[CallStep]]:
        """Return what was written on each line from ``first`` to ``last``, inclusive.

        For each of the ``most`` places that were written to last on a line, it has the last write, in order.
        """
        written = np.flatnonzero(self.columns.has(_SHOWN))
        line = self.columns.line[written]
        return self._latest(self.columns[written[(line >= first) & (line <= last)]], most)
