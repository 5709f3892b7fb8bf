"""Calls during which no changed code ran: they are right, and need not be repeated.

The reference would have executed the same statements on what the call was given, and so it would have done the same.
That holds under the conditions that this module checks:

- *All code that ran* is the same, between the entry and the exit of the call: in every thread and process, in
  generators that were resumed and functions that libraries called back. A changed function runs where its calls begin;
  or where it is resumed, if it can be suspended; or where its generator expressions go on, whoever asks them. Each of
  these has events. A call of another thread may run without any for a while, so there its whole life counts.
- *All code that the call could reach* is the same. What modules define comes from the version of the program that is
  asked about: if a class has another base, a method more, another decorator or default, operators and libraries may do
  something else although no changed code has an event (`Changes.since`). So nothing is said from when on such a module
  was loaded.
- *What was not recorded* is the same: other files of the project, and no unrecorded process of the program runs.

Everything else that a call can read is its input, and is what it was in the recorded run, whatever code produced it:
the data in variables, attributes and globals, also where the body of a module of the reference would have made other
data; closures and classes that changed functions made earlier (those calls are the ones to ask about); installed
packages, the clock, the outside world. Lines, file names and comments are not part of the code, though a call can find
them out.

Invariant: nothing scans the events of a call; all costs are searches in sorted arrays, and a few look-ups for
generators that are alive.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from wrongcall.events import Kind, SiteKind, Start, Tag
from wrongcall.oracles.reference.changes import Changes
from wrongcall.recording import Call, Recording
from wrongcall.replay.spans import SUSPENDED

MAX_MEMBERS = 10_000
"""Larger groups are not looked at call by call."""
MAX_ALIVE = 100
"""Changed calls that are alive when a call begins, and of which it is looked up whether they run meanwhile."""
_LOW = 0xFFFFFFFF
_NO_TIMES = np.empty(0, np.int64)
Ints = npt.NDArray[np.int64]


@dataclass(frozen=True)
class _Ran:
    """The calls of changed functions, in the order in which they began."""

    ids: Ints
    entries: Ints
    exits: Ints
    """For calls that did not end: after all events."""
    suspends: npt.NDArray[np.bool_]
    """Whether they can be suspended."""


class Unchanged:
    """Tells for each call of a recording whether changed code ran in it."""

    def __init__(self, recording: Recording, changes: Changes) -> None:
        self._recording = recording
        self._changes = changes

    def why_not(self, calls: tuple[int, ...]) -> str:
        """Return why calls may have done something else in the reference; empty: they can't have."""
        if len(calls) > MAX_MEMBERS:
            return f"more than {MAX_MEMBERS:,} calls"
        return next(filter(None, map(self._why_not, calls)), "")

    def _why_not(self, number: int) -> str:
        call = self._recording.call(number)
        entry, exit_ = call.entry, call.exit
        if exit_ < 0:
            return "it had not ended"
        if call.continues:
            return "it began before it was recorded"
        if exit_ >= self._changes.since:
            return self._changes.why
        return (
            self._began(entry, exit_)
            or self._went_on(entry, exit_)
            or self._alive(call)
            or self._process(entry, exit_)
        )

    # -- changed code --------------------------------------------------------------------------------

    @cached_property
    def _ran(self) -> _Ran:
        columns = self._recording.calls.columns()
        functions = self._recording.program.functions
        rows = np.flatnonzero(np.isin(columns.function, list(self._changes.functions)))
        suspending = [n for n in self._changes.functions if functions[n].kind in SUSPENDED]
        exits = columns.exit[rows]
        exits = np.where(exits < 0, self._recording.event_count, exits)
        suspends = np.isin(columns.function[rows], suspending)
        return _Ran(columns.id[rows], columns.entry[rows], exits, suspends)

    def _name(self, call: int) -> str:
        return self._recording.call(call).function.qualname

    def _began(self, entry: int, exit_: int) -> str:
        row = int(np.searchsorted(self._ran.entries, entry))
        if row < len(self._ran.entries) and self._ran.entries[row] <= exit_:
            return f"{self._name(int(self._ran.ids[row]))} ran in it, and has changed"
        return ""

    @cached_property
    def _expressions(self) -> Ints:
        """The times at which generator expressions of changed functions bound something.

        Those events belong to whoever asked for the next element.
        """
        if not self._changes.generators:
            return _NO_TIMES
        sites = self._recording.program.columns
        wanted = np.isin(sites.function, list(self._changes.generators))
        wanted &= sites.kind == SiteKind.TARGET
        found = [_NO_TIMES]
        for start, columns in self._recording.events.parts(("site",)):
            found.append(np.flatnonzero(wanted[sites.known(columns["site"])]) + start)
        return np.concatenate(found)

    def _went_on(self, entry: int, exit_: int) -> str:
        first = entry if not self._has_threads else 0
        row = int(np.searchsorted(self._expressions, first))
        if row < len(self._expressions) and self._expressions[row] <= exit_:
            return "a generator expression of a changed function ran in it"
        return ""

    @property
    def _has_threads(self) -> bool:
        return len(self._recording.program.threads) > 1

    def _alive(self, call: Call) -> str:
        """Return which changed call that had begun before another one ran during it.

        A plain function that is alive has called this one, at some distance, and waits for it; unless it is this one
        that is suspended, or there are several threads.
        """
        ran = self._ran
        alive = (ran.entries < call.entry) & (ran.exits > call.entry)
        if call.function.kind not in SUSPENDED and not self._has_threads:
            alive &= ran.suspends
        found = np.flatnonzero(alive)
        if len(found) > MAX_ALIVE:
            return f"{len(found)} calls of changed functions were alive"
        for row in found.tolist():
            number = int(ran.ids[row])
            if self._has_threads and self._may_run_elsewhere(call, row):
                return f"{self._name(number)} may have run in another thread, and has changed"
            events = self._recording.events.select(call=number, first=call.entry, last=call.exit)
            if len(events.times):
                return f"{self._name(number)} ran in it, and has changed"
        return ""

    def _may_run_elsewhere(self, call: Call, row: int) -> bool:
        other = self._recording.call(int(self._ran.ids[row]))
        suspends = bool(self._ran.suspends[row]) or call.function.kind in SUSPENDED
        return suspends or other.thread != call.thread

    # -- processes -----------------------------------------------------------------------------------

    @cached_property
    def _starts(self) -> tuple[Ints, Ints]:
        """When processes were started: all of them, and those that are not recorded."""
        every = self._recording.questions.processes()
        unrecorded = [each.time for each in every if not each.number]
        return np.array([each.time for each in every], np.int64), np.array(unrecorded, np.int64)

    @cached_property
    def _ends(self) -> Ints:
        """When processes were waited for."""
        found = self._recording.events.select({Kind.PROCESS})
        told = found.events["ktag"] == Tag.INT
        told &= (found.events["key"] & _LOW) == Start.ENDED
        times: Ints = found.times[told].astype(np.int64)
        return times

    def _process(self, entry: int, exit_: int) -> str:
        starts, unrecorded = self._starts
        if not len(unrecorded) or unrecorded[0] > exit_:
            return ""
        text = "a process ran during it that was not recorded"
        if ((unrecorded >= entry) & (unrecorded <= exit_)).any():
            return text
        # All have ended if as many were waited for as were started.
        begun, ended = (int(np.searchsorted(times, entry)) for times in (starts, self._ends))
        return text if ended < begun else ""
