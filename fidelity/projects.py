"""Harmless: the test suites of other people's projects end as they do plain, test by test.

The projects come as sdists, which carry their tests, pinned by requirements/fidelity.txt. A project
is recorded as its developer would record it: ``wrongcall record -m pytest`` in its folder, so that
both the library and its tests are instrumented.
"""

from __future__ import annotations

import re
import shutil
import tarfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from fidelity.outcomes import Suite, allowed_differences, compare
from fidelity.report import Options, Report, Reports, Row, by_name, differing, table
from fidelity.runs import INSIDE, ROOT, WORK, Python, Run, remove_trace, say

LOCK = ROOT / "requirements" / "fidelity.txt"


@dataclass(frozen=True)
class Project:
    """A project and how its tests are run."""

    name: str
    source: str = "."
    """Where in the sdist its packages are."""
    tests: tuple[str, ...] = ("tests",)


PROJECTS = (
    Project("attrs", "src"),
    Project("boltons"),
    Project("jinja2", "src"),
    # Not test_apis.py, which needs PyYAML: as far as it can be, what is recorded is pure Python.
    Project(
        "markdown",
        tests=tuple(f"tests/test_{name}" for name in ("syntax", "extensions.py", "meta.py")),
    ),
    Project(
        "networkx",
        tests=tuple(
            f"networkx/{folder}"
            for folder in (
                "classes/tests",
                "utils/tests",
                "algorithms/traversal/tests",
                "algorithms/components/tests",
            )
        ),
    ),
    Project("sqlparse"),
)
SMALL = ("sqlparse",)


def run(python: Python, options: Options) -> Report:
    """Compare the suites, one after the other."""
    report = Report()
    folders = provide(python)
    known = {project.name: project for project in PROJECTS}
    for name in options.chosen(SMALL if options.small else known):
        say(f"{python.version} {name}")
        row = _compare(python, known[name], folders[name])
        report.rows.append(row)
        report.problems += [f"{name}: {text}" for text in row["problems"]]
    return report


# -- getting the projects ----------------------------------------------------------------------------


class ProvideError(Exception):
    """The projects cannot be had."""


def provide(python: Python) -> dict[str, Path]:
    """Download and unpack the sdists, if that was not done; the folder of each project."""
    home = WORK / "projects" / python.version
    if not (home / "complete").exists():
        shutil.rmtree(home, ignore_errors=True)
        home.mkdir(parents=True)
        _download(python, home)
        for archive in sorted(home.glob("*.tar.gz")):
            with tarfile.open(archive) as opened:
                opened.extractall(home, filter="data")
        (home / "complete").touch()
    return {project.name: _folder(home, project.name) for project in PROJECTS}


def _download(python: Python, home: Path) -> None:
    chosen = home / "requirements.txt"
    chosen.write_text("".join(locked(project.name) for project in PROJECTS))
    # What builds them is installed, pinned, beside wrongcall: pip must not fetch its own.
    how = ["--no-deps", "--no-binary", ":all:", "--no-build-isolation", "--require-hashes"]
    command = ["-m", "pip", "--disable-pip-version-check", "download", *how]
    done = python.run([*command, "-d", str(home), "-r", str(chosen)], home / "log")
    if done.status:
        raise ProvideError(f"pip download failed:\n{done.stdout}{done.stderr}")


def locked(name: str) -> str:
    """Return the lines of the lock file that pin a project."""
    blocks = re.split(r"^(?=\S)", LOCK.read_text(), flags=re.MULTILINE)
    found = [block for block in blocks if block.startswith(f"{name}==")]
    if not found:
        raise ProvideError(f"{LOCK.name} does not pin {name}: run make lock")
    return "".join(found)


def _folder(home: Path, name: str) -> Path:
    wanted = name.replace("-", "_")
    (found,) = (path for path in home.glob(f"{wanted}-*") if path.is_dir())
    return found


# -- comparing -----------------------------------------------------------------------------------------


def _compare(python: Python, project: Project, home: Path) -> Row:
    with TemporaryDirectory(prefix="fidelity-") as work:
        plain, before = _suite(python, project, home, Path(work), recorded=False)
        recorded, after = _suite(python, project, home, Path(work), recorded=True)
        found = compare(before, after)
        if found:  # once more: what is as unsteady plain as recorded says nothing
            _, second = _suite(python, project, home, Path(work), recorded=False)
            unsteady = {each.test for each in compare(before, second)}
            found = [each for each in found if each.test not in unsteady]
    allowed = allowed_differences()
    problems = [str(each) for each in found if f"{project.name}: {each.test}" not in allowed]
    passed = sum(outcome == "passed" for outcome in before.outcomes.values())
    if passed * 2 <= len(before.outcomes):
        problems.append(f"it does not pass plain: {plain.stdout[-500:]}{plain.stderr[-500:]}")
    if recorded.stats is None or recorded.stats["calls"] == 0:
        problems.append("it was not recorded: " + recorded.stderr[-300:])
    stats = recorded.stats or {}
    return {
        "name": home.name,
        "tests": len(before.outcomes),
        "passed": passed,
        "equal": len(before.outcomes) - len(found),
        "differing": [f"{project.name}: {each.test}" for each in found],
        "plain": plain.cpu,
        "recorded": recorded.cpu,
        "calls": stats.get("calls", 0),
        "events": stats.get("events", 0),
        "problems": problems,
    }


def _suite(
    python: Python, project: Project, home: Path, work: Path, recorded: bool
) -> tuple[Run, Suite]:
    """Run a suite in a fresh copy of the project."""
    folder = work / home.name
    shutil.copytree(home, folder)
    results, trace = work / "results.jsonl", work / "trace.wrongcall"
    results.unlink(missing_ok=True)
    env = {
        "PYTHONPATH": f"{folder / project.source}:{INSIDE}",
        "WATCH_FILE": str(results),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    command = pytest_command(project.tests)
    if recorded:
        done = python.record(command, folder, trace, env=env, seconds=1800)
    else:
        done = python.run(command, folder, env=env, seconds=900)
    remove_trace(trace)
    shutil.rmtree(folder)
    return done, Suite.read(results)


def pytest_command(tests: Sequence[str]) -> list[str]:
    """Run pytest as the project wants it, but with our eyes and without leaving anything behind."""
    return ["-m", "pytest", "-q", "-p", "watch_pytest", "-p", "no:cacheprovider", *tests]


# -- tables ----------------------------------------------------------------------------------------


def tables(reports: Reports) -> str:
    """Return the suites with their results and what recording them cost."""
    header = [
        "project",
        "Python",
        "tests",
        "passed",
        "equal",
        "calls",
        "events",
        "plain s",
        "recorded s",
        "slower",
    ]
    rows = [
        [
            name, version, row["tests"], row["passed"], row["equal"], row["calls"], row["events"],
            row["plain"], row["recorded"], f"{row['recorded'] / row['plain']:.1f}",
        ]
        for name, found in by_name(reports).items()
        for version, row in found.items()
    ]  # fmt: skip
    return table(header, rows) + "\n\n" + differing(reports)
