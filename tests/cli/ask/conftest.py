"""Traces to ask about: the examples, each recorded once."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.cli.ask.talking import EXAMPLES, Terminal
from tests.recorder.bothways import run

Record = Callable[[str], Path]


@pytest.fixture(scope="session")
def recorded_once(tmp_path_factory: pytest.TempPathFactory) -> Record:
    """Record a program, by its source, or an example, by its name; once."""
    folder = tmp_path_factory.mktemp("traces")
    known: dict[str, Path] = {}

    def record(program: str) -> Path:
        if program not in known:
            path = folder / f"{len(known)}.wrongcall"
            script = EXAMPLES / program
            if "\n" in program:
                script = folder / f"prog{len(known)}.py"
                script.write_text(program)
            run(["-m", "wrongcall", "record", "-o", str(path), str(script)], folder)
            known[program] = path
        return known[program]

    return record


@pytest.fixture
def record(recorded_once: Record, tmp_path: Path) -> Record:
    """Return a trace of a program that the test may write answers to."""

    def copy(program: str) -> Path:
        name = program.removesuffix(".py") if "\n" not in program else "prog"
        return Path(shutil.copy(recorded_once(program), tmp_path / f"{name}.wrongcall"))

    return copy


@pytest.fixture
def terminal() -> Iterator[Callable[..., Terminal]]:
    """Start the debugger in a terminal; it is ended after the test."""
    started: list[Terminal] = []

    def start(*args: object, **how: object) -> Terminal:
        started.append(Terminal(*args, **how))  # type: ignore[arg-type]
        return started[-1]

    yield start
    for each in started:
        each.close()
