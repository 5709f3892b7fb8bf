"""``wrongcall run`` as its users start it: by pipe and in a terminal."""

from __future__ import annotations

import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import wrongcall.recording
from tests.cli.ask.conftest import terminal
from tests.cli.ask.talking import EXAMPLES, PATIENCE, Terminal, piped
from tests.cli.crash import CRASH
from tests.recorder.bothways import environment, write_files
from tests.trace.emitter import Emitter
from wrongcall.cli import run as running
from wrongcall.cli.run import HINT

__all__ = ["terminal"]
pytestmark = pytest.mark.usefixtures("nothing_is_left_running")
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


def test_run_takes_answers_from_a_pipe(tmp_path: Path) -> None:
    done = piped(tmp_path, "run", MERGESORT, lines=ANSWERS)
    assert done.status == 0
    assert done.stdout.startswith("[1, 2, 5]\nwrongcall asks about calls")
    assert "The bug is in merge  examples/mergesort.py:4" in done.stdout
    assert "\x1b" not in done.stdout + done.stderr
    assert done.stderr == "wrongcall: recorded in mergesort.wrongcall\n"


def test_run_passes_arguments_to_a_module(tmp_path: Path) -> None:
    write_files(
        tmp_path, {"pkg/__init__.py": "", "pkg/__main__.py": "import sys\nprint(sys.argv[1:])\n"}
    )
    done = piped(tmp_path, "run", "--strategy", "top-down", "-m", "pkg", "--call", "x")
    assert done.stdout.startswith("['--call', 'x']\n")
    assert (tmp_path / "pkg.wrongcall").exists()


def test_a_syntax_error_in_the_program_is_reported(tmp_path: Path) -> None:
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


def test_run_asks_in_a_terminal(tmp_path: Path, terminal: START) -> None:
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


def test_questions_follow_a_crash(tmp_path: Path) -> None:
    write_files(tmp_path, CRASH)
    done = piped(tmp_path, "run", "prog.py", "--", lines=[])
    assert "ValueError: invalid literal" in done.stderr
    assert "Question 1" in done.stdout


def test_questions_follow_a_killed_program(tmp_path: Path) -> None:
    program = "import os\ndef f(x):\n    return x + 1\nf(1)\nos.kill(os.getpid(), 9)\n"
    write_files(tmp_path, program)
    done = piped(tmp_path, "run", "prog.py", lines=["n"])
    assert "  f(x=1)\n  returned  2\n" in done.stdout
    assert "The bug is in f" in done.stdout
    assert done.status == 0


def test_questions_follow_an_interrupted_program(tmp_path: Path, terminal: START) -> None:
    hangs = "import time\ndef f(x):\n    return x + 1\nprint(f(1), flush=True)\ntime.sleep(600)\n"
    write_files(tmp_path, hangs)
    screen = terminal(tmp_path, "run", "prog.py")
    screen.expect("2\n")
    screen.send("\x03")
    screen.expect("KeyboardInterrupt")
    screen.answer(ASKED, "n")
    assert "The bug is in f" in screen.answer("Is that the bug?", "y")
    assert screen.end() == 0


def test_ctrl_backslash_starts_the_questions_while_the_program_runs(
    tmp_path: Path, terminal: START
) -> None:
    write_files(tmp_path, ENDLESS.replace("0.01", "0.2"))
    screen = terminal(tmp_path, "run", "prog.py")
    screen.expect("doubled 2")
    screen.send("\x1c")
    screen.expect("double(n=")
    screen.answer(ASKED, "q")
    screen.expect("The program is still running: e ends it")
    screen.send("e\r")
    assert screen.end() == 1
    with wrongcall.recording.open(tmp_path / "prog.wrongcall") as recording:
        assert recording.ended == "killed"


def test_live_asks_while_an_endless_program_runs(tmp_path: Path) -> None:
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
    with wrongcall.recording.open(tmp_path / "prog.wrongcall") as recording:
        assert recording.ended == "killed"


# -- parts -----------------------------------------------------------------------------------------


def test_a_new_trace_is_another_file_than_the_earlier_one(tmp_path: Path) -> None:
    path = tmp_path / "t.wrongcall"
    assert running._trace_at(path) is None
    path.write_text("not yet a trace")
    assert running._trace_at(path) is None
    found = []
    for name in ("one", "two"):
        emitter = Emitter()
        emitter.new("list")
        emitter.write(tmp_path / name)
        (tmp_path / name).replace(path)
        found.append(running._trace_at(path))
    assert None not in found
    assert found[0] != found[1]


def test_ctrl_backslash_is_noticed_only_while_the_program_runs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Keys:
        def isatty(self) -> bool:
            return True

    monkeypatch.setattr(sys, "stdin", Keys())
    before = signal.getsignal(signal.SIGQUIT), signal.getsignal(signal.SIGINT)
    with running._signals() as pressed:
        assert signal.getsignal(signal.SIGQUIT) is signal.SIG_IGN  # which the program inherits
        pressed.listen()
        signal.raise_signal(signal.SIGINT)  # is the program's
        noticed = [pressed.yes]
        signal.raise_signal(signal.SIGQUIT)
        noticed.append(pressed.yes)
    assert noticed == [False, True]
    assert (signal.getsignal(signal.SIGQUIT), signal.getsignal(signal.SIGINT)) == before


def test_without_a_terminal_no_key_is_listened_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    before = signal.getsignal(signal.SIGQUIT)
    with running._signals() as pressed:
        pressed.listen()
        assert signal.getsignal(signal.SIGQUIT) is before
        assert not pressed.is_terminal
