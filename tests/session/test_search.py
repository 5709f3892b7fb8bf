"""A search: opened, continued, grown while the program runs, locked."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import wrongcall.recording
from tests.recorder.bothways import environment, run, write_files
from tests.session.truth import advanced
from wrongcall.errors import TraceBusyError, TraceError
from wrongcall.recording import Recording
from wrongcall.session import Answer, Finding, NeedsMoreTree, NoBug, Question, Verdict
from wrongcall.session import search as searches
from wrongcall.session.answers import ASSUMED
from wrongcall.session.search import Depth, How, Search, Start
from wrongcall.trace.file.lock import DebuggerLock
from wrongcall.trace.read.session_store import load_session, session_names

PROGRAM = """
def double(n):
    return 2 * n + (n == 3)

def helper(n):
    return double(n)

def main():
    return [helper(n) for n in (1, 2, 3, 1, 2, 1)]

main()
"""


@pytest.fixture
def trace(tmp_path: Path) -> Path:
    write_files(tmp_path, PROGRAM)
    run(["-m", "wrongcall", "record", "-o", "x.wrongcall", "prog.py"], tmp_path)
    return tmp_path / "x.wrongcall"


def test_a_call_below_a_right_one_is_not_asked_about_first(trace: Path) -> None:
    with wrongcall.recording.open(trace) as recording, Search(recording) as search:
        doubles = _calls(recording, "double")
        helpers = _calls(recording, "helper")
        search.begin(Start(first=(helpers[0], doubles[0], doubles[1])))
        search.session.judge(helpers[0], "right")
        step = search.led()
        assert step is not None
        assert step.calls == (doubles[1],)


def _calls(recording: Recording, name: str) -> list[int]:
    functions = [f for f, known in recording.program.functions.items() if known.name == name]
    return list(recording.calls.of_functions(functions))


def answer_truthfully(search: Search) -> Finding | NoBug | NeedsMoreTree:
    """Answer as somebody would who knows what double means."""
    while True:
        step = advanced(search)
        if isinstance(step, Finding | NoBug | NeedsMoreTree):
            return step
        assert isinstance(step, Question)
        calls = [search.recording.call(call) for call in step.calls]
        wrong = any(c.value != 2 * _n(c) for c in calls if c.args) or not calls[0].args
        search.session.answer("wrong" if wrong else "right")


def _n(call: wrongcall.recording.Call) -> int:
    value = call.args[0].value
    assert isinstance(value, int)
    return value


def test_the_whole_run_is_assumed_wrong(trace: Path) -> None:
    with wrongcall.recording.open(trace) as opened, Search(opened) as search:
        search.assume_wrong()
        (entry,) = search.session.entries
        assert isinstance(entry, Answer)
        assert (entry.calls, entry.verdict, entry.by) == ((1, 1), Verdict.WRONG, ASSUMED)
        found = answer_truthfully(search)
        assert isinstance(found, Finding)
        assert opened.call(found.calls[0]).function.qualname == "double"
        assert search.has_found


def test_a_call_is_found_before_its_inside_was_searched(trace: Path) -> None:
    how = How(to=Depth.STATEMENT)
    with wrongcall.recording.open(trace) as opened, Search(opened, how) as search:
        search.assume_wrong()
        assert not search.has_found
        search.session.judge(_calls(opened, "double")[2], Verdict.WRONG)
        step = search.step()
        assert isinstance(step, Question)
        assert step.inside
        assert search.has_found


def test_an_assumption_cannot_be_undone(trace: Path) -> None:
    with wrongcall.recording.open(trace) as opened, Search(opened) as search:
        search.assume_wrong()
        with pytest.raises(Exception, match="nothing to undo"):
            search.session.undo()


def test_a_saved_search_is_continued(trace: Path) -> None:
    with (
        wrongcall.recording.open(trace) as opened,
        Search(opened, How(strategy="top-down")) as search,
    ):
        assert not search.resumed
        search.assume_wrong()
        advanced(search)
        search.tell(lambda session: session.answer("wrong"))
    with wrongcall.recording.open(trace) as opened, Search(opened) as search:
        assert search.resumed
        assert search.session.strategy.name == "top-down"
        assert len(search.session.entries) == 2
        search.assume_wrong()
        assert len(search.session.entries) == 2
    with wrongcall.recording.open(trace) as opened, Search(opened, How(name="other")) as search:
        assert not search.resumed
        search.assume_wrong()
    assert session_names(trace) == ["session", "other"]
    with wrongcall.recording.open(trace) as opened, Search(opened, How(fresh=True)) as search:
        assert search.session.entries == ()
    assert session_names(trace) == ["other"]


def test_trusted_names_are_not_asked(trace: Path) -> None:
    how = How(strategy="single-stepping", balance=False, trust=("hel*", "double"))
    with wrongcall.recording.open(trace) as opened, Search(opened, how) as search:
        search.assume_wrong()
        added = search.advance()
        assert {entry.by for entry in added} == {"trusted by name"}
        step = search.step()
        assert isinstance(step, Question)
        assert opened.call(step.calls[0]).function.qualname == "main"
        saved = load_session(trace, "session").entries
        assert {entry["by"] for entry in saved} == {ASSUMED, "trusted by name"}
    with (
        wrongcall.recording.open(trace) as opened,
        Search(opened, How("m", trust=("__main__",))) as s,
    ):
        assert isinstance(advanced(s), NoBug)


def test_equal_calls_are_answered_once(trace: Path) -> None:
    how = How(strategy="single-stepping", balance=False)
    with wrongcall.recording.open(trace) as opened, Search(opened, how) as search:
        search.assume_wrong()
        answer_truthfully(search)
        asked = [e for e in search.session.entries if isinstance(e, Answer) and e.by == "user"]
        values = [opened.call(answer.calls[0]).args[0].value for answer in asked]
        assert values == [1, 1, 2, 2, 3]  # double and helper; the second time nobody is asked


def test_only_one_debugger_at_a_time_can_open_a_trace(trace: Path, tmp_path: Path) -> None:
    with (
        wrongcall.recording.open(trace) as first,
        Search(first),
        wrongcall.recording.open(trace) as second,
        pytest.raises(TraceBusyError, match="another"),
    ):
        Search(second)
    with wrongcall.recording.open(trace) as opened, Search(opened):
        pass
    with pytest.raises(TraceError, match="no such file"):
        DebuggerLock(tmp_path / "missing")


def test_a_lock_is_released_when_its_process_dies(trace: Path) -> None:
    holding = f"""
