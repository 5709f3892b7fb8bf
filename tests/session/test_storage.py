"""Sessions are kept in the file of their trace and continued from there."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.session.truth import snapshot
from wrongcall.errors import SessionError, TraceError
from wrongcall.session.session import Session
from wrongcall.session.storage import DEFAULT_NAME, reopen, save
from wrongcall.trace.read.session_store import load_session, save_session, session_names
from wrongcall.trace.write.writer import TraceWriter
from wrongcall.tree.tree import Tree

TREE = Tree.from_parents([-1, 0, 0, 0], [1, 2, 2, 3])


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """An empty trace."""
    path = tmp_path / "run.wrongcall"
    TraceWriter(path).close("exit")
    return path


def test_a_session_is_saved_and_reopened(file: Path) -> None:
    session = Session(TREE, strategy="top-down", clock=lambda: 5.0)
    session.judge(0, "wrong", by="ann", expected="3\ud800")
    session.judge(1, "right")
    save(session, file)
    again = reopen(file, TREE)
    assert snapshot(again) == snapshot(session)
    assert again.strategy.name == "top-down"
    again.judge(2, "right")
    save(again, file)
    assert len(load_session(file, DEFAULT_NAME).entries) == 3
    again.undo()
    again.undo()
    save(again, file)
    assert snapshot(reopen(file, TREE)) == snapshot(again)


def test_options_override_saved_settings(file: Path) -> None:
    save(Session(TREE, strategy="top-down"), file)
    again = reopen(file, TREE, strategy="single-stepping", clock=lambda: 7.0)
    assert again.strategy.name == "single-stepping"
    again.judge(1, "right")
    assert again.entries[0].at == 7.0


def test_several_sessions_live_in_one_file(file: Path) -> None:
    assert session_names(file) == []
    for name, verdict in (("first", "right"), ("second", "wrong")):
        session = Session(TREE)
        session.judge(1, verdict)
        save(session, file, name)
    assert session_names(file) == ["first", "second"]
    assert [reopen(file, TREE, name).suspects.root for name in session_names(file)] == [-1, 1]


def test_reopening_an_unknown_session_names_it(file: Path) -> None:
    with pytest.raises(TraceError, match="there is no session 'first'"):
        reopen(file, TREE, "first")


def test_an_invalid_saved_answer_is_refused(file: Path) -> None:
    save_session(file, "odd", {}, [{"calls": [1, 1]}])
    with pytest.raises(SessionError, match="not an answer"):
        reopen(file, TREE, "odd")


def test_a_saved_strategy_that_no_longer_exists_is_refused(file: Path) -> None:
    save_session(file, "old", {"strategy": "guess"}, [])
    with pytest.raises(SessionError, match="there is no strategy 'guess'"):
        reopen(file, TREE, "old")
