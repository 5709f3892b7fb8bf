"""Record the program that a client wants to debug: ``wrongcall record`` as a child process."""

from __future__ import annotations

import os
import signal
import subprocess
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from wrongcall.dap.arguments import Arguments
from wrongcall.errors import UsageError

GRACE_S = 3.0
"""How long a program may take to end after SIGTERM."""
_SHOWN_BYTES = 4000


@dataclass(frozen=True)
class Launch:
    """What to record."""

    words: tuple[str, ...]
    """The arguments of ``wrongcall record``."""
    trace: Path
    folder: Path
    variables: dict[str, str | None]
    """Environment variables; None: removed."""


def launch_of(arguments: Arguments) -> Launch:
    """Return what a launch request wants to be recorded."""
    given = [name for name in ("program", "module", "test") if arguments.has(name)]
    if len(given) != 1:
        raise UsageError("launch: give one of program, module and test")
    folder = Path(arguments.text("cwd", str(Path.cwd())))
    if not folder.is_dir():
        raise UsageError(f"launch: there is no folder {str(folder)!r} (cwd)")
    target = arguments.text(given[0])
    more = arguments.texts("args")
    if given[0] == "program":
        program, name = [target, *more], Path(target).stem
    elif given[0] == "module":
        program, name = ["-m", target, *more], target.rpartition(".")[2]
    else:
        program, name = (
            ["-m", "pytest", target, *more],
            target.rpartition("::")[2] or Path(target).stem,
        )
    trace = Path(arguments.text("trace", f"{_plain(name)}.wrongcall"))
    words = ["-o", str(folder / trace)]
    for package in arguments.texts("include"):
        words += ["--include", package]
    if arguments.has("python"):
        words += ["--python", arguments.text("python")]
    variables = {name: _text(value) for name, value in arguments.items("env").items()}
    return Launch((*words, "--", *program), folder / trace, folder, variables)


def _plain(name: str) -> str:
    """Return a name without what files should not have in theirs: ``test_f[1-2]``."""
    return "".join(c if c.isalnum() or c in "-_." else "_" for c in name) or "program"


def _text(value: object) -> str | None:
    if value is not None and not isinstance(value, str):
        raise UsageError(f"launch: env: {value!r:.60} is not text")
    return value


class Recorder:
    """A program being recorded."""

    def __init__(self, launch: Launch, command: Sequence[str]) -> None:
        """Start it; ``command``: what ``wrongcall record`` is here."""
        self.launch = launch
        self._said = tempfile.TemporaryFile()  # noqa: SIM115 - closed by `close`
        environment = {**os.environ, **{k: v for k, v in launch.variables.items() if v is not None}}
        for name in (name for name, value in launch.variables.items() if value is None):
            environment.pop(name, None)
        self._process = subprocess.Popen(
            [*command, *launch.words],
            cwd=launch.folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=self._said,
            start_new_session=True,
        )

    @property
    def pid(self) -> int:
        """The process that records."""
        return self._process.pid

    def wait(self, seconds: float) -> bool:
        """Wait for the program to end, at most so long; return whether it has."""
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(seconds)
        return self._process.poll() is not None

    def end(self) -> None:
        """End the program, and everything that it started and that did not leave its session."""
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGTERM)
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(GRACE_S)
        if self._process.poll() is None:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()

    @property
    def status(self) -> int | None:
        """The program's exit code."""
        return self._process.poll()

    def said(self) -> str:
        """Return the end of what was written to stderr, by the recorder or the program."""
        size = self._said.seek(0, os.SEEK_END)
        self._said.seek(max(size - _SHOWN_BYTES, 0))
        return self._said.read().decode("utf-8", "replace").strip()

    def close(self) -> None:
        """End the program, if it still runs."""
        self.end()
        self._said.close()