import pathlib, time
from wrongcall.trace.file.lock import DebuggerLock
lock = DebuggerLock(pathlib.Path({str(trace)!r}))
print("locked", flush=True)
time.sleep(600)
"""
    process = subprocess.Popen([sys.executable, "-c", holding], stdout=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stdout.readline() == b"locked\n"
    with pytest.raises(TraceBusyError):
        DebuggerLock(trace)
    process.kill()
    process.wait()
    process.stdout.close()
    DebuggerLock(trace).release()


# -- a program that still runs ---------------------------------------------------------------------

STEPS = """
import sys
def step(n):
    return n + 1
for line in sys.stdin:
    step(int(line))
    print("done", flush=True)
"""


@pytest.fixture
def running(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """A program that makes a call for each line that it is told."""
    write_files(tmp_path, STEPS)
    command = [sys.executable, "-m", "wrongcall", "record", "-o", "x.wrongcall", "prog.py"]
    process = subprocess.Popen(
        command, cwd=tmp_path, env=environment(), text=True, stdin=subprocess.PIPE,
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    yield process
    process.kill()
    process.wait()
    for stream in (process.stdin, process.stdout):
        assert stream is not None
        stream.close()


def step_once(process: subprocess.Popen[str], n: int) -> None:
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(f"{n}\n")
    process.stdin.flush()
    assert process.stdout.readline() == "done\n"


def awaited(search: Search, kind: type[object]) -> object:
    """Look until there is a step of a kind."""
    until = time.monotonic() + 60
    while not isinstance(step := advanced(search), kind):
        assert time.monotonic() < until, step
        search.look(now=True)
        time.sleep(0.02)
    return step


def test_answers_stay_valid_as_the_tree_grows(
    running: subprocess.Popen[str], tmp_path: Path
) -> None:
    step_once(running, 1)
    with wrongcall.recording.open(tmp_path / "x.wrongcall") as opened, Search(opened) as search:
        search.assume_wrong()
        assert search.session.entries == ()
        first = awaited(search, Question)
        assert search.is_running()
        search.tell(lambda session: session.answer("right"))
        assert isinstance(advanced(search), NeedsMoreTree)
        step_once(running, 5)
        second = awaited(search, Question)
        assert isinstance(first, Question)
        assert isinstance(second, Question)
        assert (first.calls, second.calls) == ((2,), (3,))
        search.tell(lambda session: session.answer("right"))
        assert running.stdin is not None
        running.stdin.close()
        running.wait(60)
        whole = awaited(search, Question)
        assert isinstance(whole, Question)
        assert whole.calls == (1,)
        assert not search.is_running()
        search.tell(lambda session: session.answer("right"))
        assert isinstance(advanced(search), NoBug)


def test_a_killed_recorder_is_not_waited_for(
    running: subprocess.Popen[str], tmp_path: Path
) -> None:
    step_once(running, 1)
    with wrongcall.recording.open(tmp_path / "x.wrongcall") as opened, Search(opened) as search:
        awaited(search, Question)
        running.kill()
        running.wait()
        assert not search.is_running()
        assert opened.ended is None
        assert opened.meta["recorder"] == running.pid != os.getpid()


def test_the_first_calls_are_asked_about_until_one_is_wrong(trace: Path) -> None:
    with wrongcall.recording.open(trace) as opened, Search(opened) as search:
        doubles = [call.id for call in opened.call(2).children[0].children]
        search.begin(Start(first=(*doubles, 3, 2)))
        first = search.led()
        assert first is not None
        assert first.calls == (doubles[0],)
        search.session.judge(doubles[0], Verdict.DONT_KNOW)
        second = search.led()
        assert second is not None
        assert second.calls == (3,)
        search.session.judge(3, Verdict.WRONG)
        assert search.led() is None  # the bug is below call 3, so its caller doesn't matter
        search.session.undo()
        assert search.led() == second


def test_a_search_can_begin_with_a_wrong_call(trace: Path) -> None:
    with wrongcall.recording.open(trace) as opened, Search(opened) as search:
        search.begin(Start(wrong=3))
        told = [e for e in search.session.entries if isinstance(e, Answer)]
        assert [(a.calls, a.verdict.value) for a in told] == [((1, 1), "wrong"), ((3, 3), "wrong")]


def test_answers_that_cannot_be_saved_count_and_are_saved_later(
    trace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*args: object) -> None:
        raise TraceError("the disk is full")

    with wrongcall.recording.open(trace) as opened, Search(opened) as search:
        with monkeypatch.context() as patched:
            patched.setattr(searches, "save", fail)
            search.begin(Start(wrong=3))
            assert search.unsaved == "the disk is full"
        assert session_names(trace) == []
        search.save()
        assert search.unsaved == ""
        assert len(load_session(trace, "session").entries) == 2


def test_chains_can_come_later(trace: Path) -> None:
    with wrongcall.recording.open(trace) as opened, Search(opened, at_once=0) as search:
        lacked = search.lacks_chains
        search.balance(search.balanced([-1] * len(search.session.tree)))
        assert (lacked, search.lacks_chains) == (True, False)
    how = How(balance=False)
    with wrongcall.recording.open(trace) as opened, Search(opened, how, at_once=0) as search:
        assert not search.lacks_chains
