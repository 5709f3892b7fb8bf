"""Which lines of a call were executed, and in which order its blocks.

Blocks are not recorded one by one: an event at a site tells that the site's block was running,
and every block that runs leaves an event. The *steps* of a call are its events and the calls it
made (at their calling sites), by time. A block is *entered* where it differs from the one before,
and where its first *mark* comes again, which is the next round of a loop. Marks are events that
happen once whenever their site is reached; a call of `list.extend`, say, leaves many events at
one site and is none.

Vocabulary: an entry of a block is *cut* at a line if an exception left it there: the lines of the
block after that one were not executed.

A call may have entered millions of blocks: `Entries` are columns.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from wrongcall.events import Kind, SiteKind
from wrongcall.trace.calls import CallTable
from wrongcall.trace.happenings import Happenings, happenings
from wrongcall.trace.program import Function
from wrongcall.trace.records import Bools, Ints, distinct, kind_table
from wrongcall.trace.store import Store

_ENDS = kind_table({Kind.RAISE, Kind.DROP})
_CUTS = kind_table({Kind.RAISE, Kind.CAUGHT})
MARKS = kind_table(
    {Kind.LOCAL, Kind.LOCAL_DEL, Kind.ATTR, Kind.ATTR_DEL, Kind.ITEM, Kind.ENTRY, Kind.ENTRY_DEL}
    | {Kind.BLOCK, Kind.CAUGHT, Kind.YIELD, Kind.RESUME, Kind.RETURN}
)
REPEATING = (SiteKind.CALL, SiteKind.TARGET)
"""Sites that have any number of events when they are reached once."""


@dataclass(frozen=True)
class BlockEntry:
    """A block of a function began to run."""

    time: int
    block: int
    cut: int = 0
    """The line at which an exception left it, 0: none did."""


class Entries(NamedTuple):
    """The blocks of a call in the order in which they were entered: `BlockEntry` as columns."""

    time: Ints
    block: Ints
    cut: Ints


class _Steps(NamedTuple):
    time: Ints
    site: Ints
    mark: Bools


class Execution:
    """The ways that calls took through their functions."""

    def __init__(self, store: Store, calls: CallTable) -> None:
        self._store = store
        self._calls = calls

    def blocks(self, call: int) -> list[BlockEntry]:
        """Return the blocks of a call in the order in which they were entered."""
        columns = (column.tolist() for column in self.entries(call))
        return list(map(BlockEntry, *columns))

    def entries(self, call: int, happened: Happenings | None = None) -> Entries:
        """Return them as columns; what happened in the call may be known already."""
        function = self._function(call)
        if happened is None:
            happened = happenings(self._store, self._calls, call)
        steps = self._steps(function.id, happened)
        blocks = self._store.program.columns.block[steps.site]
        changed = np.diff(blocks, prepend=-1) != 0
        where = np.flatnonzero(entered(changed, steps.site, steps.mark))
        none = np.zeros(len(where), dtype=np.int64)
        entries = Entries(steps.time[where], blocks[where].astype(np.int64), none)
        return _with_cuts(entries, function, happened)

    def lines(self, call: int) -> list[int]:
        """Return the lines of its function that a call executed, rising."""
        blocks = self._function(call).blocks
        entries = self.entries(call)
        lines: set[int] = set()
        for pair in distinct(entries.block << 32 | entries.cut):
            block, cut = divmod(pair, 1 << 32)
            if block < len(blocks):
                lines.update(line for line in blocks[block] if not cut or line <= cut)
        return sorted(lines)

    def _function(self, call: int) -> Function:
        return self._store.program.functions[self._calls.begun(call).function]

    def _steps(self, function: int, happened: Happenings) -> _Steps:
        """Return what tells where in its function a call was."""
        columns = self._store.program.columns
        sites = columns.known(happened.site)
        inside = (columns.function == function)[sites]
        inside &= ~(_ENDS[happened.kind] | happened.left)
        sites = sites[inside]
        marks = MARKS[happened.kind[inside]] & ~np.isin(columns.kind, REPEATING)[sites]
        return _Steps(happened.time[inside], sites, marks)


def entered(changed: Bools, site: Ints, mark: Bools) -> Bools:
    """Return at which steps a block is entered, given where it is another one than before."""
    count = len(changed)
    if not count:
        return changed
    starts = np.flatnonzero(changed)
    marked = np.where(mark, np.arange(count), count)
    first = np.minimum.reduceat(marked, starts)
    sizes = np.diff(starts, append=count)
    # Where there is no mark, the index `count` stands for a site that does not exist.
    first_site = np.repeat(np.append(site, -1)[first], sizes)
    again: Bools = mark & (site == first_site) & (np.arange(count) > np.repeat(first, sizes))
    return changed | again


def _with_cuts(entries: Entries, function: Function, happened: Happenings) -> Entries:
    """Return entries with those that exceptions left."""
    where = np.flatnonzero(_CUTS[happened.kind] | happened.left)
    if not len(where):
        return entries
    cuts = _Cuts(entries, function)
    times, lines = happened.time[where], happened.raised[where].tolist()
    places = np.searchsorted(entries.time, times).tolist()
    passing = 0  # the line of an exception on its way through `with` and `finally`
    for time, line, left, place in zip(
        times.tolist(), lines, happened.left[where].tolist(), places, strict=True
    ):
        if line != passing:
            cuts.cut(time, line, place)
        passing = line if left else 0
    return cuts.entries()


class _Cuts:
    """Puts into entries what exceptions tell, one after the other."""

    def __init__(self, entries: Entries, function: Function) -> None:
        self._entries = entries
        self._blocks: list[int] = entries.block.tolist()
        self._function = function
        self._holding: dict[int, tuple[int, ...]] = {}
        self._entered: dict[tuple[int, ...], list[int]] = {}
        self._added: list[BlockEntry] = []
        self._places: list[int] = []
        """Before which of the entries they belong."""

    def cut(self, time: int, line: int, place: int) -> None:
        """Note that an exception, seen before the entry with this number, left a block at this line.

        That is the block entered last, unless the line is in another one: then its first statement
        raised before it could leave an event, and this is the only trace of its entry.
        """
        holding = self._with_line(line)
        is_added = bool(self._places) and self._places[-1] == place
        last = self._added[-1].block if is_added else self._blocks[place - 1] if place else -1
        if (is_added or place) and (not holding or last in holding):
            if is_added:
                self._added[-1] = BlockEntry(self._added[-1].time, last, line)
            else:
                self._entries.cut[place - 1] = line
        elif holding:
            self._added.append(BlockEntry(time, self._latest(holding, place), line))
            self._places.append(place)

    def _with_line(self, line: int) -> tuple[int, ...]:
        """Return the blocks that a line is in."""
        if line not in self._holding:
            blocks = enumerate(self._function.blocks)
            self._holding[line] = tuple(i for i, lines in blocks if line in lines)
        return self._holding[line]

    def _latest(self, holding: tuple[int, ...], place: int) -> int:
        """Return which of some blocks was entered last before an entry, the first if none was."""
        if len(holding) == 1:
            return holding[0]
        if holding not in self._entered:
            found = np.flatnonzero(np.isin(self._entries.block, holding))
            self._entered[holding] = found.tolist()
        known = bisect_left(self._entered[holding], place) - 1
        entered = self._entered[holding][known] if known >= 0 else -1
        for added, before in zip(reversed(self._added), reversed(self._places), strict=True):
            if before <= entered:
                break
            if added.block in holding:
                return added.block
        return self._blocks[entered] if entered >= 0 else holding[0]

    def entries(self) -> Entries:
        """Return what is known now."""
        times, blocks, cuts = self._entries
        return Entries(
            np.insert(times, self._places, [entry.time for entry in self._added]),
            np.insert(blocks, self._places, [entry.block for entry in self._added]),
            np.insert(cuts, self._places, [entry.cut for entry in self._added]),
        )
