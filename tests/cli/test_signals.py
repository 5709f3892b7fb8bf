"""Signals while a program is recorded: passed on, or left to it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from wrongcall.cli.signals import FORWARDED, LEFT_ALONE, Signals

EVERY = (*FORWARDED, *LEFT_ALONE)


class Fake:
    """Notes the signals that it is sent."""

    def __init__(self) -> None:
        self.got: list[int] = []

    def send_signal(self, number: int) -> None:
        self.got.append(number)


@pytest.fixture(autouse=True)
def _restored() -> Iterator[None]:
    before = {number: signal.getsignal(number) for number in EVERY}
    yield
    signal.pthread_sigmask(signal.SIG_UNBLOCK, EVERY)
    for number, action in before.items():
        signal.signal(number, action)


def sent(number: int) -> None:
    os.kill(os.getpid(), number)


@pytest.mark.parametrize("number", FORWARDED)
def test_signals_reach_the_program_even_if_they_came_before_it_started(number: int) -> None:
    signals, program = Signals(), Fake()
    sent(number)
    assert program.got == []
    signals.begin(program)  # type: ignore[arg-type]
    sent(number)
    assert program.got == [number, number]
    signals.end()
    sent(number)
    assert program.got == [number, number]


@pytest.mark.parametrize("number", LEFT_ALONE)
def test_what_the_terminal_sends_to_everybody_is_not_passed_on(number: int) -> None:
    program = Fake()
    signals = Signals()
    sent(number)  # and does not end this process
    signals.begin(program)  # type: ignore[arg-type]
    assert program.got == []
    signals.end()


INTERRUPTED = """
import os, signal
from wrongcall.cli.signals import Signals

class Fake:
    def send_signal(self, number):
        print(number)

signals = Signals()
signals.begin(Fake())
os.kill(os.getpid(), signal.SIGINT)
print("waiting")
signals.poll()
signals.poll()
signals.end()
print("ended")
"""


def test_an_interrupt_that_a_process_sent_is_passed_on_once() -> None:
    """In a process of one thread: a signal to a process is taken by any of its threads."""
    command = [sys.executable, "-c", INTERRUPTED]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert (done.stdout.split(), done.stderr) == (["waiting", "2", "ended"], "")


def test_an_interrupt_of_the_terminal_is_not_passed_on(monkeypatch: pytest.MonkeyPatch) -> None:
    signals, program = Signals(), Fake()
    signals.begin(program)  # type: ignore[arg-type]
    told: list[Any] = [type("Told", (), {"si_code": 0x80, "si_signo": signal.SIGINT}), None]
    monkeypatch.setattr(signal, "sigtimedwait", lambda numbers, seconds: told.pop(0))
    signals.poll()
    assert (program.got, told) == ([], [])
    monkeypatch.undo()
    signals.end()


def test_interrupts_are_ours_again_when_the_program_has_ended() -> None:
    signals = Signals()
    signals.begin(Fake())  # type: ignore[arg-type]
    assert signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, ())
    signals.end()
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, ())


@pytest.mark.parametrize("number", EVERY)
def test_a_signal_that_is_ignored_stays_ignored(number: int) -> None:
    signal.signal(number, signal.SIG_IGN)
    signals, program = Signals(), Fake()
    signals.begin(program)  # type: ignore[arg-type]
    sent(number)
    signals.poll()
    assert signal.getsignal(number) is signal.SIG_IGN
    assert program.got == []
    signals.end()


def test_a_real_program_gets_what_it_is_sent() -> None:
    code = (
        "import signal, sys, time\nsignal.signal(10, lambda *_: sys.exit(7))\nprint(flush=True)\n"
        "while True:\n    time.sleep(0.1)"  # it may come right before a longer wait
    )
    signals = Signals()
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE) as program:
        assert program.stdout is not None
        program.stdout.readline()
        signals.begin(program)
        sent(signal.SIGUSR1)
        assert program.wait(60) == 7
    signals.end()
