"""The micro programs: costs that must not grow with the size of the data.

`concat`, `write_size`, `foreign_size` and `asserts` time themselves and print the figures, so that start-up and
building the data are excluded; `memory` is measured from outside.
"""

from __future__ import annotations

import statistics
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from catalogue import ASSERTS, CONCAT, FOREIGN_SIZE, MEMORY, WRITE_SIZE, Workload
from measure import BenchError, RecordedRun, check_output, run_pairs
from results import MEMORY_EXTRA_MB, MEMORY_FACTOR, Result, missed, verdict
from tables import Row, Table

CONCAT_BAR = 3.0
WRITE_BAR = 3.0
ASSERTS_BAR = 10.0
FOREIGN_FIXED_US = 300.0
FOREIGN_NS_PER_ITEM = 25.0
RUNS = 5

# (what, size) -> median figure
Figures = dict[tuple[str, int], float]


@dataclass(frozen=True)
class MicroReport:
    """The table of a micro program, and whether it met its bar."""

    name: str
    table: Table
    kept: bool


def measure_micro(python: str, version: str, micro: Workload, runs: int) -> MicroReport:
    """Run a micro program plain and recorded; a failure is reported as its table."""
    reports = {
        CONCAT: _concat,
        WRITE_SIZE: _write_size,
        FOREIGN_SIZE: _foreign_size,
        MEMORY: _memory,
        ASSERTS: _asserts,
    }
    report = reports[micro]
    title = f"Python {version}: {micro.name}"
    try:
        return report(python, title, min(runs, RUNS))
    except BenchError as exc:
        table = Table(title, ("result",), (("failed",),), (str(exc),))
        return MicroReport(micro.name, table, kept=False)


def figures(outputs: Iterable[str]) -> Figures:
    """Return the medians of the lines `WHAT SIZE FIGURE` printed by several runs."""
    found: dict[tuple[str, int], list[float]] = defaultdict(list)
    for output in outputs:
        for line in output.splitlines():
            words = line.split()
            if len(words) == 3 and words[1].isdigit():
                found[words[0], int(words[1])].append(float(words[2]))
    if not found:
        raise BenchError("the program printed no figures")
    return {key: statistics.median(values) for key, values in found.items()}


def _figures_of_pairs(python: str, micro: Workload, runs: int) -> tuple[Figures, Figures]:
    plain, recorded = run_pairs(python, micro, runs)
    before = figures(run.output for run in plain)
    after = figures(run.tree.output for run in recorded)
    if before.keys() != after.keys():
        raise BenchError("the recorded program printed other lines than the plain one")
    return before, after


def _concat(python: str, title: str, runs: int) -> MicroReport:
    plain, recorded = _figures_of_pairs(python, CONCAT, runs)
    small, large = sorted(size for _, size in plain)
    growth = recorded["concat", large] / recorded["concat", small]
    misses = missed([("growth", growth, CONCAT_BAR)])
    rows = (
        _concat_row("plain", plain["concat", small], plain["concat", large], ""),
        _concat_row(
            "recorded", recorded["concat", small], recorded["concat", large], verdict(misses)
        ),
    )
    header = ("run", f"ms for {small:,}", f"ms for {large:,}", "growth", "verdict")
    notes = (f"`s += x` in a function. Bar: growth <= {CONCAT_BAR:g}; a copy gives 4.",)
    return MicroReport("concat", Table(title, header, rows, notes), not misses)


def _concat_row(name: str, first: float, second: float, result: str) -> Row:
    return (name, f"{first * 1e3:.1f}", f"{second * 1e3:.1f}", f"{second / first:.2f}", result)


