"""Measure what importing a recorded package costs: `make bench-import`.

    imports.py [--package NAME] [--rounds N]

The package is imported plain, recorded for the first time (with an empty cache of instrumented code) and recorded
again, in turn; its bytecode is cached in all three. Processor time of the import alone is measured, in the program. The
bars are ratios to the plain import: `FIRST_BAR` and `AGAIN_BAR`.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from tables import Row, Table, as_text

FIRST_BAR = 12.0
AGAIN_BAR = 3.0
ROUNDS = 5
PROGRAM = """
import time
began = time.process_time()
import {package}
print(time.process_time() - began)
"""


def seconds(folder: Path, command: list[str]) -> float:
    """Run a command in a folder that is its cache folder too; return the seconds that it prints."""
    environ = {**os.environ, "XDG_CACHE_HOME": str(folder / "cache")}
    done = subprocess.run(
        command, cwd=folder, env=environ, stdout=subprocess.PIPE, text=True, check=True
    )
    return float(done.stdout)


def measured(package: str) -> tuple[float, float, float]:
    """Return the seconds of one plain import, one that is recorded first, and one that is recorded again."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "prog.py").write_text(PROGRAM.format(package=package))
        record = [sys.executable, "-m", "wrongcall", "record", "--quiet", "--include", package]
        plain = seconds(folder, [sys.executable, "prog.py"])
        first = seconds(folder, [*record, "prog.py"])
        return plain, first, seconds(folder, [*record, "prog.py"])


def main() -> int:
    """Print a table; fail if a bar is missed."""
    parser = argparse.ArgumentParser(description="Measure what importing a recorded package costs.")
    parser.add_argument("--package", default="pandas")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    options = parser.parse_args()
    seconds(Path.cwd(), [sys.executable, "-c", PROGRAM.format(package=options.package)])  # bytecode
    rounds = [measured(options.package) for _ in range(options.rounds)]
    rows: list[Row] = []
    kept = True
    for label, at, bar in (("first time", 1, FIRST_BAR), ("again", 2, AGAIN_BAR)):
        ratios = sorted(each[at] / each[0] for each in rounds)
        median = statistics.median(ratios)
        kept = kept and median <= bar
        time = f"{statistics.median(each[at] for each in rounds):.2f}"
        spread = f"{ratios[0]:.1f}-{ratios[-1]:.1f}"
        rows.append((label, time, f"{median:.1f}", spread, f"{bar:.0f}"))
    plain = f"{statistics.median(each[0] for each in rounds):.2f}"
    head = ("recorded", "seconds", "slower", "spread", "bar")
    print(as_text(Table(f"import {options.package}", head, (("not", plain, "", "", ""), *rows))))
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
