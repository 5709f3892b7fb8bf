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

Invariant: a process that is alone pays nothing. Its events go through unchanged, and what merges those of several
(`merging`), with numpy, is not even loaded.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from wrongcall.events import Kind, Start, Tag
from wrongcall.trace.format.run_facts import FIRST_PROCESS
from wrongcall.trace.write.batch import Batch, OtherEvent, read_batch
from wrongcall.trace.write.first_numbers import FirstNumbers
from wrongcall.trace.write.process_rows import STOPPED
from wrongcall.trace.write.ring import TAKE_EVENTS, ProgramState, Ring, Word
from wrongcall.trace.write.shared_folder import SharedFolder, lives
from wrongcall.trace.write.source import Source

if TYPE_CHECKING:
    from wrongcall.trace.write.merging import Merging

LOOK_INTERVAL_NS = 20_000_000
"""How often to look for processes that have ended."""

Life = Callable[[int, int], bool]
_STARTS = (Start.FORKED, Start.COMMAND, Start.REPLACED)

_ENDINGS = {
    ProgramState.NOT_BEGUN: "never began",
    ProgramState.RECORDING: "gone",  # killed, or by os._exit
    ProgramState.ENDED: "ended",
    ProgramState.STOPPED: STOPPED,
    ProgramState.OUT_OF_MEMORY: f"{STOPPED}: out of memory",
}


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
        self._sources = {FIRST_PROCESS: Source(first, FIRST_PROCESS)}
        self._first = FirstNumbers()
        self._merging: Merging | None = None
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

    def take(self, limit: int = TAKE_EVENTS, into: memoryview | None = None) -> Batch:
        """Take pending events, in the order of time; no more than ``limit`` while there is one process."""
        if self._is_alone():
            batch = self.first.take(limit, into)
            if self._is_alone():  # so there are no marks among them
                self._first.observe(batch)
                return batch
            self._sources[FIRST_PROCESS].hold(batch)
        clock = self._clock()
        self._find()
        for source in self._sources.values():
            source.take()
        return self._merged(clock)

    def _is_alone(self) -> bool:
        return not self.folder.started

    def _merged(self, clock: int) -> Batch:
        if self._merging is None:
            # Most programs are one process: numpy takes longer to load than many of them run.
            from wrongcall.trace.write.merging import Merging  # noqa: PLC0415

            self._merging = Merging(self._first)
        batch = self._merging.take(list(self._sources.values()), clock)
        found = read_batch(batch.events)
        for event in found.others:
            if event.kind == Kind.PROCESS:
                self._note(event)
        return Batch(batch.events, batch.data, found)

    def _note(self, event: OtherEvent) -> None:
        """Expect a process that was started, until it has a ring."""
        number, how, value = event.obj, event.key & 0xFFFFFFFF, event.value
        if event.ktag != Tag.INT or not number or number in self._sources or number in self.ended:
            return
        if how == Start.BEGUN and not value:
            self._gone(number)
        elif how in (*_STARTS, Start.BEGUN):
            self._expected[number] = value if how == Start.BEGUN else 0

    def _find(self, *, look: bool = False) -> None:
        for ring in self.folder.new_rings(look=look):
            process = ring.word(Word.PROCESS)
            self._sources[process] = Source(ring, process)
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
        return [number for number in (*recorded, *expected) if number != FIRST_PROCESS]

    def first_ended(self) -> None:
        """Note that the program itself has ended."""
        if not self._first_ended:
            self._first_ended = True
            self._count()

    def _look(self) -> None:
        """Find out which processes have ended."""
        for process, source in list(self._sources.items()):
            if source.ended and process != FIRST_PROCESS and not self._has_events(source):
                self._close(process)
            elif process != FIRST_PROCESS and not source.ended:
                ring = source.ring
                source.ended = not self._alive(ring.word(Word.PID), ring.word(Word.BEGAN))
        for process, pid in list(self._expected.items()):
            if pid and not self._alive(pid, 0):
                self._gone(process)

    def _has_events(self, source: Source) -> bool:
        return bool(source.ring.pending or source.held)

    def _close(self, process: int) -> None:
        source = self._sources.pop(process)
        self.ended[process] = source.ring.program_state
        source.ring.close()
        if self._merging is not None:
            self._merging.forget(process)
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
        for process in [p for p in self._sources if p != FIRST_PROCESS]:
            self._running |= set() if self._sources[process].ended else {process}
            self._sources[process].ring.stop()
            self._close(process)

    def endings(self) -> Iterator[tuple[int, str]]:
        """Iterate over the processes and how they ended, as far as they said it themselves."""
        for process, state in self.ended.items():
            yield process, "still running" if process in self._running else _ENDINGS[state]
