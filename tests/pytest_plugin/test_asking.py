"""``pytest --wrongcall-ask``: the questions begin when the tests have run."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.ask.talking import Terminal
from tests.pytest_plugin.suites import PLUGIN, SHOP

pytest_plugins = ["pytester"]
SUITE = """
    from shop import Basket

    def total(count):
        basket = Basket()
        basket.add(5, count)
        return basket.total()

    def test_ten():
        assert total(10) == 45
"""


def _asked(folder: Path) -> Terminal:
    words = ("-m", "pytest", "-p", PLUGIN, "--wrongcall-ask", "-q")
    return Terminal(folder, *words[1:], module=("-m",))


def test_the_questions_begin_in_the_terminal_of_pytest(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(shop=SHOP, test_it=SUITE)
    screen = _asked(pytester.path)
    try:
        screen.expect("1 failed")
        screen.answer("for help", "q")
        assert screen.end() == pytest.ExitCode.TESTS_FAILED
    finally:
        screen.close()


def test_the_user_chooses_one_of_several_tests(pytester: pytest.Pytester) -> None:
    suite = SUITE + "\n    def test_eleven():\n        assert total(11) == 0\n"
    pytester.makepyfile(shop=SHOP, test_it=suite)
    screen = _asked(pytester.path)
    try:
        screen.expect("wrongcall: 2 test_it.py::test_eleven")
        screen.expect("Which one (1 to 2)?")
        screen.send("2\n")
        screen.answer("for help", "q")
        screen.expect(".wrongcall/test_it.py/test_eleven/1.wrongcall")
        assert screen.end() == pytest.ExitCode.TESTS_FAILED
    finally:
        screen.close()
