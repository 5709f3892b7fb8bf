"""Failing examples of property tests and doctests, from what pytest reports."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from wrongcall.recorder.pytest_examples import example_of, failed_example


@pytest.mark.parametrize(
    "note, example",
    [
        ("Falsifying example: test_it(\n    n=10,\n)", "@example(n=10)"),
        ("Falsifying example: test_it(\n    self=self,\n    n=1,\n)", "@example(n=1)"),
        ("Falsifying example: test_it(\n    n=0,  # or any other value\n    s=')',\n)", "@example(n=0, s=')')"),
        ("Falsifying explicit example: test_it(n=3)", "@example(n=3)"),
        ("Failing test case: test_it(\n    n=4,\n)", "@example(n=4)"),
        ("Failing explicit example: test_it(\n    n=5,\n)", "@example(n=5)"),
        ("something else", ""),
    ],
)  # fmt: skip
def test_the_example_is_a_decorator(note: str, example: str) -> None:
    error = ValueError()
    error.add_note(note)
    assert example_of(error) == example


def test_an_error_without_notes_has_no_example() -> None:
    assert example_of(ValueError()) == ""


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
