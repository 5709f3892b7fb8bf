"""Files of the project that were not recorded, and are different in the reference.

Of a recorded file the trace has the text. Of all others nothing is known but what they are now. They may have had a
part in the run: data that calls read, modules that ran without being recorded, extensions in C. So it is said which of
them are different, not whether they mattered.

*Data* is everything that is no Python module, except documents, settings of tools, hidden files, the data of tests, and
what the run itself wrote. A *module* may have run if something that ran, or may have run, imports something of its
name.
"""

from __future__ import annotations

import os
import subprocess
import tokenize
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path, PurePosixPath

from wrongcall.languages.python.compiled import mentioned
from wrongcall.session.code_of_tests import is_test_file

MAX_FILES = 20_000
"""In a larger project, too much may be different."""
_TOO_MANY = f"the project has more than {MAX_FILES:,} files"
_FOLDERS = frozenset({"__pycache__", "node_modules", "site-packages", "dist-packages", "htmlcov"})
_FOLDER_ENDINGS = (".egg-info", ".dist-info")
_DOCUMENTS = frozenset({".md", ".rst", ".adoc", ".wrongcall", ".pyc", ".pyi", ".orig", ".rej"})
_TOOL_FILES = frozenset(
    {
        "pyproject.toml", "setup.cfg", "tox.ini", "pytest.ini", "mypy.ini", "noxfile.py", "setup.py",
        "MANIFEST.in", "Makefile", "LICENSE", "LICENCE", "COPYING", "AUTHORS", "NOTICE", "PKG-INFO",
    }
)  # fmt: skip
_TOP_DOCUMENTS = (".txt", ".lock", ".toml", ".yml", ".yaml", ".cfg", ".ini")
"""Endings of files right in the project's folder that tools read: requirements, locks, settings."""
_MODULE = ".py"


def different_file(
    mine: Path,
    theirs: Path,
    recorded: dict[str, str],
    started: float,
    *,
    only: frozenset[str] | None = None,
    suspect: frozenset[str] = frozenset(),
) -> str:
    """Return a file that is different in the reference and may have made a difference; empty: there is none.

    ``mine``, ``theirs``: the folders to compare. ``recorded``: the texts of recorded files, by their real paths.
    ``started``: when the run began. ``only``: what to compare in the folders. ``suspect``: real paths of modules that
    ran and were not recorded.
    """
    files, others = _files(mine, only, theirs), _files(theirs, only, mine)
    if files is None or others is None:
        return _TOO_MANY
    known = {name for name in files if os.path.realpath(mine / name) in recorded}
    ignored = _ignored(mine) if files.keys() - others.keys() - known else frozenset()
    differing: set[PurePosixPath] = set()
    for name in sorted((files.keys() | others.keys()) - known):
        is_new = name not in others
        if is_new and (str(name) in ignored or _changed_at(mine / name) >= started):
            continue
        if is_new or name not in files or _differ(mine / name, theirs / name, started):
            differing.add(name)
    modules = {name for name in differing if name.suffix == _MODULE}
    for name in sorted(differing - modules):
        if not is_test_file(str(name), ""):
            return f"{name} differs"
    for name in sorted(modules):
        if os.path.realpath(mine / name) in suspect:
            return f"{name} differs, and was not recorded"
    ran = _may_have_run(modules, mine, files.keys() - known, recorded)
    return f"{ran} differs, and may have run without being recorded" if ran else ""


def _may_have_run(
    modules: set[PurePosixPath],
    mine: Path,
    unrecorded: set[PurePosixPath],
    recorded: dict[str, str],
) -> PurePosixPath | None:
    """Return a module that differs, and that something imports which ran or may have run."""
    modules = {name for name in modules if not is_test_file(str(name), "")}
    if not modules:
        return None
    names = {part for text in recorded.values() for part in mentioned(text)}
    left = {name for name in unrecorded if name.suffix == _MODULE}
    while True:
        found = {name for name in left if _module_name(name) in names}
        if not found:
            return next((name for name in sorted(modules) if _module_name(name) in names), None)
        left -= found
        for name in found:
            names |= mentioned(text_of(mine / name) or "")


def _module_name(name: PurePosixPath) -> str:
    return name.parent.name if name.stem == "__init__" else name.stem


def text_of(path: Path) -> str | None:
    """Return the text of a Python file; None: it can't be read."""
    try:
        with tokenize.open(path) as file:
            return file.read()
    except (OSError, SyntaxError, ValueError):
        return None


def _files(
    folder: Path, only: frozenset[str] | None, without: Path
) -> dict[PurePosixPath, None] | None:
    """Return the names of the files to compare; None: there are too many.

    ``without``: the folder to compare with, which may be inside this one.
    """
    found: dict[PurePosixPath, None] = {}
    for name in _walk(folder, only, os.path.realpath(without)):
        found[name] = None
        if len(found) > MAX_FILES:
            return None
    return found


def _walk(folder: Path, only: frozenset[str] | None, without: str) -> Iterator[PurePosixPath]:
    for top, folders, names in os.walk(folder):
        inside = Path(top).relative_to(folder)
        at_top = not inside.parts
        if at_top and only is not None:
            folders[:] = [name for name in folders if name in only]
            names = [name for name in names if name in only]
        folders[:] = [name for name in folders if _is_of_interest(Path(top), name, without)]
        for name in names:
            file = PurePosixPath(inside.as_posix()) / name
            if name.startswith(".") or file.suffix in _DOCUMENTS or name in _TOOL_FILES:
                continue
            if not (at_top and file.suffix in _TOP_DOCUMENTS):
                yield file


def _is_of_interest(top: Path, name: str, without: str) -> bool:
    if os.path.realpath(top / name) == without:
        return False
    if name.startswith(".") or name in _FOLDERS or name.endswith(_FOLDER_ENDINGS):
        return False
    return not (top / name / "pyvenv.cfg").exists()


def _ignored(folder: Path) -> frozenset[str]:
    """Return the files that git ignores: they belong to no version."""
    words = ["ls-files", "--others", "--ignored", "--exclude-standard", "-z"]
    with suppress(OSError):
        done = subprocess.run(["git", "-C", str(folder), *words], capture_output=True, check=False)
        if done.returncode == 0:
            return frozenset(os.fsdecode(done.stdout).split("\0"))
    return frozenset()


def _changed_at(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0


def _differ(mine: Path, theirs: Path, started: float) -> bool:
    """Return whether two files differ; one that was changed since the run began may have been anything."""
    try:
        if mine.stat().st_size != theirs.stat().st_size or mine.stat().st_mtime >= started:
            return True
        with mine.open("rb") as one, theirs.open("rb") as other:
            while part := one.read(1 << 20):
                if part != other.read(1 << 20):
                    return True
    except OSError:
        return True
    return False
