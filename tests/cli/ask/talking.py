"""Talks to the debugger: in this process, through a pipe, or through a terminal."""

from __future__ import annotations

import fcntl
import io
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import wrongcall.recording
from tests.recorder.bothways import Outcome, environment, run
from wrongcall.cli.ask import terminal
from wrongcall.cli.ask.dialogue import Dialogue
from wrongcall.cli.ask.input import PipedLines
from wrongcall.cli.main import main
from wrongcall.session.search import How, Search

ROOT = Path(__file__).parents[3]
EXAMPLES = ROOT / "examples"
_ESCAPE = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
_PROGRESS = re.compile(r"(?:\rwrongcall: [^\r\n]*)+\r +\r")
PATIENCE = 60.0
"""Seconds until a test gives up on a process."""


def talk(
    trace: Path,
    *lines: str,
    size: tuple[int, int] = (80, 24),
    how: How | None = None,
    encoding: str = "utf-8",
    first: Sequence[int] = (),
    **more: object,
) -> tuple[str, bool]:
    """Answer with these lines in this process; the transcript, and whether a bug was found.

    ``first``: calls to ask about before the strategy chooses.
    """
    out = io.TextIOWrapper(io.BytesIO(), encoding)
    with wrongcall.recording.open(trace) as opened, Search(opened, how) as search:
        search.assume_wrong()
        search.first = list(first)
        source = PipedLines(io.StringIO("".join(f"{line}\n" for line in lines)))
        found = Dialogue(search, terminal.Terminal(out, size), source, **more).run()  # type: ignore[arg-type]
    out.seek(0)
    return out.read(), found


def questions(text: str) -> list[str]:
    """Return the calls that a transcript asks about."""
    return [m[1] for m in re.finditer(r"^Question .*\n  (.*)$", text, re.MULTILINE)]


def told(*args: object, lines: Sequence[str] = ()) -> Outcome:
    """Run ``wrongcall args`` with these lines on its input, in this process."""
    text = "".join(f"{line}\n" for line in lines)
    streams = [io.TextIOWrapper(io.BytesIO(), "utf-8") for _ in range(2)]
    before = sys.stdin
    sys.stdin = io.StringIO(text)
    try:
        with redirect_stdout(streams[0]), redirect_stderr(streams[1]):
            status = main([str(arg) for arg in args])
    finally:
        sys.stdin = before
    for stream in streams:
        stream.seek(0)
    return Outcome(streams[0].read(), streams[1].read(), status)


def piped(folder: Path, *args: str, lines: Sequence[str] = (), **how: object) -> Outcome:
    """Run ``wrongcall args`` with these lines on its input."""
    text = "".join(f"{line}\n" for line in lines)
    return run(["-m", "wrongcall", *args], folder, input=text, **how)


class Terminal:
    """``wrongcall args`` in a terminal of its own; without ``module``, ``python args``."""

    def __init__(
        self,
        folder: Path,
        *args: str,
        size: tuple[int, int] = (80, 24),
        env: Mapping[str, str] | None = None,
        module: Sequence[str] = ("-m", "wrongcall"),
    ) -> None:
        self._master, slave = pty.openpty()
        self.resize(*size)
        self.before = termios.tcgetattr(slave)
        self.raw = ""
        self.seen = 0
        self._slave = slave
        self.process = subprocess.Popen(
            [sys.executable, *module, *args],
            stdin=slave, stdout=slave, stderr=slave, cwd=folder,
            env=_without_size(environment({"TERM": "xterm", **(env or {})})),
            start_new_session=True, preexec_fn=_take_terminal,
        )  # fmt: skip

    @property
    def text(self) -> str:
        """What was written, without colours and without progress that was erased."""
        return _ESCAPE.sub("", _PROGRESS.sub("", self.raw)).replace("\r\n", "\n")

    def expect(self, words: str) -> str:
        """Wait until these words are written after those that were waited for before."""
        until = time.monotonic() + PATIENCE
        while words not in self.text[self.seen :]:
            assert time.monotonic() < until, f"no {words!r} in {self.text[self.seen :]!r}"
            assert self._read(until - time.monotonic()), (
                f"no {words!r} in {self.text[self.seen :]!r}"
            )
        at = self.text.index(words, self.seen) + len(words)
        shown, self.seen = self.text[self.seen : at], at
        return shown

    def _read(self, seconds: float) -> bool:
        """Read some more; tell whether there can be more still."""
        ready, _, _ = select.select([self._master], [], [], min(max(seconds, 0), 0.2))
        if ready:
            self.raw += os.read(self._master, 65536).decode("utf-8", "replace")
        return bool(ready) or self.process.poll() is None

    def resize(self, width: int, height: int) -> None:
        """Give the terminal another size; whoever runs in it gets SIGWINCH."""
        fcntl.ioctl(self._master, termios.TIOCSWINSZ, struct.pack("HHHH", height, width, 0, 0))

    def send(self, keys: str) -> None:
        """Press keys."""
        os.write(self._master, keys.encode())

    def answer(self, prompt: str, keys: str) -> str:
        """Wait for a prompt, then press keys; what was written up to the prompt."""
        shown = self.expect(prompt)
        self.expect(">")
        self.send(keys)
        return shown

    def end(self) -> int:
        """Wait for its end; its exit code."""
        until = time.monotonic() + PATIENCE
        while self.process.poll() is None:
            assert time.monotonic() < until, f"still running: {self.text[-500:]!r}"
            self._read(0.2)
        while select.select([self._master], [], [], 0)[0]:
            self.raw += os.read(self._master, 65536).decode("utf-8", "replace")
        return self.process.returncode

    @property
    def modes(self) -> list[object]:
        """The modes of the terminal now."""
        return termios.tcgetattr(self._slave)

    def close(self) -> None:
        """End it, whatever it does."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        os.close(self._master)
        os.close(self._slave)


def _without_size(variables: Mapping[str, str]) -> dict[str, str]:
    """Let the terminal tell its size: pytest may have set the variables for its own."""
    return {name: text for name, text in variables.items() if name not in ("COLUMNS", "LINES")}


def _take_terminal() -> None:
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
