"""``wrongcall run`` and ``wrongcall debug`` as their users start them: by pipe and in a terminal."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import wrongcall.recording
from tests.cli.ask.conftest import Record
from tests.cli.ask.talking import EXAMPLES, PATIENCE, Terminal, piped
from tests.recorder.bothways import environment, write_files
from wrongcall.cli.run import HINT
from wrongcall.trace.read.session_store import load_session

MERGESORT = str(EXAMPLES / "mergesort.py")
ANSWERS = ["n", "y", "y", "n", "y"]
START = Callable[..., Terminal]
ASKED = "? for help"
ENDLESS = """
import itertools, sys, time

def double(n):
    return 2 * n if n % 4 else 2 * n + 1

for n in itertools.count(1):
    print("doubled", n, double(n))
    sys.stdout.flush()
    time.sleep(0.01)
"""


CRASH = """
def parse(text):
    return int(text)

def load(lines):
    return [parse(line) for line in lines]

def main():
    print("loading")
    print("loaded", load(["1", "x"]))

main()
"""


def test_run_by_pipe(tmp_path: Path) -> None:
    done = piped(tmp_path, "run", MERGESORT, lines=ANSWERS)
    assert done.status == 0
    assert done.stdout.startswith("[1, 2, 5]\nwrongcall asks about calls")
    assert "The bug is in merge  examples/mergesort.py:4" in done.stdout
    assert "\x1b" not in done.stdout + done.stderr
    assert done.stderr == "wrongcall: recorded in mergesort.wrongcall\n"


def test_run_a_module_with_arguments(tmp_path: Path) -> None:
    write_files(
        tmp_path, {"pkg/__init__.py": "", "pkg/__main__.py": "import sys\nprint(sys.argv[1:])\n"}
    )
    done = piped(tmp_path, "run", "--strategy", "top-down", "-m", "pkg", "--call", "x")
    assert done.stdout.startswith("['--call', 'x']\n")
    assert (tmp_path / "pkg.wrongcall").exists()


def test_odd_streams(tmp_path: Path, record: Record) -> None:
    trace = str(record("mergesort.py"))
    command = f"{sys.executable} -m wrongcall debug {trace}"
    how = {"shell": True, "env": environment(), "capture_output": True, "check": False}
    done = subprocess.run(f"{command} <&-", **how)  # type: ignore[call-overload]
    assert (done.returncode, done.stderr) == (1, b"")
    done = subprocess.run(f"printf '\\377\\nq\\n' | {command}", **how)  # type: ignore[call-overload]
    assert (done.returncode, done.stderr) == (1, b"")
    done = subprocess.run(f"yes v | {command} | head -1", **how)  # type: ignore[call-overload]
    assert done.stderr in (b"", b"yes: standard output: Broken pipe\n")


def test_a_program_that_cannot_start(tmp_path: Path) -> None:
    write_files(tmp_path, "def (:\n")
    done = piped(tmp_path, "run", "prog.py")
    assert done.status == 1
    assert "SyntaxError" in done.stderr


def test_the_program_does_not_read_the_answers(tmp_path: Path) -> None:
    write_files(
        tmp_path, {"prog.py": "import sys\nprint(repr(sys.stdin.read()))\n", "in.txt": "hello\n"}
    )
    done = piped(tmp_path, "run", "prog.py", lines=["y"])
    assert done.stdout.startswith("''\n")
    assert "The bug is in <module>" in done.stdout
    done = piped(tmp_path, "run", "--stdin", "in.txt", "prog.py", lines=["y"])
    assert done.stdout.startswith("'hello\\n'\n")


def test_the_settings_of_the_project_count(tmp_path: Path) -> None:
    shutil.copy(MERGESORT, tmp_path / "prog.py")
    settings = tmp_path / "pyproject.toml"
    settings.write_text('[tool.wrongcall]\ntrust = ["sort"]\nstrategy = "top-down"\n')
    done = piped(tmp_path, "run", "prog.py", lines=["n"] * 3)
    first, second = done.stdout.split("Question ")[1:3]
    assert "  main()\n" in first  # top down
    assert "  merge(" in second  # main calls sort, which is trusted, as are the calls of sort in it
    assert "  sort(" not in done.stdout
    settings.write_text("[tool.wrongcall]\ntrust = 1\n")
    for command in (["run", "prog.py"], ["debug", "prog.wrongcall"]):
        done = piped(tmp_path, *command)
        assert (done.status, done.stdout) == (2, "")
        assert "pyproject.toml: [tool.wrongcall] trust is 1; expected a list" in done.stderr


# -- in a terminal ---------------------------------------------------------------------------------


def test_run_in_a_terminal(tmp_path: Path, terminal: START) -> None:
    screen = terminal(tmp_path, "run", MERGESORT)
    first = screen.answer(ASKED, "n")
    assert first.startswith(f"{HINT}\n[1, 2, 5]\nwrongcall: recorded in mergesort.wrongcall\n")
    assert (
        "  sort(numbers=[5, 2, 8])\n  Return the numbers in ascending order.\n  returned  [2, 5]\n"
        in first
    )
    for key in "yyn":
        screen.answer(ASKED, key)
    assert "The bug is in merge  examples/mergesort.py:4" in screen.answer("Is that the bug?", "y")
    assert screen.end() == 0
    assert "\x1b[1m" in screen.raw
    assert screen.modes == screen.before


def test_keys_of_a_terminal(tmp_path: Path, record: Record, terminal: START) -> None:
    screen = terminal(tmp_path, "debug", str(record("mergesort.py")))
    screen.answer(ASKED, "b")
    assert "  > · #4 sort(numbers=[5, 2, 8])" in screen.answer(ASKED, "\x1b[B")
    assert "  > · #11 sort(numbers=[1, 9, 3])" in screen.answer(ASKED, "\x1b[C")
    assert "  > · #12 sort(numbers=[1])" in screen.answer(ASKED, "q")
    assert "\x1b[?1049h" in screen.raw
    assert "Question 1" in screen.answer(ASKED, "h")
    screen.expect("history of which place?")
    screen.send("numbrs\x7f\x7fers\r")
    assert "numbers  1 value" in screen.answer(ASKED, "p")
    screen.expect("number or path >")
    screen.send("result[1]\r")
    assert "  merge(left=[5], right=[2])" in screen.answer(ASKED, "\x03")
    assert "Saved." in screen.expect("mergesort.wrongcall")
    assert screen.end() == 1
    assert screen.modes == screen.before


def test_the_wrong_call_of_a_list_is_named_by_its_number(
    tmp_path: Path, record: Record, terminal: START
) -> None:
    program = (
        "def double(x):\n    return 2 * x if x != 5 else 7\n"
        "def all_of(xs):\n"
        "    found = []\n    for x in xs:\n        found.append(double(x))\n    return found\n"
        "all_of(range(12))\n"
    )
    screen = terminal(tmp_path, "debug", str(record(program)))
    assert "  #8 double(x=5) -> 7\n" in screen.answer(ASKED, "p")
    screen.expect("number of the call:")
    screen.send("8\r")
    screen.expect("The bug is in double")
    screen.answer("Is that the bug?", "y")
    assert screen.end() == 0


@pytest.mark.parametrize("width", [80, 40])
def test_a_question_fits_a_small_terminal(
    tmp_path: Path, record: Record, terminal: START, width: int
) -> None:
    program = (
        "class Thing:\n    def __init__(self):\n"
        + "".join(f"        self.attribute_{i} = [{i}] * 50\n" for i in range(30))
        + "    def work(self, text, numbers):\n"
        "        for i in range(30):\n            print('line', i)\n"
        "            setattr(self, f'attribute_{i}', i)\n        return list(numbers) * 3\n"
        "Thing().work('x' * 500, range(100))\n"
    )
    how = {"size": (width, 24), "env": {"NO_COLOR": "1"}}
    screen = terminal(tmp_path, "debug", str(record(program)), "--call", "work", **how)
    finding = screen.answer(ASKED, "q")
    assert screen.end() == 0
    assert "\x1b" not in screen.raw
    assert [line for line in finding.splitlines() if len(line) > width] == []
    start = ("--restart", "--printed", "line 29")
    screen = terminal(tmp_path, "debug", str(record(program)), *start, **how)
    text = screen.answer(ASKED, "q")
    question = text[text.index("Question 1") :]
    for section in ("given", "returned", "changed", "printed", "called"):
        assert f"  {section:10}" in question
    assert question.count("\n") + 1 <= 24
    assert [line for line in question.splitlines() if len(line) > width] == []


def test_without_utf8(tmp_path: Path, record: Record, terminal: START) -> None:
    env = {"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0", "LC_ALL": "C"}
    screen = terminal(tmp_path, "debug", str(record("mergesort.py")), env=env)
    screen.answer(ASKED, "v")
    assert "   20 .     if len(numbers) < 2:" in screen.answer(ASKED, "q")
    screen.end()
    assert screen.raw.isascii()


def test_an_editor(tmp_path: Path, record: Record, terminal: START) -> None:
    editor = tmp_path / "vim"
    editor.write_text(f'#!/bin/sh\necho "$@" > {tmp_path}/edited\n')
    editor.chmod(0o755)
    env = {"EDITOR": str(editor), "VISUAL": ""}
    screen = terminal(tmp_path, "debug", str(record("mergesort.py")), env=env)
    screen.answer(ASKED, "E")
    screen.answer(ASKED, "q")
    screen.end()
    assert (tmp_path / "edited").read_text() == f"+18 -- {MERGESORT}\n"


# -- programs that do not end as they should -------------------------------------------------------


def test_a_program_that_crashes(tmp_path: Path) -> None:
    write_files(tmp_path, CRASH)
    done = piped(tmp_path, "run", "prog.py", "--", lines=[])
    assert "ValueError: invalid literal" in done.stderr
    assert "Question 1" in done.stdout


def test_a_program_that_is_killed(tmp_path: Path) -> None:
    program = "import os\ndef f(x):\n    return x + 1\nf(1)\nos.kill(os.getpid(), 9)\n"
    write_files(tmp_path, program)
    done = piped(tmp_path, "run", "prog.py", lines=["n"])
    assert "  f(x=1)\n  returned  2\n" in done.stdout
    assert "The bug is in f" in done.stdout
    assert done.status == 0


def test_a_program_that_hangs_and_is_interrupted(tmp_path: Path, terminal: START) -> None:
    hangs = "import time\ndef f(x):\n    return x + 1\nprint(f(1), flush=True)\ntime.sleep(600)\n"
    write_files(tmp_path, hangs)
    screen = terminal(tmp_path, "run", "prog.py")
    screen.expect("2\n")
    screen.send("\x03")
    screen.expect("KeyboardInterrupt")
    screen.answer(ASKED, "n")
    assert "The bug is in f" in screen.answer("Is that the bug?", "y")
    assert screen.end() == 0


def test_a_key_begins_the_questions_while_the_program_runs(tmp_path: Path, terminal: START) -> None:
    write_files(tmp_path, ENDLESS.replace("0.01", "0.2"))
    screen = terminal(tmp_path, "run", "prog.py")
    screen.expect("doubled 2")
    screen.send("\x1c")
    screen.expect("double(n=")
    screen.answer(ASKED, "q")
    screen.expect("The program is still running: e ends it")
    screen.send("e\r")
    assert screen.end() == 1
    with wrongcall.recording.open(tmp_path / "prog.wrongcall") as trace:
        assert trace.ended == "killed"


# -- live ------------------------------------------------------------------------------------------


def test_live_on_an_endless_program(tmp_path: Path) -> None:
    write_files(tmp_path, ENDLESS)
    process = subprocess.Popen(
        [sys.executable, "-m", "wrongcall", "run", "--live", "prog.py"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        cwd=tmp_path, env=environment(), text=True,
    )  # fmt: skip
    assert process.stdin is not None
    assert process.stdout is not None
    shown = []
    for line in process.stdout:
        shown.append(line)
        if line.startswith("  double(n="):
            n = int(line.split("=")[1].rstrip(")\n"))
            result = process.stdout.readline()
            shown.append(result)
            is_right = result == f"  returned  {2 * n}\n"
            process.stdin.write("y\n" if is_right else "n\n")
            process.stdin.flush()
            if not is_right:
                break
    process.stdin.close()
    shown += process.stdout.readlines()
    assert process.wait(PATIENCE) == 0
    process.stdout.close()
    text = "".join(shown)
    assert "The bug is in double" in text
    assert "| doubled " in text
    assert [path.name for path in tmp_path.glob("*.wrongcall*")] == ["prog.wrongcall"]
    with wrongcall.recording.open(tmp_path / "prog.wrongcall") as trace:
        assert trace.ended == "killed"


# -- sessions --------------------------------------------------------------------------------------


def test_a_session_outlives_its_debugger(tmp_path: Path, record: Record, terminal: START) -> None:
    trace = record("mergesort.py")
    screen = terminal(tmp_path, "debug", str(trace))
    screen.answer(ASKED, "n")
    screen.answer(ASKED, "y")
    screen.expect("Question 3")
    screen.process.send_signal(signal.SIGKILL)
    assert screen.end() == -signal.SIGKILL
    assert len(load_session(trace, "session").entries) == 3
    done = piped(tmp_path, "debug", str(trace), lines=ANSWERS[2:])
    assert "Continuing after 2 answers" in done.stdout
    assert "The bug is in merge" in done.stdout


def test_a_second_debugger_is_told(tmp_path: Path, record: Record, terminal: START) -> None:
    trace = record("mergesort.py")
    screen = terminal(tmp_path, "debug", str(trace))
    screen.expect("Question 1")
    done = piped(tmp_path, "debug", str(trace), lines=["n"])
    assert done.status == 3
    assert "another debugger has this trace open" in done.stderr
    refused = piped(tmp_path, "run", "-o", str(trace), MERGESORT)
    assert "another debugger" in refused.stderr
    screen.answer("", "n")
    screen.answer("Question 2", "q")
    assert screen.end() == 1
    assert len(load_session(trace, "session").entries) == 2


def test_terminated_in_a_terminal(tmp_path: Path, record: Record, terminal: START) -> None:
    screen = terminal(tmp_path, "debug", str(record("mergesort.py")))
    screen.answer(ASKED, "b")
    screen.expect("arrows move")
    screen.process.send_signal(signal.SIGTERM)
    assert screen.end() == 128 + signal.SIGTERM
    assert screen.modes == screen.before
    assert screen.raw.rstrip().endswith("\x1b[?1049l")


@pytest.fixture(autouse=True)
def _nothing_is_left_running(tmp_path: Path) -> Iterator[None]:
    """Every program that a test ran has ended when the test has."""
    yield
    until = time.monotonic() + PATIENCE
    while _running_in(tmp_path):
        assert time.monotonic() < until, "a program is still running"
        time.sleep(0.05)


def _running_in(folder: Path) -> list[str]:
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if (process / "cwd").readlink() == folder and int(process.name) != os.getpid():
                found.append(process.name)
        except OSError:
            continue
    return found
