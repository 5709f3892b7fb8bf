"""Measure how long `wrongcall record` takes to start a program, and to end after it: `make bench-startup`.

    startup.py [--rounds N]

A program of one line notes the time of the wall clock. It runs plain and recorded in turn. *Start* is the time from
starting the command to that line, *end* the time from that line until the command has ended. The bars, `START_BAR` and
`END_BAR`, hold for the smallest of the rounds: other work on the machine only adds to it. Processor time is that of
all processes of the command.

A second table shows what the pytest plugin adds to the start of pytest (`plugin`).
"""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from plugin import plugin_table
from tables import Row, Table, as_text

START_BAR = 0.15
"""Seconds."""
END_BAR = 0.1
ROUNDS = 15
PROGRAM = "import time; print(time.time())\n"


class Round(NamedTuple):
    """What one run took, in seconds."""

    start: float
    end: float
    cpu: float


def measured(folder: Path, command: list[str]) -> Round:
    """Run a command that prints the time."""
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.time()
    # Without bytecode, importing would be measured instead.
    environ = {name: text for name, text in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    done = subprocess.run(
        command, cwd=folder, env=environ, stdout=subprocess.PIPE, text=True, check=True
    )
    ended, after = time.time(), resource.getrusage(resource.RUSAGE_CHILDREN)
    reached = float(done.stdout)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Round(reached - began, ended - reached, cpu)


def row(label: str, rounds: list[Round]) -> Row:
    """Return a row of the table: the smallest of each figure, and the medians."""
    figures = [sorted(each) for each in zip(*rounds, strict=True)]
    return (label, *(f"{each[0]:.3f} ({statistics.median(each):.3f})" for each in figures))


def main() -> int:
    """Print a table; fail if a bar is missed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    options = parser.parse_args()
    plain, recorded = [], []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "prog.py").write_text(PROGRAM)
        record = [sys.executable, "-m", "wrongcall", "record", "--quiet", "prog.py"]
        measured(folder, record)  # bytecode
        for _ in range(options.rounds):
            plain.append(measured(folder, [sys.executable, "prog.py"]))
            recorded.append(measured(folder, record))
    start, end = min(each.start for each in recorded), min(each.end for each in recorded)
    kept = start <= START_BAR and end <= END_BAR
    head = ("program", "start", "end", "processor")
    bars = ("bar", f"{START_BAR}", f"{END_BAR}", "kept" if kept else "MISSED")
    title = "Seconds to start a program and to end: smallest (median)"
    print(as_text(Table(title, head, (row("plain", plain), row("recorded", recorded), bars))))
    table, plugin_kept = plugin_table(2 * options.rounds)
    print(f"\n{as_text(table)}")
    return 0 if kept and plugin_kept else 1


if __name__ == "__main__":
    sys.exit(main())
