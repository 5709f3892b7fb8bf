"""The machine and the interpreters a measurement was made on."""

from __future__ import annotations

import datetime
import os
import platform
import resource
from dataclasses import dataclass
from pathlib import Path

from measure import BenchError, checked


@dataclass(frozen=True)
class Machine:
    """What a reader needs to compare figures with those of another machine."""

    date: str
    cores: int
    cpu: str
    kernel: str
    memory_gb: float

    def __str__(self) -> str:
        return (
            f"{self.date}; {self.cores} cores of {self.cpu}, {self.memory_gb:.0f} GB; {self.kernel}"
        )


def this_machine() -> Machine:
    """Describe the machine this runs on."""
    pages = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return Machine(
        date=datetime.date.today().isoformat(),
        cores=os.cpu_count() or 1,
        cpu=_cpu_model(),
        kernel=f"{platform.system()} {platform.release()}",
        memory_gb=pages / 2**30,
    )


def _cpu_model() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        lines = []
    for line in lines:
        name, _, value = line.partition(":")
        if name.strip() == "model name":
            return value.strip()
    return platform.processor() or platform.machine()


def memory_floor_mb() -> float:
    """Return the peak memory of this process.

    The kernel counts the memory that a process had before it became another program, so the peak of a child is never
    below that of its parent.
    """
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def python_version(python: str) -> str:
    """Return an interpreter's version, such as 3.12.1."""
    try:
        code = "import platform; print(platform.python_version())"
        return checked([python, "-c", code]).output.strip()
    except (OSError, BenchError) as exc:
        raise BenchError(f"{python} is not a working Python: {exc}") from exc


def package_version(python: str, package: str) -> str | None:
    """Return the version of a package in an interpreter, or None if it is not installed."""
    code = (
        "import sys, importlib.metadata as m\n"
        "try: print(m.version(sys.argv[1]))\n"
        "except m.PackageNotFoundError: pass"
    )
    return checked([python, "-c", code, package]).output.strip() or None
