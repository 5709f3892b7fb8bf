"""Tests of the debug adapter: a client, and programs that are recorded once for all tests of a module."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.dap.client import Client
from tests.recorder.conftest import run_recorded, write_program


@dataclass(frozen=True)
class Run:
    """A recorded program."""

    program: Path
    trace: Path


Recorded = Callable[[str], Run]


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Recorded:
    """Records a program; the same text only once."""
    known: dict[str, Run] = {}

    def record(source: str) -> Run:
        if source not in known:
            folder = tmp_path_factory.mktemp("run")
            program = write_program(folder, source)
            run_recorded(["prog.py"], folder)
            known[source] = Run(program, folder / "trace.wrongcall")
        return known[source]

    return record


@pytest.fixture
def client() -> Iterator[Client]:
    """A client, connected to an adapter."""
    made = Client()
    yield made
    made.close()
