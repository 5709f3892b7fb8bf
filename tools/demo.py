"""Run the example of docs/tutorial.md: `make demo`. On a terminal you answer; elsewhere this does.

demo.py WRONGCALL
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TRACE = "build/inventory.wrongcall"
ANSWERS = ["y", "y", "y", "n", "n", "y"]
BEFORE = """
The program below keeps the stock of a shop: the oldest goods go out first. It says that order 5 made
a profit of 2100, and that the lamps left are worth 4400; right would be 2500 and 4800.
docs/tutorial.md explains each question.
"""


def main(wrongcall: str) -> int:
    """Run and debug the example; the exit status."""
    interactive = sys.stdin.isatty() and sys.stdout.isatty()
    answers = None if interactive else "".join(f"{answer}\n" for answer in ANSWERS)
    (ROOT / TRACE).parent.mkdir(exist_ok=True)
    print(BEFORE, flush=True)
    command = [wrongcall, "run", "-o", TRACE, "examples/inventory.py"]
    done = subprocess.run(command, cwd=ROOT, input=answers, text=True, check=False)
    print(f"\nIn the browser: {wrongcall} web {TRACE}")
    return done.returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
