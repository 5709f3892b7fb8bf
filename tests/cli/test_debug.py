"""``wrongcall debug`` as its users start it: by pipe and in a terminal."""

from __future__ import annotations

import io
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import wrongcall.recording
from tests.cli.ask.conftest import Record, record, recorded_once, terminal
from tests.cli.ask.talking import EXAMPLES, Terminal, piped
from tests.recorder.bothways import environment
from wrongcall.cli.ask import terminal as terminals
from wrongcall.cli.ask.input import PipedLines
from wrongcall.cli.ask.prompt import Prompter
from wrongcall.cli.debug import leave, pick
from wrongcall.errors import UsageError
from wrongcall.trace.read.session_store import load_session

__all__ = ["record", "recorded_once", "terminal"]
pytestmark = pytest.mark.usefixtures("nothing_is_left_running")
MERGESORT = str(EXAMPLES / "mergesort.py")
ANSWERS = ["n", "y", "y", "n", "y"]
START = Callable[..., Terminal]
ASKED = "? for help"


def test_closed_invalid_and_broken_streams_are_no_errors(tmp_path: Path, record: Record) -> None:
    trace = str(record("mergesort.py"))
    command = f"{sys.executable} -m wrongcall debug {trace}"
    how = {"shell": True, "env": environment(), "capture_output": True, "check": False}
    done = subprocess.run(f"{command} <&-", **how)  # type: ignore[call-overload]
    assert (done.returncode, done.stderr) == (1, b"")
    done = subprocess.run(f"printf '\\377\\nq\\n' | {command}", **how)  # type: ignore[call-overload]
    assert (done.returncode, done.stderr) == (1, b"")
    done = subprocess.run(f"yes v | {command} | head -1", **how)  # type: ignore[call-overload]
    assert done.stderr in (b"", b"yes: standard output: Broken pipe\n")


def test_keys_work_in_a_terminal(tmp_path: Path, record: Record, terminal: START) -> None:
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


def test_the_dialogue_is_ascii_without_utf8(
    tmp_path: Path, record: Record, terminal: START
) -> None:
    env = {"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0", "LC_ALL": "C"}
    screen = terminal(tmp_path, "debug", str(record("mergesort.py")), env=env)
    screen.answer(ASKED, "v")
    assert "   20 .     if len(numbers) < 2:" in screen.answer(ASKED, "q")
    screen.end()
    assert screen.raw.isascii()


def test_the_editor_opens_at_the_line(tmp_path: Path, record: Record, terminal: START) -> None:
    editor = tmp_path / "vim"
    editor.write_text(f'#!/bin/sh\necho "$@" > {tmp_path}/edited\n')
    editor.chmod(0o755)
    env = {"EDITOR": str(editor), "VISUAL": ""}
    screen = terminal(tmp_path, "debug", str(record("mergesort.py")), env=env)
    screen.answer(ASKED, "E")
    screen.answer(ASKED, "q")
    screen.end()
    assert (tmp_path / "edited").read_text() == f"+18 -- {MERGESORT}\n"


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


def test_a_second_debugger_is_refused(tmp_path: Path, record: Record, terminal: START) -> None:
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


def test_sigterm_restores_the_terminal(tmp_path: Path, record: Record, terminal: START) -> None:
    screen = terminal(tmp_path, "debug", str(record("mergesort.py")))
    screen.answer(ASKED, "b")
    screen.expect("arrows move")
    screen.process.send_signal(signal.SIGTERM)
    assert screen.end() == 128 + signal.SIGTERM
    assert screen.modes == screen.before
    assert screen.raw.rstrip().endswith("\x1b[?1049l")


# -- parts -----------------------------------------------------------------------------------------


def prompted(text: str) -> tuple[Prompter, io.TextIOWrapper]:
    out = io.TextIOWrapper(io.BytesIO(), "utf-8", newline="")
    return Prompter(terminals.Terminal(out, (80, 24)), PipedLines(io.StringIO(text))), out


def test_one_call_is_picked_without_a_question(record: Record) -> None:
    prompter, out = prompted("")
    with wrongcall.recording.open(record("mergesort.py")) as recording:
        assert pick(recording, [7], "Which call is wrong?", prompter) == 7
    assert out.tell() == 0


def test_one_of_several_calls_is_picked_by_its_number(record: Record) -> None:
    prompter, out = prompted("99\nseven\n#7\n")
    with wrongcall.recording.open(record("mergesort.py")) as recording:
        assert pick(recording, [3, 7], "Which call is wrong?", prompter) == 7
        with pytest.raises(UsageError, match=r"Which call is wrong\? no call was picked"):
            pick(recording, [3, 7], "Which call is wrong?", prompter)
    out.seek(0)
    assert out.read().count("is not in the list.") == 2


def test_only_the_first_of_many_calls_are_listed(record: Record) -> None:
    prompter, out = prompted("30\n")
    program = "def f(n):\n    return n\nfor n in range(40):\n    f(n)\n"
    with wrongcall.recording.open(record(program)) as recording:
        assert pick(recording, list(range(2, 42)), "Which?", prompter) == 30
    out.seek(0)
    shown = out.read().splitlines()
    assert sum(line.startswith("  #") for line in shown) == 20
    assert "  … 20 more" in shown


class Ended:
    """A program that notes how it is ended."""

    def __init__(self, running: bool, *, interrupted: bool = False) -> None:
        self.running = running
        self.interrupted = interrupted
        self.told: list[str] = []

    def wait(self, until: Callable[[], bool]) -> None:
        self.told.append("waited")
        if self.interrupted:
            raise KeyboardInterrupt

    def end(self) -> None:
        self.told.append("ended")


class Typist(PipedLines):
    """A user who answers when asked."""

    interactive = True


def left(program: Ended, answer: str, *, interactive: bool = True) -> list[str]:
    out = io.TextIOWrapper(io.BytesIO(), "utf-8", newline="")
    source = (Typist if interactive else PipedLines)(io.StringIO(f"{answer}\n"))
    leave(program, Prompter(terminals.Terminal(out, (80, 24)), source))  # type: ignore[arg-type]
    return program.told


@pytest.mark.parametrize(
    "answer,told", [("e", ["ended"]), ("", ["ended"]), ("w", ["waited"]), ("wait", ["waited"])]
)
def test_the_user_says_what_becomes_of_a_program_that_still_runs(
    answer: str, told: list[str]
) -> None:
    assert left(Ended(True), answer) == told


def test_without_a_user_a_running_program_is_ended() -> None:
    assert left(Ended(True), "w", interactive=False) == ["ended"]
    assert left(Ended(False), "w") == []


def test_ctrl_c_ends_a_program_that_is_waited_for() -> None:
    assert left(Ended(True, interrupted=True), "w") == ["waited", "ended"]
