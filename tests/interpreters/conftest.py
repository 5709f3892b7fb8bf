"""Caches and interpreters for the tests of `interpreters`."""

from __future__ import annotations

import subprocess
import sys
from functools import cache as kept
from pathlib import Path

import pytest

from wrongcall.interpreters.cache import Cache

READY = Path(__file__).parents[2] / ".venvs" / "ready"


@pytest.fixture
def cache(tmp_path: Path) -> Cache:
    return Cache([tmp_path / "cache"])


@kept
def base_interpreters() -> dict[str, str]:
    """Return the interpreters that the project is tested with, by minor version, without this one's.

    On the main interpreter these are all. On any other it is the main one: that is enough for each pair of old and new.
    """
    found = _all_interpreters()
    own = "{}.{}".format(*sys.version_info)
    main = next(iter(found), own)
    others = {version: path for version, path in found.items() if version != own}
    return others if own == main else {main: others[main]}


def _all_interpreters() -> dict[str, str]:
    """Return the interpreters that the project is tested with, by minor version, the main one first."""
    found = {}
    for python in READY.read_text().split() if READY.exists() else []:
        code = "import sys; print('%d.%d' % sys.version_info[:2], sys._base_executable)"
        done = subprocess.run([python, "-c", code], capture_output=True, text=True, check=True)
        version, path = done.stdout.split(None, 1)
        found[version] = path.strip()
    return found


@pytest.fixture(scope="session")
def other_pythons() -> dict[str, str]:
    """Interpreters of other versions than this one."""
    found = base_interpreters()
    if not found:
        pytest.skip("there is no interpreter of another version in .venvs/ready")
    return found
