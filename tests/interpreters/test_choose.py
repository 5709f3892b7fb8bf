"""The program's interpreter is the one that people expect, and they are told if it is not there."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from tests.interpreters.fakes import answering, script
from wrongcall.errors import UsageError
from wrongcall.interpreters.choose import Choice, choose


def environment(folder: Path) -> Path:
    """Make a folder that looks like a virtual environment; its interpreter is never run here."""
    folder.mkdir(parents=True)
    (folder / "pyvenv.cfg").write_text("home = /usr/bin\n")
    script(folder / "bin" / "python", "exit 1")
    return folder


def python_in(folder: Path) -> str:
    return str(folder / "bin" / "python")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "project").mkdir()
    return tmp_path / "project"


def message(*args: object, **named: object) -> str:
    with pytest.raises(UsageError) as raised:
        choose(*args, **named)  # type: ignore[arg-type]
    return str(raised.value)


# -- the order ---------------------------------------------------------------------------------------


def test_the_nearest_choice_wins(tmp_path: Path, project: Path) -> None:
    names = ("given", "set", "active", "conda")
    given, setting, active, conda = (environment(tmp_path / name) for name in names)
    dotted, plain = environment(project / ".venv"), environment(project / "venv")
    environ = {"VIRTUAL_ENV": str(active), "CONDA_PREFIX": str(conda)}
    expected = [
        Choice(python_in(given), "given with --python"),
        Choice(python_in(setting), "set in pyproject.toml"),
        Choice(python_in(active), "the active virtual environment"),
        Choice(python_in(conda), "the active conda environment"),
        Choice(python_in(dotted), ".venv in the project root"),
        Choice(python_in(plain), "venv in the project root"),
        Choice(sys.executable, "wrongcall's own"),
    ]
    found = [choose(str(given), str(setting), project, environ)]
    found.append(choose(None, str(setting), project, environ))
    for variable in ("VIRTUAL_ENV", "CONDA_PREFIX"):
        found.append(choose(None, None, project, environ))
        del environ[variable]
    for folder in (dotted, plain):
        found.append(choose(None, None, project, environ))
        folder.rename(folder.with_name(f"former {folder.name}"))
    found.append(choose(None, None, project, environ))
    assert found == expected
    assert [choice.is_own for choice in found] == [False] * 6 + [True]


@pytest.mark.parametrize("variable", ["VIRTUAL_ENV", "CONDA_PREFIX"])
def test_in_its_own_environment_wrongcall_uses_its_own_interpreter(
    project: Path, variable: str
) -> None:
    environment(project / ".venv")
    choice = choose(None, None, project, {variable: f"{sys.prefix}/"})
    assert (choice.path, choice.is_own) == (sys.executable, True)


def test_another_environment_of_the_same_interpreter_is_not_wrongcalls_own(
    tmp_path: Path, project: Path
) -> None:
    other = tmp_path / "other" / "bin"
    other.mkdir(parents=True)
    (other / "python").symlink_to(os.path.realpath(sys.executable))
    assert not choose(str(other.parent), None, project, {}).is_own
    assert choose(sys.executable, None, project, {}).is_own
    assert choose(sys.prefix, None, project, {}).is_own


def test_an_empty_variable_is_as_good_as_none(project: Path) -> None:
    assert choose(None, None, project, {"VIRTUAL_ENV": ""}).path == sys.executable


@pytest.mark.parametrize("name", [".venv", "venv"])
def test_a_folder_that_is_no_environment_is_not_taken_for_one(project: Path, name: str) -> None:
    script(project / name / "bin" / "python", "exit 1")
    assert choose(None, None, project, {}).why == "wrongcall's own"


# -- names -------------------------------------------------------------------------------------------


def test_relative_paths_begin_where_they_were_written(
    tmp_path: Path, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here, there = environment(tmp_path / "env"), environment(project / "env")
    monkeypatch.chdir(tmp_path)
    assert choose("env", None, project, {}).path == python_in(here)
    assert choose("env/bin/python", None, project, {}).path == python_in(here)
    assert choose(None, "env", project, {}).path == python_in(there)
    assert choose(None, "./env/bin/python", project, {}).path == python_in(there)


def test_home_is_understood(tmp_path: Path, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = environment(tmp_path / "env")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert choose("~/env", None, project, {}).path == python_in(folder)


def test_a_command_is_looked_up(
    tmp_path: Path, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = script(tmp_path / "bin" / "python-of-ours", "exit 1")
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    assert choose("python-of-ours", None, project, {}).path == path
    expected = "--python: other is neither a file, a folder, a version nor a command on PATH"
    assert message("other", None, project, {}) == expected


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Interpreters in all the places that are searched, by name of the place."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv(
        "PATH", f"{tmp_path}/shims{os.pathsep}{tmp_path}/bin{os.pathsep}{os.environ['PATH']}"
    )
    monkeypatch.setenv("PYENV_ROOT", str(tmp_path / "pyenv"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    script(tmp_path / "shims" / "python3.98", "echo not active >&2; exit 127")
    answering(tmp_path / "bin" / "python3.98", version=[3, 98, 1])
    answering(tmp_path / "pyenv" / "versions" / "3.98.2" / "bin" / "python", version=[3, 98, 2])
    answering(
        tmp_path / "data" / "uv" / "python" / "cpython-3.99.3-linux" / "bin" / "python",
        version=[3, 99, 3],
    )
    return tmp_path  # fmt: skip


@pytest.mark.parametrize(
    "version, path",
    [
        ("3.98", "bin/python3.98"),
        ("3.98.1", "bin/python3.98"),
        ("3.98.2", "pyenv/versions/3.98.2/bin/python"),
        ("3.99", "data/uv/python/cpython-3.99.3-linux/bin/python"),
    ],
)
def test_a_version_is_searched(installed: Path, project: Path, version: str, path: str) -> None:
    assert choose(version, None, project, {}).path == str(installed / path)


@pytest.mark.parametrize("version", ["3.97", "3.98.3", "99"])
def test_a_version_that_is_not_there_is_said(installed: Path, project: Path, version: str) -> None:
    expected = f"--python: no Python {version} found; give its path instead"
    assert message(version, None, project, {}) == expected


# -- what is not there -------------------------------------------------------------------------------


@pytest.mark.parametrize("variable", ["VIRTUAL_ENV", "CONDA_PREFIX"])
def test_an_active_environment_that_is_gone_is_said(project: Path, variable: str) -> None:
    environment(project / ".venv")
    assert message(None, None, project, {variable: "/no/where"}) == (
        f"{variable} is /no/where, which does not exist; unset {variable},"
        " or choose another interpreter with --python"
    )
    assert message(None, None, project, {variable: str(project)}) == (
        f"{variable} is {project}, which has no bin/python; unset {variable},"
        " or choose another interpreter with --python"
    )


def test_an_environment_whose_interpreter_was_removed_is_said(project: Path) -> None:
    python = Path(python_in(environment(project / ".venv")))
    python.unlink()
    python.symlink_to("/no/where/python3.9")
    assert message(None, None, project, {}) == (
        f".venv: the interpreter of {project}/.venv no longer exists ({python} points to /no/where/python3.9);"
        " recreate the environment, or choose another interpreter with --python"
    )


def test_a_path_that_leads_nowhere_is_said(tmp_path: Path, project: Path) -> None:
    assert message("/no/python", None, project, {}) == "--python: no such interpreter: /no/python"
    link = tmp_path / "python"
    link.symlink_to("/no/where")
    expected = f"--python: no such interpreter: {link} points to /no/where"
    assert message(str(link), None, project, {}) == expected
    assert message(None, "./python", project, {}) == (
        "python in pyproject.toml: no such interpreter: ./python"
    )


def test_a_file_that_is_not_executable_is_said(tmp_path: Path, project: Path) -> None:
    path = tmp_path / "notes.txt"
    path.touch()
    assert message(str(path), None, project, {}) == f"--python: {path} is not an executable file"


def test_a_folder_without_interpreter_is_said(project: Path) -> None:
    assert message(str(project), None, project, {}) == (
        f"--python is {project}, which has no bin/python; choose another interpreter with --python"
    )


def test_an_empty_name_is_said(project: Path) -> None:
    assert message("", None, project, {}) == "--python is empty; expected a path or a version"
