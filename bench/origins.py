"""Measure how soon the origin of a wrong value reaches the faulty line: `PYTHONPATH=. python bench/origins.py`.

The programs are the planted ones (``tests/programs/planted``) and the examples. The exit status is 1 if fewer than 90%
of the faulty lines are in the slice of the wrong value.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from tables import Table, as_markdown, as_text

from tests.examples.origin_reach import Reach, Wrong, all_wrong, reach
from wrongcall.present.origin_tree import NODES_SHOWN

WANTED = 0.9
"""The share of faulty lines that have to be in the slice."""


def main() -> int:
    """Measure and report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--markdown", type=Path, help="write the tables there, too")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        found = {name: (wrong, reach(wrong, Path(folder))) for name, wrong in all_wrong().items()}
    reached = [each for _, each in found.values()]
    in_slice = sum(each.rank is not None for each in reached)
    shown = sum(each.is_shown for each in reached)
    title = (
        f"In the slice: {in_slice} of {len(reached)}; "
        f"among the {NODES_SHOWN} nodes shown first: {shown} of {len(reached)}"
    )
    table = Table(title, HEADER, tuple(row(name, *each) for name, each in found.items()))
    print(as_text(table))
    if arguments.markdown:
        arguments.markdown.write_text(as_markdown(table) + "\n")
    return 0 if in_slice >= WANTED * len(reached) else 1


HEADER = ("program", "wrong", "reached after", "shown", "nodes", "lines")


def row(name: str, wrong: Wrong, found: Reach) -> tuple[str, ...]:
    """Return the row of a program."""
    rank = "-" if found.rank is None else str(found.rank)
    shown = "yes" if found.is_shown else "no"
    place = f"`{wrong.path}` of `{wrong.call}`"
    return (name, place, rank, shown, str(found.nodes), str(found.lines))


if __name__ == "__main__":
    sys.exit(main())
