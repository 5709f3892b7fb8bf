"""A folder to complete in."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from wrongcall.cli.completion import SHELLS


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the scripts, and files to be completed in a folder of its own."""
    tmp_path = tmp_path_factory.mktemp("completion")
    for shell in SHELLS:
        command = [sys.executable, "-m", "wrongcall", "completion", shell]
        text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        (tmp_path / f"script.{shell}").write_text(text)
    there = tmp_path / "there"
    there.mkdir()
    for name in ("run.wrongcall", "run two.wrongcall", "prog.py", "notes.txt"):
        (there / name).touch()
    (there / "sub").mkdir()
    return tmp_path
