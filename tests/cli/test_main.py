"""The command line itself: what is said about bad input, and that nothing runs."""

from __future__ import annotations

import importlib.util
import platform
import sys
import sysconfig
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from wrongcall import __version__
from wrongcall.cli.main import main

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: Any) -> Run:
    """Run a command in an empty folder: exit status, standard output, standard error."""
    monkeypatch.chdir(tmp_path)

    def run(*args: str) -> tuple[int, str, str]:
        try:
            status = main(list(args))
        except SystemExit as end:
            status = int(end.code or 0)
        return (status, *capfd.readouterr())

    return run


MISTAKES = {
    "no program": (["record"], 2, "no program given; try: wrongcall record prog.py"),
    "only options": (["record", "-o", "x.wrongcall"], 2, "no program given"),
    "no such file": (["record", "missing.py"], 2, "no such file: missing.py"),
    "no such file, after --": (["record", "--", "missing.py"], 2, "no such file: missing.py"),
    "a folder that is no program": (["record", "folder"], 2, "directory without a __main__.py"),
    "no module": (["record", "-m"], 2, "-m needs a module name"),
    "an option without its value": (["record", "-o"], 2, "-o/--output"),
    "an unknown option": (["record", "--colour", "prog.py"], 2, "--colour"),
    "an unknown command": (["repeat"], 2, "repeat"),
    "output in a folder that is not there": (
        ["record", "-o", "no/where/x.wrongcall", "prog.py"], 3, "there is no folder no/where",
    ),
    "output below a file": (["record", "-o", "prog.py/x", "prog.py"], 3, "prog.py"),
    "output where nothing can be written": (
        ["record", "-o", "/proc/x.wrongcall", "prog.py"], 3, "/proc/x.wrongcall",
    ),
    "output that is no trace": (["record", "-o", "text", "prog.py"], 3, "is not a trace"),
    "output that is a database": (["record", "-o", "db", "prog.py"], 3, "is not a trace"),
    "output that is the program": (
        ["record", "--force", "-o", "./prog.py", "prog.py"], 2, "would overwrite the program",
    ),
    "output that is a folder": (["record", "-o", "folder", "prog.py"], 3, "folder"),
    "output that is a folder, by force": (
        ["record", "--force", "-o", "folder", "prog.py"], 3, "folder",
    ),
    "output that is a device": (
        ["record", "--force", "-o", "/dev/null", "prog.py"], 3, "/dev/null",
    ),
}  # fmt: skip


@pytest.mark.parametrize("mistake", MISTAKES)
def test_each_mistake_gets_one_clear_line(run: Run, tmp_path: Path, mistake: str) -> None:
    args, status, text = MISTAKES[mistake]
    (tmp_path / "prog.py").write_text("open('ran', 'w')")
    (tmp_path / "text").write_text("mine")
    (tmp_path / "db").write_bytes(b"SQLite format 3\0" + bytes(84))
    (tmp_path / "folder").mkdir()
    before = sorted(tmp_path.iterdir())
    seen, stdout, stderr = run(*args)
    assert (seen, stdout) == (status, "")
    assert stderr.startswith("wrongcall: ")
    assert text in stderr
    assert stderr.count("\n") == 1
    assert sorted(tmp_path.iterdir()) == before, "something was made or removed"
    assert (tmp_path / "text").read_text() == "mine"


def test_help_and_version_are_printed(run: Run) -> None:
    status, stdout, _ = run("--version")
    assert (status, stdout) == (0, f"wrongcall {__version__}\n")
    for args in (["--help"], ["record", "--help"]):
        status, stdout, stderr = run(*args)
        assert (status, stderr) == (0, "")
        assert stdout.startswith("usage: wrongcall")
    for option in ("--output", "--include", "--exclude", "--force"):
        assert option in stdout


def test_no_command_shows_the_help(run: Run) -> None:
    status, stdout, _ = run()
    assert status == 2
    assert "record" in stdout


INTERPRETERS: dict[str, tuple[object, str, object]] = {
    "PyPy": (platform, "python_implementation", lambda: "PyPy"),
    "too old": (sys, "version_info", (3, 10, 4, "final", 0)),
    "free-threaded": (sysconfig, "get_config_var", lambda name: 1),
    "not built": (importlib.util, "find_spec", lambda name: None),
}


@pytest.mark.parametrize("interpreter", INTERPRETERS)
def test_interpreter_that_is_not_supported_is_refused(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, interpreter: str
) -> None:
    (tmp_path / "prog.py").write_text("open('ran', 'w')")
    owner, name, value = INTERPRETERS[interpreter]
    with monkeypatch.context() as patched:
        patched.setattr(owner, name, value)
        status, stdout, stderr = run("record", "prog.py")
    assert (status, stdout) == (4, "")
    assert stderr.startswith("wrongcall: ")
    assert interpreter in stderr
    assert stderr.count("\n") == 1
    assert [p.name for p in tmp_path.iterdir()] == ["prog.py"]
