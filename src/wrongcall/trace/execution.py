"""Which lines of a call were executed, and in which order its blocks.

Blocks are not recorded one by one: an event at a site tells that the site's block was running,
and every block that runs leaves an event. The *steps* of a call are its events and the calls it
made (at their calling sites), by time. A block is *entered* where it differs from the one before,
and where its first *mark* comes again, which is the next round of a loop. Marks are events that
happen once whenever their site is reached; a call of `list.extend`, say, leaves many events at
one site and is none.

Vocabulary: an entry of a block is *cut* at a line if an exception left it there: the lines of the
block after that one were not executed.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from wrongcall.events import Kind, SiteKind
from wrongcall.trace.calls import CallTable
from wrongcall.trace.program import Function
from wrongcall.trace.records import Bools, Ints, kind_table
from wrongcall.trace.segments import Found
from wrongcall.trace.store import Store

_ENDS = kind_table({Kind.RAISE, Kind.DROP})
_CUTS = kind_table({Kind.RAISE, Kind.CAUGHT})
MARKS = kind_table(
    {Kind.LOCAL, Kind.LOCAL_DEL, Kind.ATTR, Kind.ATTR_DEL, Kind.ITEM, Kind.ENTRY, Kind.ENTRY_DEL}
    | {Kind.BLOCK, Kind.CAUGHT, Kind.YIELD, Kind.RESUME, Kind.RETURN}
)
"""Kinds of events that happen once whenever their site is reached, unless that is one of `REPEATING`."""
REPEATING = (SiteKind.CALL, SiteKind.TARGET)
"""Sites that have any number of events when they are reached once."""


@dataclass(frozen=True)
class BlockEntry:
    """A block of a function began to run."""

    time: int
    block: int
    cut: int = 0
    """The line at which an exception left it, 0: none did."""


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
        function = self._function(call)
        first, last = self._calls.span(call)
        own = self._store.segments.select(call=call, first=first, last=last + 1)
        steps = self._steps(call, function.id, own)
        blocks = self._store.program.columns.block[steps.site]
        changed = np.diff(blocks, prepend=-1) != 0
        where = np.flatnonzero(entered(changed, steps.site, steps.mark))
        entries = [BlockEntry(int(steps.time[i]), int(blocks[i])) for i in where]
        left = _left(own)
        passing = 0  # the line of an exception on its way through `with` and `finally`
        for i in np.flatnonzero(_CUTS[own.events["kind"]] | left):
            line = int(own.events["key"][i])
            if line != passing:
                _cut(entries, function, int(own.times[i]), line)
            passing = line if left[i] else 0
        return entries

    def lines(self, call: int) -> list[int]:
        """Return the lines of its function that a call executed, rising."""
        blocks = self._function(call).blocks
        lines: set[int] = set()
        for block, cut in {(entry.block, entry.cut) for entry in self.blocks(call)}:
            if block < len(blocks):
                lines.update(line for line in blocks[block] if not cut or line <= cut)
        return sorted(lines)

    def _function(self, call: int) -> Function:
        return self._store.program.functions[self._calls.begun(call).function]

    def _steps(self, call: int, function: int, own: Found) -> _Steps:
        """Return what tells where in its function a call was."""
        made = self._made(call)
        at_end = _ENDS[own.events["kind"]] | _left(own)
        times = np.concatenate([own.times[~at_end], made.times])
        callers = made.events["key"] & 0xFFFFFFFF
        sites = np.concatenate([own.events["site"][~at_end].astype(np.int64), callers])
        marks = MARKS[np.concatenate([own.events["kind"][~at_end], made.events["kind"]])]
        order = np.argsort(times)
        columns = self._store.program.columns
        sites = columns.known(sites[order])
        inside = columns.function[sites] == function
        marks = marks[order] & ~np.isin(columns.kind[sites], REPEATING)
        return _Steps(times[order][inside], sites[inside], marks[inside])

    def _made(self, call: int) -> Found:
        """Return the beginnings of the calls that a call made."""
        times = [self._calls.begun(child).entry for child in self._calls.children(call).tolist()]
        return self._store.segments.at(np.array(times, dtype=np.int64))


def _left(own: Found) -> Bools:
    """Return which events say that an exception left the running block, to `with` or `finally`."""
    found: Bools = (own.events["kind"] == Kind.BLOCK) & (own.events["ktag"] != 0)
    return found


def entered(changed: Bools, site: Ints, mark: Bools) -> Bools:
    """Return at which steps a block is entered, given where it is another one than before."""
    count = len(changed)
    if not count:
        return changed
    starts = np.flatnonzero(changed)
    marked = np.where(mark, np.arange(count), count)
    first = np.minimum.reduceat(marked, starts)[np.cumsum(changed) - 1]
    # Where there is no mark, the index `count` stands for a site that does not exist.
    first_site = np.append(site, -1)[first]
    again: Bools = mark & (np.arange(count) > first) & (site == first_site)
    return changed | again


def _cut(entries: list[BlockEntry], function: Function, time: int, line: int) -> None:
    """Note that an exception, seen at this time, left a block at this line.

    That is the block entered last, unless the line is in another one: then its first statement
    raised before it could leave an event, and this is the only trace of its entry.
    """
    place = bisect_left(entries, time, key=lambda entry: entry.time)
    holding = [i for i, lines in enumerate(function.blocks) if line in lines]
    if place and (not holding or entries[place - 1].block in holding):
        entries[place - 1] = replace(entries[place - 1], cut=line)
    elif holding:
        known = [entry.block for entry in entries[:place] if entry.block in holding]
        block = known[-1] if known else holding[0]
        entries.insert(place, BlockEntry(time, block, line))
