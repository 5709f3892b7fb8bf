"""The run of one test: which words of the command line it keeps, and what comes back."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType

import pytest

from wrongcall.pytest_plugin.recorded_run import (
    RecordedRun,
    _recorder,
    environment,
    kept_arguments,
    pytest_arguments,
)

pytest_plugins = ["pytester"]


@pytest.mark.parametrize(
    "words, named, kept",
    [
        (["-v", "tests"], ["tests"], ["-v"]),
        (["-k", "tests", "tests"], ["tests"], ["-k", "tests"]),
        (["tests", "-p", "tests"], ["tests"], ["-p", "tests"]),
        (["--lf", "--wrongcall", "--strict-markers"], [], ["--strict-markers"]),
        (["--wrongcall=on", "--wrongcall-ask", "-x"], [], ["-x"]),
        (["--pdb", "a.py::test_b[c d]"], ["a.py::test_b[c d]"], []),
    ],
)
def test_options_are_kept_and_tests_are_not(
    words: list[str], named: list[str], kept: list[str]
) -> None:
    assert kept_arguments(words, named) == kept


WRITES_REPORTS = """
    def pytest_addoption(parser):
        parser.addoption("--report-log", dest="report_log")
        parser.addoption("--html", dest="htmlpath")
"""


def test_reports_of_the_users_run_are_not_overwritten(pytester: pytest.Pytester) -> None:
    pytester.makeconftest(WRITES_REPORTS)
    pytester.makeini("[pytest]\naddopts = --html=all.html")
    config = pytester.parseconfig("--report-log", "all.jsonl")
    assert (config.option.report_log, config.option.htmlpath) == ("all.jsonl", "all.html")
    own = ["-p", "wrongcall.pytest_plugin"]
    again = pytester.parseconfig(*own, *pytest_arguments(config, pytester.path))
    assert not again.option.report_log
    assert not again.option.htmlpath


@pytest.mark.parametrize("is_module", [False, True])
def test_the_current_folder_is_on_the_path_if_it_is_here(
    monkeypatch: pytest.MonkeyPatch, is_module: bool
) -> None:
    main = ModuleType("__main__")
    main.__spec__ = sys.__spec__ if is_module else None
    monkeypatch.setitem(sys.modules, "__main__", main)
    monkeypatch.setattr(sys, "orig_argv", ["python", "pytest", "-m", "slow"])
    assert ("-P" in _recorder()) == (not is_module and not sys.flags.safe_path)


def test_the_recorded_process_measures_no_coverage() -> None:
    variables = {"COVERAGE_PROCESS_START": "x", "PYTEST_CURRENT_TEST": "y", "HOME": "/home"}
    assert environment(variables) == {"HOME": "/home"}


def _report(when: str, outcome: str) -> pytest.TestReport:
    return pytest.TestReport("t", ("t.py", 1, "t"), {}, outcome, None, when)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "reports, status, passed",
    [
        ([("setup", "passed"), ("call", "passed"), ("teardown", "passed")], 0, True),
        ([("setup", "passed"), ("call", "passed"), ("teardown", "failed")], 1, False),
        ([("setup", "passed"), ("call", "failed"), ("teardown", "passed")], 1, False),
        ([("setup", "skipped"), ("teardown", "passed")], 0, False),
        ([("setup", "passed")], 3, False),
        ([], 0, False),
    ],
)
def test_only_a_test_that_ran_to_its_end_has_passed(
    reports: list[tuple[str, str]], status: int, passed: bool
) -> None:
    made = tuple(_report(*each) for each in reports)
    run = RecordedRun("t", Path("no such file"), made, "", "", status)
    assert run.has_passed is passed
    assert not run.is_recorded


def test_a_run_that_found_no_test_is_no_recording(tmp_path: Path) -> None:
    trace = tmp_path / "1.wrongcall"
    trace.touch()
    assert not RecordedRun("t", trace, (), "", "", pytest.ExitCode.USAGE_ERROR).is_recorded
    assert RecordedRun("t", trace, (), "", "", -9).is_recorded
