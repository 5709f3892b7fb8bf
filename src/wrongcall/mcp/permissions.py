"""What an agent may read and run: decided by the user when the server starts, not by the agent.

Without further permission, that is the traces and sources of one project, and recording its scripts and its tests.
Paths are resolved first, so a link out of the project is outside.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from wrongcall.errors import UsageError

TEST_RUNNERS = ("pytest", "unittest")
"""Modules that may be recorded without further permission."""
TRACE_SUFFIX = ".wrongcall"
_NAME = re.compile(r"[A-Za-z_][\w.]*\Z")


@dataclass(frozen=True)
class Permissions:
    """What the user allowed."""

    root: Path
    """The folder of the project, resolved."""
    folders: tuple[Path, ...] = ()
    """Other folders that may be read, resolved."""
    any_program: bool = False
    """Whether any module, and scripts in other folders, may be recorded."""

    def trace(self, name: str) -> Path:
        """Return the path of a trace that may be read."""
        path = self._inside(name)
        if path.suffix != TRACE_SUFFIX:
            raise UsageError(f"{name}: not a trace; its name must end with {TRACE_SUFFIX}")
        if not path.is_file():
            raise UsageError(f"no such trace: {name}; make one with the tool record")
        return path

    def script(self, name: str) -> Path:
        """Return the path of a program that may be recorded."""
        path = self._resolved(name) if self.any_program else self._inside(name)
        if not path.exists():
            raise UsageError(f"no such file: {name}")
        return path

    def test(self, name: str) -> str:
        """Return the id of a test that may be recorded, as pytest names it."""
        file = name.partition("::")[0]
        if name.startswith("-") or not self.script(file).exists():
            raise UsageError(f"{name!r} is not a test; name one like tests/test_x.py::test_y")
        return name

    def module(self, name: str) -> str:
        """Return the name of a module that may be run."""
        if not _NAME.match(name):
            raise UsageError(f"{name!r} is not the name of a module")
        if name not in TEST_RUNNERS and not self.any_program:
            raise UsageError(
                f"recording the module {name} needs the user's permission: wrongcall mcp --allow-any-program"
            )
        return name

    def shown(self, path: Path) -> str:
        """Return a path as tools name it: below the project where it is there."""
        return str(path.relative_to(self.root)) if path.is_relative_to(self.root) else str(path)

    def _inside(self, name: str) -> Path:
        path = self._resolved(name)
        if not any(path.is_relative_to(folder) for folder in (self.root, *self.folders)):
            raise UsageError(
                f"{name} is outside the project; the user can allow its folder: wrongcall mcp --allow-path DIR"
            )
        return path

    def _resolved(self, name: str) -> Path:
        if "\0" in name:
            raise UsageError(f"not a path: {name!r}")
        return (self.root / name).resolve()
