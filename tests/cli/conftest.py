"""Commands run in this process, and a trace to read."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.cli.ask.talking import PATIENCE
from tests.cli.paper import Run, recorded
from wrongcall.cli.main import main


@pytest.fixture(scope="session")
def paper(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The trace of the merge sort of the JHyde paper, recorded once."""
    return recorded(tmp_path_factory.mktemp("paper"))


@pytest.fixture
def run(capfd: Any, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run a command: exit status, standard output, standard error."""
    monkeypatch.delenv("COLUMNS", raising=False)

    def run(*args: str) -> tuple[int, str, str]:
        status = main(list(args))
        return (status, *capfd.readouterr())

    return run


@pytest.fixture
def nothing_is_left_running(tmp_path: Path) -> Iterator[None]:
    """Every program that a test ran has ended when the test has."""
    yield
    until = time.monotonic() + PATIENCE
    while _running_in(tmp_path):
        assert time.monotonic() < until, "a program is still running"
        time.sleep(0.05)


def _running_in(folder: Path) -> list[str]:
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if (process / "cwd").readlink() == folder and int(process.name) != os.getpid():
                found.append(process.name)
        except OSError:
            continue
    return found
