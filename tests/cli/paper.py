"""The merge sort of the JHyde paper, and commands that read its trace."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

EXAMPLE = Path(__file__).parents[2] / "examples" / "paper_mergesort.py"
Run = Callable[..., tuple[int, str, str]]
"""Runs a command: exit status, standard output, standard error."""


def line_of(text: str, nth: int = 0) -> int:
    """Return the line of the example with this text."""
    lines = EXAMPLE.read_text().splitlines()
    return [i for i, line in enumerate(lines, 1) if line.strip() == text][nth]


def recorded(folder: Path) -> str:
    """Record the example."""
    path = folder / "paper.wrongcall"
    command = [sys.executable, "-m", "wrongcall", "record", "-o", str(path), str(EXAMPLE)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout == "[1, 4, 9, 7]\n"
    return str(path)


def shown(run: Run, *args: str) -> list[str]:
    """What a command that succeeds shows, line by line."""
    status, out, err = run(*args)
    assert (status, err) == (0, "")
    assert all(line.isprintable() for line in out.splitlines())
    return out.splitlines()
