"""Harmless: programs that use libraries that interfere with code, processes, threads or imports.

Compilers and picklers read code objects, gevent replaces the standard library and switches stacks, import hooks rewrite
modules before they are compiled. Each program of ``programs/companions`` must print the same and end the same, plain
and recorded.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

from fidelity.lifetime import PROGRAMS, differences
from fidelity.report import Options, Report, Reports, Row, by_name, table
from fidelity.runs import Python, remove_trace, say

FOLDER = PROGRAMS / "companions"
NAMES = {path.stem.removeprefix("use_"): path.name for path in sorted(FOLDER.glob("use_*.py"))}


def run(python: Python, options: Options) -> Report:
    """Compare each program."""
    report = Report()
    for name in options.chosen(NAMES):
        say(f"{python.version} {name}")
        row = _compare(python, name)
        report.rows.append(row)
        report.problems += [f"{name}: {text}" for text in row["problems"]]
    return report


def _compare(python: Python, name: str) -> Row:
    with TemporaryDirectory(prefix="fidelity-") as work:
        folder = Path(work) / "companions"
        shutil.copytree(FOLDER, folder, ignore=shutil.ignore_patterns("__pycache__"))
        plain = python.run([NAMES[name]], folder)
        trace = folder / "trace.wrongcall"
        recorded = python.record([NAMES[name]], folder, trace)
        remove_trace(trace)
    problems = differences(plain, recorded)
    if plain.status:
        problems.append(f"it does not work plain: {plain.stderr[-500:]}")
    stats = recorded.stats or {}
    return {
        "name": name,
        "equal": not problems,
        "calls": stats.get("calls", 0),
        "events": stats.get("events", 0),
        "plain": plain.cpu,
        "recorded": recorded.cpu,
        "problems": problems,
    }


def tables(reports: Reports) -> str:
    """Return the table of programs."""
    header = ["program", "Python", "equal", "calls", "events", "plain s", "recorded s"]
    rows = [
        [
            name, version, "yes" if row["equal"] else "**no**", row["calls"], row["events"],
            row["plain"], row["recorded"],
        ]
        for name, found in by_name(reports).items()
        for version, row in found.items()
    ]  # fmt: skip
    return table(header, rows)
