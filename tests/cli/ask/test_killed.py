"""Runs that were killed in the middle: what had not ended is asked about by its state."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import textwrap
import time
from collections import defaultdict
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

import wrongcall.recording
from tests.cli.ask.talking import Terminal, piped, talk
from tests.recorder.bothways import RECORD, TRACE, environment, run, write_files
from tests.recorder.test_running_processes import program_of
from tests.session.truth import advanced
from wrongcall.present import question
from wrongcall.session import Finding, NoBug, Question, Session
from wrongcall.session.search import Search, Start

DOOMED = "import signal\nsignal.setitimer(signal.ITIMER_REAL, 0.2)\n"
"""Kills the program after a while: nobody handles the signal."""

BISECTION = """
def narrow(items, wanted):
    lo, hi = 0, len(items)
    while lo < hi:
        mid = (lo + hi) // 2
        if items[mid] <= wanted:
            lo = mid
        else:
            hi = mid
    return lo

def find(items, wanted):
    at = narrow(items, wanted)
    return items[at] == wanted

def main():
    items = sorted([5, 3, 9, 1])
    print(find(items, 5))

main()
"""

OSCILLATING = """
def flip(state):
    return {"new": "old", "old": "new", "stale": "done"}[state]

def settle(state):
    rounds = 0
    while state != "done":
        state = flip(state)
        rounds += 1
        if rounds == 40:  # somebody loses patience
            signal.raise_signal(signal.SIGKILL)
    return state

settle("new")
"""

DEADLOCK = """
import threading

class Account:
    def __init__(self, owner):
        self.owner = owner
        self.lock = threading.Lock()

def transfer(source, target, both):
    with source.lock:
        both.wait()
        with target.lock:
            return "done"

