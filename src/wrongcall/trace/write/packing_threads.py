"""Run the writer's packing jobs in threads, so that the program does not have to wait for them.

Packing takes longer than filling, and most of it happens in compiled code that releases the GIL. There are a few
threads for segments and one for extents, because each extent needs the result of the previous one.

Invariants: results come in the order in which their jobs were submitted. No thread is started before there is something
to do: most runs are shorter than a segment. Signals are left to the thread that waits for them.
"""

from __future__ import annotations

import os
import signal
from collections import deque
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from concurrent.futures import Future, ThreadPoolExecutor

MOST_THREADS = 3
_Result = TypeVar("_Result")


def spare_cores() -> int:
    """Return how many cores are left for jobs, besides the program and the drain; at least one."""
    return max(1, min(MOST_THREADS, len(os.sched_getaffinity(0)) - 2))


class Jobs(Generic[_Result]):
    """A queue of jobs, run by some threads; only a limited number may be pending."""

    def __init__(self, threads: int, most: int) -> None:
        self._threads = threads
        self._most = most
        self._executor: ThreadPoolExecutor | None = None
        self._begun: deque[Future[_Result]] = deque()

    def begin(self, job: Callable[[], _Result]) -> None:
        """Submit a job, to run as soon as a thread is free."""
        if self._executor is None:
            # Slow to load, and most runs are shorter than a segment.
            from concurrent.futures import ThreadPoolExecutor  # noqa: PLC0415

            self._executor = ThreadPoolExecutor(self._threads, "packing", _leave_signals_alone)
        self._begun.append(self._executor.submit(job))

    def results(self, *, whole: bool = False) -> Iterator[_Result]:
        """Yield the results that are ready; wait if too many are pending, or for all with ``whole``."""
        most = 0 if whole else self._most
        while self._begun and (len(self._begun) > most or self._begun[0].done()):
            yield self._begun.popleft().result()

    def close(self) -> None:
        """Stop the threads; jobs that have not begun are dropped."""
        self._begun.clear()
        if self._executor is not None:
            self._executor.shutdown(cancel_futures=True)


def _leave_signals_alone() -> None:
    signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
