"""Count the questions and lines it takes to find the bugs of the examples: `PYTHONPATH=. python bench/examples.py`.

Each program of ``examples/`` is recorded, the run as a whole is known to be wrong, and its corrected version answers
truthfully until the bug is found. The exit status is 1 if a strategy does not find it.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from tables import Table, as_markdown, as_text

from tests.examples.examples import Example, Played, Player, examples, recorded
from wrongcall.session.strategies import strategies

COMPARED = ("lookahead", "least-reading")
"""Two strategies that are the same except that the second one weighs the lines to read."""


def main() -> int:
    """Count and report."""
    arguments = parse_arguments()
    rows, lines, missed = [], [], []
    with tempfile.TemporaryDirectory() as folder:
        for example in examples().values():
            with recorded(example, Path(folder)) as recording:
                player = Player(example, recording)
                played = player.sessions
                rows.append(row(example, len(player.tree), played))
                lines.append(lines_row(example, played))
                missed += [
                    f"{example.name}: {name} does not find {example.function}"
                    for (name, _), each in played.items()
                    if player.found(each) != example.function
                ]
    title = "Questions until the bug is found: as recorded / balanced"
    tables = [Table(title, header(), tuple(rows)), lines_table(lines)]
    print("\n\n".join([*map(as_text, tables), *missed]))
    if arguments.markdown:
        arguments.markdown.write_text("\n\n".join(map(as_markdown, tables)) + "\n")
    return 1 if missed else 0


def header() -> tuple[str, ...]:
    """Return the names of the columns."""
    return ("example", "calls", *sorted(strategies()))


def row(example: Example, calls: int, played: dict[tuple[str, bool], Played]) -> tuple[str, ...]:
    """Return the row of an example."""
    counts = [
        f"{played[name, False].questions} / {played[name, True].questions}"
        for name in sorted(strategies())
    ]
    return (example.name, str(calls), *counts)


def lines_table(rows: list[tuple[str, ...]]) -> Table:
    """Return the table of lines to read, without and with weighing them."""
    names = (
        "example",
        *(f"{name}, {what}" for name in COMPARED for what in ("questions", "lines")),
    )
    return Table("Questions and lines to read, balanced", names, tuple(rows))


def lines_row(example: Example, played: dict[tuple[str, bool], Played]) -> tuple[str, ...]:
    """Return the row of an example in that table."""
    sessions = [played[name, True] for name in COMPARED]
    return (example.name, *(str(n) for each in sessions for n in (each.questions, each.lines)))


def parse_arguments(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--markdown", type=Path, help="also write the table to this file")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
