"""Measure where the time of a recorded run goes: part of the tables in docs/explanation/benchmarks.md.

    where.py [WORKLOAD ...] [--python PY] [--seconds S]

Records each workload under `perf record` (Debian: linux-perf) and adds up the samples by thread and library, in
nanoseconds per event. The threads are: the *program*; the *drain*, which empties the ring and writes the file; and
*packing*, which makes segments. Samples are of processor time, so other programs on the machine disturb them little.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

from catalogue import WORKLOADS, Workload
from commands import recorded_command
from measure import long_enough

SAMPLES_PER_S = 2000
_SAMPLE = re.compile(r"\s*(?P<comm>\S.*?)\s+(?P<tid>\d+)\s+[0-9a-f]+ .*? \((?P<library>.*)\)$")
_LIBRARIES = {
    "_native": "recorder",
    "_packing": "packing",
    "backend_c": "zstandard",
    "libsqlite3": "SQLite",
    "libc.": "C library",
    "[kernel": "kernel",
}
_PYTHON = "interpreter"
_SMALL = 0.05
"""Leave out what takes less than this, in nanoseconds per event."""


def profiled(python: str, workload: Workload, scale: str, folder: Path) -> tuple[int, list[str]]:
    """Record a workload; return how many events it has, and the samples as text."""
    data, stats = folder / "perf.data", folder / "stats.json"
    record = recorded_command(python, workload, folder / "t.wrongcall", stats, [scale])
    perf = ["perf", "record", "-q", "-e", "cpu-clock", "-F", str(SAMPLES_PER_S), "-o", str(data)]
    subprocess.run([*perf, *record], capture_output=True, check=True)
    events = int(json.loads(stats.read_text())["events"])
    script = ["perf", "script", "-i", str(data), "-F", "comm,tid,ip,sym,dso"]
    text = subprocess.run(script, capture_output=True, text=True, check=True).stdout
    return events, text.splitlines()


def library_of(path: str) -> str:
    """Return what a library is called in the table."""
    name = Path(path).name
    return next((word for begin, word in _LIBRARIES.items() if name.startswith(begin)), _PYTHON)


def by_thread(samples: list[str], events: int) -> dict[str, Counter[str]]:
    """Return nanoseconds per event of each library, by thread."""
    counts: dict[str, Counter[str]] = {}
    for line in samples:
        found = _SAMPLE.match(line)
        if found:
            library = library_of(found["library"])
            counts.setdefault(found["tid"], Counter())[library] += 1
    named: dict[str, Counter[str]] = {}
    for times in counts.values():
        if times["packing"] and not times["SQLite"]:
            thread = "packing"
        else:
            thread = "program" if times["recorder"] > times["packing"] else "drain"
        named.setdefault(thread, Counter()).update(times)
    share = 1e9 / SAMPLES_PER_S / events
    return {
        thread: Counter({library: count * share for library, count in times.items()})
        for thread, times in named.items()
    }


def main() -> int:
    """Print a table."""
    parser = argparse.ArgumentParser(description="Measure where the time of a recorded run goes.")
    names = [workload.name for workload in WORKLOADS]
    parser.add_argument("workloads", nargs="*", default=names, metavar="WORKLOAD")
    parser.add_argument("--python", default=sys.executable, metavar="PY")
    parser.add_argument("--seconds", type=float, default=1.0, metavar="S")
    given = parser.parse_args()
    if shutil.which("perf") is None:
        print("where.py needs perf; on Debian: apt-get install linux-perf", file=sys.stderr)
        return 2
    print("| workload | thread | ns per event | of it |")
    print("| --- | --- | --: | --- |")
    for workload in WORKLOADS:
        if workload.name not in given.workloads:
            continue
        scale = long_enough(given.python, workload, given.seconds)
        with tempfile.TemporaryDirectory() as folder:
            events, samples = profiled(given.python, workload, scale, Path(folder))
        for thread, times in sorted(by_thread(samples, events).items(), reverse=True):
            parts = ", ".join(f"{n} {t:.1f}" for n, t in times.most_common() if t > _SMALL)
            print(f"| {workload.name} | {thread} | {times.total():.1f} | {parts} |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
