"""Measure how many questions the strategies ask: `python bench/questions.py`.

For every place of the bug in a tree, a truthful oracle answers until the place is known. The root is known to be wrong.
The trees are artificial shapes and recorded runs of libraries. *Chained*: balanced with the chains found in the trace,
and lists; *all chained*: all siblings treated as one chain. The exit status is 1 when a bar is missed: lookahead asks
more than Optimal D&Q, least-reading over 3% more than lookahead, or a tree that is balanced and all chained takes more
than log2(n) + 0.5 questions on average.

A separate table compares lookahead and least-reading, which are the same except that the second one weighs the lines to
read: the estimated lines of calls, or random ones for the shapes.
"""

from __future__ import annotations

import argparse
import math
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from catalogue import FOLDER
from commands import record_command
from machine import this_machine
from tables import Table, as_markdown, as_text

from wrongcall import recording
from wrongcall.session.cost import Cost, cost
from wrongcall.session.from_trace import TraceFacts
from wrongcall.session.strategies import strategies, strategy
from wrongcall.tree import _kernels
from wrongcall.tree.balance import BalancedTree, Balancing, balance
from wrongcall.tree.costs import costs_of
from wrongcall.tree.coverage import Coverage
from wrongcall.tree.from_trace import chains_of, tree_of
from wrongcall.tree.reading import Reading
from wrongcall.tree.states import NodeState
from wrongcall.tree.suspects import Suspects
from wrongcall.tree.tree import Tree
from wrongcall.tree.weights import UNIT, Weights

LIBRARIES = {
    "arguments": "argparse",
    "html": "html",
    "json": "json",
    "markdown": "markdown_it",
    "sql": "sqlparse",
    "toml": "tomllib",
    "unparse": "ast",
    "versions": "packaging",
}
NAMES = [
    "single-stepping",
    "top-down",
    "heaviest-first",
    "more-rules-first",
    "dq-shapiro",
    "dq-hirunkitti",
    "optimal-dq",
    "coverage-edges",
    "coverage-def-use",
    "lookahead",
    "least-reading",
    "worst-case",
]
SHORT = {
    "single-stepping": "stepping",
    "more-rules-first": "more rules",
    "coverage-edges": "edges",
    "coverage-def-use": "def-use",
}
BAR = 0.5
MORE = 1.03


@dataclass(frozen=True)
class Subject:
    """A tree to search, and its balanced variants."""

    name: str
    tree: Tree
    variants: dict[str, Tree] = field(default_factory=dict)
    coverage: dict[str, Coverage] = field(default_factory=dict)


def shapes(size: int) -> Iterator[Subject]:
    """Iterate over trees of about this many calls."""
    rng = np.random.default_rng(7)
    chain = np.arange(-1, size - 1)
    star = np.zeros(size, dtype=int)
    binary = (np.arange(size) - 1) // 2
    spine = np.where(np.arange(size) % 2 == 1, np.arange(size) - 1, np.arange(size) - 2)
    recursive = np.array([0, *(int(rng.integers(v)) for v in range(1, size))])
    deep = np.array([0, *(int(rng.integers(max(0, v - 12), v)) for v in range(1, size))])
    made = {
        "chain": chain,
        "star": star,
        "binary": binary,
        "caterpillar": spine,
        "random recursive": recursive,
        "random deep": deep,
    }
    for name, parent in made.items():
        parent[0] = -1
        tree = Tree.from_parents(parent, np.arange(size))
        lines = np.where(rng.random(size) < 0.3, rng.integers(10, 20, size), 5).astype(np.uint8)
        tree.reading = Reading(lines, lines - 3, np.zeros(size, np.bool_))
        yield Subject(f"{name} {size:,}", tree, {"all chained": chained(tree)})


def chained(tree: Tree) -> BalancedTree:
    """Return the tree with all siblings treated as one chain."""
    return balance(tree, np.zeros(len(tree), np.int64), Balancing(unrestricted=True))


