"""What exceptions show about the blocks of a call: where they left one, and that they led to another.

An exception is seen where it leaves the body of a `with`, where `except` catches it, where `finally` begins and where
it ends the call; each time with the line at which it was raised in this call. It *passes on* if it is already known and
the line was not reached again since: then nothing was executed there twice.
"""

from __future__ import annotations

import numpy as np

from wrongcall.analysis.flow.call_events import CallEvents
from wrongcall.analysis.flow.control_flow import Arrival, Flow
from wrongcall.analysis.flow.entries import AT_ITS_END, Entries
from wrongcall.events import Kind, SiteKind
from wrongcall.trace.format.event_records import kind_table
from wrongcall.trace.format.program_tables import Function, Program

_SEEN = kind_table({Kind.RAISE, Kind.CAUGHT})


def with_cuts(
    entries: Entries, function: Function, flow: Flow, program: Program, events: CallEvents
) -> Entries:
    """Return entries with cuts by exceptions, and with those entries that only an exception shows."""
    where = np.flatnonzero(_SEEN[events.kind] | events.left)
    if not len(where):
        return entries
    cuts = _Cuts(entries, function, flow, program)
    sites = program.columns.known(events.site[where])
    leads = program.columns.block[sites]
    leads[program.columns.function[sites] != function.id] = -1
    leads[events.kind[where] == Kind.RAISE] = -1
    times = events.time[where]
    clauses = np.where(events.kind[where] == Kind.CAUGHT, leads, -1)
    columns = (times, events.raised[where], events.exception[where], leads, clauses)
    places = np.searchsorted(entries.time, times)
    for time, line, exception, leads_to, clause, place in zip(
        *(column.tolist() for column in (*columns, places)), strict=True
    ):
        cuts.take(place)
        if cuts.passes_on(line, exception, clause):
            cuts.pass_on()
        else:
            cuts.cut(time, line)
        cuts.seen(line, exception, leads_to)
    return cuts.entries()


class _Cuts:
    """Applies exceptions to entries, one after the other."""

    def __init__(self, entries: Entries, function: Function, flow: Flow, program: Program) -> None:
        self._function = function
        self._flow = flow
        self._program = program
        self._old = entries
        self._time: list[int] = []
        self._block: list[int] = []
        self._cut: list[int] = []
        self._arrival: list[int] = []
        self._done = 0
        """How many of the entries have been processed."""
        self._left = False
        """An exception left the last of them, and its destination is not known yet."""
        self._leads_to = -1
        self._holding: dict[int, frozenset[int]] = {}
        self._raised: dict[int, tuple[int, int]] = {}
        """For each exception: its line, and the number of entries when it was last seen."""

    def seen(self, line: int, exception: int, leads_to: int) -> None:
        """Note that an exception raised at a line leaves the last entry for a block (-1: unknown)."""
        self._raised[exception] = (line, len(self._block))
        self._left = True
        self._leads_to = leads_to

    def pass_on(self) -> None:
        """Note that an exception from elsewhere leaves the last entry."""
        if self._cut and not self._cut[-1]:
            self._cut[-1] = AT_ITS_END

    def take(self, place: int) -> None:
        """Process entries up to the one with this number."""
        count = place - self._done
        if count <= 0:
            return
        part = slice(self._done, place)
        arrival = [int(Arrival.NORMAL)] * count
        blocks = self._old.block[part].tolist()
        if self._left:
            raised = blocks[0] == self._leads_to
            arrival[0] = int(Arrival.RAISED if raised else Arrival.SUPPRESSED)
        self._left = False
        self._time += self._old.time[part].tolist()
        self._block += blocks
        self._cut += [0] * count
        self._arrival += arrival
        self._done = place

    def passes_on(self, line: int, exception: int, clause: int) -> bool:
        """Return whether an exception was seen before; ``clause``: the `except` that catches it, or -1."""
        if not line or (clause >= 0 and self._is_next_clause(clause)) or self._ends_with(line):
            return True
        known, count = self._raised.get(exception, (0, 0))
        return known == line and not self._with_line(line).intersection(self._block[count:])

    def _is_next_clause(self, block: int) -> bool:
        """Return whether this is another clause of ``except*`` for the same exception."""
        return bool(self._block) and self._flow.follows(self._function, self._block[-1], block)

    def _ends_with(self, line: int) -> bool:
        """Return whether this is the line of a `with` around the last block, which raises as it ends."""
        resume = self._function.flow[self._block[-1]].resume if self._block else ()
        return any(first <= line <= last for _, first, last in resume)

    def cut(self, time: int, line: int) -> None:
        """Note that an exception left a block at this line.

        That is the block entered last, unless the line is in another block, or this is another round: then its first
        statement raised before it could leave an event, and this is the only sign of its entry.
        """
        holding = self._with_line(line)
        last = self._block[-1] if self._block else -1
        if self._block and (not holding or (last in holding and not self._is_new_round(line))):
            self._cut[-1] = self._cut[-1] or line
        elif holding:
            follows = (b for b in sorted(holding) if self._flow.follows(self._function, last, b))
            self._add(time, next(follows, min(holding)), line)

    def _add(self, time: int, block: int, line: int) -> None:
        arrival = Arrival.NORMAL
        if self._left:
            arrival = Arrival.RAISED if block == self._leads_to else Arrival.SUPPRESSED
        self._time.append(time)
        self._block.append(block)
        self._cut.append(line)
        self._arrival.append(int(arrival))

    def _with_line(self, line: int) -> frozenset[int]:
        """Return the blocks that contain a line."""
        if line not in self._holding:
            blocks = enumerate(self._function.blocks)
            self._holding[line] = frozenset(i for i, lines in blocks if line in lines)
        return self._holding[line]

    def _is_new_round(self, line: int) -> bool:
        """Return whether a line raised in the body of a loop that had already executed it.

        A round that begins with an assignment has no other event to begin with.
        """
        begin = self._function.flow[self._block[-1]].begin
        site = self._program.sites.get(begin) if begin else None
        is_first = site is not None and site.line <= line <= site.end_line
        return is_first and site is not None and site.kind == SiteKind.WRITE

    def entries(self) -> Entries:
        """Return the entries so far."""
        self.take(len(self._old.time))
        columns = (self._time, self._block, self._cut, self._arrival)
        return Entries(*(np.array(column, dtype=np.int64) for column in columns))
