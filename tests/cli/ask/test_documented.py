"""The sessions in docs/ are real; every option stands in docs/reference/terminal.md."""

from __future__ import annotations

import argparse
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.ask.talking import PATIENCE, ROOT, piped
from wrongcall.cli.main import _subparser
from wrongcall.cli.parser import parser_of

PAGE = (ROOT / "docs" / "reference" / "terminal.md").read_text()
TUTORIAL = (ROOT / "docs" / "guide" / "tutorial.md").read_text()
PROMPT = re.compile(r"^.*(?:for help|path|strategy\?) > ?(.*)$")


def sessions() -> list[tuple[str, list[str]]]:
    """The sessions on the pages: a command, and what is to be seen."""
    found: list[tuple[str, list[str]]] = []
    inside = False
    for line in (PAGE + TUTORIAL).splitlines():
        if line.startswith("    $ wrongcall run") and "examples/" in line:
            found.append((line.removeprefix("    $ wrongcall "), []))
            inside = True
        elif inside and (line.startswith("    ") or not line):
            found[-1][1].append(line[4:])
        else:
            inside = False
    return found


@pytest.mark.parametrize("command, expected", sessions(), ids=lambda value: str(value)[:40])
def test_the_documented_sessions_can_be_repeated(
    command: str, expected: list[str], tmp_path: Path
) -> None:
    name, *words = shlex.split(command)
    answers = [m[1] for line in expected if (m := PROMPT.match(line))]
    trace = str(tmp_path / "x.wrongcall")
    done = piped(ROOT, name, "-o", trace, *words, lines=answers, env={"COLUMNS": "80"})
    # As if it had been left where it is by default.
    text = done.stdout.replace(trace, f"{Path(words[-1]).stem}.wrongcall")
    shown = [line.rstrip() for line in text.splitlines()]
    assert shown == "\n".join(expected).rstrip().split("\n")
    assert done.status == 0


def test_the_documentation_has_sessions() -> None:
    assert len(sessions()) == 3


def test_the_demo_answers_as_the_tutorial_does() -> None:
    done = subprocess.run(
        [sys.executable, "tools/demo.py", str(Path(sys.executable).with_name("wrongcall"))],
        cwd=ROOT, input="", capture_output=True, text=True, timeout=PATIENCE, check=True,
    )  # fmt: skip
    assert "The bug is in Item.put_back  examples/inventory.py:48" in done.stdout
    assert done.stdout.count("\nQuestion ") == TUTORIAL.count("\n    Question ") == 5


def options(command: str) -> Iterator[argparse.Action]:
    yield from (a for a in _subparser(parser_of(), command)._actions if a.option_strings)


COMMANDS = ("run", "debug", "record", "regress", "diff")


@pytest.mark.parametrize("command", COMMANDS)
def test_every_option_has_help_and_documentation(command: str) -> None:
    for option in options(command):
        assert option.help, option.option_strings
        for name in option.option_strings:
            assert re.search(rf"`{re.escape(name)}\b", PAGE), name


def test_every_documented_option_exists() -> None:
    known = {n for c in COMMANDS for a in options(c) for n in a.option_strings}
    written = set(re.findall(r"`(--[a-z-]+)", PAGE))
    assert written <= known
