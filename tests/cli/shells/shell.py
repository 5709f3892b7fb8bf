"""Shells that complete: started on a terminal, or asked."""

from __future__ import annotations

import os
import pty
import select
import shutil
import signal
import time
import warnings
from pathlib import Path

import pytest

from wrongcall.cli.commands import Command, described
from wrongcall.cli.parser import parser_of

PATIENCE = 60
LINE, COMMANDS = described(parser_of())
NAMES = [command.name for command in COMMANDS]


def needs(shell: str) -> pytest.MarkDecorator:
    """Skip a test where the shell is not installed: nothing else can read its scripts."""
    return pytest.mark.skipif(shutil.which(shell) is None, reason=f"{shell} is not installed")


def options(command: Command) -> set[str]:
    """Return the names of the options of a command."""
    return {name for option in command.options for name in option.names}


def typed(command: list[str], folder: Path, setup: str, keys: str, expected: str) -> None:
    """Start a shell on a terminal, type keys, and wait until it shows something."""
    env = {**os.environ, "TERM": "dumb", "PS1": "ready> ", "HOME": str(folder)}
    with warnings.catch_warnings():
        # The child calls exec at once: that other threads (of the test runner) are not there does no harm.
        warnings.filterwarnings("ignore", "This process .* is multi-threaded", DeprecationWarning)
        pid, terminal = pty.fork()
    if pid == 0:  # pragma: no cover - another process
        os.chdir(folder / "there")
        os.execvpe(command[0], command, env)
    try:
        os.write(terminal, f"{setup}; echo set'up'\n".encode())
        seen = _until(terminal, "setup\r")
        os.write(terminal, keys.encode())
        seen += _until(terminal, expected)
        assert expected in seen
    finally:
        os.kill(pid, signal.SIGKILL)
        os.close(terminal)
        os.waitpid(pid, 0)


def _until(terminal: int, expected: str) -> str:
    """Read until a text was shown, or for as long as anybody would wait."""
    seen = ""
    end = time.monotonic() + PATIENCE
    while expected not in seen:
        ready, _, _ = select.select([terminal], [], [], max(0.0, end - time.monotonic()))
        if not ready:
            raise AssertionError(f"{expected!r} was not shown, but {seen!r}")
        seen += os.read(terminal, 4096).decode(errors="replace").replace("\a", "")
    return seen
