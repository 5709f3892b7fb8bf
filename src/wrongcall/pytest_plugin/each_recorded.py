"""``pytest --wrongcall=on`` and ``=retain-on-failure``: run every test recorded, in a process of its own.

The reports of that process are passed on as if the test had run here. With pytest-xdist, the workers do this.
"""

from __future__ import annotations

from typing import Literal

import pytest

from wrongcall.pytest_plugin.recorded import is_failure
from wrongcall.pytest_plugin.recorded_run import RecordedRun, run_recorded, trace_for
from wrongcall.pytest_plugin.summary import PROPERTY, Summary, shown_path


class EachRecorded:
    """Runs the tests of a session."""

    def __init__(self, config: pytest.Config, summary: Summary, *, keeps_all: bool) -> None:
        self._config = config
        self._summary = summary
        self._keeps_all = keeps_all

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> bool:
        """Run a test, and report about it."""
        item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
        trace = trace_for(self._config, item.nodeid)
        done = run_recorded(self._config, item.nodeid, trace)
        reports = [r for r in done.reports if isinstance(r, pytest.TestReport)]
        if not any(report.when == "teardown" for report in reports):
            reports.append(_crashed(item, done))
        if self._keeps_all or any(report.failed for report in reports) or done.status:
            for report in reports:
                report.user_properties.append((PROPERTY, shown_path(self._config, done.trace)))
        else:
            done.trace.unlink(missing_ok=True)
        for report in reports:
            item.ihook.pytest_runtest_logreport(report=report)
        item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
        return True


def _crashed(item: pytest.Item, done: RecordedRun) -> pytest.TestReport:
    """Return the report of a test whose process ended before the test did."""
    how = f"exit code {done.status}" if done.status >= 0 else f"signal {-done.status}"
    text = f"wrongcall: the process of this test ended with {how}:\n{done.output}"
    keywords: dict[str, Literal[1]] = dict.fromkeys(item.keywords, 1)
    return pytest.TestReport(item.nodeid, item.location, keywords, "failed", text, "call")


class SummaryFromReports:
    """Lists the traces that reports name; they may come from the workers of pytest-xdist."""

    def __init__(self, summary: Summary) -> None:
        self._summary = summary

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note the trace of a failed test."""
        named = [str(value) for name, value in report.user_properties if name == PROPERTY]
        if is_failure(report) and named:
            self._summary.add_failure(report.nodeid, named[-1])
