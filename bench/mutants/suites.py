"""Working copies of projects, and the tests that are run in them, plain and recorded."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from fidelity.projects import Project
from fidelity.runs import Python, Run
from mutants.projects import HOME
from wrongcall.session.code_of_tests import is_test_file

INSIDE = Path(__file__).resolve().parent / "inside"
SLOW_S = 2.0
"""Tests that took longer with the original are left out."""
_UNKNOWN = "ignore::pytest.PytestUnknownMarkWarning"
"""Marks of plugins that are not loaded; a project may turn warnings into errors."""
_QUIET = ("-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir=.", "-W", _UNKNOWN)
_PLUGIN = ("-p", "wrongcall.pytest_plugin")


@dataclass(frozen=True)
class Covered:
    """A test of the original that passed, and the functions it ran."""

    test: str
    seconds: float
    functions: frozenset[str]


class Suite:
    """The tests of one project, in a working copy whose files can be replaced for a while."""

    def __init__(self, python: Python, project: Project, source: Path) -> None:
        self.python = python
        self.project = project
        self.folder = HOME / "work" / project.name / source.name
        # Always fresh: a run that was killed left a mutant there.
        shutil.rmtree(self.folder, ignore_errors=True)
        shutil.copytree(source, self.folder)
        self.source = source

    @property
    def sources(self) -> list[str]:
        """The modules that are mutated: those that tests ran, and no tests."""
        names = {name.rpartition(":")[0] for each in self.covered for name in each.functions}
        return sorted(name for name in names if name.endswith(".py") and not is_test_file(name, ""))

    @cached_property
    def covered(self) -> list[Covered]:
        """The tests that pass on their own account, in their order."""
        file = HOME / "covered" / f"{self.folder.name}.jsonl"
        if not file.exists():
            self._cover(file)
        rows = map(json.loads, file.read_text().splitlines())
        return [
            Covered(row["test"], row["seconds"], frozenset(row["functions"]))
            for row in rows
            if row["outcome"] == "passed" and row["seconds"] <= SLOW_S
        ]

    def _cover(self, file: Path) -> None:
        file.parent.mkdir(parents=True, exist_ok=True)
        new = file.with_suffix(".new")
        new.unlink(missing_ok=True)
        env = {"FUNCTIONS_FILE": str(new), "FUNCTIONS_ROOT": str(self.folder)}
        command = [*_QUIET, "-p", "functions_run", *self.project.tests]
        done = self.python.run(command, self.folder, env=self._env(env), seconds=600)
        if not new.exists():
            raise RuntimeError(f"{self.project.name}: {done.stdout[-2000:]}{done.stderr[-500:]}")
        new.rename(file)

    def text(self, name: str) -> bytes:
        """Return the original text of a file."""
        return (self.source / name).read_bytes()

    @contextmanager
    def replaced(self, files: Mapping[str, bytes]) -> Iterator[None]:
        """Replace files of the working copy for a while."""
        try:
            for name, text in files.items():
                (self.folder / name).write_bytes(text)
            yield
        finally:
            for name in files:
                (self.folder / name).write_bytes(self.text(name))

    def run(self, tests: Sequence[str], seconds: float) -> Run:
        """Run tests until one fails."""
        command = [*_QUIET, "-x", "--tb=no", "-rfE", *tests]
        return self.python.run(command, self.folder, env=self._env(), seconds=seconds)

    def record(
        self,
        tests: Sequence[str],
        trace: Path,
        seconds: float,
        env: Mapping[str, str] | None = None,
    ) -> Run:
        """Record tests as a user would."""
        trace.unlink(missing_ok=True)
        trace.parent.mkdir(parents=True, exist_ok=True)
        command = [*_QUIET, *_PLUGIN, *tests]
        return self.python.record(command, self.folder, trace, env=self._env(env), seconds=seconds)

    def _env(self, more: Mapping[str, str] | None = None) -> dict[str, str]:
        path = f"{self.folder / self.project.source}:{INSIDE}"
        # No plugins but ours, which is named: loading those of our own tests takes longer than most tests.
        own = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONDONTWRITEBYTECODE": "1"}
        return {"PYTHONPATH": path, **own, **(more or {})}
