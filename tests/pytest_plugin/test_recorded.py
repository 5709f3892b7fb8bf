"""Inside the recorded run of a single test: its reports, and what is suspended."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.ask.talking import piped
from tests.pytest_plugin.suites import run, traces
from wrongcall.pytest_plugin.recorded import is_failure

pytest_plugins = ["pytester"]


def test_a_test_that_passed_against_expectation_raised_nothing() -> None:
    place = ("t.py", 1, "t")
    for longrepr, failed in (("[XPASS(strict)] it works", False), ("E   assert 0", True)):
        report = pytest.TestReport("t", place, {}, "failed", longrepr, "call")
        assert is_failure(report) == failed


def test_recording_adds_no_warning(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # Plugins found by their entry points have their assertions rewritten.
    monkeypatch.delenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD")
    (tmp_path / "test_it.py").write_text("def test_it(): pass\n")
    words = ("-m", "pytest", "-p", "no:asyncio", "test_it.py")
    done = piped(tmp_path, "record", "--quiet", "-o", "it.wrongcall", *words)
    assert "1 passed in" in done.stdout
    assert "warnings summary" not in done.stdout


def test_time_limits_are_suspended(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        test_slow="""
        import time, pytest

        @pytest.mark.timeout(1, method="thread")
        def test_it():
            time.sleep(1.5)
            assert 0
        """
    )
    # The first run ends with the limit; this one stands for a second one, by the plugin.
    reports = pytester.path / "reports"
    result = run(pytester, f"--wrongcall-reports={reports}", plugins=("pytest_timeout",))
    result.assert_outcomes(failed=1)
    assert '"call"' in reports.read_text()
    assert not traces(pytester)
