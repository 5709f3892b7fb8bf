"""Who answers, and at which commit."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from wrongcall.oracles.authorship import author, commit


def git(folder: Path, *words: str) -> str:
    done = subprocess.run(
        ["git", "-C", str(folder), *words], capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


def test_the_author_is_who_git_says(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    git(tmp_path, "config", "user.name", "Ann Example")
    git(tmp_path, "config", "user.email", "ann@example.org")
    assert author(tmp_path) == "Ann Example"
    assert commit(tmp_path) == ""
    git(tmp_path, "commit", "-q", "--allow-empty", "-m", "first")
    assert commit(tmp_path) == git(tmp_path, "rev-parse", "HEAD")[: len(commit(tmp_path))]
    assert commit(tmp_path)


def test_without_git_it_is_the_user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr("getpass.getuser", lambda: "ann")
    assert (author(tmp_path), commit(tmp_path)) == ("ann", "")

    def unknown() -> str:
        raise KeyError("no name")

    monkeypatch.setattr("getpass.getuser", unknown)
    assert author(tmp_path) == "unknown"
