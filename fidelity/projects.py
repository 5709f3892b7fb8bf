"""Harmless: the test suites of other people's projects end as they do plain, test by test.

The projects come as sdists, which include their tests, pinned by requirements/fidelity.txt. A project is recorded as
its developer would record it: ``wrongcall record -m pytest`` in its folder, so that both the library and its tests are
instrumented.
"""

from __future__ import annotations

import re
import shutil
import tarfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from fidelity.outcomes import Difference, Suite, allowed_differences, compare
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
    # It turns warnings into errors, and uses what pytest warns about; test_blackd.py needs aiohttp.
    Project(
        "black",
        "src",
        (
            *("tests", "--ignore=tests/test_blackd.py"),
            *("-W", "ignore::pytest.PytestRemovedIn10Warning"),
        ),
    ),
    Project("boltons"),
    Project("click", "src"),
    Project("h11", tests=("h11/tests",)),
    Project("jinja2", "src"),
    Project("lark"),
    # Not test_apis.py, which needs PyYAML: as far as possible, what is recorded is pure Python.
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
    # Not test_version.py: 51,523 comparisons of pairs of versions.
    Project("packaging", "src", ("tests", "--ignore=tests/test_version.py")),
    Project("parso", tests=("test",)),
    Project("simplejson", tests=("simplejson/tests",)),
    Project("sqlparse"),
    # Not test_serving.py, which waits for servers and needs the cryptography package.
    Project("werkzeug", "src", ("tests", "--ignore=tests/test_serving.py")),
)
SMALL = ("sqlparse",)
MOST_ALONE = 50
"""How many differing tests are run again on their own; if there are more, all are."""
MEASURE = ("black", "parso", "simplejson")
"""Suites that call foreign code all the time: the measure of what recording costs."""
KINDS = ("plain", "recorded", "total")
COSTS = ("plain s", "recorded s", "with writing s", "slower", "with writing")


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
    """The projects are not available."""


def provide(
    python: Python, projects: Sequence[Project] = PROJECTS, home: Path = WORK / "projects"
) -> dict[str, Path]:
    """Download and unpack the sdists, if not done yet; return the folder of each project."""
    home = home / python.version
    complete, wanted = home / "complete", "".join(locked(project.name) for project in projects)
    if not complete.exists() or complete.read_text() != wanted:
        shutil.rmtree(home, ignore_errors=True)
        home.mkdir(parents=True)
        _download(python, home, wanted)
        for archive in sorted(home.glob("*.tar.gz")):
            with tarfile.open(archive) as opened:
                opened.extractall(home, filter="data")
        complete.write_text(wanted)
    return {project.name: _folder(home, project.name) for project in projects}


def _download(python: Python, home: Path, wanted: str) -> None:
    chosen = home / "requirements.txt"
    chosen.write_text(wanted)
    # Their build tools are installed, pinned, beside wrongcall: pip must not fetch its own.
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
        once = compare(before, after)
        found = _steady(python, project, home, Path(work), before, once) if once else []
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
        "unsteady": [f"{project.name}: {each.test}" for each in once if each not in found],
        "plain": plain.cpu,
        "recorded": recorded.cpu,
        "total": recorded.total_cpu,
        "calls": stats.get("calls", 0),
        "events": stats.get("events", 0),
        "problems": problems,
    }


def _steady(
    python: Python, project: Project, home: Path, work: Path, before: Suite, once: list[Difference]
) -> list[Difference]:
    """Return the differences that occur again; all tests run again if many differ."""
    names = [each.test for each in once]
    is_known = all(name in before.outcomes and " (" not in name for name in names)
    alone = names if len(names) <= MOST_ALONE and is_known else []
    _, plain = _suite(python, project, home, work, recorded=False, tests=alone)
    _, recorded = _suite(python, project, home, work, recorded=True, tests=alone)
    unsteady = {each.test for each in compare(before, plain)} & set(names)
    again = {each.test for each in compare(plain, recorded)}
    return [each for each in once if each.test in again and each.test not in unsteady]


def _suite(
    python: Python,
    project: Project,
    home: Path,
    work: Path,
    recorded: bool,
    tests: Sequence[str] = (),
) -> tuple[Run, Suite]:
    """Run a suite, or some of its tests, in a fresh copy of the project."""
    folder = work / home.name
    shutil.copytree(home, folder)
    results, trace = work / "results.jsonl", work / "trace.wrongcall"
    results.unlink(missing_ok=True)
    env = {
        "PYTHONPATH": f"{folder / project.source}:{INSIDE}",
        "WATCH_FILE": str(results),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    command = pytest_command(tests or project.tests)
    if recorded:
        done = python.record(command, folder, trace, env=env, seconds=3600)
    else:
        done = python.run(command, folder, env=env, seconds=900)
    remove_trace(trace)
    shutil.rmtree(folder)
    return done, Suite.read(results)


def pytest_command(tests: Sequence[str]) -> list[str]:
    """Return the command that runs pytest as the project wants it, with our plugin and without leaving files behind."""
    # pytest-asyncio, which is here for our own tests, warns in projects that don't know it.
    without = ["-p", "no:cacheprovider", "-p", "no:asyncio"]
    return ["-m", "pytest", "-q", "-p", "watch_pytest", *without, *tests]


# -- tables ----------------------------------------------------------------------------------------


def tables(reports: Reports) -> str:
    """Return the suites with their results and what recording them cost."""
    header = ["project", "Python", "tests", "passed", "equal", "calls", "events", *COSTS]
    rows = [
        [
            name, version, row["tests"], row["passed"], row["equal"], row["calls"], row["events"],
            *_costs([row]),
        ]
        for name, found in by_name(reports).items()
        for version, row in found.items()
    ]  # fmt: skip
    parts = [table(header, rows), _measure(reports), differing(reports), _unsteady(reports)]
    return "\n\n".join(part for part in parts if part)


def _costs(rows: Sequence[Row]) -> list[object]:
    plain, recorded, total = (sum(row[kind] for row in rows) for kind in KINDS)
    return [plain, recorded, total, f"{recorded / plain:.1f}", f"{total / plain:.1f}"]


def _measure(reports: Reports) -> str:
    """Return the total cost of the suites that are the measure of speed."""
    rows = []
    for version, report in reports.items():
        chosen = [row for row in report.rows if row["name"].rpartition("-")[0] in MEASURE]
        if len(chosen) == len(MEASURE):
            rows.append([", ".join(MEASURE), version, *_costs(chosen)])
    return table(["together", "Python", *COSTS], rows) if rows else ""


def _unsteady(reports: Reports) -> str:
    rows = [
        [f"`{test}`", version]
        for version, report in reports.items()
        for row in report.rows
        for test in row["unsteady"]
    ]
    header = ["test that differed once, but not when it was run again", "on"]
    return table(header, rows) if rows else ""
