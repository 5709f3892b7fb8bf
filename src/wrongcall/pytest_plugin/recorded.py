"""Inside a recorded pytest: mark in the trace which test runs and which has failed.

Readers of the trace need to know where a test begins and what its runner says about it; the calls alone don't show
either. If the plugin started this run for a single test (``--wrongcall-reports``), its reports are also written to
a file, line by line, and what would disturb a recorded test is suspended: time limits, and the search of Hypothesis for
other examples than the one that failed.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from wrongcall.pytest_plugin.doctest_examples import failed_example
from wrongcall.pytest_plugin.hypothesis_examples import example_of, replay_only

LONGEST_MESSAGE = 300


class Recorded:
    """The plugin of a process that is being recorded."""

    def __init__(self, config: pytest.Config, mark: Callable[[str], None] | None) -> None:
        """``mark``: puts a mark into the trace; None: the process is not recorded."""
        self._write_mark = mark or _nowhere
        self._config = config
        file = config.option.wrongcall_reports
        self._reports = Path(file) if file else None
        self._example = ""

    # -- marks -------------------------------------------------------------------------------------

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        """Mark where the test begins."""
        self._mark({"phase": "setup"})
        self._example = ""
        if self._reports is not None:
            replay_only(item)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_call(self) -> None:
        """Mark where its fixtures are ready."""
        self._mark({"phase": "call"})

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_teardown(self) -> None:
        """Mark where its fixtures are torn down."""
        self._mark({"phase": "teardown"})

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_makereport(self, call: pytest.CallInfo[None]) -> None:
        """Remember the failing example of a property test, which the report has as text only."""
        if call.excinfo is not None:
            self._example = example_of(call.excinfo.value) or self._example

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Mark a failure, and pass the report on."""
        # A worker of pytest-xdist has marked what it reports to us.
        if is_failure(report) and not hasattr(report, "node"):
            self._mark_failure(report, report.when)
        self._pass_on(report)

    @pytest.hookimpl(tryfirst=True)
    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Mark a module that could not be imported."""
        if report.failed and not hasattr(report, "node"):
            self._mark_failure(report, "collect")
            self._pass_on(report)

    def _mark_failure(self, report: pytest.TestReport | pytest.CollectReport, phase: str) -> None:
        message = message_of(report)
        example = self._example if phase == "call" else ""
        doctest = failed_example(report.longrepr)
        if doctest is not None:
            phase, (example, message) = "doctest", doctest
        facts = {"phase": phase, "message": message[:LONGEST_MESSAGE], "example": example}
        self._mark({"failed": report.nodeid, **facts})

    def _mark(self, mark: dict[str, str]) -> None:
        # Workers of pytest-xdist may be recorded in one trace.
        self._write_mark(json.dumps({"test": {**mark, "process": str(os.getpid())}}))

    # -- a run that the plugin started -------------------------------------------------------------

    def _pass_on(self, report: pytest.TestReport | pytest.CollectReport) -> None:
        if self._reports is None:
            return
        data: dict[str, Any] = self._config.hook.pytest_report_to_serializable(
            config=self._config, report=report
        )
        data["$wrongcall_example"] = self._example
        with self._reports.open("a", encoding="utf-8") as file:
            file.write(json.dumps(data, default=str) + "\n")

    @pytest.hookimpl(tryfirst=True, optionalhook=True)
    def pytest_timeout_set_timer(self) -> bool | None:
        """Suspend pytest-timeout: a recorded test takes several times as long."""
        return True if self._reports is not None else None

    @pytest.hookimpl(tryfirst=True, optionalhook=True)
    def pytest_timeout_cancel_timer(self) -> bool | None:
        """Cancel nothing: the timer was never set."""
        return True if self._reports is not None else None


def _nowhere(text: str) -> None:
    """Mark nothing: the run is not recorded."""


def is_failure(report: pytest.TestReport | pytest.CollectReport) -> bool:
    """Return whether something raised; a test that passed although it was expected to fail raised nothing."""
    return report.failed and not str(report.longrepr).startswith("[XPASS(strict)]")


def message_of(report: pytest.TestReport | pytest.CollectReport) -> str:
    """Return the first line of what pytest says about a failure."""
    crash = getattr(report.longrepr, "reprcrash", None)
    text = crash.message if crash is not None else str(report.longrepr)
    return next((line for line in text.splitlines() if line.strip()), "")[:LONGEST_MESSAGE]
