"""Run a program and measure it: CPU time, wall time, peak memory.

A *plain* run is the program alone; a *recorded* run is the `wrongcall record` command, whose tree of processes contains
the program and the drain. CPU time is user plus system time. For the tree, it comes from the kernel when the command is
waited for; for the recorded program itself, from the recorder's `--stats`.
"""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, fields
from pathlib import Path
from typing import IO

from catalogue import Workload
from commands import clean_environment, plain_command, recorded_command


class BenchError(Exception):
    """A measurement that could not be made, with the reason."""


@dataclass(frozen=True)
class Run:
    """What one command took, with the processes it started and waited for."""

    cpu: float
    wall: float
    max_rss_kb: int
    status: int
    timed_out: bool
    output: str
    errors: str


@dataclass(frozen=True)
class Stats:
    """The figures that `wrongcall record --stats` writes."""

    program_cpu: float
    drain_cpu: float
    wall: float
    events: int
    calls: int
    ring_bytes: int
    file_bytes: int
    program_max_rss_kb: int
    drain_max_rss_kb: int
    waits: int
    wait_seconds: float


@dataclass(frozen=True)
class RecordedRun:
    """One run of the record command: the whole tree, and the program in it."""

    tree: Run
    stats: Stats


@dataclass(frozen=True)
class Limits:
    """Bounds on a command: seconds of wall time, bytes of memory and of a file."""

    seconds: float = 300.0
    memory: int | None = None
    file_size: int | None = None


DEFAULT_LIMITS = Limits()


def run(command: Sequence[str], limits: Limits = DEFAULT_LIMITS) -> Run:
    """Run a command to its end, or kill it when its time is up."""
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        start = time.perf_counter()
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=errors,
            env=clean_environment(),
            start_new_session=True,
        )
        _restrict(process.pid, limits)
        with _killed_after(process.pid, limits.seconds) as timed_out:
            _, wait_status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(wait_status)
        return Run(
            cpu=usage.ru_utime + usage.ru_stime,
            wall=wall,
            max_rss_kb=usage.ru_maxrss,
            status=process.returncode,
            timed_out=timed_out(),
            output=_text(output),
            errors=_text(errors),
        )


def _restrict(pid: int, limits: Limits) -> None:
    if limits.memory is not None:
        resource.prlimit(pid, resource.RLIMIT_AS, (limits.memory, limits.memory))
    if limits.file_size is not None:
        size = (limits.file_size, limits.file_size)
        resource.prlimit(pid, resource.RLIMIT_FSIZE, size)


@contextmanager
def _killed_after(pid: int, seconds: float) -> Iterator[Callable[[], bool]]:
    """Kill the process group of `pid` after a time, or when the block fails."""
    expired = threading.Event()

    def expire() -> None:
        expired.set()
        # It may have ended by itself at the same time.
        with suppress(ProcessLookupError):
            os.killpg(pid, signal.SIGKILL)

    timer = threading.Timer(seconds, expire)
    timer.start()
    try:
        yield expired.is_set
    except BaseException:
        os.killpg(pid, signal.SIGKILL)
        raise
    finally:
        timer.cancel()


def _text(file: IO[bytes]) -> str:
    file.seek(0)
    return file.read().decode(errors="replace")


def checked(command: Sequence[str], limits: Limits = DEFAULT_LIMITS) -> Run:
    """Run a command that is expected to succeed."""
    result = run(command, limits)
    if result.timed_out:
        raise BenchError(f"not finished after {limits.seconds:.0f} s")
    if result.status != 0:
        raise BenchError(f"exit status {result.status}: {last_line(result.errors)}")
    return result


def last_line(text: str) -> str:
    """Return the last non-empty line."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1] if lines else "no message"


def run_plain(python: str, workload: Workload, scale: Sequence[str] = ()) -> Run:
    """Run a workload unrecorded."""
    return checked(plain_command(python, workload, scale))


def run_recorded(
    python: str,
    workload: Workload,
    scale: Sequence[str] = (),
    limits: Limits = DEFAULT_LIMITS,
) -> RecordedRun:
    """Record a workload into a temporary trace."""
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        trace = Path(folder, "trace.wrongcall")
        stats = Path(folder, "stats.json")
        tree = checked(recorded_command(python, workload, trace, stats, scale), limits)
        return RecordedRun(tree, read_stats(stats))


def read_stats(path: Path) -> Stats:
    """Read the file written by `--stats`; fields unknown here are ignored."""
    try:
        found = json.loads(path.read_text())
        return Stats(**{field.name: found[field.name] for field in fields(Stats)})
    except (OSError, ValueError) as exc:
        raise BenchError(f"cannot read the recorder's statistics: {exc}") from exc
    except KeyError as exc:
        raise BenchError(f"the recorder's statistics lack {exc}") from exc


def long_enough(python: str, workload: Workload, seconds: float) -> str:
    """Return the first scale at which the plain program takes so many seconds of CPU time, or the largest."""
    for scale in workload.scales[:-1]:
        if run_plain(python, workload, [scale]).cpu >= seconds:
            return scale
    return workload.scales[-1]


def run_pairs(
    python: str, workload: Workload, runs: int, scale: Sequence[str] = ()
) -> tuple[list[Run], list[RecordedRun]]:
    """Run a workload plain and recorded in turn, after a small unmeasured pair."""
    run_plain(python, workload, [workload.small])
    run_recorded(python, workload, [workload.small])
    plain, recorded = [], []
    for _ in range(runs):
        plain.append(run_plain(python, workload, scale))
        recorded.append(run_recorded(python, workload, scale))
    return plain, recorded


def check_output(plain: Sequence[Run], recorded: Sequence[RecordedRun]) -> None:
    """Check that the recorded program printed what the plain one prints."""
    expected = plain[0].output.strip()
    for each in recorded:
        if expected not in each.tree.output:
            found = last_line(each.tree.output)
            raise BenchError(f"printed {found!r} when recorded, but {expected!r} plain")
