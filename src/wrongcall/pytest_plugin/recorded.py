"""Inside the recorded run of a single test that the plugin started (``--wrongcall-reports``).

Its reports are written to a file, line by line, and what would disturb a recorded test is suspended: time limits, and
the search of Hypothesis for other examples than the one that failed. The recorder itself marks in the trace which test
fails.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from wrongcall.pytest_plugin.hypothesis_examples import replay_only

MARKS = "wrongcall-marks"
"""The name of the recorder's plugin, which knows the failing example of a property test."""


class Recorded:
    """The plugin of a run that another one started."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._reports = Path(config.option.wrongcall_reports)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        """Prepare a property test."""
        replay_only(item)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Pass on what happened in a test."""
        self._pass_on(report)

    @pytest.hookimpl(tryfirst=True)
    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Pass on which module could not be imported."""
        if report.failed:
            self._pass_on(report)

    def _pass_on(self, report: pytest.TestReport | pytest.CollectReport) -> None:
        if hasattr(report, "node"):
            return  # a worker of pytest-xdist passes it on
        data: dict[str, Any] = self._config.hook.pytest_report_to_serializable(
            config=self._config, report=report
        )
        marks = self._config.pluginmanager.get_plugin(MARKS)
        data["$wrongcall_example"] = getattr(marks, "example", "")
        with self._reports.open("a", encoding="utf-8") as file:
            file.write(json.dumps(data, default=str) + "\n")

    @pytest.hookimpl(tryfirst=True, optionalhook=True)
    def pytest_timeout_set_timer(self) -> bool:
        """Suspend pytest-timeout: a recorded test takes several times as long."""
        return True

    @pytest.hookimpl(tryfirst=True, optionalhook=True)
    def pytest_timeout_cancel_timer(self) -> bool:
        """Cancel nothing: the timer was never set."""
        return True


def is_failure(report: pytest.TestReport | pytest.CollectReport) -> bool:
    """Return whether something raised; a test that passed although it was expected to fail raised nothing."""
    return report.failed and not str(report.longrepr).startswith("[XPASS(strict)]")
