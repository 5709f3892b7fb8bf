"""The results of a part of the campaign on one interpreter, and tables made from them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from fidelity.outcomes import allowed_differences

Row = dict[str, Any]


@dataclass(frozen=True)
class Options:
    """How much to run."""

    small: bool = False
    """Only what `make test` has time for."""
    soak_seconds: float = 600.0
    programs: int = 400
    """How many programs are generated."""
    first_seed: int = 0
    only: Sequence[str] = ()
    """Names of rows to which a part is limited."""

    def chosen(self, names: Iterable[str]) -> list[str]:
        """Return the names to run."""
        return [name for name in names if not self.only or name in self.only]


@dataclass
class Report:
    """The rows of a part's table, and its problems in words."""

    rows: list[Row] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    facts: dict[str, Any] = field(default_factory=dict)


Reports = Mapping[str, Report]
"""By the version of the interpreter."""


def table(header: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """Return a table in Markdown."""
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join("| " + " | ".join(map(_cell, line)) + " |" for line in lines)


def _cell(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.2f}"
    text = f"{value:,}" if isinstance(value, int) else str(value)
    return text.replace("|", "\\|")


def by_name(reports: Reports) -> dict[str, dict[str, Row]]:
    """Return the rows by name and then by version, in the order of the first report."""
    found: dict[str, dict[str, Row]] = {}
    for version, report in reports.items():
        for row in report.rows:
            found.setdefault(row["name"], {})[version] = row
    return found


def differing(reports: Reports) -> str:
    """Return the tests that differ, one by one, with the reason for each."""
    allowed = allowed_differences()
    where: dict[str, list[str]] = {}
    for version, report in reports.items():
        for row in report.rows:
            for test in row["differing"]:
                where.setdefault(test, []).append(version)
    lines = [
        [f"`{test.removeprefix('test.')}`", ", ".join(on), allowed.get(test, "**not explained**")]
        for test, on in sorted(where.items())
    ]
    return table(["test that differs", "on", "reason"], lines)
