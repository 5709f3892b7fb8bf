"""The command: runs the parts of the campaign and writes the tables of docs/explanation/fidelity.md.

    python -m fidelity.campaign [--part NAME ...] [--only ROW ...] [--soak SECONDS]
                                [--programs COUNT] [--first-seed SEED] [--no-docs] [PYTHON ...]

Without PYTHON it takes the interpreters that `make build` made ready. What each part found on each
interpreter is kept in build/fidelity; the tables are made of all that is kept, so parts can be run
one by one. The exit status is 1 if a part found something that should not be so.
"""

from __future__ import annotations

import argparse
import json
import signal
import sys
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import NamedTuple

from fidelity import (
    companions,
    cpython,
    documents,
    faults,
    forms,
    fuzz,
    hostile,
    lifetime,
    projects,
    replay,
    sanitized,
    tree,
)
from fidelity.report import Options, Report, Reports
from fidelity.runs import ROOT, WORK, Python, say

RESULTS = WORK / "results"


class Part(NamedTuple):
    """A part of the campaign."""

    run: Callable[[Python, Options], Report]
    tables: Callable[[Reports], str]


PARTS = {
    "cpython": Part(cpython.run, cpython.tables),
    "projects": Part(projects.run, projects.tables),
    "companions": Part(companions.run, companions.tables),
    "replay": Part(replay.run, replay.tables),
    "tree": Part(tree.run, tree.tables),
    "lifetime": Part(lifetime.run, lifetime.tables),
    "sanitized": Part(sanitized.run, sanitized.tables),
    "faults": Part(faults.run, faults.tables),
    "fuzz": Part(fuzz.run, fuzz.tables),
    "hostile": Part(hostile.run, hostile.tables),
    "forms": Part(forms.run, forms.tables),
}


def main() -> int:
    """Run what was asked for."""
    arguments = parse_arguments()
    # A shell's background job ignores it, and so would every program; some tests interrupt themselves.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    pythons = arguments.pythons or (ROOT / ".venvs" / "ready").read_text().split()
    options = Options(
        soak_seconds=arguments.soak,
        programs=arguments.programs,
        first_seed=arguments.first_seed,
        only=arguments.only,
    )
    problems = []
    for python in map(Python.at, pythons):
        for name in arguments.parts or PARTS:
            report = PARTS[name].run(python, options)
            problems += [f"{python.version} {name}: {text}" for text in report.problems]
            keep(name, python.version, report)
            if not arguments.no_docs:
                documents.write({part: tables(part) for part in PARTS})
    for text in problems:
        say(text)
    say(f"{len(problems)} things should not be so")
    return 1 if problems else 0


def parse_arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description="Prove that recording is exact and harmless.")
    parser.add_argument("--part", dest="parts", action="append", choices=list(PARTS))
    parser.add_argument("--only", action="append", default=[], help="only this row of the tables")
    parser.add_argument("--soak", type=float, default=600.0, help="seconds (default: %(default)s)")
    text = "generate so many programs (default: %(default)s)"
    parser.add_argument("--programs", type=int, default=400, metavar="COUNT", help=text)
    text = "the first generated program's seed (default: %(default)s)"
    parser.add_argument("--first-seed", type=int, default=0, metavar="SEED", help=text)
    parser.add_argument(
        "--no-docs", action="store_true", help="leave docs/explanation/fidelity.md as it is"
    )
    parser.add_argument("pythons", nargs="*", metavar="PYTHON")
    return parser.parse_args()


def keep(name: str, version: str, report: Report) -> None:
    """Keep a report; rows that were not run this time stay as they were."""
    path = RESULTS / f"{name}-{version}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    known = load(path) if path.exists() else Report()
    rows = {row["name"]: row for row in [*known.rows, *report.rows]}
    merged = Report(list(rows.values()), report.problems, {**known.facts, **report.facts})
    path.write_text(json.dumps(asdict(merged), indent=1) + "\n")


def load(path: Path) -> Report:
    """Read a report that was kept."""
    return Report(**json.loads(path.read_text()))


def tables(name: str) -> str | None:
    """Return the tables of a part, None if it was never run."""
    found = sorted(RESULTS.glob(f"{name}-*.json"), key=_version)
    reports = {path.stem.partition("-")[2]: load(path) for path in found}
    return PARTS[name].tables(reports) if reports else None


def _version(path: Path) -> list[int]:
    return [int(part) for part in path.stem.partition("-")[2].split(".")]


if __name__ == "__main__":
    sys.exit(main())
