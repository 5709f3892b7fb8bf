"""``pytest --wrongcall``: after the tests, run each failed test again, alone and recorded."""

from __future__ import annotations

from pathlib import Path

import pytest

from wrongcall.pytest_plugin.recorded import is_failure
from wrongcall.pytest_plugin.recorded_run import Report, run_recorded, trace_for
from wrongcall.pytest_plugin.summary import PROPERTY, Summary, end_line, shown_path, tell


class FailedAgain:
    """Collects failures, and records them at the end of the session."""

    def __init__(self, config: pytest.Config, summary: Summary) -> None:
        self._config = config
        self._summary = summary
        self._failed: dict[str, Path] = {}
        """The failed tests, each with the path of the trace to be made."""

    # Before the junit report takes the properties of the last report of a test.
    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note a failed test, and name its trace in its last report."""
        self._note(report)
        if report.when == "teardown" and report.nodeid in self._failed:
            path = shown_path(self._config, self._failed[report.nodeid])
            report.user_properties.append((PROPERTY, path))

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Note a module that can't be imported."""
        self._note(report)

    def _note(self, report: Report) -> None:
        if is_failure(report) and report.nodeid not in self._failed:
            self._failed[report.nodeid] = trace_for(self._config, report.nodeid)

    # By now all fixtures are torn down; the junit report and the summary are still to be written.
    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self) -> None:
        """Run the failed tests again."""
        if self._failed:
            end_line(self._config)
        for number, (test, trace) in enumerate(self._failed.items(), 1):
            tell(self._config, f"recording {number} of {len(self._failed)} failed tests: {test}")
            try:
                self._summary.add(run_recorded(self._config, test, trace))
            except KeyboardInterrupt:
                self._summary.left_out = list(self._failed)[number - 1 :]
                return
