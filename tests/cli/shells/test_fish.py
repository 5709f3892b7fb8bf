"""The script for fish, in fish."""

from __future__ import annotations

import os
import shlex
import subprocess
from pathlib import Path

import pytest

from tests.cli.shells.shell import COMMANDS, LINE, NAMES, needs, options
from wrongcall.cli.commands import Command, Kind, Option, Value
from wrongcall.cli.shells.fish import script

pytestmark = pytest.mark.once


def in_fish(folder: Path, line: str) -> list[str]:
    """Return what fish offers at the end of a line."""
    program = f"source {folder / 'script.fish'}; complete -C {shlex.quote('wrongcall ' + line)}"
    env = {**os.environ, "HOME": str(folder), "XDG_CONFIG_HOME": str(folder / "config")}
    done = subprocess.run(
        ["fish", "--no-config", "-c", program],
        capture_output=True,
        text=True,
        cwd=folder / "there",
        env=env,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return [row.split("\t")[0] for row in done.stdout.splitlines()]


@needs("fish")
def test_fish_completes_commands_and_options(folder: Path) -> None:
    assert sorted(in_fish(folder, "")) == sorted(NAMES)
    assert in_fish(folder, "rec") == ["record"]
    for command in [LINE, *COMMANDS]:
        assert set(in_fish(folder, f"{command.name} -".lstrip())) >= {
            name for name in options(command) if not name.startswith("--")
        }
        assert set(in_fish(folder, f"{command.name} --".lstrip())) >= {
            name for name in options(command) if name.startswith("--")
        }


@needs("fish")
@pytest.mark.parametrize(
    "line, offered, other",
    [
        ("show ", {"run.wrongcall"}, {"show", "-h"}),
        ("show --depth 2 ", {"run.wrongcall"}, {"show"}),
        ("show run.wrongcall ", set(), {"run.wrongcall", "prog.py"}),
        ("record ", {"prog.py"}, {"show"}),
        ("record -o ", {"notes.txt", "sub/"}, {"--force"}),
        ("record prog.py -", set(), {"-o", "--output"}),
        ("record prog.py n", {"notes.txt"}, set()),
        ("completion ", {"bash", "zsh", "fish"}, {"run.wrongcall"}),
    ],
)
def test_fish_completes_values(folder: Path, line: str, offered: set[str], other: set[str]) -> None:
    found = set(in_fish(folder, line))
    assert offered <= found
    assert not other & found


def test_every_option_and_value_has_its_line() -> None:
    """Without fish: what the script consists of."""
    options = (
        Option(("-o", "--output"), "where", Value("FILE", Kind.FILE), False),
        Option(("--json",), "it's \\ JSON", None, False),
    )
    show = Command("show", "show a call", options, (Value("TRACE", Kind.TRACE),), False)
    lines = script(Command("", "", (), (), False), [show]).splitlines()
    at = "complete -c wrongcall -n '__wrongcall_at \\'{}\\''"
    assert f"{at.format('show .*')} -s o -l output -r -F -d 'where'" in lines
    assert f"{at.format('show .*')} -l json -d 'it\\'s \\\\ JSON'" in lines
    assert f"{at.format('show 0')} -a '(__fish_complete_suffix .wrongcall)'" in lines
    assert f"{at.format(' 0')} -a 'show' -d 'show a call'" in lines
    assert any("contains -- $word --output -o" in line for line in lines)


def test_after_a_program_only_files_are_offered() -> None:
    """Without fish: what the script consists of."""
    module = Option(("-m",), "a module", Value("MODULE", Kind.MODULE), False)
    record = Command("record", "", (module,), (Value("program", Kind.PROGRAM),), True)
    lines = script(Command("", "", (), (), False), [record]).splitlines()
    at = "complete -c wrongcall -n '__wrongcall_at \\'{}\\''"
    assert f"{at.format('record 0')} -s m -r -d 'a module'" in lines
    assert f"{at.format('record [1-9].*')} -F" in lines
