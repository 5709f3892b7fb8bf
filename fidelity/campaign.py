"""The command: run the parts of the campaign and write the tables of docs/explanation/fidelity.md.

    python -m fidelity.campaign [--part NAME ...] [--only ROW ...] [--soak SECONDS]
                                [--programs COUNT] [--first-seed SEED] [--no-docs] [PYTHON ...]

Without PYTHON, it uses the interpreters that `make build` made ready. The results of each part on each interpreter are
kept in build/fidelity; the tables are made from everything kept, so parts can be run one by one. The exit status is 1
if a part found a problem.
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
    """Run the requested parts."""
    arguments = parse_arguments()
    # A shell's background job ignores SIGINT, and so would every program; some tests interrupt themselves.
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
    say(f"{len(problems)} problems found")
    return 1 if problems else 0


def parse_arguments() -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(description="Prove that recording is exact and harmless.")
    parser.add_argument("--part", dest="parts", action="append", choices=list(PARTS))
    parser.add_argument(
        "--only", action="append", default=[], help="run only this row of the tables"
    )
    parser.add_argument(
        "--soak", type=float, default=600.0, help="seconds to soak (default: %(default)s)"
    )
    text = "number of programs to generate (default: %(default)s)"
    parser.add_argument("--programs", type=int, default=400, metavar="COUNT", help=text)
    text = "seed of the first generated program (default: %(default)s)"
    parser.add_argument("--first-seed", type=int, default=0, metavar="SEED", help=text)
    parser.add_argument(
        "--no-docs", action="store_true", help="do not update docs/explanation/fidelity.md"
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
    """Read a kept report."""
    return Report(**json.loads(path.read_text()))


def tables(name: str) -> str | None:
    """Return the tables of a part, or None if it was never run."""
    found = sorted(RESULTS.glob(f"{name}-*.json"), key=_version)
    reports = {path.stem.partition("-")[2]: load(path) for path in found}
    return PARTS[name].tables(reports) if reports else None


def _version(path: Path) -> list[int]:
    return [int(part) for part in path.stem.partition("-")[2].split(".")]


if __name__ == "__main__":
    sys.exit(main())
