"""Git repositories for tests."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path


def git(root: Path, *words: str) -> str:
    """Run git in a folder; return what it prints."""
    who = ("-c", "user.name=Ann", "-c", "user.email=ann@example.org")
    env = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
    command = ["git", *who, "-C", str(root), *words]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=env)
    return done.stdout


def repository(root: Path, files: Mapping[str, str], tag: str = "") -> Path:
    """Write files and commit them; return the folder."""
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    if not (root / ".git").exists():
        git(root, "init", "-q", "-b", "main")
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "a version")
    if tag:
        git(root, "tag", tag)
    return root
