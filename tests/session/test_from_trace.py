"""What sessions are told by a trace, with a stand-in for the trace; and sessions kept in its file."""

from __future__ import annotations

import sqlite3
from collections.abc import Hashable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from tests.session.truth import snapshot
from wrongcall.errors import SessionError, TraceError
from wrongcall.session.answers import Part, Where
from wrongcall.session.from_trace import (
    MAX_LOOKED_AT_CALLS,
    MAX_REPLAYED_EVENTS,
    MOST_EVENTS,
    TraceFacts,
)
from wrongcall.session.session import Session
from wrongcall.session.steps import Question
from wrongcall.session.storage import reopen, save
from wrongcall.trace.read import session_store as sessions
from wrongcall.trace.read.session_store import (
    delete_session,
    load_session,
    save_session,
    session_names,
)
from wrongcall.trace.write.writer import TraceWriter
from wrongcall.tree import Tree


class FakeTrace:
    """Four calls: f calls g twice in the same way, then h, of another module."""

    def __init__(self) -> None:
        # One object plays the parts of all queries.
        self.program = self.questions = self.places = self.execution = self.states = self
        self.functions = {
            1: SimpleNamespace(file=1, qualname="f"),
            2: SimpleNamespace(file=1, qualname="g"),
            3: SimpleNamespace(file=2, qualname="H.h"),
        }
        self.replayed_events = 0
        self.files = {1: SimpleNamespace(module="main"), 2: SimpleNamespace(module="lib")}

    def call(self, number: int) -> Any:
        return SimpleNamespace(entered=number * 100, entry=number * 100, exit=number * 100 + 50)

    def key(self, call: int) -> Hashable:
        return b"g" if call in (2, 3) else b"%d" % call

    def origin(self, call: int, path: str, time: int | None = None) -> Any:
        made = {("x", None): 4, ("x", 400): 2, ("moved", None): 1, ("lost", None): 1}
        links = (3, 2, 4) if path == "moved" else ()
        found = [SimpleNamespace(call=link) for link in links]
        return SimpleNamespace(call=made.get((path, time), 0), links=found)

    def covered(self) -> Any:
        chains = {("f", "x", 1, 2)}
        classes = [SimpleNamespace(edges={("f", 0, i)}, def_uses=chains) for i in range(2)]
        return SimpleNamespace(
            call=np.arange(1, 5), class_of=np.array([0, 1, 0, 1]), classes=classes
        )


def tree() -> Tree:
    return Tree.from_parents([-1, 0, 0, 0], [1, 2, 2, 3], ids=np.arange(1, 5, dtype=np.int64))


def test_lines_are_measured_until_a_look_was_costly() -> None:
    trace, looks = FakeTrace(), []

    def measure(trace: FakeTrace, calls: tuple[int, ...], is_list: bool) -> int:
        looks.append(calls)
        trace.replayed_events += MAX_REPLAYED_EVENTS + 1 if calls == (3,) else 10
        return 7

    facts = TraceFacts(trace, tree(), measure)
    assert facts.lines((1,), False) == facts.lines((2,), False) == 7
    assert facts.lines((3,), False) == 7
    assert facts.lines((1,), False) is None
    assert looks == [(1,), (2,), (3,)]


def test_what_is_large_is_not_measured() -> None:
    facts = TraceFacts(FakeTrace(), tree(), lambda trace, calls, is_list: 7)
    assert facts.lines((1,) * MAX_LOOKED_AT_CALLS, True) == 7
    assert facts.lines((1,) * (MAX_LOOKED_AT_CALLS + 1), True) is None
    assert facts.lines((1, MOST_EVENTS), True) is None


