"""The projects whose mutants are searched: sdists from PyPI, pinned by requirements/fidelity.txt.

Most are those of ``make fidelity``. Two are added, and three are left out: a test of black takes too long; lark and
parso call their functions in another order in every run (they iterate over sets of objects that are hashed by their
address), so the automatic user could not compare their runs.
"""

from __future__ import annotations

import os
from pathlib import Path

from fidelity.projects import PROJECTS as FIDELITY_PROJECTS
from fidelity.projects import Project, provide
from fidelity.runs import Python

HOME = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "wrongcall-bugs"
"""Sources, traces and results. Not inside the repository, whose settings pytest would find."""
LEFT_OUT = ("black", "lark", "parso")
PROJECTS = (
    *(project for project in FIDELITY_PROJECTS if project.name not in LEFT_OUT),
    Project("more-itertools"),
    Project("tabulate", tests=("test",)),
)


def folders(python: Python) -> dict[str, Path]:
    """Download and unpack the projects, if not done yet; return the folder of each."""
    return provide(python, PROJECTS, HOME / "projects")
