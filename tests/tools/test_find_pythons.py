"""Which interpreters are found, and which of them are taken."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import find_pythons
import pytest
from find_pythons import Interpreter, choose, find, probe

FACTS = {
    "path": "/somewhere/python",
    "implementation": "cpython",
    "version": [3, 12, 4, "final", 0],
    "free_threaded": False,
    "has_venv": True,
    "has_headers": True,
    "compiler": "gcc",
}


def executable(folder: Path, name: str, body: str) -> Path:
    path = folder / name
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(0o755)
    return path


def answering(folder: Path, **changes: Any) -> Path:
    """An executable that answers any question with these facts."""
    return executable(folder, "python3", f"echo '{json.dumps({**FACTS, **changes})}'")


def test_the_running_interpreter_qualifies() -> None:
    found = probe(Path(sys.executable))

    assert found is not None
    assert found.version == sys.version_info[:3]
    # The installation, not the virtual environment that the tests run in.
    assert Path(found.path).is_relative_to(Path(sys.base_prefix).resolve())


def test_an_interpreter_is_what_it_says_it_is(tmp_path: Path) -> None:
    found = probe(answering(tmp_path))

    assert found == Interpreter("/somewhere/python", (3, 12, 4), compiler="gcc")


@pytest.mark.parametrize(
    "changes",
    [
        {"version": [3, 10, 13, "final", 0]},
        {"implementation": "pypy"},
        {"free_threaded": True},
    ],
    ids=["too old", "not CPython", "free-threaded"],
)
def test_others_do_not_qualify(tmp_path: Path, changes: dict[str, Any]) -> None:
    assert probe(answering(tmp_path, **changes)) is None


@pytest.mark.parametrize("body", ["exit 127", "echo hello", "kill $$"])
def test_a_shim_without_interpreter_is_passed_over(tmp_path: Path, body: str) -> None:
    assert probe(executable(tmp_path, "python3.12", body)) is None


def test_a_missing_file_is_passed_over(tmp_path: Path) -> None:
    assert probe(tmp_path / "python3") is None


def test_the_newest_patch_of_each_minor_version_is_taken() -> None:
    old, new = Interpreter("old", (3, 12, 1)), Interpreter("new", (3, 12, 10))

    assert choose([old, new]) == choose([new, old]) == [new]


def test_an_installation_that_can_build_is_preferred() -> None:
    bare = Interpreter("bare", (3, 11, 9), has_headers=False)
    complete = Interpreter("complete", (3, 11, 2))

    assert choose([bare, complete]) == [complete]


def test_the_version_found_first_is_the_main_one() -> None:
    found = [Interpreter("", (3, minor, 0)) for minor in (12, 14, 11, 13)]

    assert [chosen.minor for chosen in choose(found)] == [(3, 12), (3, 11), (3, 13), (3, 14)]


def test_nothing_found_is_no_error() -> None:
    assert choose([]) == []


def test_path_pyenv_and_what_was_provided_are_searched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    on_path, pyenv = tmp_path / "bin", tmp_path / "pyenv" / "versions" / "3.13.0" / "bin"
    provided = tmp_path / "provided"
    for folder in (on_path, pyenv, provided):
        folder.mkdir(parents=True)
    answering(on_path)
    executable(on_path, "python3.13", "exit 127")
    answering(pyenv, path="/pyenv/python", version=[3, 13, 0, "final", 0]).rename(pyenv / "python")
    newest = answering(provided, path="/provided/python", version=[3, 15, 0, "final", 0])
    newest.rename(provided / "python3.15")
    executable(provided, "python3.15-config", "exit 1")
    monkeypatch.setenv("PATH", str(on_path))
    monkeypatch.setenv("PYENV_ROOT", str(tmp_path / "pyenv"))
    monkeypatch.setattr(find_pythons, "PROVIDED", provided)

    paths = [found.path for found in find()]
    assert paths == ["/somewhere/python", "/pyenv/python", "/provided/python"]
    monkeypatch.setattr(find_pythons, "PROVIDED", tmp_path / "missing")
    assert [found.path for found in find()] == paths[:2]
