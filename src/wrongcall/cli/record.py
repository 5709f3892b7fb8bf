"""``wrongcall record``: run a program as ``python`` would and leave a trace of the run.

This process starts the program as a child, writes the trace while it runs, and ends as it
ended: same exit code, or the same signal.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from wrongcall.cli.progress import Progress, summary_line
from wrongcall.errors import UsageError
from wrongcall.recorder import boot
from wrongcall.trace.drain import Drain
from wrongcall.trace.ring import Ring
from wrongcall.trace.writer import TraceWriter

PROJECT_MARKS = ("pyproject.toml", "setup.cfg", ".git")
FORWARDED = (signal.SIGTERM, signal.SIGHUP, signal.SIGUSR1, signal.SIGUSR2)


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Describe the command to argparse."""
    parser = commands.add_parser(
        "record",
        help="run a program and record it",
        usage="wrongcall record [options] [--] (prog.py | -m module) [arguments]",
        description="Runs a program as python would and leaves a trace of the run in one file.",
    )
    parser.add_argument("-o", "--output", metavar="FILE", help="the trace (NAME.wrongcall)")
    parser.add_argument(
        "--include", metavar="PKG", action="append", default=[],
        help="record this package too, wherever it is installed",
    )  # fmt: skip
    parser.add_argument(
        "--exclude", metavar="GLOB", action="append", default=[],
        help="leave out files (paths below the project root) or modules that match",
    )  # fmt: skip
    parser.add_argument("--force", action="store_true", help="overwrite a file that is no trace")
    parser.add_argument("--stats", metavar="FILE", help="write figures about the recording as JSON")
    parser.add_argument("-m", dest="module", metavar="MODULE", nargs=argparse.REMAINDER)
    parser.add_argument("program", nargs=argparse.REMAINDER, help=argparse.SUPPRESS)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Record; the program's exit code."""
    kind, program = _program(args)
    output = Path(args.output or _default_name(kind, program[0]))
    root = project_root(kind, program[0])
    with Ring.create() as ring:
        writer = TraceWriter(output, _meta(kind, program, root), force=args.force)
        command = boot.command(ring.fd, root, args.include, args.exclude, kind, program)
        recording = _Recording(ring, writer, output)
        return recording.run(command, args.stats)


def _program(args: argparse.Namespace) -> tuple[str, list[str]]:
    """What to run: kind, and the target with its arguments."""
    if args.module is not None:
        if not args.module:
            raise UsageError("-m needs the name of a module")
        return boot.MODULE, args.module
    program = args.program[1:] if args.program[:1] == ["--"] else args.program
    if program[:1] == ["-m"] and len(program) > 1:
        return boot.MODULE, program[1:]
    if not program:
        raise UsageError("what shall be recorded? Give a program: wrongcall record prog.py")
    _check_script(program[0])
    return boot.SCRIPT, program


def _check_script(script: str) -> None:
    path = Path(script)
    if not path.exists():
        raise UsageError(f"no such file: {script}")
    if path.is_dir() and not (path / "__main__.py").exists():
        raise UsageError(f"{script} is a folder without a __main__.py")
    if not os.access(path, os.R_OK):
        raise UsageError(f"cannot read {script}")


def _default_name(kind: str, target: str) -> str:
    stem = target.rpartition(".")[2] if kind == boot.MODULE else Path(target).resolve().stem
    return f"{stem}.wrongcall"


def project_root(kind: str, target: str) -> str:
    """The script's folder, or the nearest one above it that looks like a project."""
    start = Path.cwd() if kind == boot.MODULE else Path(target).resolve().parent
    if kind == boot.SCRIPT and Path(target).is_dir():
        start = Path(target).resolve()
    for folder in (start, *start.parents):
        if any((folder / mark).exists() for mark in PROJECT_MARKS):
            return str(folder)
    return str(start)


def _meta(kind: str, program: list[str], root: str) -> dict[str, Any]:
    return {
        "kind": kind,
        "program": program,
        "root": root,
        "folder": str(Path.cwd()),
        "python": sys.version,
        "started": time.time(),
    }


class _Recording:
    """One program being recorded."""

    def __init__(self, ring: Ring, writer: TraceWriter, output: Path) -> None:
        self.ring = ring
        self.writer = writer
        self.output = output
        self.drain = Drain(ring, writer)
        self.child: subprocess.Popen[bytes]
        self.began = time.monotonic()

    def run(self, command: list[str], stats: str | None) -> int:
        """Start the program, drain it to its end, sum up, and end as it did."""
        flags = subprocess._args_from_interpreter_flags()  # type: ignore[attr-defined]
        before = signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(signal.SIGINT, before)
        self.child = subprocess.Popen(
            [sys.executable, *flags, *command], pass_fds=[self.ring.fd]
        )
        for number in FORWARDED:
            signal.signal(number, self._forward)
        signal.signal(signal.SIGINT, lambda *_: None)  # the terminal tells the program itself
        progress = Progress(self.drain, self.began)
        self.drain.run_until(lambda: self._ended(progress))
        progress.clear()
        return self._finish(stats)

    def _forward(self, number: int, frame: object) -> None:
        self.child.send_signal(number)

    def _ended(self, progress: Progress) -> bool:
        progress.show()
        return self.child.poll() is not None

    def _finish(self, stats: str | None) -> int:
        status = self.child.returncode
        seconds = time.monotonic() - self.began
        ended = "killed" if status < 0 else "exit"
        facts = {"status": status, "seconds": seconds, "calls": self.drain.calls}
        self.writer.close(ended, facts)
        if self.drain.events == 0:
            self.output.unlink(missing_ok=True)
        else:
            print(summary_line(self.drain, seconds, self.output), file=sys.stderr)
        if stats is not None:
            self._write_stats(Path(stats), seconds)
        return _end_as(status)

    def _write_stats(self, path: Path, seconds: float) -> None:
        child = resource.getrusage(resource.RUSAGE_CHILDREN)
        own = resource.getrusage(resource.RUSAGE_SELF)
        figures = {
            "program_cpu": child.ru_utime + child.ru_stime,
            "drain_cpu": own.ru_utime + own.ru_stime,
            "wall": seconds,
            "events": self.drain.events,
            "calls": self.drain.calls,
            "ring_bytes": self.drain.events * 32 + self.drain.bytes,
            "file_bytes": self.output.stat().st_size if self.output.exists() else 0,
            "program_max_rss_kb": child.ru_maxrss,
            "waits": self.ring.waits,
            "wait_seconds": self.ring.waited_ns / 1e9,
        }
        path.write_text(json.dumps(figures) + "\n")


def _end_as(status: int) -> int:
    """The program's exit code; if a signal killed it, the same signal kills us."""
    if status >= 0:
        return status
    sys.stderr.flush()
    number = -status
    if number not in (signal.SIGKILL, signal.SIGSTOP):
        signal.signal(number, signal.SIG_DFL)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # one core dump, the program's, is enough
    os.kill(os.getpid(), number)
    return 128 + number
