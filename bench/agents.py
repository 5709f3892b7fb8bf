"""Count what a scripted agent needs to solve the examples by tools alone: `PYTHONPATH=. python bench/agents.py`.

The agent answers truthfully: the corrected program tells it what is right. Tokens are estimated as the server does. The
exit status is 1 if an example is not solved.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from tables import Table, as_markdown, as_text

from tests.examples.examples import examples
from tests.mcp.test_server import SOLVED, solve


def main() -> int:
    """Count and report."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--markdown", type=Path, help="also write the table to this file")
    arguments = parser.parse_args()
    rows, missed = [], []
    with tempfile.TemporaryDirectory() as folder:
        for name in SOLVED:
            work, function = solve(name, Path(folder).resolve() / name)
            counts = (work.requests, work.answers, work.tokens)
            rows.append((name, function, *(f"{count:,}" for count in counts)))
            if function != examples()[name].function:
                missed.append(f"{name}: the bug is in {examples()[name].function}")
    header = ("example", "function found", "requests", "answers", "tokens")
    table = Table("A scripted agent on the examples", header, tuple(rows))
    print("\n".join([as_text(table), *missed]))
    if arguments.markdown:
        arguments.markdown.write_text(as_markdown(table) + "\n")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
