"""``pytest --wrongcall``: failed tests are run again, alone and recorded."""

from __future__ import annotations

import pytest

from tests.pytest_plugin.suites import SHOP, failures, run, traces

pytest_plugins = ["pytester"]


def test_nothing_is_recorded_unless_asked(pytester: pytest.Pytester) -> None:
    pytester.makepyfile("def test_it(): assert 0")
    result = run(pytester)
    result.assert_outcomes(failed=1)
    assert not (pytester.path / ".wrongcall").exists()
    assert "wrongcall debug" not in result.stdout.str()


def test_each_failed_test_is_recorded_alone(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(shop=SHOP)
    pytester.makepyfile(
        """
        import pytest
        from shop import Basket

        def total(count):
            basket = Basket()
            basket.add(5, count)
            return basket.total()

        def test_right():
            assert total(1) == 5

        @pytest.mark.parametrize("count", [9, 10])
        def test_discount(count):
            assert total(count) == 45
        """
    )
    result = run(pytester, "--wrongcall", "--junitxml=junit.xml")
    result.assert_outcomes(failed=1, passed=2)
    (trace,) = traces(pytester)
    folder, _, attempt = trace.rpartition("/")
    assert folder.startswith("test_each_failed_test_is_recorded_alone.py/test_discount_10_-")
    assert attempt == "1.wrongcall"
    result.stdout.fnmatch_lines(
        [
            "RECORDED test_each_failed_test_is_recorded_alone.py::test_discount*10*",
            f"  wrongcall debug .wrongcall/{trace}",
        ]
    )
    assert f'name="wrongcall" value=".wrongcall/{trace}"' in (
        pytester.path / "junit.xml"
    ).read_text("utf-8")
    (failed,) = failures(pytester.path / ".wrongcall" / trace)
    assert failed["id"] == "test_each_failed_test_is_recorded_alone.py::test_discount[10]"
    assert failed["phase"] == "call"
    assert failed["message"].startswith("assert 50 == 45")
    assert 0 < failed["setup"] < failed["began"] < failed["ended"]


@pytest.mark.parametrize("option", ["-q", "-v", "--verbosity=0"])
def test_what_is_going_on_stands_on_lines_of_its_own(
    pytester: pytest.Pytester, option: str
) -> None:
    pytester.makepyfile(test_it="def test_it(): assert 0")
    result = run(pytester, "--wrongcall", option)
    assert "wrongcall: recording 1 of 1 failed tests: test_it.py::test_it" in result.stdout.lines


def test_another_run_is_another_attempt(pytester: pytest.Pytester) -> None:
    pytester.makepyfile("def test_it(): assert 0")
    run(pytester, "--wrongcall")
    run(pytester, "--wrongcall")
    name = "test_another_run_is_another_attempt.py/test_it"
    assert traces(pytester) == [f"{name}/1.wrongcall", f"{name}/2.wrongcall"]


def test_a_test_that_passes_when_run_again_is_flaky(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        """
        from pathlib import Path

        def test_it():
            been_here = Path("been_here")
            if not been_here.exists():
                been_here.touch()
                assert 0
        """
    )
    result = run(pytester, "--wrongcall")
    result.assert_outcomes(failed=1)
    assert len(traces(pytester)) == 1
    result.stdout.fnmatch_lines(["FLAKY (passed when run again) *::test_it", "  wrongcall debug *"])


def test_failures_outside_of_the_test_function_are_recorded(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        test_kinds="""
        import unittest
        import pytest

        @pytest.fixture
        def broken():
            raise ValueError("set-up")

        @pytest.fixture
        def untidy():
            yield
            raise ValueError("teardown")

        def test_set_up(broken):
            pass

        def test_teardown(untidy):
            pass

        class TestCase(unittest.TestCase):
            def test_method(self):
                self.assertEqual(1, 2)
        """,
        test_import="import no_such_module",
    )
    result = run(pytester, "--wrongcall", "--continue-on-collection-errors")
    result.assert_outcomes(failed=1, passed=1, errors=3)
    found = {t: failures(pytester.path / ".wrongcall" / t)[0] for t in traces(pytester)}
    assert {trace: failed["phase"] for trace, failed in found.items()} == {
        "test_kinds.py/test_set_up/1.wrongcall": "setup",
        "test_kinds.py/test_teardown/1.wrongcall": "teardown",
        "test_kinds.py/TestCase.test_method/1.wrongcall": "call",
        "test_import.py/1.wrongcall": "collect",
    }


def test_a_test_that_kills_its_process_is_not_called_flaky(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        """
        import os
        from pathlib import Path

        def test_it():
            been_here = Path("been_here")
            if been_here.exists():
                os._exit(3)
            been_here.touch()
            assert 0
        """
    )
    result = run(pytester, "--wrongcall")
    assert len(traces(pytester)) == 1
    result.stdout.fnmatch_lines(["RECORDED *::test_it"])


def test_options_that_choose_tests_do_not_reach_the_recorded_run(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        test_one="def test_it(): assert 0",
        test_two="def test_it(): pass\ndef test_other(): assert 0",
    )
    result = run(
        pytester, "--wrongcall", "-x", "-k", "test_one or test_two", "test_one.py", "test_two.py"
    )
    result.assert_outcomes(failed=1)
    assert traces(pytester) == ["test_one.py/test_it/1.wrongcall"]
    result = run(pytester, "--wrongcall", "--lf")
    assert traces(pytester) == [
        "test_one.py/test_it/1.wrongcall",
        "test_one.py/test_it/2.wrongcall",
    ]
