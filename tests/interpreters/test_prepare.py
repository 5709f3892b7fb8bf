"""Interpreters that can't run a program under the recorder: one line each, and nothing is run."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest

from tests.interpreters.fakes import answering, script
from wrongcall.errors import RecorderError
from wrongcall.interpreters import prepare as prepare_module
from wrongcall.interpreters import supported
from wrongcall.interpreters.prepare import prepare
from wrongcall.interpreters.probe import LIMIT_S, facts_of


def record(folder: Path, *options: str, **environ: str) -> subprocess.CompletedProcess[str]:
    """Record a program that leaves a file behind."""
    (folder / "prog.py").write_text("open('it-ran', 'w').close()\n")
    kept = {k: v for k, v in os.environ.items() if k not in ("VIRTUAL_ENV", "CONDA_PREFIX", "CC")}
    return subprocess.run(
        [sys.executable, "-m", "wrongcall", "record", *options, "prog.py"],
        cwd=folder, env={**kept, "XDG_CACHE_HOME": str(folder / "cache"), **environ},
        capture_output=True, text=True, check=False,
    )  # fmt: skip


def complaint(folder: Path, *options: str, status: int = 4, **environ: str) -> str:
    """Return the one line that is said instead of recording."""
    done = record(folder, *options, **environ)
    assert (done.returncode, done.stdout) == (status, "")
    (line,) = done.stderr.splitlines()
    assert not (folder / "it-ran").exists()
    assert not list(folder.glob("*.wrongcall"))
    return line.removeprefix("wrongcall: ")


def test_its_own_interpreter_is_not_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ("VIRTUAL_ENV", "CONDA_PREFIX"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setattr(prepare_module, "facts_of", None)
    found = prepare(None, None, tmp_path, nullcontext, untested=False)  # type: ignore[arg-type]
    assert (found.path, found.version, found.native) == (sys.executable, sys.version, None)
    assert (found.why, found.is_own) == ("wrongcall's own", True)


def test_its_own_interpreter_may_be_too_new(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for variable in ("VIRTUAL_ENV", "CONDA_PREFIX"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setattr(supported, "NEWEST", (3, 10))
    with pytest.raises(RecorderError, match=r"wrongcall's own\) is newer than .*--untested-python"):
        prepare(None, None, tmp_path, nullcontext, untested=False)  # type: ignore[arg-type]
    assert prepare(None, None, tmp_path, nullcontext, untested=True).is_own  # type: ignore[arg-type]


def test_a_missing_one(tmp_path: Path) -> None:
    assert complaint(tmp_path, "--python", "/no/python", status=2) == (
        "--python: no such interpreter: /no/python"
    )


def test_one_that_is_too_old(tmp_path: Path) -> None:
    fake = answering(tmp_path / "old", version=[3, 10, 13])
    assert complaint(tmp_path, "--python", fake) == (
        f"CPython 3.10.13 ({fake}, given with --python) is too old; use CPython 3.11 or newer"
    )


def test_a_real_one_that_is_too_old(tmp_path: Path) -> None:
    found = sorted(Path("~/.pyenv/versions").expanduser().glob("3.[0-9].*/bin/python"))
    found += sorted(Path("~/.pyenv/versions").expanduser().glob("3.10.*/bin/python"))
    if not found:
        pytest.skip("no CPython older than 3.11 is installed here")
    line = complaint(tmp_path, "--python", str(found[0]))
    assert line.endswith("is too old; use CPython 3.11 or newer")


def test_pypy(tmp_path: Path) -> None:
    fake = answering(tmp_path / "pypy3", name="PyPy", version=[3, 11, 11])
    assert complaint(tmp_path, "--python", fake) == (
        f"PyPy 3.11.11 ({fake}, given with --python) is not supported; use CPython 3.11 or newer"
    )


@pytest.mark.parametrize(
    "text, reason",
    [
        ("kill -SEGV $$", "does not start: killed by SIGSEGV"),
        ("echo no encodings >&2; exit 1", "does not start: exit status 1: no encodings"),
        ("echo hello", "does not answer like a Python interpreter"),
    ],
    ids=["crash", "failure", "garbage"],
)
def test_a_broken_one(tmp_path: Path, text: str, reason: str) -> None:
    fake = script(tmp_path / "python", text)
    assert complaint(tmp_path, "--python", fake) == f"{fake} (given with --python) {reason}"


def test_one_that_hangs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not from outside: that would take as long as the limit is."""
    monkeypatch.setattr(prepare_module, "facts_of", lambda path: facts_of(path, limit=1))
    fake = script(tmp_path / "python", "sleep 600")
    with pytest.raises(RecorderError) as raised:
        prepare(fake, None, tmp_path, nullcontext, untested=False)  # type: ignore[arg-type]
    assert str(raised.value) == f"{fake} (given with --python) did not answer within 1 seconds"
    assert 1 < LIMIT_S < 60


