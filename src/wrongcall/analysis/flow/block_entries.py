"""Which lines a call executed, and the order of its blocks.

Blocks are not recorded one by one: an event at a site shows that the site's block was running (`blocks`), and every
block that runs leaves an event, unless it is silent (`control_flow`). The *steps* of a call are its events and the
calls it made (at their calling sites), by time. A block is *entered* where it differs from the previous one. The body
of a loop can follow itself: it begins with an event at one site (`BlockFlow.begin`), which happens once in each round.

Vocabulary: an entry of a block is *cut* at a line if an exception left it there: the lines of the block after that one
were not executed. The last entry of a call that did not end is cut too, at the line where something was last seen to
happen.

A call may have entered millions of blocks: `Entries` are columns.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from wrongcall.analysis.flow.blocks import BlockTable
from wrongcall.analysis.flow.call_events import CallEvents, call_events
from wrongcall.analysis.flow.control_flow import Arrival, Flow
from wrongcall.analysis.flow.cuts import with_cuts
from wrongcall.analysis.flow.entries import Entries, entered, ways
from wrongcall.events import NO_BLOCK, SITE_LINE, Kind
from wrongcall.trace.format.event_records import Ints, kind_table
from wrongcall.trace.format.program_tables import Function, Program
from wrongcall.trace.read.call_table import CallTable
from wrongcall.trace.read.store import Store

_DROPPED = kind_table({Kind.DROP})


@dataclass(frozen=True)
class BlockEntry:
    """An entry of a block of a function."""

    time: int
    block: int
    cut: int = 0
    """The line at which an exception left it; 0 if none did."""
    arrival: Arrival = Arrival.NORMAL
    """How the previous block was left."""


class Execution:
    """The paths that calls took through their functions."""

    def __init__(self, store: Store, calls: CallTable, flow: Flow) -> None:
        self._store = store
        self._calls = calls
        self._flow = flow
        self._table: tuple[int, BlockTable] | None = None

    def blocks(self, call: int) -> list[BlockEntry]:
        """Return the blocks of a call in the order in which they were entered."""
        entries = self.entries(call)
        arrivals = map(Arrival, entries.arrival.tolist())
        columns = (column.tolist() for column in entries[:3])
        return list(map(BlockEntry, *columns, arrivals))

    @property
    def table(self) -> BlockTable:
        """Maps events to blocks."""
        size = self._store.program.columns.size
        if self._table is None or self._table[0] != size:
            self._table = (size, BlockTable(self._store.program))
        return self._table[1]

    def entries(
        self, call: int, events: CallEvents | None = None, *, is_end: bool = True
    ) -> Entries:
        """Return them as columns; ``events``: the events of the call, if already known.

        ``is_end``: the events reach the end of the call.
        """
        function = self._function(call)
        if events is None:
            events = call_events(self._store, self._calls, call)
        block = self.table.of(function.id, events.kind, events.site)
        block[events.left] = NO_BLOCK
        where = np.flatnonzero(block != NO_BLOCK)
        mark = self.table.begins(events.kind[where], events.site[where])
        block = block[where]
        is_entry = entered(np.diff(block, prepend=-1) != 0, mark)
        begin, block = where[is_entry], block[is_entry]
        times = events.time[_earlier(function, events, where, begin, block)]
        none = np.zeros(len(block), dtype=np.int64)
        entries = Entries(times, block, none, none.copy())
        entries = with_cuts(entries, function, self._flow, self._store.program, events)
        if is_end and not self._ended(call, function, events):
            _reached(entries, events, self._store.program)
        return entries

    def _ended(self, call: int, function: Function, events: CallEvents) -> bool:
        if function.kind == "lambda":
            return True  # an expression
        return self._calls.ended(call).exit >= 0 and not _DROPPED[events.kind].any()

    def lines(self, call: int) -> list[int]:
        """Return the lines of its function that a call executed, in ascending order."""
        function, entries = self._function(call), self.entries(call)
        found = ways(function, self._flow, entries)[1]
        return sorted({line for told in found for line, taken in told.passed if taken is None})

    def _function(self, call: int) -> Function:
        return self._store.program.functions[self._calls.begun(call).function]


def _reached(entries: Entries, events: CallEvents, program: Program) -> None:
    """Cut the last entry of a call that did not end at the line where something last happened."""
    told = np.flatnonzero(events.site != 0)
    if len(entries.cut) and not entries.cut[-1] and len(told):
        entries.cut[-1] = max(program.line(int(events.site[told[-1]])), 1)


def _earlier(function: Function, events: CallEvents, steps: Ints, begin: Ints, block: Ints) -> Ints:
    """Return where entries begin, given the positions of their first steps.

    Calls that the interpreter makes without a call expression, for example by operators, are known by their line. Those
    right before a block's first step belong to it if they are on its lines.
    """
    only_lines = events.site >= SITE_LINE
    if not only_lines.any():
        return begin
    found = begin.tolist()
    before = np.append(-1, steps)[np.searchsorted(steps, begin)].tolist()
    # Most steps have another one right before them: only the gaps are examined.
    for number in np.flatnonzero(begin - np.array(before) > 1).tolist():
        own = _own_lines(function, int(block[number]), int(block[number - 1]) if number else -1)
        at = found[number] - 1
        while at > before[number] and only_lines[at] and int(events.site[at]) ^ SITE_LINE in own:
            at -= 1
        found[number] = at + 1
    return np.array(found, dtype=np.int64)


def _own_lines(function: Function, block: int, previous: int) -> set[int]:
    """Return the lines that distinguish a block from the previous one; for a round of a loop, its first line.

    On the line of a `with` around the previous block, that block still ends.
    """
    blocks = function.blocks
    lines = blocks[block] if block < len(blocks) else ()
    around = function.flow[previous].resume if 0 <= previous < len(function.flow) else ()
    ending = {line for _, first, last in around for line in range(first, last + 1)}
    if block == previous:
        return set(lines[:1]) - ending
    return {*lines}.difference(blocks[previous] if 0 <= previous < len(blocks) else (), ending)
