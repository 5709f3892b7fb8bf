"""docs/guide/processes.md: searches that go through a pool, and through workers of pytest-xdist."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from tests.cli.ask.guide_pages import answers_in, sessions, write_files_of
from tests.cli.ask.talking import ROOT, piped

pytestmark = pytest.mark.once
PAGE = ROOT / "docs" / "guide" / "processes.md"


def still(lines: list[str]) -> list[str]:
    """Without what differs from run to run: the numbers of processes, and of calls in them."""
    text = "\n".join(line.rstrip() for line in lines)
    text = re.sub(r"in process \d \(pid \d+\)", "in process P (pid N)", text)
    return re.sub(r"#\d+", "#N", text).split("\n")


def test_the_sessions_are_as_shown(tmp_path: Path) -> None:
    write_files_of(PAGE, tmp_path)
    (tmp_path / "pyproject.toml").touch()
    shown = sessions(PAGE)
    assert [command.split()[1] for command, _ in shown] == ["run", "record", "debug"]
    for command, dialogue in shown:
        words = shlex.split(command)[1:]
        if "pytest" in words:
            words += ["-p", "no:cacheprovider", "-p", "no:asyncio"]
        done = piped(
            tmp_path, *words, lines=answers_in(dialogue), env={"COLUMNS": "80"}, timeout=240
        )
        if dialogue:
            assert still(done.stdout.splitlines()) == still(dialogue), done.stderr
            assert "in process P (pid N)" in "\n".join(still(dialogue))
