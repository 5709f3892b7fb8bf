from __future__ import annotations

import signal
import threading

import pytest

from wrongcall.trace.write.packing_threads import MOST_THREADS, Jobs, spare_cores


def test_results_come_in_the_order_of_their_jobs() -> None:
    jobs: Jobs[int] = Jobs(3, 100)
    second = threading.Event()

    def first() -> int:
        assert second.wait(60)  # the other one is done before
        return 1

    def other() -> int:
        second.set()
        return 2

    jobs.begin(first)
    jobs.begin(other)
    assert list(jobs.results(whole=True)) == [1, 2]
    jobs.close()


def test_the_queue_blocks_only_when_it_is_full() -> None:
    jobs: Jobs[int] = Jobs(1, 2)
    goes_on = threading.Event()
    for number in range(2):
        jobs.begin(lambda number=number: number if goes_on.wait(60) else -1)  # type: ignore[misc]
    assert list(jobs.results()) == []
    jobs.begin(lambda: 2)
    later = threading.Timer(0.2, goes_on.set)
    later.start()
    assert next(jobs.results()) == 0  # a third one is too many: this waits
    assert goes_on.is_set()
    assert list(jobs.results(whole=True)) == [1, 2]
    jobs.close()


def test_packing_threads_start_when_needed() -> None:
    before = threading.active_count()
    jobs: Jobs[int] = Jobs(2, 2)
    assert list(jobs.results(whole=True)) == []
    assert threading.active_count() == before
    jobs.close()


def test_errors_in_a_packing_job_reach_the_caller() -> None:
    jobs: Jobs[float] = Jobs(1, 2)
    jobs.begin(lambda: 1 / 0)
    jobs.begin(lambda: 2)
    with pytest.raises(ZeroDivisionError):
        list(jobs.results(whole=True))
    assert list(jobs.results(whole=True)) == [2]
    jobs.close()


def test_closing_does_not_begin_what_is_not_begun() -> None:
    jobs: Jobs[None] = Jobs(1, 10)
    began, goes_on, done = threading.Event(), threading.Event(), []

    def wait() -> None:
        began.set()
        goes_on.wait(60)

    jobs.begin(wait)
    jobs.begin(lambda: done.append(1))
    assert began.wait(60)
    threading.Timer(0.2, goes_on.set).start()
    jobs.close()
    assert goes_on.is_set()  # it waited for the one that was under way
    assert not done


def test_signals_are_left_to_the_thread_that_waits_for_them() -> None:
    jobs: Jobs[set[signal.Signals]] = Jobs(1, 2)
    jobs.begin(lambda: set(signal.pthread_sigmask(signal.SIG_BLOCK, ())))  # type: ignore[arg-type]
    [blocked] = jobs.results(whole=True)
    assert {signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGUSR1} <= blocked
    jobs.close()


@pytest.mark.parametrize("cores, threads", [(1, 1), (2, 1), (3, 1), (4, 2), (64, MOST_THREADS)])
def test_packing_leaves_cores_to_the_program(
    monkeypatch: pytest.MonkeyPatch, cores: int, threads: int
) -> None:
    monkeypatch.setattr("os.sched_getaffinity", lambda pid: set(range(cores)))
    assert spare_cores() == threads
