"""docs/guide/failing-test.md shows what pytest and the questions show."""

from __future__ import annotations

import shlex
import shutil
from pathlib import Path

import pytest

from tests.cli.ask.guide_pages import answers_in, sessions
from tests.cli.ask.talking import ROOT, piped
from tests.recorder.bothways import run

pytestmark = pytest.mark.once
PAGE = ROOT / "docs" / "guide" / "failing-test.md"
ENVIRONMENT = {"COLUMNS": "80", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}


def test_the_page_shows_the_whole_way(tmp_path: Path) -> None:
    folder = tmp_path / "orders"
    shutil.copytree(ROOT / "examples" / "orders", folder)
    (folder / "pyproject.toml").touch()
    (pytest_command, report), (debug_command, dialogue) = sessions(PAGE)

    words = shlex.split(pytest_command)
    assert words[0] == "pytest"
    done = run(
        ["-m", "pytest", "-p", "wrongcall.pytest_plugin", *words[1:]], folder, env=ENVIRONMENT
    )
    shown = [line.rstrip() for line in done.stdout.splitlines()]
    assert "\n".join(report) in "\n".join(shown)

    words = shlex.split(debug_command)
    assert words[0] == "wrongcall"
    done = piped(folder, *words[1:], lines=answers_in(dialogue), env=ENVIRONMENT)
    assert [line.rstrip() for line in done.stdout.splitlines()] == dialogue
    assert done.status == 0


def test_the_first_example_of_the_readme_is_this_one() -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    shown = readme.partition("## First session")[2].partition("[From a failing test")[0]
    lines = [line.strip() for line in shown.splitlines() if line.startswith("    ")]
    known = {line.strip() for line in PAGE.read_text("utf-8").splitlines()}
    unknown = [line for line in lines if line and not line.startswith("$") and line not in known]
    assert not unknown
    assert len(lines) > 8
