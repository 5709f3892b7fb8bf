"""Tests mirror the sources: each module has a test file of its own name, in the same folder."""

from __future__ import annotations

from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SOURCES = ROOT / "src" / "wrongcall"
TESTS = ROOT / "tests"

pytestmark = pytest.mark.once

EXCEPTIONS = {
    "__main__.py": "one call of `cli.main`; every test that runs a command goes through it",
    "languages/source_file.py": "a protocol; `languages/python/test_python_file.py` tests the class",
    "recorder/start.py": "a script of one statement, with which `recorder/test_boot.py` begins",
}
"""Modules that need no test file of their own name, each with the reason."""


def _modules() -> set[str]:
    """Return all modules but the packages themselves."""
    files = (path for path in SOURCES.rglob("*.py") if path.name != "__init__.py")
    return {path.relative_to(SOURCES).as_posix() for path in files}


def _test_of(module: str) -> Path:
    path = TESTS / module
    return path.with_name(f"test_{path.name}")


def test_each_module_has_a_test_file_of_its_own_name() -> None:
    lacking = {module for module in _modules() if not _test_of(module).exists()}
    unexpected = sorted(lacking - EXCEPTIONS.keys())
    wanted = [str(_test_of(module).relative_to(ROOT)) for module in unexpected]
    assert not wanted, f"modules without a test file of their own name: write {wanted}"


def test_exceptions_are_there_and_lack_a_test_file() -> None:
    gone = sorted(EXCEPTIONS.keys() - _modules())
    assert not gone, f"no such module (any more): {gone}"
    tested = sorted(module for module in EXCEPTIONS if _test_of(module).exists())
    assert not tested, f"these have a test file now, take them off the list: {tested}"
