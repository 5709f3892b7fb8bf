"""Measure how soon the origin of a wrong value reaches the faulty line: `PYTHONPATH=. python bench/origins.py`.

The programs are the planted ones (``tests/programs/planted``), the examples, and more planted ones that the order was
not made for (``tests/programs/held_out``). The exit status is 1 if fewer than 90% of the faulty lines are among what is
shown first, in either table.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from tables import Table, as_markdown, as_text

from tests.examples.origin_reach import Reach, Wrong, all_wrong, held_out, reach
from wrongcall.present.origin_tree import NODES_SHOWN

WANTED = 0.9
"""The share of faulty lines that have to be among what is shown first."""


def main() -> int:
    """Measure and report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--markdown", type=Path, help="write the tables there, too")
    arguments = parser.parse_args()
    tables = [table("The planted programs and the examples", all_wrong())]
    tables.append(table("Held out", held_out()))
    print("\n".join(as_text(each) for each, _ in tables))
    if arguments.markdown:
        arguments.markdown.write_text("\n\n".join(as_markdown(each) for each, _ in tables) + "\n")
    return 0 if all(share >= WANTED for _, share in tables) else 1


def table(title: str, programs: dict[str, Wrong]) -> tuple[Table, float]:
    """Return the table of some programs, and the share of those whose faulty line is shown."""
    with tempfile.TemporaryDirectory() as folder:
        found = {name: (wrong, reach(wrong, Path(folder))) for name, wrong in programs.items()}
    reached = [each for _, each in found.values()]
    in_slice = sum(each.rank is not None for each in reached)
    shown = sum(each.is_shown for each in reached)
    full = (
        f"{title}: in the slice {in_slice} of {len(reached)}; "
        f"among the {NODES_SHOWN} rows shown first {shown} of {len(reached)}"
    )
    rows = tuple(row(name, *each) for name, each in found.items())
    return Table(full, HEADER, rows), shown / len(reached)


HEADER = ("program", "wrong", "reached after", "shown", "nodes", "lines")


def row(name: str, wrong: Wrong, found: Reach) -> tuple[str, ...]:
    """Return the row of a program."""
    rank = "-" if found.rank is None else str(found.rank)
    shown = "yes" if found.is_shown else "no"
    place = f"`{wrong.path}` of `{wrong.call}`"
    return (name, place, rank, shown, str(found.nodes), str(found.lines))


if __name__ == "__main__":
    sys.exit(main())
