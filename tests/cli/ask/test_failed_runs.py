"""Searches of runs in which something failed: which failure, and what is said about it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.ask.talking import told
from tests.session.failing import PYTEST, recorded

SUITE = {
    "shop.py": """
        def price(n):
            return n * unit()

        def unit():
            return 3

        def order(n):
            if n < 1:
                raise ValueError(f"{n} ordered")
            return n
    """,
    "test_shop.py": """
        from shop import order, price

        def test_price():
            assert price(2) == 4

        def test_order():
            assert order(0) == 0
    """,
}
LIST = [
    "   1 test_shop.py::test_price  assert 6 == 4",
    "   2 test_shop.py::test_order  ValueError: 0 ordered",
]


@pytest.fixture
def trace(tmp_path: Path) -> Path:
    return recorded(tmp_path, SUITE, *PYTEST)


def test_one_of_several_failed_tests_is_chosen(trace: Path) -> None:
    done = told("debug", trace, lines=["9", "1", "n", "n", "y"])
    lines = done.stdout.splitlines()
    assert lines[:4] == [
        *LIST,
        "2 tests failed; which one? > 9",
        "'9' is not in the list. (q quits.)",
    ]
    assert "test_shop.py::test_price failed: assert 6 == 4" in lines
    assert "  price(2) = 6" in lines
    assert "The bug is in unit  shop.py:5" in done.stdout
    assert done.status == 0


def test_q_leaves_the_list_of_failed_tests(trace: Path) -> None:
    done = told("debug", trace, lines=["q", "1"])
    assert done.stdout.count("which one?") == 1
    assert (done.status, "choose one: --test NAME" in done.stderr) == (2, True)


def test_the_chosen_test_is_kept_with_the_answers(trace: Path) -> None:
    told("debug", trace, lines=["2"])
    done = told("debug", trace)
    assert "which one?" not in done.stdout
    assert "order(n=0)" in done.stdout


def test_a_test_can_be_named(trace: Path) -> None:
    done = told("debug", trace, "--test", "order", lines=["n", "y"])
    assert done.stdout.startswith("test_shop.py::test_order failed: ValueError: 0 ordered")
    assert "The bug is in order  shop.py:8" in done.stdout
    assert "   10 >         raise ValueError" in done.stdout  # the line that the exception left


def test_a_choice_that_is_not_made_is_an_error(trace: Path) -> None:
    done = told("debug", trace)
    assert (done.status, "2 tests failed; choose one: --test NAME" in done.stderr) == (2, True)
    done = told("debug", trace, "--test", "nothing")
    assert (done.status, "no failed test has 'nothing' in its name" in done.stderr) == (2, True)
    done = told("web", trace, "--no-open")
    assert (done.status, "choose one: --test NAME" in done.stderr) == (2, True)


def test_without_failures_the_whole_run_is_searched(tmp_path: Path) -> None:
    files = {"test_shop.py": "def test_it(): pass\n"}
    done = told("debug", recorded(tmp_path, files, *PYTEST))
    assert "failed" not in done.stdout


CRASH = """
    def main():
        return parse("12x")

    def parse(text):
        return number(text)

    def number(text):
        return int(text)

    main()
"""


def test_a_crash_is_followed_by_default(tmp_path: Path) -> None:
    trace = recorded(tmp_path, {"prog.py": CRASH}, "prog.py")
    done = told("debug", trace, lines=["y", "n", "y"])
    assert done.stdout.startswith(
        "The program ended with ValueError(\"invalid literal for int() with base 10:\n'12x'\"), raised at prog.py:9"
    )
    asked = [
        line for line in done.stdout.splitlines() if line.startswith(("  number(", "  parse("))
    ]
    assert asked[:2] == ["  number(text='12x')", "  parse(text='12x')"]
    assert "The bug is in parse  prog.py:5" in done.stdout


def test_an_exit_is_followed_on_request_only(tmp_path: Path) -> None:
    program = "import sys\ndef leave(): sys.exit(3)\nleave()\n"
    trace = recorded(tmp_path, {"prog.py": program}, "prog.py")
    assert "The program ended with" not in told("debug", trace).stdout
    done = told("debug", trace, "--exception", "--restart")
    assert "  leave()" in done.stdout
