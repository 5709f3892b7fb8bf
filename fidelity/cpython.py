"""Harmless: modules of CPython's own test suite end as they do plain, test by test.

The test module itself is instrumented, and so are the modules from which some inherit their tests. Tests that end
differently are run again, both ways, on their own. A test that differs only once is *unsteady*; it counts as equal only
if the plain run is unsteady too, or the second comparison finds no difference.
"""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from fidelity.outcomes import Difference, Suite, allowed_differences, compare, left_out
from fidelity.report import Options, Report, Reports, Row, by_name, differing, table
from fidelity.runs import INSIDE, Python, Run, remove_trace, say

MODULES = Path(__file__).with_name("cpython_modules.txt")
SHARED = ("list_tests", "seq_tests", "mapping_tests", "string_tests", "lock_tests")
"""Modules of the suite that hold the tests of several test modules."""


def run(python: Python, options: Options) -> Report:
    """Compare the modules, one after the other."""
    report = Report()
    allowed = allowed_differences()
    for name in options.chosen(modules(options.small)):
        say(f"{python.version} {name}")
        with TemporaryDirectory(prefix="fidelity-") as folder:
            row = _compare(python, name, Path(folder), allowed)
        report.rows.append(row)
        report.problems += [f"{name}: {text}" for text in row["problems"]]
    return report


def modules(small: bool) -> list[str]:
    """Return the modules to compare."""
    lines = [line.split() for line in MODULES.read_text().splitlines() if line[:1] != "#"]
    return [name for name, *marks in lines if "small" in marks or not small]


def _compare(python: Python, name: str, folder: Path, allowed: dict[str, str]) -> Row:
    module = f"test.{name}"
    plain, before = _plain(python, module, folder)
    recorded, after = _recorded(python, module, folder)
    found = compare(before, after)
    steady = _steady(python, module, folder, found) if found else []
    problems = [str(each) for each in steady if each.test not in allowed]
    if not before.outcomes:
        problems.append(f"the plain run has no tests (exit status {plain.status})")
    if recorded.stats is None or recorded.stats["calls"] == 0:
        problems.append("the module was not recorded: " + recorded.stderr[-300:])
    return {
        "name": name,
        "tests": len(before.outcomes),
        "passed": sum(outcome == "passed" for outcome in before.outcomes.values()),
        "equal": len(before.outcomes) - len([d for d in steady if d.test in before.outcomes]),
        "differing": [each.test for each in steady],
        "unsteady": [each.test for each in found if each not in steady],
        "plain": sum(before.seconds.values()),
        "recorded": sum(after.seconds.values()),
        "problems": problems,
    }


def _steady(python: Python, module: str, folder: Path, found: list[Difference]) -> list[Difference]:
    """Return the differences that occur again when the tests run on their own."""
    tests = [each.test for each in found if " (" not in each.test]
    _, before = _plain(python, module, folder, *tests)
    _, after = _recorded(python, module, folder, *tests)
    again = {each.test for each in compare(before, after)}
    alone = {each.test for each in found if each.test not in before.outcomes}
    return [each for each in found if each.test in again | alone]


def _without(module: str) -> list[str]:
    return [f"-{test}" for test in left_out() if test.startswith(f"{module}.")]


def _plain(python: Python, module: str, folder: Path, *tests: str) -> tuple[Run, Suite]:
    results = folder / "plain.jsonl"
    results.unlink(missing_ok=True)
    command = ["-m", "watch_unittest", module, str(results), *(tests or _without(module))]
    done = python.run(command, folder / "plain", {"PYTHONPATH": str(INSIDE)})
    return done, Suite.read(results)


def _recorded(python: Python, module: str, folder: Path, *tests: str) -> tuple[Run, Suite]:
    results, trace = folder / "recorded.jsonl", folder / "trace.wrongcall"
    results.unlink(missing_ok=True)
    chosen = [module, *(f"test.{name}" for name in SHARED)]
    include = [word for name in chosen for word in ("--include", name)]
    command = ["-m", "watch_unittest", module, str(results), *(tests or _without(module))]
    env = {"PYTHONPATH": str(INSIDE)}
    done = python.record(command, folder / "recorded", trace, include, env)
    remove_trace(trace)
    return done, Suite.read(results)


# -- tables ----------------------------------------------------------------------------------------


def tables(reports: Reports) -> str:
    """Return the modules with their tests, and the tests that differ with the reason for each."""
    versions = list(reports)
    header = ["module"]
    for version in versions:
        header += [f"{version}: tests", "equal", "slower"]
    rows = [[name, *_cells(found, versions)] for name, found in by_name(reports).items()]
    totals = ["all together"]
    for version in versions:
        mine = reports[version].rows
        totals += [sum(r["tests"] for r in mine), sum(r["equal"] for r in mine), _slower(mine)]
    return table(header, [*rows, totals]) + f"\n\n{differing(reports)}\n\n{_left_out()}"


def _cells(found: dict[str, Row], versions: list[str]) -> list[object]:
    cells: list[object] = []
    for version in versions:
        row = found.get(version)
        cells += [row["tests"], row["equal"], _slower([row])] if row else ["", "", ""]
    return cells


def _slower(rows: list[Row]) -> str:
    plain, recorded = (sum(row[kind] for row in rows) for kind in ("plain", "recorded"))
    return f"{recorded / plain:.1f}" if plain >= 0.1 else ""


def _left_out() -> str:
    missing = [[f"`{test.removeprefix('test.')}`", why] for test, why in left_out().items()]
    return table(["test that is not run", "reason"], missing)
