"""Commands of Python are changed so that their processes are recorded; others stay as they are."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path, PosixPath

import pytest

from wrongcall.recorder import child_command, settings
from wrongcall.recorder.settings import RecorderSettings

PYTHON = sys.executable
START = "/somewhere/start.py"


@pytest.fixture(autouse=True)
def prepared() -> Iterator[None]:
    own = RecorderSettings(3, "/root", ["pkg"], ["x*"], None, "/code", "/shared", 1)
    child_command.prepare(own, START, PYTHON)
    yield
    child_command.current.clear()


def changed(*words: object, path: str = PYTHON, search: str = "") -> list[object] | None:
    found = child_command.recorded([PYTHON, *words], [path], search, 5)
    return None if found is None else found[1]


@pytest.mark.parametrize(
    "words, flags, kind, rest",
    [
        (["a.py"], [], "script", ["a.py"]),
        (["a.py", "-c", "x"], [], "script", ["a.py", "-c", "x"]),
        (["-c", "code", "1"], [], "command", ["code", "1"]),
        (["-ccode", "1"], [], "command", ["code", "1"]),
        (["-m", "mod", "-x"], [], "module", ["mod", "-x"]),
        (["-mmod"], [], "module", ["mod"]),
        (["-u", "-B", "a.py"], ["-u", "-B"], "script", ["a.py"]),
        (["-uBc", "code"], ["-uB"], "command", ["code"]),
        (["-W", "error", "-X", "dev", "a.py"], ["-W", "error", "-X", "dev"], "script", ["a.py"]),
        (["-Werror", "-Xdev", "-m", "m"], ["-Werror", "-Xdev"], "module", ["m"]),
        (["-OO", "-I", "a.py"], ["-OO", "-I"], "script", ["a.py"]),
        (
            ["--check-hash-based-pycs", "never", "a.py"],
            ["--check-hash-based-pycs", "never"],
            "script",
            ["a.py"],
        ),
        ([b"-c", b"code"], [], "command", [b"code"]),
        ([PosixPath("a.py"), "1"], [], "script", [PosixPath("a.py"), "1"]),
    ],
)
def test_the_recorder_is_put_before_the_program(
    words: list[object], flags: list[object], kind: str, rest: list[object]
) -> None:
    found = changed(*words)
    assert found is not None
    at = len(flags) + 1
    assert (found[0], found[1:at], found[at], found[at + 2 :]) == (
        PYTHON,
        flags,
        START,
        [kind, *rest],
    )
    told = settings.read(str(found[at + 1]))
    assert (told.ring, told.root, told.include, told.exclude) == (None, "/root", ["pkg"], ["x*"])
    assert (told.folder, told.process) == ("/shared", 5)


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["-"],
        [""],
        ["-i", "a.py"],
        ["-x", "a.py"],
        ["-V"],
        ["--version"],
        ["-h"],
        ["-u"],
        ["-c"],
        ["-m"],
        ["-z", "a.py"],
        [START, "already"],
        ["-c", "from multiprocessing.resource_tracker import main;main(5)"],
        [3.5],
    ],
)
def test_what_cannot_be_recorded_stays(words: list[object]) -> None:
    assert changed(*words) is None


class Word(str):
    """Text that must not be asked for anything."""

    def __str__(self) -> str:
        raise AssertionError

    __repr__ = __fspath__ = encode = __str__  # type: ignore[assignment]


def test_methods_of_the_program_are_not_called() -> None:
    assert changed(Word("a.py")) is None
    found = changed("a.py", Word("x"))
    assert found is not None
    assert type(found[-1]) is Word


def test_another_executable_stays(tmp_path: Path) -> None:
    other = tmp_path / "python"
    other.write_text("not an interpreter")
    other.chmod(0o755)
    assert changed("a.py", path="/bin/sh") is None
    assert changed("a.py", path=str(other)) is None
    assert changed("a.py", path=str(tmp_path / "missing")) is None
    assert changed("a.py", path="python") is None


def test_a_link_to_the_interpreter_is_the_interpreter(tmp_path: Path) -> None:
    link = tmp_path / "python"
    link.symlink_to(os.path.realpath(PYTHON))
    assert changed("a.py", path=str(link)) is not None


def test_the_first_path_that_can_be_executed_counts(tmp_path: Path) -> None:
    paths = [str(tmp_path / "python"), str(tmp_path), PYTHON, "/bin/sh"]
    found = child_command.recorded(["python", "a.py"], paths, "", 5)
    assert found is not None
    assert found[0] == PYTHON
    assert child_command.recorded(["python", "a.py"], ["/bin/sh", PYTHON], "", 5) is None


def script(folder: Path, first: str) -> str:
    path = folder / "tool"
    path.write_text(f"{first}\nprint(1)\n")
    path.chmod(0o755)
    return str(path)


def test_a_script_that_names_the_interpreter(tmp_path: Path) -> None:
    path = script(tmp_path, f"#!{PYTHON} -u")
    found = child_command.recorded(["tool", "1"], [path], "", 5)
    assert found is not None
    assert (found[0], found[1][:3], found[1][4:]) == (
        PYTHON,
        [PYTHON, "-u", START],
        ["script", path, "1"],
    )


def test_a_script_that_has_its_interpreter_searched(tmp_path: Path) -> None:
    path = script(tmp_path, "#!/usr/bin/env python")
    (tmp_path / "python").symlink_to(PYTHON)
    found = child_command.recorded(["tool"], [path], f"/nowhere:{tmp_path}", 5)
    assert found is not None
    assert found[0] == str(tmp_path / "python")
    assert child_command.recorded(["tool"], [path], "/nowhere", 5) is None


@pytest.mark.parametrize("first", ["#!/bin/sh", "no line", "#!", "#!/usr/bin/env -S python"])
def test_other_scripts_stay(tmp_path: Path, first: str) -> None:
    assert child_command.recorded(["tool"], [script(tmp_path, first)], "/bin", 5) is None
