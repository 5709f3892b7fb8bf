"""Run the example of docs/guide/tutorial.md: `make demo`. On a terminal you answer; otherwise the script does.

    demo.py [--web] WRONGCALL

With --web, the questions appear in the browser: `make demo-web`.
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
docs/guide/tutorial.md explains each question.
"""


def main(arguments: list[str]) -> int:
    """Run and debug the example; return the exit status."""
    wrongcall = arguments[-1]
    interactive = sys.stdin.isatty() and sys.stdout.isatty()
    answers = None if interactive else "".join(f"{answer}\n" for answer in ANSWERS)
    (ROOT / TRACE).parent.mkdir(exist_ok=True)
    print(BEFORE, flush=True)
    web = ["--web"] if "--web" in arguments else []
    command = [wrongcall, "run", *web, "--to", "call", "-o", TRACE, "examples/inventory.py"]
    done = subprocess.run(command, cwd=ROOT, input=answers, text=True, check=False)
    if not web:
        print("\nWithout --to call, the questions continue inside that call, to the statement.")
        print("The same in the browser: make demo-web")
    return done.returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
