"""The script for bash, in bash."""

from __future__ import annotations

import shlex
import subprocess
from pathlib import Path

import pytest

from tests.cli.shells.shell import COMMANDS, LINE, NAMES, needs, options, typed

pytestmark = [pytest.mark.once, needs("bash")]
BASH = ["bash", "--norc", "--noprofile", "-i"]
FILES = {
    "traces": ["sub", "run two.wrongcall", "run.wrongcall"],
    "programs": ["sub", "prog.py"],
    "all": ["sub", "notes.txt", "prog.py", "run two.wrongcall", "run.wrongcall"],
    "nothing": [],
    "shells": ["bash", "zsh", "fish"],
}


def in_bash(folder: Path, *words: str) -> list[str]:
    """Return what bash offers for the last of the words."""
    line = " ".join(shlex.quote(word) for word in ("wrongcall", *words))
    source = shlex.quote(str(folder / "script.bash"))
    program = f"""
        source {source}
        COMP_WORDS=({line})
        COMP_CWORD={len(words)}
        _wrongcall
        printf '%s\\n' "${{COMPREPLY[@]}}"
    """
    command = ["bash", "--norc", "-c", program]
    done = subprocess.run(command, capture_output=True, text=True, cwd=folder / "there")
    assert done.returncode == 0, done.stderr
    return [found for found in dict.fromkeys(done.stdout.splitlines()) if found]


def test_bash_completes_commands_and_options(folder: Path) -> None:
    assert in_bash(folder, "") == NAMES
    assert in_bash(folder, "rec") == ["record"]
    assert set(in_bash(folder, "-")) == options(LINE)
    for command in COMMANDS:
        assert set(in_bash(folder, command.name, "-")) == options(command)


@pytest.mark.parametrize(
    "words, offered",
    [
        (["show", ""], "traces"),
        (["show", "--json", ""], "traces"),
        (["show", "--depth", "2", ""], "traces"),
        (["show", "--depth", "=", "2", ""], "traces"),
        (["show", "--depth", ""], "nothing"),
        (["show", "run.wrongcall", ""], "nothing"),
        (["record", ""], "programs"),
        (["record", "-o", ""], "all"),
        (["record", "--output", "=", ""], "all"),
        (["record", "--output", "="], "all"),
        (["record", "-o", "x", "--", ""], "programs"),
        (["record", "prog.py", ""], "all"),
        (["record", "prog.py", "--exclude", ""], "all"),
        (["record", "-m", ""], "nothing"),
        (["record", "-m", "mod", ""], "all"),
        (["completion", ""], "shells"),
        (["unheard-of", ""], "nothing"),
    ],
    ids=lambda value: value if isinstance(value, str) else " ".join(value),
)
def test_bash_completes_values(folder: Path, words: list[str], offered: str) -> None:
    assert sorted(in_bash(folder, *words)) == sorted(FILES[offered])


def test_bash_completes_the_beginning_of_a_file(folder: Path) -> None:
    assert in_bash(folder, "info", "run t") == ["run two.wrongcall"]
    assert in_bash(folder, "record", "prog.py", "n") == ["notes.txt"]
    assert in_bash(folder, "record", "prog.py", "--") == []


def test_completion_works_in_an_interactive_bash(folder: Path) -> None:
    setup = f"source {folder / 'script.bash'}"
    typed(BASH, folder, setup, "wrongcall sh\tru\t", "wrongcall show run")
    typed(BASH, folder, setup, "wrongcall record --output=no\t", "--output=notes.txt ")
