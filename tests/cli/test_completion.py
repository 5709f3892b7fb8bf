"""``wrongcall completion``: the scripts, in the shells they are for."""

from __future__ import annotations

import os
import pty
import select
import shlex
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from wrongcall.cli import main
from wrongcall.cli.commands import Command, Kind, described
from wrongcall.cli.completion import EPILOG, SHELLS

pytestmark = pytest.mark.once

PATIENCE = 60
LINE, COMMANDS = described(main._parser())
NAMES = [command.name for command in COMMANDS]


def needs(shell: str) -> pytest.MarkDecorator:
    """Skip a test where the shell is not installed: nothing else can read its scripts."""
    return pytest.mark.skipif(shutil.which(shell) is None, reason=f"{shell} is not installed")


def options(command: Command) -> set[str]:
    return {name for option in command.options for name in option.names}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the scripts, and files to be completed in a folder of its own."""
    tmp_path = tmp_path_factory.mktemp("completion")
    for shell in SHELLS:
        command = [sys.executable, "-m", "wrongcall", "completion", shell]
        text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        (tmp_path / f"script.{shell}").write_text(text)
    there = tmp_path / "there"
    there.mkdir()
    for name in ("run.wrongcall", "run two.wrongcall", "prog.py", "notes.txt"):
        (there / name).touch()
    (there / "sub").mkdir()
    return tmp_path


# -- the description -------------------------------------------------------------------------------


def test_the_description_has_every_command_and_option() -> None:
    assert {"record", "info", "tree", "show", "events", "history", "origin", "completion"} <= {
        *NAMES
    }
    assert options(LINE) == {"-h", "--help", "--version"}
    record = next(command for command in COMMANDS if command.name == "record")
    assert {"-o", "--output", "--include", "-m"} < options(record)
    assert record.runs_program
    assert [argument.kind for argument in record.arguments] == [Kind.PROGRAM]
    show = next(command for command in COMMANDS if command.name == "show")
    assert not show.runs_program
    assert [argument.kind for argument in show.arguments] == [Kind.TRACE, Kind.OTHER]
    assert all(command.help for command in COMMANDS)


def test_the_help_tells_how_to_use_it() -> None:
    assert all(f"wrongcall completion {shell}" in EPILOG for shell in SHELLS)


def test_an_unknown_shell_is_refused() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "wrongcall", "completion", "tcsh"], capture_output=True, text=True
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("wrongcall: argument SHELL: invalid choice: 'tcsh'")


# -- bash ------------------------------------------------------------------------------------------


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


@needs("bash")
def test_bash_completes_commands_and_options(folder: Path) -> None:
    assert in_bash(folder, "") == NAMES
    assert in_bash(folder, "rec") == ["record"]
    assert set(in_bash(folder, "-")) == options(LINE)
    for command in COMMANDS:
        assert set(in_bash(folder, command.name, "-")) == options(command)


FILES = {
    "traces": ["sub", "run two.wrongcall", "run.wrongcall"],
    "programs": ["sub", "prog.py"],
    "all": ["sub", "notes.txt", "prog.py", "run two.wrongcall", "run.wrongcall"],
    "nothing": [],
    "shells": ["bash", "zsh", "fish"],
}


@needs("bash")
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


@needs("bash")
def test_bash_completes_the_beginning_of_a_file(folder: Path) -> None:
    assert in_bash(folder, "info", "run t") == ["run two.wrongcall"]
    assert in_bash(folder, "record", "prog.py", "n") == ["notes.txt"]
    assert in_bash(folder, "record", "prog.py", "--") == []


# -- fish ------------------------------------------------------------------------------------------


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


# -- with real keys --------------------------------------------------------------------------------

BASH = ["bash", "--norc", "--noprofile", "-i"]
ZSH = ["zsh", "-f", "-i"]


def typed(command: list[str], folder: Path, setup: str, keys: str, expected: str) -> None:
    """Start a shell on a terminal, type keys, and wait until it shows something."""
    env = {**os.environ, "TERM": "dumb", "PS1": "ready> ", "HOME": str(folder)}
    pid, terminal = pty.fork()
    if pid == 0:  # pragma: no cover - another process
        os.chdir(folder / "there")
        os.execvpe(command[0], command, env)
    try:
        os.write(terminal, f"{setup}; echo set'up'\n".encode())
        seen = _until(terminal, "setup\r")
        os.write(terminal, keys.encode())
        seen += _until(terminal, expected)
        assert expected in seen
    finally:
        os.kill(pid, signal.SIGKILL)
        os.close(terminal)
        os.waitpid(pid, 0)


def _until(terminal: int, expected: str) -> str:
    """Read until a text was shown, or for as long as anybody would wait."""
    seen = ""
    end = time.monotonic() + PATIENCE
    while expected not in seen:
        ready, _, _ = select.select([terminal], [], [], max(0.0, end - time.monotonic()))
        if not ready:
            raise AssertionError(f"{expected!r} was not shown, but {seen!r}")
        seen += os.read(terminal, 4096).decode(errors="replace").replace("\a", "")
    return seen


@needs("bash")
def test_bash_with_real_keys(folder: Path) -> None:
    setup = f"source {folder / 'script.bash'}"
    typed(BASH, folder, setup, "wrongcall sh\tru\t", "wrongcall show run")
    typed(BASH, folder, setup, "wrongcall record --output=no\t", "--output=notes.txt ")


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
def test_zsh_with_real_keys(folder: Path, keys: str, shown: str) -> None:
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
