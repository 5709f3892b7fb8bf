"""A copy of a reference with the tests of the project, in which a recorded command can be run again.

The version that is asked about and the reference are to be compared by the same tests, which may be newer than the
reference. So the copy has everything of the reference but its tests, and the project's tests instead.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from wrongcall.oracles.reference.counterparts import import_folders
from wrongcall.recording import Recording
from wrongcall.session.code_of_tests import is_test_file

MAX_FILES = 50_000
MAX_BYTES = 1 << 30
_LEFT_OUT = frozenset({".git", "__pycache__", "node_modules", ".wrongcall", ".tox", ".nox"})


@dataclass(frozen=True)
class Overlay:
    """The copy, and how a command is run in it."""

    root: Path
    """The folder that stands for the project's."""
    project: Path
    """The project's folder, without links."""
    folder: Path
    """The folder to start in."""

    def word(self, text: str) -> str:
        """Return an argument, or a list of folders, with paths into the copy instead of into the project."""
        return os.pathsep.join(map(self._moved, text.split(os.pathsep)))

    def _moved(self, text: str) -> str:
        if not Path(text).is_absolute():
            return text
        real = Path(os.path.realpath(text))
        inside = real.is_relative_to(self.project)
        return str(self.root / real.relative_to(self.project)) if inside else text

    def environment(self, recording: Recording, now: Mapping[str, str]) -> dict[str, str]:
        """Return the variables for the command: modules come from the copy, however they were installed."""
        files = {
            file.module: Path(os.path.realpath(file.path))
            for file in recording.program.files.values()
            if Path(os.path.realpath(file.path)).is_relative_to(self.project)
            and file.module != "__main__"
        }
        folders = [self._moved(folder) for folder in import_folders(files)]
        given = [self._moved(path) for path in now.get("PYTHONPATH", "").split(os.pathsep) if path]
        # Folders of tests are put on the path by the test runner, where they were before.
        first = [each for each in folders if not is_test_file(f"{each}/x.py", str(self.root))]
        path = os.pathsep.join(dict.fromkeys([*given, *first]))
        return {**now, "PYTHONPATH": path}

    def came_from(self, run: Recording, recorded: Recording) -> bool:
        """Return whether the modules of a run came from the copy, as far as they were recorded in the project."""
        ours = {
            file.module
            for file in recorded.program.files.values()
            if Path(os.path.realpath(file.path)).is_relative_to(self.project)
        }
        files = [file for file in run.program.files.values() if file.module in ours]
        root = Path(os.path.realpath(self.root))
        return all(Path(os.path.realpath(file.path)).is_relative_to(root) for file in files)


@contextmanager
def overlay_of(recording: Recording, reference: Path) -> Iterator[Overlay | None]:
    """Provide the copy as long as it is needed; None: it can't be made, or it would be too large."""
    project = Path(os.path.realpath(str(recording.meta.get("root", ""))))
    if not reference.is_dir() or _is_large(reference):
        yield None
        return
    with tempfile.TemporaryDirectory(prefix="wrongcall-again-") as folder:
        root = Path(os.path.realpath(folder)) / project.name
        started = Path(os.path.realpath(str(recording.meta.get("folder", project))))
        inside = started.relative_to(project) if started.is_relative_to(project) else Path()
        made: Overlay | None = Overlay(root, project, root / inside)
        try:
            shutil.copytree(reference, root, symlinks=True, ignore=_ignored)
            _replace_tests(project, root)
            (root / inside).mkdir(parents=True, exist_ok=True)
        except OSError:  # no room, or files that can't be read
            made = None
        yield made


def _ignored(folder: str, names: Sequence[str]) -> set[str]:
    found = {name for name in names if name in _LEFT_OUT or name.endswith(".wrongcall")}
    return found | {name for name in names if (Path(folder) / name / "pyvenv.cfg").exists()}


def _is_large(folder: Path) -> bool:
    files = size = 0
    for top, folders, names in os.walk(folder):
        left_out = _ignored(top, [*folders, *names])
        folders[:] = [name for name in folders if name not in left_out]
        for name in names:
            files += 1
            size += (Path(top) / name).lstat().st_size
        if files > MAX_FILES or size > MAX_BYTES:
            return True
    return False


def _replace_tests(project: Path, root: Path) -> None:
    """Replace the tests of the copy by those of the project."""
    for file in _tests(root):
        file.unlink()
    for file in _tests(project):
        target = root / file.relative_to(project)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(file, target)


def _tests(root: Path) -> Iterator[Path]:
    for top, folders, names in os.walk(root):
        left_out = _ignored(top, folders)
        folders[:] = [name for name in folders if name not in left_out and not name.startswith(".")]
        for name in names:
            path = Path(top) / name
            if is_test_file(str(path), str(root)) and path.is_file():
                yield path
