"""Signals while a program is recorded: the program gets what it would get without us, and we outlive it.

The terminal tells every process of the group, so Ctrl-C and Ctrl-\\ reach the program without us.
What somebody sends to wrongcall alone has to be passed on. SIGINT comes both ways; the kernel says
which it was, but only to who waits for a signal: so SIGINT is blocked here, and asked for while the
program is drained.

Known: what a process sends to the whole group arrives at the program directly and passed on.
"""

from __future__ import annotations

import signal
import subprocess

FORWARDED = (signal.SIGTERM, signal.SIGHUP, signal.SIGUSR1, signal.SIGUSR2)
LEFT_ALONE = (signal.SIGINT, signal.SIGQUIT)
_FROM_A_PROCESS = 0  # si_code SI_USER; the terminal's is SI_KERNEL


class Signals:
    """Passes signals on to one program."""

    def __init__(self) -> None:
        """Take the signals over; ours alone, until there is a program."""
        self._program: subprocess.Popen[bytes] | None = None
        self._early: list[int] = []  # came before there was a program
        self._interrupts: set[signal.Signals] = set()
        self._lingers = False
        self.stopped = False
        """The user wants to wait no longer."""
        for number in (*FORWARDED, *LEFT_ALONE):
            if signal.getsignal(number) is not signal.SIG_IGN:  # as nohup asks for
                signal.signal(number, self._forward if number in FORWARDED else _leave)

    def begin(self, program: subprocess.Popen[bytes]) -> None:
        """There is a program: it gets what came so far, and from now on everything."""
        self._program = program
        for number in self._early:
            program.send_signal(number)
        if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
            self._interrupts = {signal.SIGINT}
            signal.pthread_sigmask(signal.SIG_BLOCK, self._interrupts)

    def poll(self) -> None:
        """Pass on a SIGINT that was not the terminal's. To be called every now and then."""
        while self._interrupts:
            told = signal.sigtimedwait(self._interrupts, 0)
            if told is None:
                return
            self.stopped |= self._lingers
            if told.si_code == _FROM_A_PROCESS and self._program is not None:
                self._program.send_signal(told.si_signo)

    def linger(self) -> None:
        """The program has ended, and processes that it started have not: signals mean the recording of those."""
        self._program = None
        self._lingers = True

    def end(self) -> None:
        """The program has ended: signals are ours again."""
        self._program = None
        signal.pthread_sigmask(signal.SIG_UNBLOCK, self._interrupts)

    def _forward(self, number: int, frame: object) -> None:
        if self._lingers:
            self.stopped |= number in (signal.SIGTERM, signal.SIGHUP)
        elif self._program is None:
            self._early.append(number)
        else:
            self._program.send_signal(number)


def _leave(number: int, frame: object) -> None:
    """Do nothing about a signal."""
