"""Which tests run on which interpreter."""

from __future__ import annotations

import pytest
from run_tests import BETWEEN, ONCE, ROOT, chosen

pytestmark = pytest.mark.once


def test_the_first_runs_everything_and_the_newest_all_that_depends_on_it() -> None:
    assert [chosen(number, 3, []) for number in (0, 3)] == [[], ONCE]


def test_those_in_between_run_what_depends_on_the_interpreter_most() -> None:
    assert [chosen(number, 3, []) for number in (1, 2)] == [[*ONCE, *BETWEEN]] * 2
    assert all((ROOT / path).exists() for path in BETWEEN)


def test_what_is_asked_for_runs_everywhere() -> None:
    asked = ["-k", "merge"]
    assert [chosen(number, 2, asked) for number in range(3)] == [asked, *[[*ONCE, *asked]] * 2]


def test_a_single_interpreter_runs_everything() -> None:
    assert chosen(0, 0, []) == []
