"""Jobs of the writer in threads of their own, so that the program is not kept waiting for them.

Packing takes longer than filling: most of it is done in compiled code that lets other threads run. There
are a few threads for segments, and one for extents, each of which needs what the one before it found.

Invariants: results come in the order in which their jobs were begun. No thread is started before there is
something to do: most runs are shorter than a segment. Signals are left to the thread that waits for them.
"""

from __future__ import annotations

import os
import signal
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Generic, TypeVar

MOST_THREADS = 3
_Result = TypeVar("_Result")


def spare_cores() -> int:
    """Return how many cores are left for jobs, beside the program and who takes its events; at least one."""
    return max(1, min(MOST_THREADS, len(os.sched_getaffinity(0)) - 2))


class Jobs(Generic[_Result]):
    """A queue of jobs, worked off by some threads; at most so many may be left undone."""

    def __init__(self, threads: int, most: int) -> None:
        self._threads = threads
        self._most = most
        self._executor: ThreadPoolExecutor | None = None
        self._begun: deque[Future[_Result]] = deque()

    def begin(self, job: Callable[[], _Result]) -> None:
        """Begin a job, as soon as a thread is free."""
        if self._executor is None:
            self._executor = ThreadPoolExecutor(self._threads, "packing", _leave_signals_alone)
        self._begun.append(self._executor.submit(job))

    def results(self, *, whole: bool = False) -> Iterator[_Result]:
        """Return the results that are there; wait where too many are not, or for the whole."""
        most = 0 if whole else self._most
        while self._begun and (len(self._begun) > most or self._begun[0].done()):
            yield self._begun.popleft().result()

    def close(self) -> None:
        """End the threads; what is not begun yet is not done."""
        self._begun.clear()
        if self._executor is not None:
            self._executor.shutdown(cancel_futures=True)


def _leave_signals_alone() -> None:
    signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
