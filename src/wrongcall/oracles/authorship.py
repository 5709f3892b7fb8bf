"""Who gives answers, and at which commit of the project."""

from __future__ import annotations

import getpass
import subprocess
from pathlib import Path

GIT_TIMEOUT_S = 2.0


def author(root: Path) -> str:
    """Return who is at the keyboard: the name that git uses here, or the user's."""
    name = _git(root, "config", "user.name")
    if name:
        return name
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # a user without a name, as in containers
        return "unknown"


def commit(root: Path) -> str:
    """Return the commit that is checked out in a folder, shortened; empty if it is not under git."""
    return _git(root, "rev-parse", "--short", "HEAD")


def _git(root: Path, *arguments: str) -> str:
    try:
        done = subprocess.run(
            ["git", "-C", str(root), *arguments],
            capture_output=True,
            text=True,
            errors="replace",
            timeout=GIT_TIMEOUT_S,
            check=False,
        )
    except (OSError, subprocess.SubprocessError):
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""
