"""The rings of all processes of a run, read as one stream in the order of time.

While several processes are recorded, marks with the time of the clock stand between their events. A *burst* is what
stands between two marks of a process; it *begins* at the first of them. A process can learn of what another one did
only through code that is not recorded (a pipe, a lock), and the recorder puts a mark before the next event after such
code. So if an event in burst A made a difference to an event in burst B, A began before B, and to append bursts in the
order in which they began is right.

What is appended must be complete: no earlier burst may come later. So the clock is read first, then everything that the
rings hold by then is taken, and of that, only bursts that began before the clock was read are appended. Whatever such
a burst could have learned of had been handed over before. The rest waits for the next time. Nobody waits for a
process, whatever that is doing.

Invariant: a process that is alone pays nothing. Its events go through unchanged (`Renumber.observe`).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from wrongcall.events import Kind, Start, Tag
from wrongcall.trace.format.event_records import EVENT, Ints, carriers, join_events, kinds_of
from wrongcall.trace.write.renumber import FIRST, STARTS, Renumber, Stretch
from wrongcall.trace.write.ring import TAKE_EVENTS, Batch, ProgramState, Ring, Word
from wrongcall.trace.write.shared_folder import SharedFolder, lives

LOOK_INTERVAL_NS = 20_000_000
"""How often to look for processes that have ended."""

Life = Callable[[int, int], bool]

_ENDINGS = {
    ProgramState.NOT_BEGUN: "never began",
    ProgramState.RECORDING: "gone",  # killed, or by os._exit
    ProgramState.ENDED: "ended",
    ProgramState.STOPPED: "recording stopped",
    ProgramState.OUT_OF_MEMORY: "recording stopped: out of memory",
}


class _Part(NamedTuple):
    """Events of one process that can be appended, and when the burst of each began."""

    process: int
    batch: Batch
    begins: Ints


class _Source:
    """One process: its ring, and what was taken from it and cannot be appended yet."""

    def __init__(self, ring: Ring, process: int) -> None:
        self.ring = ring
        self.process = process
        self.held = Batch(ring.take(0).events, b"")
        self.begin = 0
        self.ended = False

    def take(self) -> None:
        """Take everything that is in the ring."""
        batches = [self.held, self.ring.take(self.ring.event_capacity)]
        self.held = _joined(batches)

    def until(self, clock: int) -> _Part:
        """Return the bursts that began until then, without marks."""
        events, data = self.held
        is_mark = kinds_of(events) == Kind.MARK
        times = np.concatenate([[self.begin], events["value"][is_mark]])
        begins = times[np.cumsum(is_mark)]
        count = int(np.searchsorted(begins, clock, side="right"))
        ready = events[:count]
        size = int(carriers(ready)[1].sum()) if data else 0
        self.held = Batch(events[count:], data[size:])
        self.begin = int(begins[count - 1]) if count else self.begin
        plain = ~is_mark[:count]
        return _Part(self.process, Batch(ready[plain], data[:size]), begins[:count][plain])


def _joined(batches: list[Batch]) -> Batch:
    filled = [batch for batch in batches if len(batch.events)]
    if not filled:
        return batches[0]
    return Batch(join_events([b.events for b in filled]), b"".join(b.data for b in batches))


class Rings:
    """Has the methods of a `Ring`, for all processes."""

    def __init__(
        self,
        first: Ring,
        folder: SharedFolder,
        *,
        clock: Callable[[], int] = time.monotonic_ns,
        alive: Life = lives,
    ) -> None:
        self.first = first
        self.folder = folder
        self.began: dict[int, int] = {}
        """Processes that have begun and not been reported, with the system's numbers for them."""
        self.ended: dict[int, ProgramState] = {}
        """Processes that have ended, with the last state of their rings."""
        self._clock = clock
        self._alive = alive
        self._sources = {FIRST: _Source(first, FIRST)}
        self._renumber = Renumber()
        self._expected: dict[int, int] = {}
        """Processes that were started and have no ring yet, with the system's numbers for them; 0: not known."""
        self._first_ended = False
        self._running: set[int] = set()
        """Processes that were running when `close` was called."""
        self._looked = 0

    @property
    def pending(self) -> int:
        """How many events are waiting to be taken."""
        return sum(s.ring.pending for s in self._sources.values())

    def take(self, limit: int = TAKE_EVENTS) -> Batch:
        """Take pending events, in the order of time; no more than ``limit`` while there is one process."""
        if self._is_alone():
            batch = self.first.take(limit)
            if self._is_alone():  # so there are no marks among them
                self._renumber.observe(batch)
                return batch
            source = self._sources[FIRST]
            source.held = _joined([source.held, batch])
        clock = self._clock()
        self._find()
        for source in self._sources.values():
            source.take()
        return self._append([s.until(clock) for s in self._sources.values()])

    def _is_alone(self) -> bool:
        return not self.folder.started

    def _append(self, parts: list[_Part]) -> Batch:
        batch, stretches = merged([part for part in parts if len(part.batch.events)])
        if not stretches:
            return batch
        batch = self._renumber(batch, stretches)
        for position in np.flatnonzero(batch.events["kind"] == Kind.PROCESS).tolist():
            self._note(batch.events[position])
        return batch

    def _note(self, event: np.void) -> None:
        """Expect a process that was started, until it has a ring."""
        number, how, value = int(event["obj"]), int(event["key"]) & 0xFFFFFFFF, int(event["value"])
        if (
            event["ktag"] != Tag.INT
            or not number
            or number in self._sources
            or number in self.ended
        ):
            return
        if how == Start.BEGUN and not value:
            self._gone(number)
        elif how in (*STARTS, Start.BEGUN):
            self._expected[number] = value if how == Start.BEGUN else 0

    def _find(self, *, look: bool = False) -> None:
        for ring in self.folder.new_rings(look=look):
            process = ring.word(Word.PROCESS)
            self._sources[process] = _Source(ring, process)
            self.began[process] = ring.word(Word.PID)
            self._expected.pop(process, None)

    # -- ends --------------------------------------------------------------------------------------

    def running(self, *, now: bool = False) -> list[int]:
        """Return the processes beside the program that have not ended; ``now``: look at once."""
        clock = self._clock()
        if now or clock - self._looked >= LOOK_INTERVAL_NS:
            self._looked = clock
            self._find(look=True)
            self._look()
        recorded = [number for number, source in self._sources.items() if not source.ended]
        expected = [number for number, pid in self._expected.items() if pid]
        return [number for number in (*recorded, *expected) if number != FIRST]

    def first_ended(self) -> None:
        """Note that the program itself has ended."""
        if not self._first_ended:
            self._first_ended = True
            self._count()

    def _look(self) -> None:
        """Find out which processes have ended."""
        for process, source in list(self._sources.items()):
            if source.ended and process != FIRST and not self._has_events(source):
                self._close(process)
            elif process != FIRST and not source.ended:
                ring = source.ring
                source.ended = not self._alive(ring.word(Word.PID), ring.word(Word.BEGAN))
        for process, pid in list(self._expected.items()):
            if pid and not self._alive(pid, 0):
                self._gone(process)

    def _has_events(self, source: _Source) -> bool:
        return bool(source.ring.pending or len(source.held.events))

    def _close(self, process: int) -> None:
        source = self._sources.pop(process)
        self.ended[process] = source.ring.program_state
        source.ring.close()
        self._renumber.forget(process)
        self._count()

    def _gone(self, process: int) -> None:
        """Note that a process has ended that never had a ring."""
        self._expected.pop(process, None)
        self.ended[process] = ProgramState.NOT_BEGUN
        self._count()

    def _count(self) -> None:
        self.folder.finish(len(self.ended) + self._first_ended)

    def stop(self) -> None:
        """Tell all processes that nothing is taken any more."""
        self.folder.stop()
        self._find(look=True)
        for source in self._sources.values():
            source.ring.stop()

    def close(self) -> None:
        """Release the memory of all processes but the first."""
        self._find(look=True)
        self._look()
        for process in [p for p in self._sources if p != FIRST]:
            self._running |= set() if self._sources[process].ended else {process}
            self._sources[process].ring.stop()
            self._close(process)

    def endings(self) -> Iterator[tuple[int, str]]:
        """Iterate over the processes and how they ended, as far as they said it themselves."""
        for process, state in self.ended.items():
            yield process, "still running" if process in self._running else _ENDINGS[state]


