"""Under pytest: the marks of tests that failed, whether or not wrongcall is installed where they run."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import wrongcall.recording
from tests.pytest_plugin.suites import failures
from tests.session.failing import recorded
from wrongcall.recorder import pytest_marks
from wrongcall.recorder.pytest_marks import PLUGIN, is_failure, message_of, register
from wrongcall.session.failures import failures_of

NOT_INSTALLED = ("-m", "pytest", "-q")
"""Without the plugin: the tests of this project let pytest load only the plugins that they name."""


def _report(longrepr: object, outcome: str = "failed") -> pytest.TestReport:
    return pytest.TestReport("t", ("t.py", 1, "t"), {}, outcome, longrepr, "call")  # type: ignore[arg-type]


def test_a_test_that_passed_against_expectation_raised_nothing() -> None:
    assert not is_failure(_report("[XPASS(strict)] it works"))
    assert is_failure(_report("E   assert 0"))
    assert not is_failure(_report(None, "passed"))


def test_the_message_is_the_first_line_that_says_something() -> None:
    assert message_of(_report("\n  \nassert 1 == 2\nmore")) == "assert 1 == 2"
    assert message_of(_report("x" * 1000)) == "x" * 300
    assert message_of(_report(SimpleNamespace(errorstring="no fixture\n..."))) == "no fixture"


class _Plugins(dict[str, object]):
    def register(self, plugin: object, name: str) -> None:
        self[name] = plugin


@pytest.fixture
def _nothing_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pytest_marks, "_running", [])


@pytest.mark.usefixtures("_nothing_runs")
def test_only_the_outermost_run_is_marked() -> None:
    outer, inner, later = _Plugins(), _Plugins(), _Plugins()
    register(SimpleNamespace(pluginmanager=outer))
    register(SimpleNamespace(pluginmanager=inner))
    assert list(outer) == [PLUGIN]
    assert not inner
    marks: Any = outer[PLUGIN]
    marks.pytest_unconfigure()
    register(SimpleNamespace(pluginmanager=later))
    assert list(later) == [PLUGIN]


@pytest.mark.usefixtures("_nothing_runs")
def test_a_configuration_without_plugins_is_left_alone() -> None:
    register(SimpleNamespace())
    assert pytest_marks._running == []


@pytest.mark.parametrize(
    "plugin", [(), ("-p", "wrongcall.pytest_plugin")], ids=["not", "installed"]
)
@pytest.mark.parametrize("asserts", ["rewrite", "plain"])
def test_failures_are_marked_with_their_names(
    tmp_path: Path, plugin: tuple[str, ...], asserts: str
) -> None:
    suite = {
        "test_it.py": """
            import pytest

            @pytest.fixture
            def broken(): raise KeyError("k")
            @pytest.fixture
            def kept():
                yield 1
                raise OSError("late")

            @pytest.mark.parametrize("n", [1, 2, 3])
            def test_one(n): assert n != 2
            def test_right(): pass
            def test_skipped(): pytest.skip()
            @pytest.mark.xfail
            def test_expected(): assert 0
            @pytest.mark.xfail(strict=True)
            def test_unexpected(): pass
            def test_setup(broken): pass
            def test_teardown(kept): pass
            def test_no_fixture(nowhere): pass
        """,
    }
    words = (*NOT_INSTALLED, *plugin, f"--assert={asserts}")
    found = failures(recorded(tmp_path, suite, *words))
    if asserts == "plain" and not plugin:
        assert not found  # nothing tells us when pytest is configured
        return
    said = {"rewrite": "assert 2 != 2", "plain": "AssertionError"}[asserts]
    assert [(f["id"].partition("::")[2], f["phase"], f["message"]) for f in found] == [
        ("test_one[2]", "call", said),
        ("test_setup", "setup", "KeyError: 'k'"),
        ("test_teardown", "teardown", "OSError: late"),
        ("test_no_fixture", "setup", "fixture 'nowhere' not found"),
    ]


def test_a_failing_example_is_kept(tmp_path: Path) -> None:
    suite = {
        "test_it.py": """
            from hypothesis import given, strategies as st

            @given(st.integers(0, 100))
            def test_small(n): assert n < 7
        """
    }
    words = (*NOT_INSTALLED, "-p", "_hypothesis_pytestplugin")
    (found,) = failures(recorded(tmp_path, suite, *words))
    assert found["example"] == "@example(n=7)"


def test_failures_of_tests_inside_a_test_are_not_marked(tmp_path: Path) -> None:
    suite = {
        "test_it.py": """
            pytest_plugins = ["pytester"]

            def test_inner(pytester):
                pytester.makepyfile("def test_inside(): assert 0")
                pytester.inline_run().assertoutcome(failed=1)

            def test_outer(): assert 1 == 2
        """
    }
    (found,) = failures(recorded(tmp_path, suite, *NOT_INSTALLED))
    assert found["id"] == "test_it.py::test_outer"


def test_a_failure_of_a_recorded_worker_is_marked_once(tmp_path: Path) -> None:
    suite = {"test_it.py": "def test_one(): assert 1 == 2\ndef test_two(): assert 2 == 3\n"}
    trace = recorded(tmp_path, suite, *NOT_INSTALLED, "-p", "xdist", "-n2")
    with wrongcall.recording.open(trace) as recording:
        found = {f.test: recording.call(f.call).function.name for f in failures_of(recording)}
        assert len(failures_of(recording)) == 2
    assert found == {"test_it.py::test_one": "test_one", "test_it.py::test_two": "test_two"}
