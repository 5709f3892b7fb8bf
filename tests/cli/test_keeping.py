"""No command removes a trace that it was not told to overwrite."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import wrongcall.recording
from tests.recorder.bothways import MODULE, SUMMARY, Outcome, environment, run, write_files
from wrongcall.trace.read.session_store import load_session, save_session

PROGRAM = "def f(x):\n    return x\nf(1)\n"
ANSWERS = [{"calls": [1, 1], "verdict": "right", "by": "user"}]
ASSUMED = [{"calls": [1, 1], "verdict": "wrong", "by": "the debugger was started"}]


def command(folder: Path, *args: str) -> Outcome:
    return run([*MODULE, *args], folder)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A program with a trace that has answers."""
    write_files(tmp_path, {"prog.py": PROGRAM})
    command(tmp_path, "record", "prog.py")
    save_session(tmp_path / "prog.wrongcall", "session", {}, ANSWERS)
    return tmp_path


def names(folder: Path) -> list[str]:
    return sorted(file.name for file in folder.glob("*.wrongcall*"))


def kept(folder: Path) -> bool:
    return load_session(folder / "prog.wrongcall", "session").entries == tuple(ANSWERS)


@pytest.mark.parametrize("name", ["run", "record"])
def test_a_trace_given_as_the_program_is_refused(folder: Path, name: str) -> None:
    done = command(folder, name, "prog.wrongcall")
    assert (done.status, done.stdout) == (2, "")
    assert done.stderr == (
        f"wrongcall: prog.wrongcall is a trace, not a program to {name}; "
        "try: wrongcall debug prog.wrongcall\n"
    )
    assert kept(folder)


CANNOT_START = {
    "missing": ["nowhere.py"],
    "a folder without a main module": ["prog"],
    "a missing module": ["-m", "nowhere"],
    "a syntax error": ["bad/prog.py"],
    "an archive without a main module": ["zip/prog.zip"],
}


@pytest.mark.parametrize("name", ["run", "record"])
@pytest.mark.parametrize("why", CANNOT_START)
def test_a_program_that_cannot_start_leaves_the_trace_untouched(
    folder: Path, why: str, name: str
) -> None:
    write_files(folder, {"prog/__init__.py": "", "bad/prog.py": "def f(:\n", "zip/x": ""})
    empty = b"PK\x03\x04" + bytes(26) + b"PK\x05\x06" + bytes(18)
    (folder / "zip" / "prog.zip").write_bytes(empty)
    before = (folder / "prog.wrongcall").read_bytes()
    done = command(folder, name, "-o", "prog.wrongcall", *CANNOT_START[why])
    assert done.status != 0
    assert done.stderr
    assert names(folder) == ["prog.wrongcall"]
    assert (folder / "prog.wrongcall").read_bytes() == before


def test_answers_are_kept_when_the_program_is_recorded_again(folder: Path) -> None:
    done = command(folder, "record", "prog.py")
    told, _, summary = done.stderr.partition("\n")
    assert told == ("wrongcall: kept the earlier trace as prog.1.wrongcall (--force overwrites it)")
    assert SUMMARY.fullmatch(summary)
    assert names(folder) == ["prog.1.wrongcall", "prog.wrongcall"]
    assert load_session(folder / "prog.1.wrongcall", "session").entries == tuple(ANSWERS)


def test_force_overwrites_answers(folder: Path) -> None:
    done = command(folder, "record", "--force", "prog.py")
    assert SUMMARY.fullmatch(done.stderr)
    assert names(folder) == ["prog.wrongcall"]


def test_a_trace_without_answers_is_replaced_by_the_next_run(tmp_path: Path) -> None:
    write_files(tmp_path, {"prog.py": PROGRAM})
    for _ in range(2):
        done = command(tmp_path, "record", "prog.py")
        assert SUMMARY.fullmatch(done.stderr)
        save_session(tmp_path / "prog.wrongcall", "session", {}, ASSUMED)
    assert names(tmp_path) == ["prog.wrongcall"]


def test_run_keeps_earlier_answers(tmp_path: Path) -> None:
    write_files(tmp_path, {"prog.py": PROGRAM})
    for answers in ("q\n", "y\n", "q\n"):
        done = subprocess.run(
            [sys.executable, *MODULE, "run", "prog.py"], cwd=tmp_path, env=environment(),
            input=answers, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert "Traceback" not in done.stderr
    assert names(tmp_path) == ["prog.1.wrongcall", "prog.wrongcall"]
    assert "kept the earlier trace as prog.1.wrongcall" in done.stderr


def test_the_trace_of_another_program_is_kept_unless_it_was_named(tmp_path: Path) -> None:
    write_files(tmp_path, {"a/prog.py": PROGRAM, "b/prog.py": PROGRAM})
    command(tmp_path, "record", "a/prog.py")
    done = command(tmp_path, "record", "b/prog.py")
    assert "kept the earlier trace as prog.1.wrongcall" in done.stderr
    assert names(tmp_path) == ["prog.1.wrongcall", "prog.wrongcall"]
    command(tmp_path, "record", "-o", "prog.wrongcall", "a/prog.py")
    assert names(tmp_path) == ["prog.1.wrongcall", "prog.wrongcall"]


def test_a_second_recording_to_the_same_file_is_refused(tmp_path: Path) -> None:
    program = (
        "import sys\ndef f(x):\n    return x\nf(1)\nprint('ready', flush=True)\ninput()\nf(2)\n"
    )
    write_files(tmp_path, {"prog.py": program, "other.py": PROGRAM})
    first = subprocess.Popen(
        [sys.executable, *MODULE, "record", "prog.py"], cwd=tmp_path, env=environment(),
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert first.stdout is not None
    assert first.stdout.readline() == "ready\n"
    for options in ([], ["--force"]):
        for name in ("run", "record"):
            done = command(tmp_path, name, *options, "-o", "prog.wrongcall", "other.py")
            assert (done.status, done.stdout) == (3, "")
            assert done.stderr.startswith("wrongcall: prog.wrongcall: another program is being")
            assert done.stderr.count("\n") == 1
    out, err = first.communicate("go on\n", timeout=60)
    assert (out, first.returncode) == ("", 0)
    assert SUMMARY.fullmatch(err)
    with wrongcall.recording.open(tmp_path / "prog.wrongcall") as recording:
        assert recording.ended == "exit"
        assert recording.calls.count == 3
    assert names(tmp_path) == ["prog.wrongcall"]
