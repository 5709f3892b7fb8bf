"""Where references come from, and that nothing of them stays."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.oracles.reference.repositories import git, repository
from wrongcall.errors import UsageError
from wrongcall.oracles.reference.version import version_of


def test_a_folder_or_file_is_taken_as_it_is(tmp_path: Path) -> None:
    with version_of(str(tmp_path), tmp_path) as found:
        assert (found.path, found.label) == (tmp_path.resolve(), str(tmp_path))


def test_a_revision_is_checked_out_elsewhere_and_removed(tmp_path: Path) -> None:
    root = repository(tmp_path / "repo", {"a.py": "x = 1\n", "sub/b.py": "y = 1\n"}, tag="good")
    hook = root / ".git" / "hooks" / "post-checkout"
    hook.write_text("#!/bin/sh\ntouch ../hook-ran ./hook-ran\n")
    hook.chmod(0o755)
    (root / "a.py").write_text("x = 2\n")
    with version_of("good", root) as found:
        assert (found.path / "a.py").read_text() == "x = 1\n"
        assert not (found.path / "hook-ran").exists()
        kept = found.path
    assert not kept.exists()
    assert git(root, "worktree", "list").count("\n") == 1
    assert git(root, "status", "--short") == " M a.py\n"
    assert (root / "a.py").read_text() == "x = 2\n"


def test_a_project_in_a_folder_of_the_repository(tmp_path: Path) -> None:
    root = repository(tmp_path / "repo", {"sub/b.py": "y = 1\n"}, tag="good")
    with version_of("good", root / "sub") as found:
        assert (found.path / "b.py").is_file()
    repository(root, {"new/c.py": ""})
    with (
        pytest.raises(UsageError, match="good has no folder new"),
        version_of("good", root / "new"),
    ):
        pass
    assert git(root, "worktree", "list").count("\n") == 1


def test_ctrl_c_removes_the_checkout_too(tmp_path: Path) -> None:
    root = repository(tmp_path / "repo", {"a.py": "x = 1\n"}, tag="good")
    with pytest.raises(KeyboardInterrupt), version_of("good", root) as found:
        raise KeyboardInterrupt
    assert not found.path.exists()
    assert git(root, "worktree", "list").count("\n") == 1


def test_generated_modules_that_git_ignores_are_there(tmp_path: Path) -> None:
    files = {".gitignore": "_version.py\n", "shop/__init__.py": ""}
    root = repository(tmp_path / "repo", files, tag="good")
    (root / "shop" / "_version.py").write_text("version = '1'\n")
    with version_of("good", root) as found:
        assert (found.path / "shop" / "_version.py").is_file()


@pytest.mark.parametrize("text", ["nowhere", "--force", "a b"])
def test_anything_else_is_refused(tmp_path: Path, text: str) -> None:
    root = repository(tmp_path / "repo", {"a.py": ""})
    with (
        pytest.raises(UsageError, match="no such folder, file, git revision or release"),
        version_of(text, root),
    ):
        pass


def test_a_release_that_does_not_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(command: list[str], **options: object) -> subprocess.CompletedProcess[str]:
        assert command[-1] == "shop==1.2"
        assert "--no-deps" in command
        return subprocess.CompletedProcess(command, 1, "", "ERROR: no such thing\n")

    monkeypatch.setattr(subprocess, "run", fails)
    with (
        pytest.raises(UsageError, match=r"shop==1\.2 can't be installed: ERROR: no such thing"),
        version_of("shop==1.2", tmp_path),
    ):
        pass
