"""A run that was stopped while it ran: the search begins at the call that had been running for many rounds."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.session.failing import names, opened, recorded
from wrongcall.session.failures import failures_of
from wrongcall.session.interrupted import has_crashed, is_interrupted, perhaps_endless
from wrongcall.session.search import Search
from wrongcall.session.starts import BY_INTERRUPT, start_at

PROGRAM = """
    import os, signal, sys

    def step(n, rounds):
        if rounds == int(sys.argv[2]):
            os.kill(os.getpid(), getattr(signal, sys.argv[1]))
            signal.pause()
        return n

    def length(n):
        rounds = 0
        while n != 1:
            n = step(n, rounds)
            rounds += 1
        return rounds

    def longest(limit):
        return max(length(n) for n in range(1, limit))

    longest(5)
"""


def stopped(folder: Path, name: str, rounds: int) -> Path:
    """Record a program that is stopped by this signal after so many rounds."""
    return recorded(folder, {"loop.py": PROGRAM}, "loop.py", name, str(rounds))


def test_an_interrupted_loop_is_asked_about_first(tmp_path: Path) -> None:
    with opened(stopped(tmp_path, "SIGINT", 2000)) as recording:
        (failure,) = failures_of(recording)
        start = start_at(recording, failure)
        assert start.note == BY_INTERRUPT
        # Not the call of `step` that the signal met by chance.
        assert names(recording, start.way)[:2] == ["length", "longest"]
        assert all(is_interrupted(recording, recording.call(call)) for call in start.way)
        with Search(recording) as search:
            search.begin(start)
            led = search.led()
            assert led is not None
            assert names(recording, led.calls) == ["length"]


def test_without_many_rounds_the_innermost_call_is_asked_about_first(tmp_path: Path) -> None:
    with opened(stopped(tmp_path, "SIGINT", 3)) as recording:
        (failure,) = failures_of(recording)
        assert names(recording, start_at(recording, failure).way)[:2] == ["step", "length"]


@pytest.mark.parametrize(
    "name,rounds,first", [("SIGKILL", 2000, "length"), ("SIGKILL", 3, "step"), ("SIGSEGV", 2000, "step")]
)  # fmt: skip
def test_a_killed_loop_is_asked_about_first_unless_its_call_crashed(
    tmp_path: Path, name: str, rounds: int, first: str
) -> None:
    with opened(stopped(tmp_path, name, rounds)) as recording, Search(recording) as search:
        assert has_crashed(recording) == (name == "SIGSEGV")
        search.begin(search.start)
        assert names(recording, search.first)[0] == first


def test_an_interrupt_that_the_program_handles_is_no_failure(tmp_path: Path) -> None:
    program = """
        import os, signal

        def serve():
            os.kill(os.getpid(), signal.SIGINT)
            signal.pause()

        try:
            serve()
        except KeyboardInterrupt:
            print("bye")
    """
    with opened(recorded(tmp_path, {"serve.py": program}, "serve.py")) as recording:
        assert failures_of(recording) == []


def test_running_calls_are_kept_if_none_was_much_longer(tmp_path: Path) -> None:
    with opened(stopped(tmp_path, "SIGINT", 3)) as recording:
        (failure,) = failures_of(recording)
        way = start_at(recording, failure).way
        assert perhaps_endless(recording, way) == way
    assert perhaps_endless(recording, ()) == ()