def main():
    a, b, both = Account("a"), Account("b"), threading.Barrier(2)
    threads = [
        threading.Thread(target=transfer, args=pair, daemon=True) for pair in ((a, b, both), (b, a, both))
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

main()
"""

CONSUMER = """
def numbers():
    n = 0
    while True:
        yield n
        n += 1

def total(limit):
    found = 0
    for n in numbers():
        if n == limit:
            continue
        found += n
    return found

total(3)
"""


def killed(folder: Path, program: str) -> Path:
    """Record a program that is killed; its trace."""
    write_files(folder, program)
    run(["-m", "wrongcall", *RECORD, "prog.py"], folder)
    return folder / TRACE


def searched(path: Path, wrong: set[str]) -> tuple[str, list[str]]:
    """Judge the calls of these functions wrong, all others right; what was found, and what was asked."""
    asked = []
    with wrongcall.recording.open(path) as recording, Search(recording) as search:
        search.begin(Start())
        while isinstance(step := search.led() or advanced(search), Question):
            names = {recording.program.functions[number].qualname for number, _ in step.counts}
            asked.append(" ".join(sorted(names)))
            verdict = "wrong" if names & wrong else "right"
            calls = (step.calls[0], step.calls[-1])
            search.tell(partial(Session.judge, call=calls, verdict=verdict))
        assert isinstance(step, Finding)
        assert step.function is not None
        assert not step.undecided
        return recording.program.functions[step.function].qualname, asked


@pytest.mark.parametrize(
    "program, wrong, bug",
    [
        (BISECTION, {"main", "find", "narrow"}, "narrow"),
        (OSCILLATING, {"settle", "flip"}, "flip"),
        (OSCILLATING, {"settle"}, "settle"),
        (DEADLOCK, {"main", "transfer"}, "transfer"),
        (CONSUMER, {"total"}, "total"),
    ],
    ids=["bisection", "oscillating", "a callee is right", "deadlock", "consumer"],
)
def test_the_endless_function_is_found(
    tmp_path: Path, program: str, wrong: set[str], bug: str
) -> None:
    path = killed(tmp_path, DOOMED + program)
    with wrongcall.recording.open(path) as recording:
        assert recording.ended == "killed"
    assert searched(path, wrong)[0] == bug


def test_a_call_that_was_still_running_shows_its_state(tmp_path: Path) -> None:
    path = killed(tmp_path, DOOMED + BISECTION)
    shown, found = talk(path, "n", "n", "y")
    assert found
    first, second, rest = (re.sub(r" +", " ", part) for part in shown.split("? for help >")[:3])
    assert "stopped still running when the run was killed, last seen at line 15" in first
    assert "waiting for #4 narrow(items=[1, 3, 5, 9], wanted=5)" in first
    assert "right: it should be in this state, and not have ended yet" in first
    assert "variables lo = 2\n hi = 3\n mid = 2\n" in second
    assert "The bug is in narrow" in rest
    (line,) = re.findall(
        r"narrow was still running when the run was killed, last seen at line (\d);", rest
    )
    # It is in its loop, where it writes only `mid` and `lo`, whenever it is killed.
    assert {"7": "mid = (lo + hi) // 2", "9": "lo = mid"}[line] in re.findall(
        r"\d > (.*?)(?: #.*)?\n", rest
    )


def test_a_running_call_shows_its_output_and_changes_so_far(tmp_path: Path) -> None:
    program = """
        def fill(items):
            print("filling")
            items.append(1)
            while True:
                pass
        fill([5])
    """
    path = killed(tmp_path, DOOMED + textwrap.dedent(program))
    with wrongcall.recording.open(path) as recording:
        asked = question(recording, 2)
    assert asked.printed == "filling\n"
    assert [(c.place, c.old, c.new) for c in asked.changed] == [
        ("items[1]", "", "1"),
    ]
    assert asked.stopped is not None
    assert (asked.outcome, asked.exit, asked.produced) == ("still running", -1, None)


@pytest.mark.parametrize(
    "ends, text",
    [
        ("os._exit(0)", "still running when the program exited"),
        ("ctypes.string_at(0)", "still running when the run was killed"),
        ("os.kill(os.getpid(), signal.SIGKILL)", "still running when the run was killed"),
        ("os.abort()", "still running when the run was killed"),
    ],
)
def test_the_reason_why_the_run_stopped_is_shown(tmp_path: Path, ends: str, text: str) -> None:
    program = f"import ctypes, os, signal\ndef f(x):\n    y = x\n    {ends}\nf(1)\n"
    path = killed(tmp_path, program)
    with wrongcall.recording.open(path) as recording:
        stopped = question(recording, 2).stopped
        assert stopped is not None
        assert stopped.text.startswith(text)
        assert [(node.label, node.summary) for node in stopped.variables] == [("y", "1")]


def test_a_killed_recorder_is_not_reported_as_a_killed_run(tmp_path: Path) -> None:
    write_files(tmp_path, "def f():\n    print('ready', flush=True)\n    while True: x = 1\nf()\n")
    command = [sys.executable, "-m", "wrongcall", *RECORD, "prog.py"]
    process = subprocess.Popen(
        command, cwd=tmp_path, env=environment(), stdout=subprocess.PIPE, process_group=0
    )
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        with wrongcall.recording.open(tmp_path / TRACE) as recording:
            until = time.monotonic() + 60
            while recording.calls.count < 2:
                assert time.monotonic() < until
                time.sleep(0.01)
                recording.refresh()
            assert question(recording, 2).outcome == "not completed"
            assert question(recording, 2).stopped is None
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        if process.stdout is not None:
            process.stdout.close()
    with wrongcall.recording.open(tmp_path / TRACE) as recording:
        stopped = question(recording, 2).stopped
        assert stopped is not None
        assert stopped.text.startswith("still running when the recording stopped")


GENERATORS = """
import asyncio

def count():
    n = 0
    while True:
        yield n
        n += 1

async def forever():
    asked = 1
    await asyncio.sleep(3600)

async def unused():
    return 1

def made():
    return count()

numbers, spare = count(), made()
print(next(numbers), next(numbers))
loop = asyncio.new_event_loop()
waiting = forever()
waiting.send(None)
left = unused()
import os
os._exit(0)
"""


def test_generators_and_coroutines_that_never_ended_are_not_called_running(tmp_path: Path) -> None:
    program = GENERATORS.replace(
        "waiting.send(None)",
        "task = loop.create_task(waiting)\nloop.call_soon(loop.stop)\nloop.run_forever()",
    )
    path = killed(tmp_path, program)
    with wrongcall.recording.open(path) as recording:
        said: defaultdict[str, list[tuple[str, str]]] = defaultdict(list)
        for number in recording.calls.columns().id.tolist():
            asked = question(recording, number)
            if asked.stopped is not None:
                said[asked.where.function].append((asked.outcome, asked.stopped.text))
    assert said.pop("<module>")[0][0] == "still running"
    assert said == {
        "count": [
            ("never ended", "never ended: suspended when the program exited, last seen at line 7"),
            ("never ended", "never started"),
        ],
        "forever": [
            (
                "never ended",
                "never ended: not finished when the program exited, last seen at line 11",
            )
        ],
        "unused": [("never ended", "never started")],
    }


def test_a_generator_that_never_ended_can_be_the_bug(tmp_path: Path) -> None:
    program = """
        def evens():
            n = 0
            while True:
                yield n
                n += 3

        def take(source, count):
            return [next(source) for _ in range(count)]

        numbers = evens()
        print(take(numbers, 3))
    """
    path = killed(tmp_path, program)
    with wrongcall.recording.open(path) as recording:
        assert recording.ended == "exit"
    assert searched(path, {"evens"})[0] == "evens"


def test_running_calls_are_asked_about_only_after_the_run(tmp_path: Path) -> None:
    write_files(
        tmp_path,
        "import sys\ndef f():\n    for line in sys.stdin: print(g())\ndef g():\n    return 1\nf()\n",
    )
    command = [sys.executable, "-m", "wrongcall", *RECORD, "prog.py"]
    process = subprocess.Popen(
        command, cwd=tmp_path, env=environment({"PYTHONUNBUFFERED": "1"}),
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(b"\n")
        process.stdin.flush()
        assert process.stdout.readline() == b"1\n"
        with wrongcall.recording.open(tmp_path / TRACE) as recording, Search(recording) as search:
            asked = asked_calls(search)
            assert next(asked) == (3,)
            os.kill(program_of(process.pid), signal.SIGKILL)
            process.wait(60)
            assert sorted(asked) == [(1,), (2,)]
            assert isinstance(advanced(search), NoBug)
    finally:
        process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout):
            assert stream is not None
            stream.close()


def asked_calls(search: Search) -> Iterator[tuple[int, ...]]:
    """Say right to everything, the inner calls first; go through what was asked."""
    search.session.use("single-stepping")
    until = time.monotonic() + 60
    while not isinstance(step := advanced(search), NoBug):
        assert time.monotonic() < until
        if isinstance(step, Question):
            yield step.calls
            search.tell(lambda session: session.answer("right"))
        else:
            time.sleep(0.02)
            search.look(now=True)


def test_run_asks_about_a_program_that_somebody_killed(tmp_path: Path) -> None:
    write_files(
        tmp_path,
        "def spin():\n    n = 0\n    print('ready', flush=True)\n    while True:\n        n = 1 - n\nspin()\n",
    )
    screen = Terminal(tmp_path, "run", "prog.py")
    try:
        screen.expect("ready")
        time.sleep(0.3)
        recorder = program_of(screen.process.pid)
        os.kill(program_of(recorder), signal.SIGKILL)
        shown = screen.answer("? for help", "n")
        assert (
            "spin()\n  stopped   still running when the run was killed, last seen at line 5"
            in shown
        )
        assert "The bug is in spin" in screen.answer("Is that the bug?", "y")
        assert screen.end() == 0
    finally:
        screen.close()


def test_the_innermost_call_of_a_killed_run_is_asked_first(tmp_path: Path) -> None:
    path = killed(tmp_path, DOOMED + BISECTION)
    done = piped(tmp_path, "debug", path.name, lines=["n", "y"])
    assert "Question 1" in done.stdout
    assert "Question 2" not in done.stdout
    assert "The bug is in narrow" in done.stdout
    again = piped(tmp_path, "debug", "--restart", path.name, lines=["y", "n", "y"])
    assert "Question 3" not in again.stdout
    assert "The bug is in find" in again.stdout


def test_a_call_that_never_ended_can_be_named_as_the_start(tmp_path: Path) -> None:
    path = killed(tmp_path, DOOMED + BISECTION)
    done = piped(tmp_path, "debug", path.name, "--call", "narrow", lines=["y"])
    assert "The bug is in narrow" in done.stdout


def test_show_and_tree_say_that_a_call_was_still_running(tmp_path: Path) -> None:
    path = killed(tmp_path, DOOMED + BISECTION)
    shown = piped(tmp_path, "show", path.name, "4").stdout
    assert "still running when the run was killed, last seen at line" in shown
    assert "narrow(items=[1, 3, 5, 9], wanted=5) still running" in re.sub(
        r" +", " ", piped(tmp_path, "tree", path.name, "--depth", "9").stdout
    )


# -- against a witness: the interpreter's own report of where the program was ----------------------

FRAME = re.compile(r'File "[^"]*prog.py", line (\d+) in (\S+)')


@st.composite
def nested(draw: st.DrawFn) -> str:
    """A program whose functions call each other, the innermost ending it all."""
    depth = draw(st.integers(1, 6))
    lines = ["import faulthandler, os"]
    for level in range(depth):
        lines.append(f"def f{level}(n):")
        lines += [f"    v{i} = n + {i}" for i in range(draw(st.integers(0, 3)))]
        inner = f"f{level + 1}(n + 1)" if level + 1 < depth else "stop()"
        form = draw(st.sampled_from(["{}", "for i in range(3):\n        if i == 1:\n            {}",
                                     "x = [1, {}]", "while n < 99:\n        n += 40\n        {}",
                                     "try:\n        {}\n    finally:\n        n = 0", "return {}"]))  # fmt: skip
        lines.append("    " + form.format(inner))
    lines += [
        "def stop():",
        "    faulthandler.dump_traceback(all_threads=False); os._exit(3)",
        "f0(0)",
    ]
    return "\n".join(lines) + "\n"


@given(program=nested())
@settings(
    max_examples=8,
    phases=[Phase.generate],
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
def test_stopped_calls_match_the_interpreters_own_report(tmp_path: Path, program: str) -> None:
    write_files(tmp_path, program)
    done = run(["-m", "wrongcall", *RECORD, "--force", "prog.py"], tmp_path)
    frames = [(name, int(line)) for line, name in FRAME.findall(done.stderr)]
    assert frames[0][0] == "stop"
    with wrongcall.recording.open(tmp_path / TRACE) as recording:
        found, call = [], 1
        while call:
            stopped = recording.execution.stopped(call)
            assert stopped is not None
            found.append((recording.call(call).function.qualname, stopped.line))
            call = stopped.inner
    # The innermost call wrote nothing: it was last seen where it began, on its own line.
    assert found[-1][0] == "stop"
    assert found[:-1] == frames[:0:-1]
