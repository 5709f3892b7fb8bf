"""``pytest --wrongcall=on`` and ``=retain-on-failure``: every test runs recorded."""

from __future__ import annotations

import pytest

from tests.pytest_plugin.suites import run, traces

pytest_plugins = ["pytester"]
SUITE = """
    import pytest

    def test_right():
        pass

    def test_wrong():
        assert 1 == 2

    def test_skipped():
        pytest.skip("not today")
"""


def test_every_test_has_a_trace(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(test_it=SUITE)
    result = run(pytester, "--wrongcall=on", "--junitxml=junit.xml")
    result.assert_outcomes(failed=1, passed=1, skipped=1)
    names = ("right", "skipped", "wrong")
    assert traces(pytester) == [f"test_it.py/test_{name}/1.wrongcall" for name in names]
    command = "wrongcall debug .wrongcall/test_it.py/test_wrong/1.wrongcall"
    result.stdout.fnmatch_lines(["RECORDED test_it.py::test_wrong", f"  {command}"])
    assert "assert 1 == 2" in result.stdout.str()
    xml = (pytester.path / "junit.xml").read_text("utf-8")
    for name in names:
        assert f'value=".wrongcall/test_it.py/test_{name}/1.wrongcall"' in xml


def test_only_failures_are_kept(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(test_it=SUITE)
    result = run(pytester, "--wrongcall=retain-on-failure")
    result.assert_outcomes(failed=1, passed=1, skipped=1)
    assert traces(pytester) == ["test_it.py/test_wrong/1.wrongcall"]


def test_a_test_that_kills_its_process_fails(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(test_it="import os\ndef test_it():\n    print('hello')\n    os._exit(7)")
    result = run(pytester, "--wrongcall=retain-on-failure")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*the process of this test ended with exit code 7*"])
    assert traces(pytester) == ["test_it.py/test_it/1.wrongcall"]


def test_each_worker_records_its_tests(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(test_it=SUITE)
    result = run(pytester, "--wrongcall=retain-on-failure", "-n2", plugins=("xdist",))
    result.assert_outcomes(failed=1, passed=1, skipped=1)
    assert traces(pytester) == ["test_it.py/test_wrong/1.wrongcall"]
    result.stdout.fnmatch_lines(["RECORDED test_it.py::test_wrong"])
