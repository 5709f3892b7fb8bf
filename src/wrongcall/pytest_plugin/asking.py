"""``pytest --wrongcall-ask``: start the questions when the tests have run and everything is reported."""

from __future__ import annotations

import subprocess
import sys

import pytest

from wrongcall.pytest_plugin.summary import Summary, tell


class Asking:
    """Starts ``wrongcall debug`` in the terminal of pytest."""

    def __init__(self, config: pytest.Config, summary: Summary) -> None:
        self._config = config
        self._summary = summary

    @pytest.hookimpl(trylast=True)
    def pytest_unconfigure(self) -> None:
        """Let the user choose a trace, and ask about it."""
        traces = [(each.test, each.trace) for each in self._summary.tests.values() if each.trace]
        if not traces:
            return
        capture = self._config.pluginmanager.getplugin("capturemanager")
        if capture is not None:
            capture.suspend_global_capture(in_=True)
        try:
            trace = traces[0][1] if len(traces) == 1 else self._chosen(traces)
            if trace:
                subprocess.run(
                    [sys.executable, "-P", "-m", "wrongcall", "debug", trace],
                    cwd=self._config.invocation_params.dir,
                    check=False,
                )
        finally:
            if capture is not None:
                capture.resume_global_capture()

    def _chosen(self, traces: list[tuple[str, str]]) -> str:
        """Return the trace that the user chooses; empty for none."""
        for number, (test, _) in enumerate(traces, 1):
            tell(self._config, f"{number} {test}")
        sys.stdout.write(f"Which one (1 to {len(traces)})? ")
        sys.stdout.flush()
        answer = sys.stdin.readline().strip()
        is_number = answer.isdecimal() and 1 <= int(answer) <= len(traces)
        return traces[int(answer) - 1][1] if is_number else ""
