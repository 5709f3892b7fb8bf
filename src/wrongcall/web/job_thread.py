"""A thread that does urgent jobs first.

Whoever has answered waits for the next question, while requests of panels may be waiting for the same thread. A job
that has begun is not interrupted.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from enum import IntEnum
from heapq import heappop, heappush
from itertools import count
from threading import Lock
from typing import Any, TypeVar

T = TypeVar("T")


class Urgency(IntEnum):
    """How soon a job has to be done; the most urgent ones first."""

    QUESTION = 0
    """The next question depends on it."""
    PANEL = 1
    """Something on the page depends on it."""
    LATER = 2
    """Nobody waits for it."""


class JobThread:
    """Runs jobs one after the other: the most urgent first, and of those the oldest."""

    def __init__(self, name: str) -> None:
        self._executor = ThreadPoolExecutor(1, thread_name_prefix=name)
        self._waiting: list[tuple[Urgency, int, Future[Any], Callable[[], Any]]] = []
        self._numbers = count()
        self._lock = Lock()

    def submit(self, job: Callable[[], T], urgency: Urgency = Urgency.PANEL) -> Future[T]:
        """Add a job."""
        future: Future[T] = Future()
        with self._lock:
            heappush(self._waiting, (urgency, next(self._numbers), future, job))
        self._executor.submit(self._run_next)
        return future

    def _run_next(self) -> None:
        with self._lock:
            _, _, future, job = heappop(self._waiting)
        if not future.set_running_or_notify_cancel():
            return
        try:
            found = job()
        except BaseException as exc:  # noqa: BLE001 - whatever it is, it is the caller's
            future.set_exception(exc)
        else:
            future.set_result(found)

    def shutdown(self) -> None:
        """Wait until all jobs are done, and end the thread."""
        self._executor.shutdown()
