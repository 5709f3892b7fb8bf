"""Doctests under pytest: the example that failed."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from tests.pytest_plugin.suites import failures, run, traces
from wrongcall.pytest_plugin.doctest_examples import failed_example

pytest_plugins = ["pytester"]


def _longrepr(*lines: str) -> object:
    return SimpleNamespace(reprlocation_lines=[(None, list(lines))])


def test_the_last_example_is_the_one_that_failed() -> None:
    first = ("001 ", "002 >>> a()", "003 1")
    second = ("004 >>> b(", "005 ... 2)", "Expected:", "    3", "Got:", "    4")
    assert failed_example(_longrepr(*first, *second)) == ("b(\n2)", "expected 3 got 4")


def test_an_exception_is_the_message() -> None:
    text = "UNEXPECTED EXCEPTION: ValueError('x')"
    assert failed_example(_longrepr("001 >>> f()", text, "Traceback")) == ("f()", text)


@pytest.mark.parametrize("longrepr", [None, "text", _longrepr(), _longrepr("no example")])
def test_anything_else_is_no_doctest(longrepr: object) -> None:
    assert failed_example(longrepr) is None


def test_a_failed_doctest_is_recorded(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        temps='''
        def mean(values):
            """
            >>> mean([2, 4])
            3.0
            >>> mean([1, 1, 1, 1])
            1.0
            """
            return sum(values) / 2
        '''
    )
    result = run(pytester, "--wrongcall", "--doctest-modules")
    result.assert_outcomes(failed=1)
    (trace,) = traces(pytester)
    assert trace == "temps.py/temps.mean/1.wrongcall"
    (failed,) = failures(pytester.path / ".wrongcall" / trace)
    assert failed["phase"] == "doctest"
    assert failed["example"] == "mean([1, 1, 1, 1])"
    assert failed["message"] == "expected 1.0 got 2.0"
