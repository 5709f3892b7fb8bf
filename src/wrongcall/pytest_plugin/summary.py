"""The plugin's summary: the traces, each with the command that starts the questions."""

from __future__ import annotations

import os
import shlex
from dataclasses import dataclass
from pathlib import Path

import pytest

from wrongcall.pytest_plugin.recorded_run import RecordedRun

PROPERTY = "wrongcall"
"""The name of the property with a test's trace, in junit XML."""


@dataclass(frozen=True)
class Recorded:
    """A failed test, and the result of recording it."""

    test: str
    trace: str
    """Empty: there is none."""
    is_flaky: bool = False
    example: str = ""
    output: str = ""
    """Why there is no trace."""


class Summary:
    """The section of the terminal summary."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self.tests: dict[str, Recorded] = {}
        self.left_out: list[str] = []

    def add(self, done: RecordedRun) -> None:
        """Add a failed test that was run again."""
        trace = shown_path(self._config, done.trace) if done.is_recorded else ""
        outcome = (done.has_passed, done.example, done.output)
        self.tests[done.test] = Recorded(done.test, trace, *outcome)

    def add_failure(self, test: str, trace: str) -> None:
        """Add a test that failed while it was recorded."""
        self.tests[test] = Recorded(test, trace)

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Write the section."""
        if not self.tests and not self.left_out:
            return
        terminalreporter.section("wrongcall")
        for each in self.tests.values():
            for line in lines_of(each):
                terminalreporter.line(line)
        if self.left_out:
            terminalreporter.line(f"interrupted; not recorded: {', '.join(self.left_out)}")


def lines_of(recorded: Recorded) -> list[str]:
    """Return the lines about a test."""
    if not recorded.trace:
        last = [line for line in recorded.output.splitlines() if line.strip()][-5:]
        return [f"NOT RECORDED {recorded.test}", *(f"  {line}" for line in last)]
    outcome = "FLAKY (passed when run again)" if recorded.is_flaky else "RECORDED"
    example = [f"  failing example: {recorded.example}"] if recorded.example else []
    return [f"{outcome} {recorded.test}", *example, f"  {command(recorded.trace)}"]


def command(trace: str) -> str:
    """Return the command that starts the questions about a trace."""
    return f"wrongcall debug {shlex.quote(trace)}"


def shown_path(config: pytest.Config, path: Path) -> str:
    """Return a path as seen from where pytest was started."""
    return os.path.relpath(path, config.invocation_params.dir)


def end_line(config: pytest.Config) -> None:
    """End the line of dots that pytest writes while tests run."""
    reporter = config.pluginmanager.getplugin("terminalreporter")
    if isinstance(reporter, pytest.TerminalReporter):
        reporter.ensure_newline()
        if config.get_verbosity() < 0:  # then pytest does not know that it is inside a line
            reporter.line("")


def tell(config: pytest.Config, text: str) -> None:
    """Write a line to the terminal."""
    reporter = config.pluginmanager.getplugin("terminalreporter")
    if isinstance(reporter, pytest.TerminalReporter):
        reporter.line(f"wrongcall: {text}")
