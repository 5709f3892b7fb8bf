"""A thread that does urgent jobs first."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from functools import partial

import pytest

from wrongcall.web.job_thread import JobThread, Urgency


@pytest.fixture
def thread() -> Iterator[JobThread]:
    made = JobThread("tested")
    yield made
    made.shutdown()


@pytest.fixture
def go(thread: JobThread) -> Iterator[threading.Event]:
    """Keeps the thread busy until it is set."""
    event = threading.Event()
    thread.submit(lambda: event.wait(60))
    yield event
    event.set()


def test_urgent_jobs_come_first_and_equal_ones_in_order(
    thread: JobThread, go: threading.Event
) -> None:
    order: list[str] = []
    asked = [
        *(
            ("later", Urgency.LATER),
            ("first panel", Urgency.PANEL),
            ("a question", Urgency.QUESTION),
        ),
        *(("second panel", Urgency.PANEL), ("another", Urgency.QUESTION), ("last", Urgency.LATER)),
    ]
    jobs = [thread.submit(partial(order.append, name), how) for name, how in asked]
    go.set()
    for job in jobs:
        job.result(60)
    assert order == ["a question", "another", "first panel", "second panel", "later", "last"]


def test_errors_are_those_of_whoever_asked(thread: JobThread) -> None:
    def fail() -> None:
        raise ValueError("odd")

    failed = thread.submit(fail)
    assert thread.submit(lambda: 7).result(60) == 7
    with pytest.raises(ValueError, match="odd"):
        failed.result(60)


def test_what_nobody_waits_for_any_more_is_not_done(thread: JobThread, go: threading.Event) -> None:
    done: list[int] = []
    unwanted = thread.submit(lambda: done.append(1))
    assert unwanted.cancel()
    wanted = thread.submit(lambda: done.append(2))
    go.set()
    wanted.result(60)
    assert done == [2]


def test_shutting_down_waits_for_all_jobs() -> None:
    thread, done = JobThread("tested"), list[int]()
    for number in range(5):
        thread.submit(partial(done.append, number), Urgency.LATER)
    thread.shutdown()
    assert done == [0, 1, 2, 3, 4]
