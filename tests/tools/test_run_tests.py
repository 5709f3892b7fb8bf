"""Which tests run on which interpreter."""

from __future__ import annotations

import sys

import pytest
from run_tests import BETWEEN, ONCE, ROOT, chosen, minor

pytestmark = pytest.mark.once


def test_the_first_runs_everything_and_others_in_full_all_that_depends_on_them() -> None:
    assert [chosen(number, True, []) for number in (0, 3)] == [[], ONCE]


def test_those_in_between_run_what_depends_on_the_interpreter_most() -> None:
    assert chosen(1, False, []) == [*ONCE, *BETWEEN]
    assert all((ROOT / path).exists() for path in BETWEEN)


def test_what_is_asked_for_runs_everywhere() -> None:
    asked = ["-k", "merge"]
    assert chosen(0, True, asked) == asked
    assert chosen(1, False, asked) == [*ONCE, *asked]


def test_the_minor_version_is_that_of_the_interpreter() -> None:
    assert minor(sys.executable) == "{}.{}".format(*sys.version_info)
