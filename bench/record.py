"""Measure what recording costs: `python bench/record.py`.

For every interpreter and workload, the program runs plain and recorded in turn. The figures are CPU time, wall time,
events, bytes and memory, with a verdict against the bars the recorder promises to meet (see results.py and micro.py).
The interpreters need `wrongcall`, and `sqlparse` for the workload of that name. The exit status is 1 when a bar is
missed or a run failed.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from catalogue import MICROS, NAMES, WORKLOADS, Workload
from lengths import LengthReport, measure_lengths
from machine import (
    Machine,
    memory_floor_mb,
    package_version,
    python_version,
    this_machine,
)
from measure import BenchError, check_output, long_enough, run, run_pairs
from micro import MicroReport, measure_micro
from peers import LIMIT_S, peer_table
from reports import Outcome, all_kept, size_table, time_table
from results import Failure, Result
from tables import Table, as_markdown, as_text, wrapped

MINIMUM_RUNS = 7
SHORTEST_PLAIN_S = 2.0


@dataclass(frozen=True)
class InterpreterReport:
    """Everything measured on one interpreter."""

    version: str
    outcomes: tuple[Outcome, ...]
    micros: tuple[MicroReport, ...]
    lengths: LengthReport | None
    peers: Table | None

    def tables(self) -> list[Table]:
        tables = [each.table for each in self.micros]
        if self.lengths is not None:
            tables.append(self.lengths.table)
        if self.peers is not None:
            tables.append(self.peers)
        if not self.outcomes:
            return tables
        time = time_table(self.version, self.outcomes)
        return [time, size_table(self.version, self.outcomes), *tables]

    def kept(self) -> bool:
        lengths = self.lengths is None or self.lengths.kept
        return all_kept(self.outcomes) and lengths and all(each.kept for each in self.micros)


def parse_arguments(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description="Measure what recording costs against the plain run.",
    )
    parser.add_argument(
        "--pythons",
        nargs="+",
        metavar="PY",
        default=[sys.executable],
        help="interpreters to measure (default: this one)",
    )
    parser.add_argument(
        "--runs",
        type=int,
        default=MINIMUM_RUNS,
        help="measured runs of each kind (default: %(default)s; use no fewer for"
        " figures to publish)",
    )
    parser.add_argument(
        "--only",
        nargs="*",
        choices=NAMES,
        metavar="NAME",
        default=NAMES,
        help="programs to run, or none: " + ", ".join(NAMES),
    )
    parser.add_argument(
        "--seconds",
        type=float,
        default=SHORTEST_PLAIN_S,
        help="CPU time that plain programs should take at least, by choice of their scale"
        " (default: %(default)s)",
    )
    parser.add_argument(
        "--lengths",
        nargs="+",
        type=int,
        metavar="M",
        default=[],
        help="also record runs of so many million events, and compare their memory",
    )
    parser.add_argument("--peers", action="store_true", help="also measure other recorders")
    parser.add_argument(
        "--peer-limit",
        type=float,
        default=LIMIT_S,
        metavar="SECONDS",
        help="stop a run of another recorder after this time (default: %(default)g)",
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all runs")
    parser.add_argument(
        "--markdown", type=Path, metavar="FILE", help="write the tables as Markdown"
    )
    options = parser.parse_args(arguments)
    if options.runs < 1:
        parser.error(f"--runs {options.runs}: at least one run is needed")
    return options


def progress(message: str) -> None:
    print(message, file=sys.stderr, flush=True)


def measure_workload(python: str, workload: Workload, runs: int, seconds: float) -> Outcome:
    """Measure one workload; errors become part of the report."""
    if workload.needs and package_version(python, workload.needs) is None:
        return Failure(workload.name, f"{workload.needs} is not installed")
    try:
        scale = long_enough(python, workload, seconds)
        plain, recorded = run_pairs(python, workload, runs, [scale])
        check_output(plain, recorded)
    except BenchError as exc:
        return Failure(workload.name, str(exc))
    return Result(workload.name, tuple(plain), tuple(recorded), scale)


def measure_interpreter(python: str, options: argparse.Namespace) -> InterpreterReport:
    """Measure everything requested on one interpreter."""
    only, runs = options.only, options.runs
    version = python_version(python)
    if run([python, "-c", "import wrongcall"]).status != 0:
        raise BenchError(f"{python} cannot import wrongcall; install it there first")
    outcomes = []
    for workload in chosen(WORKLOADS, only):
        progress(f"{version} {workload.name}")
        outcomes.append(measure_workload(python, workload, runs, options.seconds))
    micros = []
    for micro in chosen(MICROS, only):
        progress(f"{version} {micro.name}")
        micros.append(measure_micro(python, version, micro, runs))
    lengths = (
        measure_lengths(python, version, options.lengths, progress) if options.lengths else None
    )
    peers = None
    if options.peers:
        usable = [w for w in chosen(WORKLOADS, only) if is_usable(python, w)]
        peers = peer_table(python, version, usable, progress, options.peer_limit)
    return InterpreterReport(version, tuple(outcomes), tuple(micros), lengths, peers)


def is_usable(python: str, workload: Workload) -> bool:
    return not workload.needs or package_version(python, workload.needs) is not None


def chosen(programs: Sequence[Workload], only: Sequence[str]) -> list[Workload]:
    return [each for each in programs if each.name in only]


def explanation(runs: int) -> str:
    """Explain how to read the figures."""
    return (
        f"Medians of {runs} plain and {runs} recorded runs, alternating. Ratio: CPU time (user + "
        "system) of the recorded program to that of the plain one; spread: smallest and largest "
        "ratio of two consecutive runs; with drain: CPU time of the whole record command. Start-up "
        "of the interpreter and imports are in both. Events per second are per CPU second of the "
        "program. Peak memory cannot be read below that of the process that starts it, here "
        f"{memory_floor_mb():.0f} MB."
    )


def headline(machine: Machine, reports: Sequence[InterpreterReport]) -> str:
    versions = ", ".join(report.version for report in reports)
    return f"{machine}; Python {versions}"


def text_report(machine: Machine, reports: Sequence[InterpreterReport], runs: int) -> str:
    parts = [headline(machine, reports), wrapped(explanation(runs))]
    parts += [as_text(table) for report in reports for table in report.tables()]
    return "\n\n".join(parts)


def markdown_report(machine: Machine, reports: Sequence[InterpreterReport], runs: int) -> str:
    parts = [headline(machine, reports) + ".", wrapped(explanation(runs))]
    parts += [as_markdown(table) for report in reports for table in report.tables()]
    return "\n\n".join(parts) + "\n"


def json_report(machine: Machine, reports: Sequence[InterpreterReport]) -> str:
    content = {
        "machine": asdict(machine),
        "interpreters": [
            {
                "version": report.version,
                "workloads": [asdict(each) for each in report.outcomes],
                "tables": [asdict_table(table) for table in report.tables()],
            }
            for report in reports
        ],
    }
    return json.dumps(content, indent=1) + "\n"


def asdict_table(table: Table) -> dict[str, object]:
    return {
        "title": table.title,
        "rows": [dict(zip(table.header, row, strict=True)) for row in table.rows],
        "notes": list(table.notes),
    }


def main(arguments: Sequence[str] | None = None) -> int:
    options = parse_arguments(arguments)
    try:
        reports = [measure_interpreter(python, options) for python in options.pythons]
    except BenchError as exc:
        print(f"record.py: {exc}", file=sys.stderr)
        return 2
    machine = this_machine()
    print(text_report(machine, reports, options.runs))
    if options.markdown:
        options.markdown.write_text(markdown_report(machine, reports, options.runs))
    if options.json:
        options.json.write_text(json_report(machine, reports))
    return 0 if all(report.kept() for report in reports) else 1


if __name__ == "__main__":
    raise SystemExit(main())