def _write_size(python: str, title: str, runs: int) -> MicroReport:
    plain, recorded = _figures_of_pairs(python, WRITE_SIZE, runs)
    smallest = min(size for _, size in plain)
    rows: list[Row] = []
    kept = True
    for operation, size in sorted(plain):
        after = recorded[operation, size]
        growth = after / recorded[operation, smallest] / _own_growth(plain, operation, size)
        misses = missed([("growth", growth, WRITE_BAR)])
        kept = kept and not misses
        before = plain[operation, size]
        cells = (f"{before:.0f}", f"{after:.0f}", f"{after / before:.2f}")
        rows.append((operation, f"{size:,}", *cells, f"{growth:.2f}", verdict(misses)))
    header = ("write", "size", "plain ns", "recorded ns", "ratio", "growth", "verdict")
    note = (
        f"Nanoseconds per write. Growth: recorded, against size {smallest}, divided by the growth "
        f"of the plain program (of a heap: log n). Bar: <= {WRITE_BAR:g}."
    )
    return MicroReport("write_size", Table(title, header, tuple(rows), (note,)), kept)


def _foreign_size(python: str, title: str, runs: int) -> MicroReport:
    plain, recorded = _figures_of_pairs(python, FOREIGN_SIZE, runs)
    rows: list[Row] = []
    kept = True
    for (container, size), before in plain.items():
        after = recorded[container, size]
        allowed = FOREIGN_FIXED_US + size * FOREIGN_NS_PER_ITEM / 1e3
        misses = missed([("us", after / 1e3, allowed)])
        kept = kept and not misses
        cells = (f"{before / 1e3:.2f}", f"{after / 1e3:.1f}", f"{after / size:.2f}")
        rows.append((container, f"{size:,}", *cells, verdict(misses)))
    header = ("container", "size", "plain us", "recorded us", "ns per item", "verdict")
    note = (
        "Microseconds per change that a library makes to a container of the program. Bar: "
        f"<= {FOREIGN_FIXED_US:g} + {FOREIGN_NS_PER_ITEM:g} ns per item: at most 1,024 objects that a container "
        "leads to are looked at after a call."
    )
    return MicroReport("foreign_size", Table(title, header, tuple(rows), (note,)), kept)


def _own_growth(plain: Figures, operation: str, size: int) -> float:
    smallest = min(known for what, known in plain if what == operation)
    return max(1.0, plain[operation, size] / plain[operation, smallest])


def _memory(python: str, title: str, runs: int) -> MicroReport:
    plain, recorded = run_pairs(python, MEMORY, runs)
    check_output(plain, recorded)
    result = Result("memory", tuple(plain), tuple(recorded))
    misses = missed([("MB", result.program_mb, result.allowed_mb)])
    cells = [result.plain_mb, result.program_mb, result.allowed_mb, _tree_mb(recorded)]
    ratio = f"{result.program_mb / result.plain_mb:.2f}"
    row = (*(f"{cell:.0f}" for cell in cells), ratio, verdict(misses))
    header = ("plain MB", "recorded MB", "allowed MB", "tree MB", "ratio", "verdict")
    note = (
        "Peak of a program that holds a million small objects; tree: the largest process of "
        f"the record command. Bar: <= {MEMORY_FACTOR:g} x plain + {MEMORY_EXTRA_MB:g} MB."
    )
    return MicroReport("memory", Table(title, header, (row,), (note,)), not misses)


def _asserts(python: str, title: str, runs: int) -> MicroReport:
    plain, recorded = _figures_of_pairs(python, ASSERTS, runs)
    ((what, count),) = plain
    before, after = plain[what, count], recorded[what, count]
    misses = missed([("ratio", after / before, ASSERTS_BAR)])
    cells = (f"{before * 1e3:.1f}", f"{after * 1e3:.1f}", f"{after / before:.1f}")
    header = ("calls", "plain ms", "recorded ms", "ratio", "verdict")
    note = (
        "`self.assertEqual(i, i)` in a test method under pytest: a library's method on an object "
        f"that leads to the whole framework. Bar: ratio <= {ASSERTS_BAR:g}."
    )
    row = (f"{count:,}", *cells, verdict(misses))
    return MicroReport("asserts", Table(title, header, (row,), (note,)), not misses)


def _tree_mb(recorded: Sequence[RecordedRun]) -> float:
    return statistics.median(run.tree.max_rss_kb for run in recorded) / 1024
