"""Which tests run on which interpreter."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from run_tests import BETWEEN, MAX_REPEATED, ONCE, ROOT, check, chosen, minor

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


SUITE = """
from pathlib import Path

count = Path(__file__).with_name("count")

def test_the_first_time_it_fails():
    seen = int(count.read_text()) if count.exists() else 0
    count.write_text(str(seen + 1))
    assert seen > 0
"""


FAILING = "def test_it():\n    assert 0\n"


def suite(folder: Path, source: str) -> list[str]:
    (folder / "pytest.ini").write_text("[pytest]\n")
    file = folder / "test_suite.py"
    file.write_text(source)
    return ["--rootdir", str(folder), "-c", str(folder / "pytest.ini"), str(file)]


def test_what_passes_only_when_run_again_is_named(tmp_path: Path) -> None:
    summary, passed = check(sys.executable, suite(tmp_path, SUITE), tmp_path)
    assert passed
    assert "passed, but these only when run again alone:\n" in summary
    assert "test_suite.py::test_the_first_time_it_fails\n" in summary


def test_what_fails_again_has_failed(tmp_path: Path) -> None:
    summary, passed = check(sys.executable, suite(tmp_path, FAILING), tmp_path)
    assert not passed
    assert "FAILED (exit status 1)" in summary
    assert "again, alone: 1 failed" in summary


def test_many_failures_are_not_run_again(tmp_path: Path) -> None:
    source = f"""
import pytest

@pytest.mark.parametrize("n", range({MAX_REPEATED + 1}))
def test_it(n):
    assert 0
"""
    summary, passed = check(sys.executable, suite(tmp_path, source), tmp_path)
    assert not passed
    assert "again" not in summary
