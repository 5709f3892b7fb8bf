"""Where a reference comes from: a folder or file, a git revision, or a release of a package.

A revision is checked out into a worktree in a temporary folder, which is removed again however the command ends; the
user's checkout is not touched, and no hooks run. A release is installed into a temporary folder, without what it
depends on.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from wrongcall.errors import UsageError

_RELEASE = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*==[A-Za-z0-9.!+_-]+")
_GENERATED = (".py", ".so", ".pyd")
_MAX_GENERATED = 2000
_NOT_CODE = frozenset({"site-packages", "node_modules", "build", "dist", ".tox", ".nox", ".git"})
_INSTALL_LIMIT_S = 600


@dataclass(frozen=True)
class Version:
    """A reference that is there."""

    path: Path
    """A folder that stands for the project's, or a file that stands for the main program."""
    label: str
    is_release: bool = False
    """A package alone, without the project that uses it."""


@contextmanager
def version_of(text: str, root: Path) -> Iterator[Version]:
    """Provide a reference as long as it is needed; ``root``: the project's folder."""
    path = Path(text).expanduser()
    if path.exists():
        yield Version(path.resolve(), text)
        return
    with tempfile.TemporaryDirectory(prefix="wrongcall-version-") as folder:
        if _RELEASE.fullmatch(text):
            _install(text, Path(folder))
            yield Version(Path(folder), text, is_release=True)
        elif _is_revision(text, root):
            with _worktree(text, root, Path(folder) / "checkout") as checkout:
                yield Version(checkout, text)
        else:
            raise UsageError(
                f"--reference {text}: no such folder, file, git revision or release (NAME==1.2)"
            )


def _install(release: str, folder: Path) -> None:
    """Install a release of a package, and nothing else."""
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target"]
    try:
        done = subprocess.run(
            [*command, str(folder), release],
            capture_output=True,
            text=True,
            check=False,
            timeout=_INSTALL_LIMIT_S,
        )
    except subprocess.TimeoutExpired as exc:
        raise UsageError(f"{release} can't be installed: it takes too long") from exc
    if done.returncode:
        why = done.stderr.strip().splitlines()[-1:] or ["pip failed"]
        raise UsageError(f"{release} can't be installed: {why[0][:200]}")


def _git(root: Path, *words: str) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "GIT_LFS_SKIP_SMUDGE": "1", "GIT_TERMINAL_PROMPT": "0"}
    command = ["git", "-c", f"core.hooksPath={os.devnull}", "-C", str(root), *words]
    try:
        return subprocess.run(command, capture_output=True, text=True, check=False, env=env)
    except OSError as exc:
        raise UsageError(f"can't run git: {exc.strerror}") from exc


def _is_revision(text: str, root: Path) -> bool:
    if text.startswith("-"):
        return False
    return _git(root, "rev-parse", "--verify", "--quiet", f"{text}^{{commit}}").returncode == 0


@contextmanager
def _worktree(revision: str, root: Path, folder: Path) -> Iterator[Path]:
    """Check a revision out; yield the folder in it that stands for the project's."""
    top = Path(_git(root, "rev-parse", "--show-toplevel").stdout.strip())
    try:
        done = _git(root, "worktree", "add", "--detach", str(folder), f"{revision}^{{commit}}")
        if done.returncode:
            raise UsageError(f"git can't check out {revision}: {done.stderr.strip()[-200:]}")
        _add_generated(top, folder)
        project = folder / Path(os.path.realpath(root)).relative_to(os.path.realpath(top))
        if not project.is_dir():
            raise UsageError(f"{revision} has no folder {project.relative_to(folder)}")
        yield project
    finally:
        _git(root, "worktree", "remove", "--force", str(folder))
        shutil.rmtree(folder, ignore_errors=True)
        _git(root, "worktree", "prune")


def _add_generated(top: Path, folder: Path) -> None:
    """Copy what git ignores and imports may need: generated modules and built extensions."""
    listed = _git(top, "ls-files", "--others", "--ignored", "--exclude-standard", "-z").stdout
    names = [name for name in listed.split("\0") if name.endswith(_GENERATED)]
    kept = [name for name in names if not _NOT_CODE & set(Path(name).parts)]
    for name in kept[:_MAX_GENERATED]:
        target = folder / name
        if target.parent.is_dir() and not target.exists():
            shutil.copy2(top / name, target)