def merged(parts: list[_Part]) -> tuple[Batch, list[Stretch]]:
    """Put the events of several processes in order: by when their bursts began, then by process."""
    if len(parts) < 2:
        batch = parts[0].batch if parts else Batch(np.empty(0, EVENT), b"")
        count = len(batch.events)
        return batch, [Stretch(parts[0].process, 0, count)] if count else []
    parts = sorted(parts, key=lambda part: part.process)
    counts = [len(part.batch.events) for part in parts]
    order = np.argsort(np.concatenate([part.begins for part in parts]), kind="stable")
    source = np.repeat(np.arange(len(parts)), counts)[order]
    cuts = np.flatnonzero(np.diff(source)) + 1
    begins, ends = [0, *cuts.tolist()], [*cuts.tolist(), len(order)]
    stretches = [
        Stretch(parts[which].process, begin, end)
        for which, begin, end in zip(source[begins].tolist(), begins, ends, strict=True)
    ]
    events = join_events([part.batch.events for part in parts])[order]
    return Batch(events, _merged_data(parts, source[begins].tolist(), begins, ends)), stretches


def _merged_data(parts: list[_Part], which: list[int], begins: list[int], ends: list[int]) -> bytes:
    """Return the bytes of the events, in the order of the stretches."""
    totals = [_sizes_before(part.batch) for part in parts]
    done = [0] * len(parts)
    data = []
    for part, begin, end in zip(which, begins, ends, strict=True):
        before = done[part]
        done[part] += end - begin
        total = totals[part]
        if total is not None:
            data.append(parts[part].batch.data[total[before] : total[done[part]]])
    return b"".join(data)


def _sizes_before(batch: Batch) -> Ints | None:
    """Return how many bytes the events before each event own; None if none owns any."""
    if not batch.data:
        return None
    sizes = np.zeros(len(batch.events) + 1, np.int64)
    where, owned = carriers(batch.events)
    sizes[where + 1] = owned
    return np.cumsum(sizes)
