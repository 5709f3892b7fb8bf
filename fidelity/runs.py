"""Run programs plain and recorded, with a time limit, and measure them.

Invariants: a finished run has left no process behind that it started in its own session; the environment is the same
for both kinds of runs.
"""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
INSIDE = ROOT / "fidelity" / "inside"
WORK = ROOT / "build" / "fidelity"
SUMMARY = re.compile(r"^wrongcall: [\d,]+ calls, [\d,]+ events in .*\n", re.MULTILINE)
ADDRESS = re.compile(r"0x[0-9a-f]{6,}")
UNWANTED = {"PYTHONUNBUFFERED", "PYTHONDONTWRITEBYTECODE", "PYTHONWARNINGS", "PYTEST_ADDOPTS"}


def still(text: str) -> str:
    """Return the output without addresses, which differ from run to run."""
    return ADDRESS.sub("0x...", text)


@dataclass(frozen=True)
class Run:
    """What one run looked like from outside."""

    status: int
    """The exit code; negative: the signal that ended it."""
    stdout: str
    stderr: str
    cpu: float
    """User and system time in seconds, of the program and what it waited for."""
    max_rss_kb: int = 0
    """Its peak memory."""
    timed_out: bool = False
    stats: Mapping[str, Any] | None = None
    """For a recorded run: the recorder's statistics."""
    total_cpu: float = 0.0
    """The same as `cpu`, including the writing of the trace of a recorded run."""

    @property
    def own_stderr(self) -> str:
        """Standard error without the recorder's summary line."""
        return SUMMARY.sub("", self.stderr)


@dataclass(frozen=True)
class Python:
    """An interpreter that has wrongcall."""

    path: str
    version: str

    @classmethod
    def at(cls, path: str) -> Python:
        """Ask an interpreter for its version."""
        code = "import platform; print(platform.python_version())"
        path = str(Path(path).absolute())  # not resolved: that would leave the environment
        return cls(path, subprocess.check_output([path, "-c", code], text=True).strip())

    @property
    def recording(self) -> list[str]:
        """The command that records with this interpreter, whatever environment is active."""
        return [self.path, "-m", "wrongcall", "record", "--python", self.path]

    def run(
        self,
        args: Sequence[str],
        folder: Path,
        env: Mapping[str, str] | None = None,
        seconds: float = 300,
    ) -> Run:
        """Run ``python args`` in a folder."""
        return run_command([self.path, *args], folder, env, seconds)

    def record(
        self,
        args: Sequence[str],
        folder: Path,
        trace: Path,
        options: Sequence[str] = (),
        env: Mapping[str, str] | None = None,
        seconds: float = 900,
    ) -> Run:
        """Run ``python -m wrongcall record -o trace options args`` in a folder."""
        figures = trace.with_suffix(".stats")
        own = [*self.recording, "-o", str(trace), "--stats", str(figures), *options]
        done = run_command([*own, *args], folder, env, seconds)
        if not figures.exists():
            return done
        stats = json.loads(figures.read_text())
        figures.unlink()
        fields = {**vars(done), "cpu": stats["program_cpu"], "stats": stats}
        return Run(**fields)


def environment(more: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return the environment of all runs."""
    kept = {name: value for name, value in os.environ.items() if name not in UNWANTED}
    return {**kept, "PYTHONHASHSEED": "0", **(more or {})}


def run_command(
    command: Sequence[str], folder: Path, env: Mapping[str, str] | None, seconds: float
) -> Run:
    """Run a command to its end, or kill it when its time is up."""
    folder.mkdir(parents=True, exist_ok=True)
    out, err = folder / "stdout.txt", folder / "stderr.txt"
    with out.open("wb") as stdout, err.open("wb") as stderr:
        process = subprocess.Popen(
            command,
            cwd=folder,
            env=environment(env),
            stdin=subprocess.DEVNULL,
            stdout=stdout,
            stderr=stderr,
            start_new_session=True,
        )
        with killed_after(process.pid, seconds) as expired:
            _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return Run(
        status=process.returncode,
        stdout=out.read_text(errors="replace"),
        stderr=err.read_text(errors="replace"),
        cpu=usage.ru_utime + usage.ru_stime,
        total_cpu=usage.ru_utime + usage.ru_stime,
        max_rss_kb=usage.ru_maxrss,
        timed_out=expired.is_set(),
    )


@contextmanager
def killed_after(group: int, seconds: float) -> Iterator[threading.Event]:
    """Kill a process group when the time is up, and whatever is left of it in any case."""
    expired = threading.Event()

    def kill() -> None:
        with suppress(ProcessLookupError):
            os.killpg(group, signal.SIGKILL)

    def expire() -> None:
        expired.set()
        kill()

    timer = threading.Timer(seconds, expire)
    timer.start()
    try:
        yield expired
    finally:
        timer.cancel()
        kill()


def remove_trace(trace: Path) -> None:
    """Remove a trace and the files beside it."""
    for path in trace.parent.glob(trace.name + "*"):
        path.unlink()


def say(text: str) -> None:
    """Print the progress of the campaign."""
    print(f"{time.strftime('%H:%M:%S')} {text}", flush=True)
