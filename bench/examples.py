"""Count the questions that find the bugs of the examples: `PYTHONPATH=. python bench/examples.py`.

Each program of ``examples/`` is recorded, the run as a whole is known to be wrong, and its corrected
version answers truthfully until the bug is found. The exit status is 1 if a strategy does not find it.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from tables import Table, as_markdown, as_text

from tests.oracle.examples import Example, Played, Player, examples, recorded
from wrongcall.session.strategies import strategies


def main() -> int:
    """Count and report."""
    arguments = parse_arguments()
    rows, missed = [], []
    with tempfile.TemporaryDirectory() as folder:
        for example in examples().values():
            with recorded(example, Path(folder)) as trace:
                player = Player(example, trace)
                played = player.sessions
                rows.append(row(example, len(player.tree), played))
                missed += [
                    f"{example.name}: {name} does not find {example.function}"
                    for (name, _), each in played.items()
                    if player.found(each) != example.function
                ]
    table = Table("Questions until the bug is found: as recorded / balanced", header(), tuple(rows))
    print("\n".join([as_text(table), *missed]))
    if arguments.markdown:
        arguments.markdown.write_text(as_markdown(table) + "\n")
    return 1 if missed else 0


def header() -> tuple[str, ...]:
    """Return the names of the columns."""
    return ("example", "calls", *sorted(strategies()))


def row(example: Example, calls: int, played: dict[tuple[str, bool], Played]) -> tuple[str, ...]:
    """Return the line of an example."""
    counts = [
        f"{played[name, False].questions} / {played[name, True].questions}"
        for name in sorted(strategies())
    ]
    return (example.name, str(calls), *counts)


def parse_arguments(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--markdown", type=Path, help="write the table here, too")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