def recorded(names: Sequence[str], folder: Path) -> Iterator[Subject]:
    """Record libraries at work and iterate over their trees."""
    for name in names:
        path = folder / f"{name}.wrongcall"
        command = record_command(path)
        command += ["--include", LIBRARIES[name], str(FOLDER / "libraries.py"), name]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            print(f"{name}: not recorded: {done.stderr.strip().splitlines()[-1]}", file=sys.stderr)
            continue
        with recording.open(path) as found:
            tree = tree_of(found)
            keys = chains_of(found, tree)
            coverage = covered(found, tree)
        # Only threads give a run several roots; modules are called by what imports them.
        yield Subject(
            f"{name} {len(tree):,}",
            tree,
            {"chained": balance(tree, keys), "all chained": chained(tree)},
            coverage,
        )


def covered(found: Any, tree: Tree) -> dict[str, Coverage]:
    """Return what the calls covered."""
    facts = TraceFacts(found, tree)
    known = {kind: facts.coverage(kind) for kind in ("edges", "def-use")}
    return {kind: each for kind, each in known.items() if each is not None}


def searched(tree: Tree, coverage: Mapping[str, Coverage] | None = None) -> Suspects:
    """Return the suspects when the run as a whole is known to be wrong."""
    weights: Weights = UNIT
    known = dict(coverage or {})
    if isinstance(tree, BalancedTree):
        weights = tree.weights
        known = {kind: each.grouped(tree) for kind, each in known.items()}
    base = tree.base if isinstance(tree, BalancedTree) else tree
    costs = None if base.reading is None else costs_of(base.reading, tree)
    suspects = Suspects(tree, weights=weights, root=0, coverage=known, costs=costs)
    suspects.mark(0, NodeState.WRONG)
    return suspects


def optimum(tree: Tree, seconds: float) -> str:
    """Return the least average for a tree, or a note that it was not found in time."""
    compact = searched(tree).compact()
    limit = _kernels.lookahead(compact.parent, compact.own, 3, 2, 0)[1]
    least, _, solved = _kernels.optimum(compact.parent, compact.own, limit, seconds)
    return f"{least / compact.total_weight:.3f}" if solved else f"> {seconds:g} s"


@dataclass
class Results:
    """The figures of all trees."""

    averages: list[tuple[str, ...]] = field(default_factory=list)
    worst: list[tuple[str, ...]] = field(default_factory=list)
    lines: list[tuple[str, ...]] = field(default_factory=list)
    missed: list[str] = field(default_factory=list)

    def add(self, subject: Subject, seconds: float) -> None:
        """Measure a tree and its variants."""
        for variant, tree in {"": subject.tree, **subject.variants}.items():
            began = time.perf_counter()
            found = {
                name: cost(searched(tree, subject.coverage), strategy(name))
                for name in NAMES
                if strategies()[name].needs_coverage in (None, *subject.coverage)
            }
            label = f"{subject.name}{', ' + variant if variant else ''}"
            self.averages.append(
                (
                    label,
                    *(f"{found[n].average:.3f}" if n in found else "" for n in NAMES),
                    # For a balanced tree, it would not know that the last member need not be asked about.
                    "" if variant else optimum(tree, seconds),
                )
            )
            self.worst.append(
                (label, *(f"{found[n].worst:,}" if n in found else "" for n in NAMES))
            )
            without, weighing = found["lookahead"], found["least-reading"]
            self.lines.append(
                (
                    label,
                    *(f"{each.average:.2f}" for each in (without, weighing)),
                    *(f"{each.average_lines:.1f}" for each in (without, weighing)),
                )
            )
            self._judge(label, found, variant, len(subject.tree))
            print(f"{label}: {time.perf_counter() - began:.1f} s", file=sys.stderr)

    def _judge(self, label: str, found: dict[str, Cost], variant: str, size: int) -> None:
        greedy, looking = found["optimal-dq"], found["lookahead"]
        if looking.average > greedy.average + 1e-9:
            self.missed.append(f"{label}: lookahead {looking.average} > {greedy.average}")
        weighing = found["least-reading"]
        if weighing.average > looking.average * MORE:
            self.missed.append(f"{label}: least-reading {weighing.average} > {looking.average}")
        bar = math.log2(size) + BAR
        if variant == "all chained" and looking.average > bar:
            self.missed.append(f"{label}: {looking.average:.3f} > log2(n) + 0.5 = {bar:.3f}")

    def tables(self) -> list[Table]:
        """Return the tables."""
        header = (
            "tree",
            *(SHORT.get(n, n) for n in NAMES),
            "true optimum",
        )
        notes = tuple(self.missed) or ("Every bar is kept.",)
        return [
            Table("Average number of questions", header, tuple(self.averages), notes),
            Table("Most questions", header[:-1], tuple(self.worst)),
            Table(
                "Average number of questions and of lines to read, without and with weighing lines",
                ("tree", "questions", "weighing lines", "lines", "lines, weighing them"),
                tuple(self.lines),
            ),
            papers_table(),
        ]


