"""Measure trees of recorded calls: `python bench/tree.py`.

For each size, a program that makes about that many calls is recorded. A fresh process then measures building the tree
from the trace, the next question of every strategy, an answer and its undo, and memory. Times are the best of several,
by the clock and (in brackets) of the processor: on a busy machine they differ. The bars hold for the largest size and
are judged by the clock; the exit status is 1 when one is missed.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from catalogue import FOLDER
from commands import record_command
from machine import this_machine
from tables import Table, as_markdown, as_text

SIZES = (10_000, 100_000, 1_000_000, 10_000_000)
REPEATS = 5
BUILD_BAR = 5.0
QUESTION_BAR = 0.1
ANSWER_BAR = 0.05
MEMORY_BAR = 100.0
EXACT = "divide-by-queries"


@dataclass(frozen=True)
class Timing:
    """The best of several measurements, in seconds."""

    wall: float
    cpu: float

    def __str__(self) -> str:
        return f"{_shown(self.wall)} ({_shown(self.cpu)})"


def _shown(seconds: float) -> str:
    return f"{seconds:.2f} s" if seconds >= 1 else f"{seconds * 1000:.1f} ms"


def timed(act: Callable[[], object], repeats: int = REPEATS) -> Timing:
    """Return how long some work takes."""
    walls, cpus = [], []
    for _ in range(repeats):
        wall, cpu = time.perf_counter(), time.process_time()
        act()
        walls.append(time.perf_counter() - wall)
        cpus.append(time.process_time() - cpu)
    return Timing(min(walls), min(cpus))


def measure(path: Path) -> dict[str, Any]:
    """Measure one trace; runs in a process of its own."""
    # Imported here, so that the recording process does not pay for it.
    from wrongcall import recording  # noqa: PLC0415
    from wrongcall.session.facts import NoFacts  # noqa: PLC0415
    from wrongcall.session.session import Session  # noqa: PLC0415
    from wrongcall.session.strategies import strategies  # noqa: PLC0415
    from wrongcall.tree.coverage import Coverage  # noqa: PLC0415
    from wrongcall.tree.from_trace import tree_of  # noqa: PLC0415

    class ByFunction(NoFacts):
        """Calls of one function covered the same: the cost of the strategy does not depend on it."""

        def coverage(self, kind: str) -> Coverage | None:
            entities = [range(3 * f, 3 * f + 4) for f in range(tree.function_count)]
            return Coverage(tree.function, entities)

    before = _peak()
    reader = recording.open(path)
    read = timed(reader.calls.columns, 1)
    tree = tree_of(reader)
    made = timed(lambda: tree_of(reader))
    built = Timing(read.wall + made.wall, read.cpu + made.cpu)
    session = Session(tree, ByFunction(), strategy="optimal-dq")
    session.step()
    figures: dict[str, Timing] = {"build": built, "build, calls known": made}
    for name in strategies():
        if name == EXACT:
            continue
        session.use(name)
        figures[name] = timed(lambda: session.strategy.choose(session.suspects))
    session.use("optimal-dq")
    session.suspects.weigh()
    figures |= answers(session)
    peak = _peak()
    structure = sum(c.nbytes for c in (tree.parent, tree.end, tree.function, tree.completed))
    known = sum(getattr(column, "nbytes", 0) for column in vars(reader.calls.columns()).values())
    return {
        "calls": len(tree),
        "figures": {name: (each.wall, each.cpu) for name, each in figures.items()},
        "tree": (structure + session.suspects.memory()) / len(tree),
        "columns": known / len(tree),
        "peak": (peak - before) * 1024 / len(tree),
    }


def answers(session: Any) -> dict[str, Timing]:
    """Measure the verdicts, and undoing them."""
    figures = {}
    for verdict in ("right", "wrong", "don't know", "trust function"):
        told, undone = [], []
        for _ in range(REPEATS):
            session.step()
            told.append(timed(lambda: session.answer(verdict), 1))  # noqa: B023
            undone.append(timed(session.undo, 1))
        figures[f"answer: {verdict}"] = min(told, key=lambda each: each.wall)
        figures[f"undo: {verdict}"] = min(undone, key=lambda each: each.wall)
    return figures


def _peak() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def recorded(size: int, folder: Path) -> Path:
    """Record the program with this many calls."""
    path = folder / f"{size}.wrongcall"
    command = record_command(path)
    command += [str(FOLDER / "calls.py"), str(size)]
    subprocess.run(command, check=True, capture_output=True)
    return path


def measured(path: Path) -> dict[str, Any]:
    """Measure a trace in a process of its own."""
    command = [sys.executable, __file__, "--trace", str(path)]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def bar_of(name: str) -> float:
    if name.startswith("build"):
        return BUILD_BAR
    return ANSWER_BAR if name.startswith(("answer", "undo")) else QUESTION_BAR


def table(results: Sequence[dict[str, Any]]) -> tuple[Table, bool]:
    """Return the table, and whether every bar is met."""
    last = results[-1]
    rows, missed = [], []
    for name, (wall, _) in last["figures"].items():
        bar = bar_of(name)
        kept = wall < bar
        if not kept:
            missed.append(name)
        cells = [str(Timing(*each["figures"][name])) for each in results]
        rows.append((name, *cells, f"< {_shown(bar)}", "kept" if kept else "missed"))
    kept = last["tree"] + last["columns"] < MEMORY_BAR
    sizes = {
        "bytes per call: tree and search": ("tree", "", ""),
        "bytes per call: with the trace's columns": (
            "columns",
            f"< {MEMORY_BAR:.0f}",
            "kept" if kept else "missed",
        ),
        "bytes per call: peak of the process": ("peak", "", ""),
    }
    for label, (key, *rest) in sizes.items():
        extra = "tree" if key == "columns" else None
        cells = [f"{each[key] + (each[extra] if extra else 0):.0f}" for each in results]
        rows.append((label, *cells, *rest))
    header = ("", *(f"{each['calls']:,}" for each in results), "bar", "verdict")
    made = Table("Trees by their number of calls", header, tuple(rows))
    return made, not missed and kept


def parse_arguments(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--sizes", type=int, nargs="*", default=SIZES, help="numbers of calls")
    parser.add_argument("--trace", type=Path, help="measure this trace and print JSON")
    parser.add_argument("--markdown", type=Path, help="also write the table to this file")
    return parser.parse_args(arguments)


def main() -> int:
    """Measure and report."""
    arguments = parse_arguments()
    if arguments.trace:
        print(json.dumps(measure(arguments.trace)))
        return 0
    with tempfile.TemporaryDirectory() as folder:
        results = [measured(recorded(size, Path(folder))) for size in arguments.sizes]
    made, kept = table(results)
    print(as_text(made))
    if arguments.markdown:
        about = f"Measured by `make bench-tree`, {this_machine()}."
        arguments.markdown.write_text(f"{about}\n\n{as_markdown(made)}\n")
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
