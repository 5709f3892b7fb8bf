"""Calls that had not ended when the run did, in words."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from tests.present.conftest import Record
from wrongcall.present.questions import question, title
from wrongcall.present.stopping import (
    is_over,
    stopped_view,
    stopped_words,
    unfinished_word,
    when_stopped,
)
from wrongcall.recording import Pause, Stopped


def recording(ended: str | None = "killed", *, recorded: bool = False, **meta: Any) -> Any:
    return SimpleNamespace(ended=ended, is_recorded=recorded, meta=meta)


@pytest.mark.parametrize(
    "run,over,words",
    [
        (recording("killed"), True, "the run was killed"),
        (recording("exit"), True, "the program exited"),
        (recording("exit", stopped="no memory"), True, "the recording stopped"),
        (recording(None), True, "the recording stopped"),
        (recording(None, recorded=True), False, "the recording stopped"),
    ],
)
def test_the_end_of_a_run_in_words(run: Any, over: bool, words: str) -> None:
    assert is_over(run) is over
    assert when_stopped(run) == words


@pytest.mark.parametrize(
    "kind,recorded,word",
    [
        ("function", False, "still running"),
        ("generator", False, "never ended"),
        ("coroutine", False, "never ended"),
        ("function", True, "not completed"),
    ],
)
def test_an_unfinished_call_is_described_in_two_words(kind: str, recorded: bool, word: str) -> None:
    call: Any = SimpleNamespace(function=SimpleNamespace(kind=kind))
    run = recording(None if recorded else "killed", recorded=recorded)
    assert unfinished_word(run, call) == word


@pytest.mark.parametrize(
    "pause,line,words",
    [
        (Pause.RUNNING, 5, "still running when the run was killed, last seen at line 5"),
        (Pause.RUNNING, 0, "still running when the run was killed"),
        (Pause.SUSPENDED, 5, "never ended: suspended when the run was killed, last seen at line 5"),
        (
            Pause.UNKNOWN,
            5,
            "never ended: not finished when the run was killed, last seen at line 5",
        ),
        (Pause.NOT_STARTED, 5, "never started"),
    ],
)
def test_the_place_where_a_call_stopped_is_put_into_words(
    pause: Pause, line: int, words: str
) -> None:
    assert stopped_words(recording("killed"), Stopped(pause, line, 0)) == words


PROGRAM = """
import os

def inner(n):
    os._exit(3)

def outer(kept, changed):
    changed = changed + 1
    made = [kept]
    helper = inner
    inner(made)

outer("same", 1)
"""


def test_the_state_of_a_stopped_call_has_its_own_variables(record: Record) -> None:
    run = record(PROGRAM, status=3)
    call = run.call("outer")
    view = stopped_view(run.recording, call, lambda one: title(run.recording, one), 1, 80)
    assert view is not None
    # Not the argument that is what it was, nor the function.
    assert [(node.label, node.summary) for node in view.variables] == [
        ("changed", "2"),
        ("made", "['same']"),
    ]
    assert (view.inner, view.inner_title) == (run.call("inner").id, "inner(n=['same'])")
    assert view.line == 11
    inner = stopped_view(run.recording, run.call("inner"), str, 1, 80)
    assert inner is not None
    assert (inner.inner, inner.inner_title, inner.variables) == (0, "", ())


def test_a_module_body_shows_no_variables(record: Record) -> None:
    run = record(PROGRAM, status=3)
    view = stopped_view(run.recording, run.call("<module>"), str, 1, 80)
    assert view is not None
    assert view.variables == ()


def test_a_finished_call_has_no_stopped_state(record: Record) -> None:
    run = record("def f():\n    return 1\nf()\n")
    assert stopped_view(run.recording, run.call("f"), str, 1, 80) is None


INTERRUPTED = """
import os, signal

def inner(n):
    os.kill(os.getpid(), signal.SIGINT)
    signal.pause()

def outer(kept):
    made = [kept]
    inner(made)

outer("same")
"""


def test_a_call_that_ctrl_c_ended_is_judged_by_its_state_then(record: Record) -> None:
    run = record(INTERRUPTED, status=-2)
    view = stopped_view(run.recording, run.call("outer"), lambda one: one.function.name, 1, 80)
    assert view is not None
    assert (view.word, view.text, view.line) == ("interrupted", "interrupted at line 10", 10)
    assert (view.inner, view.inner_title) == (run.call("inner").id, "inner")
    assert [(node.label, node.summary) for node in view.variables] == [("made", "['same']")]
    asked = question(run.recording, run.call("outer").id)
    assert (asked.outcome, asked.produced) == ("interrupted", None)
