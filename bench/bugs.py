"""Search mutants of real projects for their bugs: `PYTHONPATH=. python bench/bugs.py` (``make bench-bugs``).

For each mutant that makes a test fail, the test is recorded, and an automatic user who knows the original answers the
questions until the bug is found; see ``bench/mutants``. Results are kept in a cache folder, so a run that was stopped
goes on where it was. ``--report`` only prints what is there.
"""

from __future__ import annotations

import argparse
import json
import sys
import traceback
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from pathlib import Path
from typing import Any

from mutants.projects import HOME, PROJECTS, folders
from mutants.report import SEARCHED, misses, report
from mutants.suites import Suite
from mutants.trials import SESSIONS, Mutant, Trial, drawn
from tables import as_markdown, as_text

from fidelity.runs import Python

SEED = 17
AT_A_TIME = 2
"""Mutants of a project that are searched before it is the next project's turn."""
FAILING = 200
"""Mutants with a failing test that are searched, if nothing else is asked for."""


def main() -> int:
    """Search and report."""
    arguments = parse_arguments()
    names = arguments.project or [project.name for project in PROJECTS]
    if not arguments.report:
        search_all(names, arguments)
    rows = [row for name in names for row in read(results_of(name))]
    tables = report(rows)
    missed = misses(rows)
    print("\n\n".join([*map(as_text, tables), *missed]))
    if arguments.markdown:
        arguments.markdown.write_text("\n\n".join(map(as_markdown, tables)) + "\n")
    return 1 if missed else 0


def search_all(names: list[str], arguments: argparse.Namespace) -> None:
    """Search a few mutants of each project in turn, so that whatever is done is a sample of all."""
    each = -(-arguments.failing // len(names))
    folders(Python.at(sys.executable))
    with ProcessPoolExecutor(arguments.workers) as workers:
        for failing in (*range(AT_A_TIME, each, AT_A_TIME), each):
            asked = [(name, failing, arguments.seed) for name in names]
            list(workers.map(search_project, *zip(*asked, strict=True)))


def results_of(name: str) -> Path:
    """Return the file with the results of a project."""
    return HOME / "results" / f"{name}.jsonl"


@cache
def suite_of(name: str) -> Suite:
    """Return the tests of a project."""
    python = Python.at(sys.executable)
    project = next(project for project in PROJECTS if project.name == name)
    return Suite(python, project, folders(python)[name])


def search_project(name: str, failing: int, seed: int) -> None:
    """Search mutants of a project until this many have made a test fail."""
    suite, results = suite_of(name), results_of(name)
    results.parent.mkdir(parents=True, exist_ok=True)
    done = {row["number"]: row for row in read(results)}
    searched = sum(row["class"] == SEARCHED for row in done.values())
    for mutant in drawn(suite, seed):
        known = done.get(mutant.number)
        if known is None and searched >= failing:
            break
        if known is None or lacks_sessions(known):
            row = tried(suite, mutant, known)
            print(told(row), file=sys.stderr, flush=True)
            with results.open("a") as file:
                file.write(json.dumps(row) + "\n")
            searched += known is None and row["class"] == SEARCHED


def lacks_sessions(row: dict[str, Any]) -> bool:
    """Return whether a kept result is older than some of the sessions."""
    return row["class"] == SEARCHED and not row["sessions"].keys() >= SESSIONS.keys()


def tried(suite: Suite, mutant: Mutant, known: dict[str, Any] | None) -> dict[str, Any]:
    """Return the result of one mutant; what breaks the benchmark itself is a result, too."""
    trial = Trial(suite, mutant)
    try:
        row = trial.run() if known is None else trial.supplement(known)
    except Exception:  # noqa: BLE001 - one mutant must not end a run of hours; it is counted and shown
        text = traceback.format_exc()
        row = {
            "number": mutant.number,
            "project": mutant.project,
            "class": "crashed",
            "error": text,
        }
    trial.clean()
    return row


def told(row: dict[str, Any]) -> str:
    """Return a line about a result."""
    sessions = row.get("sessions", {})
    ends = [f"{name}: {each['end']}, {each['questions']}" for name, each in sessions.items()]
    seconds = row.get("total_seconds", 0)
    return f"{row['project']} {row['number']} {row['class']} {'; '.join(ends)} ({seconds} s)"


def read(file: Path) -> Iterator[dict[str, Any]]:
    """Iterate over kept results; a later one about the same mutant counts instead of an earlier one."""
    rows = map(json.loads, file.read_text().splitlines()) if file.exists() else ()
    yield from {row["number"]: row for row in rows}.values()


def parse_arguments(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument(
        "--failing", type=int, default=FAILING, help="mutants to search (%(default)s)"
    )
    parser.add_argument("--seed", type=int, default=SEED, help="of the choice (%(default)s)")
    parser.add_argument("--workers", type=int, default=1, help="projects at a time (%(default)s)")
    parser.add_argument("--project", action="append", help="only this one; can be repeated")
    parser.add_argument("--report", action="store_true", help="only print the results so far")
    parser.add_argument("--markdown", type=Path, help="also write the tables to this file")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
