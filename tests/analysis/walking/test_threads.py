"""Which thread a call belongs to."""

from __future__ import annotations

import numpy as np

from tests.recorder.conftest import Record


def test_calls_are_of_the_thread_in_which_they_began(record: Record) -> None:
    recorded = record(
        """\
        import threading

        def work():
            pass

        one = threading.Thread(target=work)
        one.start()
        one.join()
        work()
        """
    )
    threads = recorded.recording.walk._threads
    assert threads.several
    numbers = [call.id for call in recorded.calls("work")]
    assert sorted(map(threads.of, numbers)) == [1, 2]
    assert [threads.of(n) for n in numbers] == [recorded.recording.call(n).thread for n in numbers]
    among = threads.among(np.array([0, *numbers]), 2)
    assert among.tolist() == [False, *(threads.of(n) == 2 for n in numbers)]


def test_without_threads_every_call_is_of_the_only_one(record: Record) -> None:
    threads = record("x = 1\n").recording.walk._threads
    assert not threads.several
    assert threads.among(np.array([0, 1]), 1).tolist() == [False, True]
