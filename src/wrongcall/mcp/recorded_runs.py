"""The tool `record`: run a script or a test of the project, recorded, within a time limit.

The program gets no input and no terminal: standard output is the connection to the client, so what the program prints
goes to a file, and its end is shown.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Event

from wrongcall.cli.running import GRACE, MAIN
from wrongcall.errors import UsageError, WrongcallError
from wrongcall.mcp.permissions import TRACE_SUFFIX, Permissions

FOLDER = Path(".wrongcall") / "agents"
"""Where traces are kept that agents made, below the project."""
DEFAULT_LIMIT_S = 120
MAX_LIMIT_S = 3600
POLL_S = 0.2
"""How often to look whether the server is stopping."""
_SHOWN_BYTES = 4_000


@dataclass(frozen=True)
class Wanted:
    """What to record: one of script, module and test."""

    script: str = ""
    module: str = ""
    test: str = ""
    arguments: tuple[str, ...] = ()
    include: tuple[str, ...] = ()
    """Packages to record, too."""
    limit_s: int = DEFAULT_LIMIT_S


@dataclass(frozen=True)
class RecordedRun:
    """A run that was recorded."""

    trace: Path
    ended: str
    """How, in words."""
    output: str
    """The end of what it printed."""


def record(wanted: Wanted, permissions: Permissions, stopping: Event | None = None) -> RecordedRun:
    """Record a run; it is ended when the server is ``stopping``."""
    words = _program(wanted, permissions)
    if not 0 < wanted.limit_s <= MAX_LIMIT_S:
        raise UsageError(f"the time limit must be between 1 and {MAX_LIMIT_S} seconds")
    trace = _new_trace(permissions.root, wanted.test or wanted.module or wanted.script)
    command = [sys.executable, MAIN, "record", "--quiet", "-o", str(trace)]
    for package in wanted.include:
        command += ["--include", package]
    with tempfile.TemporaryFile() as output:
        process = _started([*command, "--", *words], permissions.root, output.fileno())
        ended = _ended(process, wanted.limit_s, stopping or Event())
        text = _end_of(output.fileno())
    if not trace.exists():
        raise WrongcallError(f"nothing was recorded; {ended}:\n{text}")
    return RecordedRun(trace, ended, text)


def _program(wanted: Wanted, permissions: Permissions) -> list[str]:
    chosen = [each for each in (wanted.script, wanted.module, wanted.test) if each]
    if len(chosen) != 1:
        raise UsageError("name one of script, module and test")
    if wanted.test:
        return ["-m", "pytest", "-q", permissions.test(wanted.test), *wanted.arguments]
    if wanted.module:
        return ["-m", permissions.module(wanted.module), *wanted.arguments]
    return [str(permissions.script(wanted.script)), *wanted.arguments]


def _new_trace(root: Path, name: str) -> Path:
    """Return a path that no trace has yet."""
    folder = root / FOLDER
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as exc:
        raise UsageError(f"can't make the folder {FOLDER}: {exc.strerror}") from exc
    stem = re.sub(r"[^\w.-]+", "-", name.removesuffix(".py")).strip("-.")[-60:] or "run"
    number = 1
    while (path := folder / f"{stem}-{number}{TRACE_SUFFIX}").exists():
        number += 1
    return path


def _started(command: list[str], folder: Path, output: int) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        command,
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=output,
        stderr=output,
        start_new_session=True,
    )


def _ended(process: subprocess.Popen[bytes], limit_s: int, stopping: Event) -> str:
    """Wait for the recorder; return how the program ended."""
    try:
        deadline = time.monotonic() + limit_s
        while process.poll() is None and time.monotonic() < deadline and not stopping.is_set():
            with suppress(subprocess.TimeoutExpired):
                process.wait(POLL_S)
    finally:
        is_stopped = process.poll() is None
        if is_stopped:
            _end(process)
    if is_stopped:
        return "the server stopped it" if stopping.is_set() else f"it was stopped after {limit_s} s"
    code = process.returncode
    return f"it was killed by signal {-code}" if code < 0 else f"exit code {code}"


def _end(process: subprocess.Popen[bytes]) -> None:
    """End the recorder and its program; what was recorded stays."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        with suppress(ProcessLookupError):
            os.killpg(process.pid, number)
        with suppress(subprocess.TimeoutExpired):
            process.wait(GRACE)
            return
    process.wait()


def _end_of(output: int) -> str:
    size = os.lseek(output, 0, os.SEEK_END)
    begin = max(size - _SHOWN_BYTES, 0)
    os.lseek(output, begin, os.SEEK_SET)
    text = os.read(output, _SHOWN_BYTES).decode("utf-8", "replace")
    return ("…" if begin else "") + text
