"""A project with a failing test, and the tools of a server for it."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.examples.examples import FOLDER
from wrongcall.mcp.permissions import Permissions
from wrongcall.mcp.recorded_runs import Wanted
from wrongcall.mcp.tools import Tools


@pytest.fixture(scope="session")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the example that has a failing test."""
    folder = tmp_path_factory.mktemp("project") / "orders"
    shutil.copytree(FOLDER / "orders", folder, ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "pyproject.toml").write_text("")
    return folder.resolve()


@pytest.fixture(scope="session")
def tools(project: Path) -> Iterator[Tools]:
    with Tools(Permissions(project)) as made:
        yield made


@pytest.fixture(scope="session")
def trace(tools: Tools) -> str:
    """Record the failing test; return the trace."""
    test = "test_orders.py::test_an_order_is_summed_up"
    return tools.record(Wanted(test=test), 1000).trace
