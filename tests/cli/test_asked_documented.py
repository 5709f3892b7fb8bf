"""The sessions in docs/ that ask a recording are real."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from tests.cli.ask.talking import ROOT
from tests.cli.paper import Run
from tests.recorder.conftest import run_python

PAGES = ("guide/print-afterwards.md", "reference/asking.md")
SESSION = re.compile(
    r"^    \$ wrongcall ((?:print|eval|find) .*)\n((?:    (?!\$).*\n|\n(?=    (?!\$)))+)",
    re.MULTILINE,
)


def sessions() -> list[tuple[str, str]]:
    """Return the commands on the pages, each with what is to be seen."""
    texts = [(ROOT / "docs" / page).read_text() for page in PAGES]
    return [(m[1], m[2]) for text in texts for m in SESSION.finditer(text)]


@pytest.fixture(scope="module")
def trace(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("documented") / "mergesort.wrongcall"
    command = ["-m", "wrongcall", "record", "-o", str(path), "examples/mergesort.py"]
    assert run_python(command, Path(ROOT)).returncode == 0
    return str(path)


def test_the_pages_have_sessions() -> None:
    assert len(sessions()) == 7


@pytest.mark.parametrize("command, expected", sessions(), ids=lambda value: str(value)[:40])
def test_a_documented_session_can_be_repeated(
    run: Run, trace: str, command: str, expected: str
) -> None:
    words = [trace if word == "mergesort.wrongcall" else word for word in shlex.split(command)]
    status, out, err = run(*words)
    assert (status, err) == (0, "")
    wanted = [line[4:] for line in expected.rstrip("\n").split("\n")]
    assert [line.rstrip() for line in out.splitlines()] == wanted
