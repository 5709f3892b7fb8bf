"""The command ``wrongcall learn``."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.ask.talking import told
from tests.cli.paper import Run

TESTS = """
from prog import half

def test_half():
    assert half(4) == 2
"""
PROGRAM = """
def half(n):
    return n // 2

def main():
    return half(4) + half(5)

if __name__ == "__main__":
    main()
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "prog.py").write_text(PROGRAM)
    (tmp_path / "test_prog.py").write_text(TESTS)
    (tmp_path / "pyproject.toml").write_text("")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("WRONGCALL_ORACLES", "tests")
    return tmp_path


def test_what_tests_confirm_is_asked_last(project: Path, run: Run) -> None:
    assert told("record", "prog.py").status == 0
    status, out, _ = run("learn", "--pytest=-q -p no:asyncio")
    assert (status, out.splitlines()[-1]) == (
        0,
        "1 test passed; 1 call learned; equal calls are likely right",
    )
    text = told(
        "debug", "prog.wrongcall", "--no-balance", "--call", "main", lines=["y", "q"]
    ).stdout
    first, second = text.split("Question ")[1:]
    assert "half(n=5)" in first
    assert "tests: likely right: test_half, which passed, made an equal call" in second
    assert "half(n=4)" in second


def test_traces_are_learned_from(project: Path, run: Run) -> None:
    done = told("record", "-o", "t.wrongcall", "-m", "pytest", "-q", "-p", "no:asyncio")
    assert done.status == 0
    assert "1 test passed; 1 call learned" in run("learn", "t.wrongcall")[1]
    assert "1 test passed; 0 calls learned" in run("learn", "t.wrongcall")[1]
    assert "1 test passed; 1 call learned" in run("learn", "--forget", "t.wrongcall")[1]


def test_bad_input_is_named(project: Path, run: Run) -> None:
    assert run("learn", "--project", "/nowhere/at/all")[0] == 2
    status, _, err = run("learn", "missing.wrongcall")
    assert (status, "missing.wrongcall" in err) == (3, True)
