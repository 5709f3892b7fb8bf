"""Tables of the results: what became of the mutants, how the searches ended, and what they cost the user."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from statistics import mean, median, quantiles
from typing import Any

from tables import Table

Row = dict[str, Any]

SEARCHED = "searched"
TITLES = {
    "none": "none",
    "memory": "memory",
    "tests": "tests",
    "contracts": "contracts",
    "three": "memory, tests and contracts",
    "reference": "reference",
    "all": "all",
}
"""What the sessions are called."""
BARS = {"none": 6.0, "three": 2.0, "reference": 0.0}
"""The most questions that a session may ask, in the median."""
LEAST_FOUND = 0.95


def report(rows: Sequence[Row]) -> list[Table]:
    """Return all tables."""
    searched = [row for row in rows if row["class"] == SEARCHED]
    tables = [_classes(rows)]
    if searched:
        tables += [_sessions(searched), _projects(searched), _kinds(searched), _ends(searched)]
    return tables


def misses(rows: Sequence[Row]) -> list[str]:
    """Return the bars that were missed, in words."""
    searched = [row for row in rows if row["class"] == SEARCHED]
    found = []
    for name, bar in BARS.items():
        played = [row["sessions"][name] for row in searched if name in row["sessions"]]
        if not played:
            found.append(f"{TITLES[name]}: not measured")
            continue
        share = sum(each["end"] == "found" for each in played) / len(played)
        asked = median(each["questions"] for each in played)
        if share < LEAST_FOUND:
            found.append(f"{TITLES[name]}: the mutated function is found in {share:.0%}")
        if asked > bar:
            found.append(f"{TITLES[name]}: the median is {asked:g} questions, not {bar:g}")
    return found


def _classes(rows: Sequence[Row]) -> Table:
    kinds = [name for name, _ in Counter(row["class"] for row in rows).most_common()]
    projects = sorted({row["project"] for row in rows})
    cells = [
        (
            project,
            *(
                str(sum(r["class"] == kind and r["project"] == project for r in rows))
                for kind in kinds
            ),
        )
        for project in projects
    ]
    total = ("all", *(str(sum(row["class"] == kind for row in rows)) for kind in kinds))
    return Table("What became of the mutants", ("project", *kinds), (*cells, total))


def _sessions(searched: Sequence[Row]) -> Table:
    header = ("oracles", "searched", "found", "95% interval", *_COSTS)
    cells = []
    for name, title in TITLES.items():
        played = [row["sessions"][name] for row in searched if name in row["sessions"]]
        if played:
            cells.append((title, *_cells(played)))
    return Table("Questions to the user", header, tuple(cells))


_COSTS = ("questions: median", "mean", "90th percentile", "lines: median", "seconds: median")


def _cells(played: Sequence[Row]) -> tuple[str, ...]:
    found = sum(each["end"] == "found" for each in played)
    low, high = wilson(found, len(played))
    asked = [each["questions"] for each in played]
    return (
        str(len(played)),
        f"{found / len(played):.1%}",
        f"{low:.1%} to {high:.1%}",
        f"{median(asked):g}",
        f"{mean(asked):.1f}",
        f"{_percentile(asked):g}",
        f"{median(each['lines'] for each in played):g}",
        f"{median(each['seconds'] for each in played):.1f}",
    )


def _projects(searched: Sequence[Row]) -> Table:
    return _grouped(searched, "project", "By project")


def _kinds(searched: Sequence[Row]) -> Table:
    return _grouped(searched, "kind", "By kind of mutation")


def _grouped(searched: Sequence[Row], field: str, title: str) -> Table:
    """Return how searches without and with three oracles went, by a field of the mutants."""
    cells = []
    for value in sorted({row[field] for row in searched}):
        chosen = [row for row in searched if row[field] == value]
        none, three = ([row["sessions"][name] for row in chosen] for name in ("none", "three"))
        cells.append(
            (
                value,
                str(len(chosen)),
                str(sum(each["end"] == "found" for each in none)),
                f"{median(each['questions'] for each in none):g}",
                f"{median(each['questions'] for each in three):g}",
                f"{median(row['calls'] for row in chosen):,.0f}",
            )
        )
    header = (field, "searched", "found", "questions, no oracle", "with three", "calls: median")
    return Table(title, header, tuple(cells))


def _ends(searched: Sequence[Row]) -> Table:
    names = [name for name in TITLES if any(name in row["sessions"] for row in searched)]
    ends = Counter(row["sessions"]["none"]["end"] for row in searched)
    others = {each["end"] for row in searched for each in row["sessions"].values()}
    kinds = [*ends, *sorted(others - set(ends))]
    cells = [(kind, *(str(_count(searched, name, kind)) for name in names)) for kind in kinds]
    return Table("How the searches ended", ("end", *(TITLES[name] for name in names)), tuple(cells))


def _count(searched: Sequence[Row], name: str, end: str) -> int:
    return sum(row["sessions"].get(name, {}).get("end") == end for row in searched)


def wilson(found: int, count: int) -> tuple[float, float]:
    """Return the 95% confidence interval of a share, by Wilson."""
    z = 1.96
    share, more = found / count, z * z / count
    middle = (share + more / 2) / (1 + more)
    half = z / (1 + more) * math.sqrt(share * (1 - share) / count + more / (4 * count))
    return max(middle - half, 0.0), min(middle + half, 1.0)


def _percentile(values: Sequence[int]) -> float:
    return quantiles(values, n=10, method="inclusive")[-1] if len(values) > 1 else values[0]
