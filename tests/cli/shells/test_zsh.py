"""The script for zsh, in zsh."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.shells.shell import COMMANDS, needs, options, typed
from wrongcall.cli.commands import Command, Kind, Option, Value
from wrongcall.cli.shells.zsh import script

pytestmark = pytest.mark.once
ZSH = ["zsh", "-f", "-i"]


@needs("zsh")
@pytest.mark.parametrize(
    "keys, shown",
    [
        ("wrongcall sh\t", "wrongcall show "),
        ("wrongcall show --de\t", "--depth="),
        ("wrongcall show --depth=2 sub\t", "--depth=2 sub/"),
        ("wrongcall record pr\t", "wrongcall record prog.py "),
        ("wrongcall record -o no\t", "-o notes.txt "),
        ("wrongcall record prog.py no\t", "prog.py notes.txt "),
        ("wrongcall completion f\t", "wrongcall completion fish "),
    ],
)
def test_completion_works_in_an_interactive_zsh(folder: Path, keys: str, shown: str) -> None:
    setup = f"autoload -Uz compinit; compinit -u -D; source {folder / 'script.zsh'}; unsetopt zle_bracketed_paste"
    typed(ZSH, folder, setup, keys, shown)


@needs("zsh")
def test_zsh_offers_every_command_and_option(folder: Path) -> None:
    setup = f"autoload -Uz compinit; compinit -u -D; source {folder / 'script.zsh'}"
    typed(ZSH, folder, setup, "wrongcall \t", "history")
    script = (folder / "script.zsh").read_text()
    for command in COMMANDS:
        part = script.split(f"                {command.name})\n")[1].split(";;")[0]
        assert all(f"{name}" in part for name in options(command))


NOTHING = Command("", "", (), (), False)


@pytest.mark.parametrize(
    "option,spec",
    [
        (Option(("--json",), "as JSON", None, False), "'--json[as JSON]'"),
        (Option(("-h", "--help"), "it's", None, False),
         r"'(-h --help)-h[it'\''s]' '(-h --help)--help[it'\''s]'"),
        (Option(("--at",), "a [time]:", Value("TIME", Kind.OTHER), False),
         r"'--at=[a \[time\]\:]:TIME: '"),
        (Option(("--x",), "", Value("X", Kind.CHOICE, ("a", "b")), True), "'*--x=[]:X:(a b)'"),
        (Option(("-o",), "", Value("FILE", Kind.FILE), False), "'-o+[]:FILE:_files'"),
        (Option(("-m",), "", Value("MODULE", Kind.MODULE), False), "'(1)-m+[]:MODULE: '"),
    ],
)  # fmt: skip
def test_an_option_is_described_as_arguments_wants_it(option: Option, spec: str) -> None:
    """Without zsh: what the script consists of."""
    text = script(NOTHING, [Command("show", "", (option,), (), False)])
    assert f"                        {spec} \\\n" in text


def test_a_command_that_runs_a_program_leaves_its_arguments_alone() -> None:
    """Without zsh: what the script consists of."""
    record = Command("record", "a: b", (), (Value("program", Kind.PROGRAM),), True)
    text = script(NOTHING, [record])
    assert "_arguments -A '-*' \\\n" in text
    assert """'1:program:_files -g "*.py"' \\\n""" in text
    assert "'*:argument:_files' \\\n" in text
    assert "'record:a: b'" in text
