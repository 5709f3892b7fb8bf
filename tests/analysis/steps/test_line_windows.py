"""Very long calls: the same is told of them in windows as by all their steps, in little memory."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import wrongcall.recording
from tests.recorder.bothways import environment, write_files
from tests.trace.conftest import Record
from wrongcall.analysis.steps import line_windows as windows

LOOPS = """
    def odd(n):
        if n % 7 == 0:
            raise ValueError(n)
        return n % 2

    def work(items):
        total = 0
        seen = {}
        for n in items:
            try:
                if odd(n):
                    total += n
                elif n % 3:
                    seen[n % 5] = n
                    continue
                else:
                    total -= 1
            except ValueError:
                total = 0
            finally:
                last = n
            while total > 50:
                total //= 2
        else:
            last = -1
        return total, last

    def numbers():
        for n in range(300):
            got = yield n
            if n % 4 == 0:
                n = 0

    work(range(400))
    list(numbers())
    for n in range(500):
        if n % 3 == 0:
            continue
        m = n
"""


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every call be a long one, with many windows."""
    monkeypatch.setattr(windows, "LONG_EVENTS", 50)
    monkeypatch.setattr(windows, "WINDOW_EVENTS", 97)
    monkeypatch.setattr(windows, "_AROUND", 16)


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("function", ["work", "numbers", "<module>"])
def test_lines_run_as_often_as_the_steps_say(record: Record, function: str) -> None:
    run = record(LOOPS)
    call = run.call(function)
    told = run.recording.execution.line_activity(call.id, 3, 0, 1000)
    steps = run.recording.execution.steps(call.id)
    assert run.recording.execution._steps._windows.is_long(call.id)
    assert told.counts == steps.line_counts()
    assert max(told.counts.values()) > 100


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("function", ["work", "<module>"])
def test_the_last_write_on_each_line_is_the_last_of_the_steps(
    record: Record, function: str
) -> None:
    run = record(LOOPS)
    call = run.call(function)
    told = run.recording.execution.line_activity(call.id, 1, 0, 1000)
    expected = run.recording.execution.steps(call.id).latest(1, 0, 1000)
    assert {line: steps[-1].time for line, steps in told.latest.items()} == {
        line: steps[-1].time for line, steps in expected.items()
    }


ENDLESS = """
import signal
def add(a, first):
    once = first
    i = total = 0
    def peek():
        return total
    for rounds in range(1_000_000):
        i = (i + 1) % 1000
        total += a[i]
    signal.raise_signal(signal.SIGKILL)

add(list(range(1000)), "x")
"""


@pytest.fixture(scope="module")
def endless(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A trace with one call of three million events, which was killed."""
    folder = tmp_path_factory.mktemp("endless")
    write_files(folder, ENDLESS)
    command = [sys.executable, "-m", "wrongcall", "record", "-o", "x.wrongcall", "prog.py"]
    subprocess.run(command, cwd=folder, env=environment(), check=False, capture_output=True)
    return folder / "x.wrongcall"


def test_variables_of_a_long_call(endless: Path) -> None:
    rounds = 1_000_000
    with wrongcall.recording.open(endless) as recording:
        assert recording.event_count > 3 * rounds
        bound = recording.states.locals(2)
        assert (bound["i"], bound["rounds"], bound["once"]) == (0, rounds - 1, "x")
        assert bound["total"] == rounds // 1000 * sum(range(1000))
        early = recording.states.locals(2, recording.call(2).entered)
        assert "total" not in early
        assert early["first"] == "x"


def test_a_long_history_is_made_when_it_is_looked_at(endless: Path) -> None:
    with wrongcall.recording.open(endless) as recording:
        history = recording.places.history(2, "total")
        assert len(history) == 1_000_001
        assert [version.new for version in history[:4]] == [0, 1, 3, 6]
        assert (history[-1].old, history[-1].new) == (
            history[-2].new,
            recording.states.locals(2)["total"],
        )
        assert [v.new for v in history[-1:-4:-1]] == [history[-i].new for i in (1, 2, 3)]
        assert history[5:5] == []
        with pytest.raises(IndexError):
            history[1_000_001]


READING = """
import resource, sys, wrongcall.trace
from wrongcall.present import question
from wrongcall.session.search import How, Search, Start
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
with wrongcall.recording.open(sys.argv[1]) as trace, Search(trace, How(fresh=True)) as search:
    search.begin(Start())
    print(question(trace, search.led().calls[0]).where.function)
    len(trace.places.history(2, "i"))
print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) // 1024)
"""


def test_the_first_question_takes_little_memory(endless: Path) -> None:
    command = [sys.executable, "-c", READING, str(endless)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    function, used = done.stdout.split()
    assert function == "add"
    # The writes alone would take 100 MB as events, and several times that as objects.
    assert int(used) < 150
