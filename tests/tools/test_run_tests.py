"""Which tests run on which interpreter."""

from __future__ import annotations

import sys

import pytest
from run_tests import BETWEEN, ONCE, ROOT, chosen, minor

pytestmark = pytest.mark.once


def test_the_first_runs_everything_and_the_newest_all_that_depends_on_it() -> None:
    assert [chosen(number, 3, 12 + number, []) for number in (0, 3)] == [[], ONCE]


def test_those_in_between_run_what_depends_on_the_interpreter_most() -> None:
    ran = [chosen(number, 4, 11 + number, []) for number in range(5)]
    assert ran == [[], [*ONCE, *BETWEEN], ONCE, [*ONCE, *BETWEEN], ONCE]
    assert all((ROOT / path).exists() for path in BETWEEN)


def test_what_is_asked_for_runs_everywhere() -> None:
    asked = ["-k", "merge"]
    ran = [chosen(number, 2, 11 + number, asked) for number in range(3)]
    assert ran == [asked, *[[*ONCE, *asked]] * 2]


def test_a_single_interpreter_runs_everything() -> None:
    assert chosen(0, 0, 14, []) == []


def test_the_minor_version_is_that_of_the_interpreter() -> None:
    assert minor(sys.executable) == sys.version_info[1]