def test_one_without_headers(tmp_path: Path) -> None:
    fake = answering(tmp_path / "python", compiler="cc")
    line = complaint(tmp_path, "--python", fake)
    assert line.startswith(f"recording with {fake} (CPython 3.13.1) needs its headers: ")
    assert "apt install python3.13-dev" in line


def test_one_without_a_compiler(tmp_path: Path) -> None:
    fake = answering(tmp_path / "python")
    line = complaint(tmp_path, "--python", fake, CC="no-such-compiler")
    assert line.startswith(f"recording with {fake} (CPython 3.13.1) needs a C compiler: ")


def test_a_free_threaded_one(tmp_path: Path) -> None:
    fake = answering(tmp_path / "python3.13t", free_threaded=True)
    assert complaint(tmp_path, "--python", fake) == (
        f"CPython 3.13.1 ({fake}, given with --python) is free-threaded, which is not supported;"
        " use the default build"
    )


def test_one_that_is_too_new(tmp_path: Path) -> None:
    fake = answering(tmp_path / "python", version=[3, 99, 0])
    line = complaint(tmp_path, "--python", fake)
    assert line.startswith(f"CPython 3.99.0 ({fake}, given with --python) is newer than ")
    assert line.endswith("; to try it anyway: --untested-python")
    insisted = complaint(tmp_path, "--python", fake, "--untested-python", CC="no-such-compiler")
    assert "needs a C compiler" in insisted


def test_an_environment_of_copies_whose_interpreter_was_removed(tmp_path: Path) -> None:
    fake = script(tmp_path / ".venv" / "bin" / "python", "echo No module named encodings; exit 1")
    (tmp_path / ".venv" / "pyvenv.cfg").write_text("home = /removed/bin\nversion = 3.13\n")
    (tmp_path / "pyproject.toml").touch()
    assert complaint(tmp_path) == (
        f"{fake} (.venv in the project root) needs the interpreter in /removed/bin, which no longer exists;"
        " recreate the environment, or choose another interpreter with --python"
    )


def test_an_environment_that_leads_nowhere(tmp_path: Path) -> None:
    (tmp_path / ".venv" / "bin").mkdir(parents=True)
    (tmp_path / ".venv" / "pyvenv.cfg").write_text("home = /removed/bin\n")
    (tmp_path / ".venv" / "bin" / "python").symlink_to("/removed/bin/python3")
    (tmp_path / "pyproject.toml").touch()
    line = complaint(tmp_path, status=2)
    assert line.startswith(f".venv: the interpreter of {tmp_path}/.venv no longer exists ")


def test_an_active_environment_that_is_gone(tmp_path: Path) -> None:
    line = complaint(tmp_path, status=2, VIRTUAL_ENV="/no/where")
    assert line.startswith("VIRTUAL_ENV is /no/where, which does not exist; unset VIRTUAL_ENV")


def test_a_setting_that_leads_nowhere(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text('[tool.wrongcall]\npython = "./no/env"\n')
    line = complaint(tmp_path, status=2)
    assert line == "python in pyproject.toml: no such interpreter: ./no/env"


@pytest.mark.parametrize("command", ["run", "record"])
def test_questions_and_recordings_refuse_alike(tmp_path: Path, command: str) -> None:
    (tmp_path / "prog.py").touch()
    done: Any = subprocess.run(
        [sys.executable, "-m", "wrongcall", command, "--python", "/no/python", "prog.py"],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.stderr == "wrongcall: --python: no such interpreter: /no/python\n"
