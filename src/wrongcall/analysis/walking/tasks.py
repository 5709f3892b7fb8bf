"""Coroutines that wait while others run: tasks, as far as a recording knows them.

A *task* here is a coroutine that was not awaited where it was created, as in ``create_task(work())`` or
``gather(one(), two())``: it is resumed on its own, usually by the event loop. Task objects are library objects, whose
insides are not recorded; the syntax of the creating call decides instead. A coroutine that is kept in a variable and
awaited later counts as a task, too. A task waits where the innermost coroutine of those waits that it awaits itself.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from wrongcall.analysis.walking.call_lines import LinesOfCalls
from wrongcall.analysis.walking.callers import Caller
from wrongcall.analysis.walking.stops import Stop
from wrongcall.events import SITE_LINE, Kind
from wrongcall.languages.python.sources import Sources
from wrongcall.trace.format.event_records import Bools, Ints, call_ids, obj_ids
from wrongcall.trace.read.call_table import CallTable
from wrongcall.trace.read.store import Store

_COROUTINE = "coroutine"


@dataclass(frozen=True, eq=False)
class _Coroutines:
    """All coroutines of a recording, by rising call, as columns."""

    call: Ints
    parent: Ints
    entry: Ints
    exit: Ints
    """-1: not ended."""
    is_task: Bools

    def alive(self, time: int) -> Ints:
        """Return the rows of those that were created and had not ended after an event."""
        found: Ints = np.flatnonzero(
            (self.entry <= time) & ((self.exit < 0) | (self.exit > time))
        ).astype(np.int64)
        return found


class Tasks:
    """Finds the tasks that wait at a time."""

    def __init__(
        self, store: Store, calls: CallTable, sources: Sources, lines: LinesOfCalls
    ) -> None:
        self._store = store
        self._calls = calls
        self._sources = sources
        self._lines = lines
        self._awaited: dict[int, bool] = {}
        self._known: tuple[int, _Coroutines | None] = (-1, None)

    def waiting(self, time: int, stacks: Iterable[Iterable[Caller]]) -> dict[int, Stop]:
        """Return where each task waits after an event, by call; ``stacks``: what runs then, innermost first."""
        known = self._coroutines()
        if known is None:
            return {}
        alive = known.alive(time)
        tasks = set(known.call[alive[known.is_task[alive]]].tolist())
        running = {_task_of(stack, tasks) for stack in stacks}
        # The latest one counts: a coroutine awaits one at a time.
        inner = [row for row in alive.tolist() if not known.is_task[row]]
        awaited = {int(known.parent[row]): int(known.call[row]) for row in inner}
        found = {}
        for task in sorted(tasks - running):
            stop = self._innermost(task, awaited, time)
            if stop is not None:
                found[task] = stop
        return found

    def _innermost(self, call: int, awaited: dict[int, int], time: int) -> Stop | None:
        """Return where a task waits; None: it has not begun."""
        found = None
        while call:
            lines = self._lines.of(call)
            index = lines.last_until(time)
            if index < 0:
                break
            found = lines.stop(index)
            call = awaited.get(call, 0)
        return found

    # -- all coroutines ----------------------------------------------------------------------------

    def _coroutines(self) -> _Coroutines | None:
        """Return the coroutines up to the end of the snapshot; None: there are none."""
        count = self._store.segments.event_count
        if self._known[0] != count:
            self._known = (count, self._read())
        return self._known[1]

    def _read(self) -> _Coroutines | None:
        functions = self._store.program.functions.values()
        kinds = {function.id for function in functions if function.kind == _COROUTINE}
        if not kinds:
            return None
        found = self._store.segments.select([Kind.CREATE])
        sites = self._store.program.columns
        of = sites.function[sites.known(found.events["site"])]
        mine = np.flatnonzero(np.isin(of, list(kinds)))
        calls = call_ids(found.events)[mine].astype(np.int64)
        order = np.argsort(calls)
        mine, calls = mine[order], calls[order]
        all_calls = self._calls.columns()
        creators = (found.events["key"][mine] & 0xFFFFFFFF).astype(np.int64)
        different, which = np.unique(creators, return_inverse=True)
        tasks = np.array([not self._is_awaited(site) for site in different.tolist()], np.bool_)
        return _Coroutines(
            call=calls,
            parent=obj_ids(found.events)[mine].astype(np.int64),
            entry=found.times[mine],
            exit=all_calls.exit[np.searchsorted(all_calls.id, calls)],
            is_task=tasks[which],
        )

    def _is_awaited(self, creator: int) -> bool:
        """Return whether the call at a site is awaited right there."""
        if creator & SITE_LINE:  # called without a call expression: `async with`, `async for`
            return True
        if creator not in self._awaited:
            self._awaited[creator] = self._find_awaited(creator)
        return self._awaited[creator]

    def _find_awaited(self, creator: int) -> bool:
        site = self._store.program.sites.get(creator)
        if site is None:  # created by code that is not recorded
            return False
        return self._sources.of_site(site).is_awaited(site)


def _task_of(stack: Iterable[Caller], tasks: set[int]) -> int:
    """Return the task that a stack belongs to; 0: none. Frames beyond it only created it."""
    return next((frame.call for frame in stack if frame.call in tasks), 0)
