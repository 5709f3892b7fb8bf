"""The programs of ``tests/programs/planted/``: small algorithms with one planted bug each.

``bugs.toml`` says where the bug is, and which part of which call a user sees to be wrong.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parents[1] / "programs" / "planted"


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

    @property
    def path(self) -> Path:
        """The program."""
        return FOLDER / f"{self.name}.py"

    @property
    def fixed(self) -> Path:
        """The corrected program."""
        return FOLDER / "fixed" / f"{self.name}.py"


def planted() -> dict[str, Planted]:
    """Return the programs by name."""
    table = tomllib.loads((FOLDER / "bugs.toml").read_text())
    return {
        name: Planted(name, missing=bug.pop("missing", False), **bug) for name, bug in table.items()
    }
