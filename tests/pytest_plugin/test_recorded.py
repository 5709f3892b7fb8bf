"""Inside a recorded pytest: the marks of failed tests."""

from __future__ import annotations

from pathlib import Path

import pytest

import wrongcall.recording
from tests.cli.ask.talking import piped
from tests.pytest_plugin.suites import failures, run, traces
from wrongcall.pytest_plugin.recorded import is_failure, message_of
from wrongcall.session.failures import failures_of

pytest_plugins = ["pytester"]


def _report(longrepr: object, outcome: str = "failed") -> pytest.TestReport:
    return pytest.TestReport("t", ("t.py", 1, "t"), {}, outcome, longrepr, "call")  # type: ignore[arg-type]


def test_a_test_that_passed_against_expectation_raised_nothing() -> None:
    assert not is_failure(_report("[XPASS(strict)] it works"))
    assert is_failure(_report("E   assert 0"))
    assert not is_failure(_report(None, "passed"))


def test_the_message_is_the_first_line_that_says_something() -> None:
    assert message_of(_report("\n  \nassert 1 == 2\nmore")) == "assert 1 == 2"
    assert message_of(_report("x" * 1000)) == "x" * 300


def test_a_recorded_pytest_marks_its_failures_unasked(tmp_path: Path) -> None:
    (tmp_path / "test_it.py").write_text(
        "import pytest\n"
        "def test_one(): assert 1 == 2\n"
        "def test_right(): pass\n"
        "def test_skipped(): pytest.skip()\n"
        "@pytest.mark.xfail\n"
        "def test_expected(): assert 0\n"
        "def test_two(): raise ValueError('x')\n"
    )
    words = ("-m", "pytest", "-q", "-p", "wrongcall.pytest_plugin", "test_it.py")
    piped(tmp_path, "record", "--quiet", "-o", "it.wrongcall", *words)
    found = failures(tmp_path / "it.wrongcall")
    assert [(f["id"], f["phase"], f["message"]) for f in found] == [
        ("test_it.py::test_one", "call", "assert 1 == 2"),
        ("test_it.py::test_two", "call", "ValueError: x"),
    ]


def test_a_failure_of_a_recorded_worker_is_marked_once(tmp_path: Path) -> None:
    (tmp_path / "test_it.py").write_text(
        "def test_one(): assert 1 == 2\ndef test_two(): assert 2 == 3\n"
    )
    words = ("-m", "pytest", "-p", "wrongcall.pytest_plugin", "-p", "xdist", "-n2", "test_it.py")
    piped(tmp_path, "record", "--quiet", "-o", "it.wrongcall", *words)
    with wrongcall.recording.open(tmp_path / "it.wrongcall") as recording:
        found = {f.test: recording.call(f.call).function.name for f in failures_of(recording)}
        assert len(failures_of(recording)) == 2
    assert found == {"test_it.py::test_one": "test_one", "test_it.py::test_two": "test_two"}


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
