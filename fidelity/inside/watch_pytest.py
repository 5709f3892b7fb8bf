"""A pytest plugin that writes down how each test ended: ``-p watch_pytest``.

It runs inside the compared program, plain or recorded, and is not recorded itself. It adds a line for each test as it
begins and ends to the file in the environment variable WATCH_FILE.
"""

import json
import os
from pathlib import Path

import pytest

_path = Path(os.environ["WATCH_FILE"])
_pid = os.getpid()  # tests fork: what a child does is not an outcome
_outcomes: dict[str, str] = {}


def note(**fact: object) -> None:
    """Add a line."""
    if os.getpid() == _pid:
        with _path.open("a") as file:
            file.write(json.dumps(fact) + "\n")


def pytest_runtest_logstart(nodeid: str) -> None:
    """Note that a test begins."""
    note(began=nodeid)


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Note how the phases of a test went; the worst one counts."""
    outcome = "passed" if report.outcome == "passed" else _word(report)
    if outcome != "passed":
        _outcomes.setdefault(report.nodeid, outcome)
    if report.outcome == "failed":
        note(why=report.nodeid, text=report.longreprtext[-2000:])


def _word(report: pytest.TestReport) -> str:
    if hasattr(report, "wasxfail"):
        return "failed as expected"
    if report.outcome == "failed" and report.when != "call":
        return "error"
    return report.outcome


def pytest_runtest_logfinish(nodeid: str) -> None:
    """Note how a test ended."""
    note(test=nodeid, outcome=_outcomes.pop(nodeid, "passed"))


def pytest_collectreport(report: pytest.CollectReport) -> None:
    """Note files that could not be collected."""
    if report.failed:
        note(why=report.nodeid, text=report.longreprtext[-2000:])
        note(test=report.nodeid, outcome="error")
