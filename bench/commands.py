"""The command lines that are measured, and the environment they run in."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path

from catalogue import Workload


def plain_command(python: str, workload: Workload, scale: Sequence[str] = ()) -> list[str]:
    """Return the command that runs a workload unrecorded."""
    return [python, str(workload.script), *scale]


def record_command(trace: Path, python: str = sys.executable) -> list[str]:
    """Return the beginning of a command that records with an interpreter; options and the program follow."""
    return [python, "-m", "wrongcall", "record", "--python", python, "-o", str(trace)]


def recorded_command(
    python: str,
    workload: Workload,
    trace: Path,
    stats: Path,
    scale: Sequence[str] = (),
) -> list[str]:
    """Return the command that records a workload and leaves its figures in `stats`."""
    command = [*record_command(trace, python), "--stats", str(stats)]
    for package in workload.include:
        command += ["--include", package]
    return [*command, str(workload.script), *scale]


def clean_environment() -> dict[str, str]:
    """Return the environment without settings that make Python behave unusually.

    PYTHONDONTWRITEBYTECODE, for one, would charge every recorded run with compiling the recorder again. PYTHONPATH
    stays, because it may lead to a checkout.
    """
    environment = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("PYTHON") or name == "PYTHONPATH"
    }
    environment["PYTHONHASHSEED"] = "0"
    return environment
