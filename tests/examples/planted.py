"""The programs of ``tests/programs/planted/`` and ``held_out/``: small algorithms with one planted bug each.

``bugs.toml`` says where the bug is, and which part of which call a user sees to be wrong.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

PROGRAMS = Path(__file__).parents[1] / "programs"
FOLDER = PROGRAMS / "planted"
HELD_OUT = PROGRAMS / "held_out"
"""More programs, to check what was improved on the others."""


@dataclass(frozen=True)
class Planted:
    """A program with a bug, and the program without it."""

    name: str
    function: str
    line: int
    call: str
    """The function whose first call has the wrong value."""
    wrong: str
    """The path of the wrong value in that call, at its end."""
    kind: str
    about: str
    missing: bool
    """A statement is missing: the line is the header of the block that lacks it."""
    folder: Path

    @property
    def path(self) -> Path:
        """The program."""
        return self.folder / f"{self.name}.py"

    @property
    def fixed(self) -> Path:
        """The corrected program."""
        return self.folder / "fixed" / f"{self.name}.py"


def planted(folder: Path = FOLDER) -> dict[str, Planted]:
    """Return the programs in a folder by name."""
    table = tomllib.loads((folder / "bugs.toml").read_text())
    return {
        name: Planted(name, missing=bug.pop("missing", False), folder=folder, **bug)
        for name, bug in table.items()
    }