def papers_table() -> Table:
    """Return the table of the papers' examples: what a bug at the root of each takes."""
    castling = Tree.from_parents([-1, 0, 0, 0, 0, 0], [0, 1, 1, 1, 2, 2])
    merge_sort = Tree.from_parents(
        [-1, 0, 1, 1, 1, 4, 4, 0, 0, 8, 8, 8], [0, 0, 0, 0, 1, 2, 2, 0, 1, 2, 2, 2]
    )
    rows = (
        ("castling, bug in castling", castling, [-1, 0, 0, 0, 1, 1], "dq-hirunkitti", 0),
        (
            "merge sort, bug in the last merge",
            merge_sort,
            [-1, 0, 1, 1, -1, 2, 2, 0, -1, 3, 3, 3],
            "top-down",
            8,
        ),
    )
    found = [
        (name, chosen, *(str(asked(each, chosen, bug)) for each in (tree, balance(tree, chains))))
        for name, tree, chains, chosen, bug in rows
    ]
    return Table(
        "The papers' examples (nothing known at first)",
        ("example", "strategy", "questions", "balanced"),
        tuple(found),
        left=frozenset({"strategy"}),
    )


def asked(tree: Tree, name: str, bug: int) -> int:
    """Return the number of questions until a bug is known, with nothing known at first."""
    weights = tree.weights if isinstance(tree, BalancedTree) else UNIT
    found = cost(Suspects(tree, weights=weights), strategy(name))
    places = found.positions.tolist()
    node = tree.node(bug)
    return int(found.questions[places.index(node)])


def parse_arguments(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument(
        "--size", type=int, default=1023, help="number of calls in the artificial trees"
    )
    parser.add_argument("--only", nargs="*", choices=sorted(LIBRARIES), default=sorted(LIBRARIES))
    parser.add_argument(
        "--seconds", type=float, default=5.0, help="time limit for the true optimum, in seconds"
    )
    parser.add_argument("--markdown", type=Path, help="also write the tables to this file")
    return parser.parse_args(arguments)


def main() -> int:
    """Measure and report."""
    arguments = parse_arguments()
    results = Results()
    with tempfile.TemporaryDirectory() as folder:
        for subject in shapes(arguments.size):
            results.add(subject, arguments.seconds)
        for subject in recorded(arguments.only, Path(folder)):
            results.add(subject, arguments.seconds)
    tables = results.tables()
    print("\n\n".join(map(as_text, tables)))
    if arguments.markdown:
        about = f"Measured by `make bench-questions`, {this_machine()}."
        text = "\n\n".join([about, *map(as_markdown, tables)])
        arguments.markdown.write_text(text + "\n")
    return 1 if results.missed else 0


if __name__ == "__main__":
    sys.exit(main())
