"""Traces for the benchmarks: recorded once and kept in a folder that is not committed.

The name of a trace has a hash of the workload, its scale and the version of the format, so a trace is recorded again
when one of them changes. It is not recorded again when the recorder changes: delete `FOLDER` for that.
"""

from __future__ import annotations

import hashlib
import shutil
import signal
import subprocess
import sys
from pathlib import Path

from commands import record_command

from wrongcall.trace.format.schema import FILE_VERSION

WORKLOADS = Path(__file__).resolve().parent / "workloads"
FOLDER = Path(__file__).resolve().parent / ".traces"


def trace_of(workload: str, scale: int) -> Path:
    """Return a trace of a workload, recording it if there is none yet."""
    source = (WORKLOADS / f"{workload}.py").read_bytes()
    told = f"{FILE_VERSION} {scale} {sys.version_info[:2]}".encode()
    path = FOLDER / f"{workload}-{hashlib.sha256(source + told).hexdigest()[:12]}.wrongcall"
    if not path.exists():
        record(workload, scale, path)
    return path


def record(workload: str, scale: int, path: Path) -> None:
    """Record a workload, in a folder of its own: some make modules beside themselves."""
    folder = path.with_suffix("")
    folder.mkdir(parents=True, exist_ok=True)
    program = shutil.copy(WORKLOADS / f"{workload}.py", folder)
    unfinished = folder / path.name
    unfinished.unlink(missing_ok=True)
    command = [*record_command(unfinished), program, str(scale)]
    done = subprocess.run(command, check=False)
    if done.returncode not in (0, -signal.SIGKILL):  # one_call.py kills itself
        raise SystemExit(f"{workload}.py could not be recorded")
    unfinished.rename(path)
    shutil.rmtree(folder)
