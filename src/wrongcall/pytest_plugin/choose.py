"""Choose what to do in this process: by the mode, and by its part in a run of pytest-xdist."""

from __future__ import annotations

import pytest

from wrongcall.pytest_plugin import FAILED, ON
from wrongcall.pytest_plugin.asking import Asking
from wrongcall.pytest_plugin.each_recorded import EachRecorded, SummaryFromReports
from wrongcall.pytest_plugin.failed_again import FailedAgain
from wrongcall.pytest_plugin.summary import Summary


def plugin_for(config: pytest.Config, mode: str) -> object | None:
    """Return the plugin for this process, and register those that it works with; None: nothing to do here."""
    is_worker = hasattr(config, "workerinput")
    summary = Summary(config)
    if not is_worker:
        config.pluginmanager.register(summary, "wrongcall-summary")
        if config.option.wrongcall_ask:
            config.pluginmanager.register(Asking(config, summary), "wrongcall-asking")
    if mode == FAILED:
        return None if is_worker else FailedAgain(config, summary)
    if not is_worker:
        config.pluginmanager.register(SummaryFromReports(summary), "wrongcall-traces")
    return EachRecorded(config, summary, keeps_all=mode == ON)
