"""The script that continuous integration runs, with a stand-in for make."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

pytestmark = pytest.mark.once

SCRIPT = Path(__file__).resolve().parents[2] / ".ci" / "run"


def run(folder: Path, failing: str) -> tuple[int, str, list[str]]:
    """Run the script with a make that fails for one target; return status, errors and targets."""
    make = folder / "make"
    make.write_text(f'#!/bin/sh\necho "$1" >> {folder}/targets\n[ "$1" != "{failing}" ]\n')
    make.chmod(0o755)
    environment = {**os.environ, "PATH": f"{folder}:{os.environ['PATH']}"}
    done = subprocess.run(
        [SCRIPT], env=environment, capture_output=True, text=True, check=False, timeout=60
    )
    return done.returncode, done.stderr, (folder / "targets").read_text().split()


def test_interpreters_are_provided_before_anything_is_tested(tmp_path: Path) -> None:
    assert run(tmp_path, "") == (0, "", ["pythons", "package", "test"])


def test_without_the_newest_interpreters_it_fails_and_says_so(tmp_path: Path) -> None:
    status, errors, targets = run(tmp_path, "pythons")
    assert (status, targets) == (1, ["pythons"])
    assert "CPython 3.14 and 3.15 are part of the checks and could not be provided" in errors


@pytest.mark.parametrize("failing", ["package", "test"])
def test_any_failure_is_a_failure(tmp_path: Path, failing: str) -> None:
    assert run(tmp_path, failing)[0] != 0
