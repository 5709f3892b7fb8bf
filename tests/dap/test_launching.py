"""Recording the program that a client wants to debug."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from wrongcall.dap.arguments import Arguments
from wrongcall.dap.launching import Launch, Recorder, launch_of
from wrongcall.errors import UsageError


def launch(**fields: object) -> Launch:
    return launch_of(Arguments(fields, "launch"))


def test_programs_modules_and_tests_are_recorded(tmp_path: Path) -> None:
    folder = str(tmp_path)
    program = launch(program="a/prog.py", args=["-x", "1"], cwd=folder)
    assert program.words == ("-o", f"{folder}/prog.wrongcall", "--", "a/prog.py", "-x", "1")
    module = launch(module="pkg.mod", cwd=folder, include=["lib"], python="3.12", env={"A": "1"})
    assert module.words == (
        "-o", f"{folder}/mod.wrongcall", "--include", "lib", "--python", "3.12", "--", "-m", "pkg.mod",
    )  # fmt: skip
    assert module.variables == {"A": "1"}
    test = launch(test="tests/test_a.py::test_b[1/2]", cwd=folder)
    assert test.trace == tmp_path / "test_b_1_2_.wrongcall"
    assert test.words[-3:] == ("-m", "pytest", "tests/test_a.py::test_b[1/2]")
    assert (
        launch(program="p.py", trace="other.wrongcall", cwd=folder).trace.name == "other.wrongcall"
    )


def test_wrong_configurations_are_errors(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="one of program, module and test"):
        launch()
    with pytest.raises(UsageError, match="one of program, module and test"):
        launch(program="a", module="b")
    with pytest.raises(UsageError, match="there is no folder"):
        launch(program="a", cwd=str(tmp_path / "nowhere"))
    with pytest.raises(UsageError, match="env: 3 is not text"):
        launch(program="a", env={"A": 3})


def started(tmp_path: Path, code: str) -> Recorder:
    made = Launch(("-c", code), tmp_path / "x", tmp_path, {"HOME": None, "EXTRA": "1"})
    return Recorder(made, [sys.executable])


def test_what_goes_wrong_is_kept(tmp_path: Path) -> None:
    recorder = started(
        tmp_path, "import os, sys; sys.exit(os.environ['EXTRA'] + str('HOME' in os.environ))"
    )
    assert recorder.wait(30)
    assert (recorder.status, recorder.said()) == (1, "1False")
    recorder.close()


def test_a_program_that_ignores_signals_is_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("wrongcall.dap.launching.GRACE_S", 0.2)
    code = """if True:
        import signal, sys, time
        signal.signal(15, signal.SIG_IGN)
        print("on", flush=True, file=sys.stderr)
        time.sleep(60)
    """
    recorder = started(tmp_path, code)
    while not recorder.said():
        assert not recorder.wait(0.05)
    recorder.close()
    assert recorder.status == -9
