"""``wrongcall completion``: the scripts, in the shells they are for."""

from __future__ import annotations

import subprocess
import sys

import pytest

from wrongcall.cli.completion import EPILOG, SHELLS

pytestmark = pytest.mark.once


def test_the_help_tells_how_to_use_it() -> None:
    assert all(f"wrongcall completion {shell}" in EPILOG for shell in SHELLS)


def test_an_unknown_shell_is_refused() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "wrongcall", "completion", "tcsh"], capture_output=True, text=True
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("wrongcall: argument SHELL: invalid choice: 'tcsh'")