def test_facts() -> None:
    facts = TraceFacts(FakeTrace(), tree())
    assert facts.question_key(2) == facts.question_key(3) != facts.question_key(4)
    assert (facts.module(3), facts.functions_of("main")) == ("lib", {1, 2})
    assert facts.function_name(3) == "H.h"
    assert facts.origin(4, Part(Where.OUTCOME, "x")) == 4
    assert facts.origin(4, Part(Where.INPUT, "x")) == 2
    assert facts.origin(4, Part(Where.INPUT, "y")) is None
    assert facts.origin(1, Part(Where.OUTCOME, "moved")) == 1
    assert facts.origin(2, Part(Where.EFFECT, "moved")) == 2
    assert facts.origin(2, Part(Where.EFFECT, "lost")) is None
    edges = facts.coverage("edges")
    assert edges is not None
    assert edges.class_of.tolist() == [0, 1, 0, 1]
    chains = facts.coverage("def-use")
    assert chains is not None
    assert chains.class_of.tolist() == [0, 0, 0, 0]
    assert facts.coverage("lines") is None


def test_a_session_uses_them() -> None:
    session = Session(tree(), TraceFacts(FakeTrace(), tree()), strategy="coverage-edges")
    session.judge(1, "wrong")
    session.judge(2, "right")
    session.advance()
    step = session.step()
    assert isinstance(step, Question)
    assert step.calls == (4,)
    session.use("top-down")
    session.answer("trust module") if isinstance(session.step(), Question) else None
    session.advance()
    assert getattr(session.step(), "calls", None) == (1,)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """An empty trace."""
    path = tmp_path / "run.wrongcall"
    TraceWriter(path).close("exit")
    return path


def test_a_session_is_saved_and_reopened(file: Path) -> None:
    session = Session(tree(), strategy="top-down", clock=lambda: 5.0)
    session.judge(1, "wrong", by="ann", expected="3")
    session.judge(2, "right")
    save(session, file)
    again = reopen(file, tree())
    assert snapshot(again) == snapshot(session)
    assert again.strategy.name == "top-down"
    again.judge(3, "right")
    save(again, file)
    assert len(load_session(file, "session").entries) == 3
    again.undo()
    again.undo()
    save(again, file)
    assert snapshot(reopen(file, tree())) == snapshot(again)


def test_several_sessions_live_in_one_file(file: Path) -> None:
    assert session_names(file) == []
    for name in ("first", "second"):
        save(Session(tree()), file, name)
    assert session_names(file) == ["first", "second"]
    delete_session(file, "first")
    assert session_names(file) == ["second"]
    with pytest.raises(TraceError, match="there is no session 'first'"):
        reopen(file, tree(), "first")
    with pytest.raises(TraceError, match="there is no session 'first'"):
        delete_session(file, "first")


def test_what_is_no_trace_is_refused(tmp_path: Path, file: Path) -> None:
    other = tmp_path / "other.db"
    other.write_text("no database")
    with pytest.raises(TraceError, match="not a trace"):
        save_session(other, "name", {}, [])
    with pytest.raises(TraceError, match="no such file"):
        session_names(tmp_path / "missing")
    save_session(file, "odd", {}, [{"calls": [1, 1]}])
    with pytest.raises(SessionError, match="not an answer"):
        reopen(file, tree(), "odd")
    db = sqlite3.connect(file)
    db.execute("UPDATE answers SET entry = '{'")
    db.commit()
    with pytest.raises(TraceError, match="the table answers is not as it was written"):
        load_session(file, "odd")
    sessions._seal(db)  # now the checksum is right, but what it is of is still no JSON
    db.commit()
    db.close()
    with pytest.raises(TraceError, match="session 'odd' is damaged"):
        load_session(file, "odd")


def test_half_of_a_session_is_never_saved(file: Path) -> None:
    save_session(file, "kept", {}, [{"n": 1}])
    with pytest.raises(TypeError):
        save_session(file, "kept", {}, [{"n": object()}])
    blocker = sqlite3.connect(file, isolation_level=None)
    blocker.execute("BEGIN IMMEDIATE")
    blocker.execute("DELETE FROM answers")
    blocker.close()
    assert load_session(file, "kept").entries == ({"n": 1},)
