"""The program of ``wrongcall run``, with its recorder: started, waited for, ended.

The recorder is a process of its own (``wrongcall record``), so that recording and asking do not get in each
other's way, and a program goes on being recorded whatever becomes of the debugger.

*Who has the terminal?* The program, until the questions begin: then it has ended. With ``--live`` both
go on at once: the program gets no keys (its input is empty) and no Ctrl-C, and what it prints is
held back while a question is open (`Held`). If the questions begin in the middle (Ctrl-\\), the
program keeps the terminal for its output.
"""

from __future__ import annotations

import argparse
import os
import pty
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path

import wrongcall
from wrongcall.cli.record import interpreter_flags
from wrongcall.closing import Closing
from wrongcall.errors import UsageError

_MOST_HELD = 1 << 18
_NAP = 0.05
MAIN = str(Path(wrongcall.__file__).with_name("__main__.py"))
"""Started by its path: with ``-m``, a folder ``wrongcall`` of the project would be taken instead."""
GRACE = 3.0
"""Seconds that a program has to end after it was told to."""


def words_of(args: argparse.Namespace) -> list[str]:
    """Return the arguments of the recorder, which knows the project's settings itself."""
    words = [word for name in args.include for word in ("--include", name)]
    words += [word for glob in args.exclude for word in ("--exclude", glob)]
    words += ["--python", args.python] if args.python is not None else []
    words += ["--untested-python"] if args.untested_python else []
    words += ["--force"] if args.force else []
    words += [] if args.children else ["--no-children"]
    words += ["--stats", args.stats] if args.stats else []
    words += ["-o", args.output] if args.output is not None else []
    return [*words, "--", *args.program]


class Held:
    """Keeps the end of what a program prints while the user thinks about a question."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._bytes = bytearray()
        self._dropped = 0
        self._lock = threading.Lock()
        self._thread = threading.Thread(target=self._pump, daemon=True)
        self._thread.start()

    def _pump(self) -> None:
        while data := self._read():
            with self._lock:
                self._bytes += data
                surplus = len(self._bytes) - _MOST_HELD
                if surplus > 0:
                    self._dropped += self._bytes.count(b"\n", 0, surplus)
                    del self._bytes[:surplus]

    def _read(self) -> bytes:
        try:
            return os.read(self._descriptor, 1 << 16)
        except OSError:  # how a terminal tells that everybody has left
            return b""

    def take(self) -> tuple[list[str], int]:
        """Return the lines that came since the last time, and how many before them are lost."""
        with self._lock:
            text, dropped = self._bytes.decode("utf-8", "replace"), self._dropped
            self._bytes.clear()
            self._dropped = 0
        return text.replace("\r\n", "\n").splitlines(), dropped

    def drained(self) -> None:
        """Wait for what a program that has ended left behind."""
        self._thread.join(1.0)


class Program(Closing):
    """A program being recorded."""

    def __init__(
        self,
        words: list[str],
        trace: Path,
        *,
        live: bool,
        stdin: Path | None,
        env: Mapping[str, str] | None = None,
        folder: Path | None = None,
    ) -> None:
        """Start it; ``words``: the options and the program, as ``wrongcall record`` takes them.

        ``env``: variables that are set for it; ``folder``: where it starts.
        """
        self.trace = trace
        self._env, self._folder = {**os.environ, **(env or {})}, folder
        self.held: Held | None = None
        command = [sys.executable, *interpreter_flags(), MAIN, "record", "--quiet", *words]
        source = _input(stdin, live)
        try:
            if live:
                self._start_apart(command, source)
            else:
                self._process = subprocess.Popen(
                    command, stdin=source, env=self._env, cwd=self._folder
                )
        finally:
            if source is not None:
                os.close(source)

    def _start_apart(self, command: list[str], source: int | None) -> None:
        """Start it with its output held, in a session of its own.

        So it gets no Ctrl-C, and has no /dev/tty: `getpass` would stop it as a job in the background, and
        what it writes there would get among the questions.
        """
        terminal = sys.stdout.isatty()
        ours, its = pty.openpty() if terminal else os.pipe()
        self._process = subprocess.Popen(
            command,
            stdin=source,
            stdout=its,
            stderr=its,
            start_new_session=True,
            env=self._env,
            cwd=self._folder,
        )
        os.close(its)
        self.held = Held(ours)

    def close(self) -> None:
        """End it."""
        self.end()

    @property
    def running(self) -> bool:
        """Return whether it still runs."""
        return self._process.poll() is None

    def wait(self, until: Callable[[], bool]) -> None:
        """Wait until it has ended, or something else is the case."""
        while not until():
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(_NAP)
                break
        if not self.running and self.held is not None:
            self.held.drained()

    def send(self, number: int) -> None:
        """Pass a signal on."""
        self._process.send_signal(number)

    def end(self) -> None:
        """End it: by SIGTERM, and if it does not listen by SIGKILL."""
        if not self.running:
            return
        self.send(signal.SIGTERM)
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(GRACE)
            return
        for process in _children(self._process.pid):
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(GRACE)
            return
        self._process.kill()
        self._process.wait()


def _children(process: int) -> list[int]:
    """Return the processes that a process has started, as Linux tells."""
    try:
        words = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    except OSError:  # it has just ended, or the system does not tell
        return []
    return [int(word) for word in words]


def _input(stdin: Path | None, live: bool) -> int | None:
    """Open what the program reads: a file, the terminal (None), or else nothing."""
    if stdin is not None:
        try:
            return os.open(stdin, os.O_RDONLY)
        except OSError as exc:
            raise UsageError(f"{stdin}: {exc.strerror}") from exc
    if sys.stdin is not None and sys.stdin.isatty() and not live:
        return None
    return os.open(os.devnull, os.O_RDONLY)
