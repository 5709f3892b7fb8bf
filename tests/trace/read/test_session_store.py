"""Debugging sessions in the file of their trace."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from wrongcall.errors import TraceError
from wrongcall.trace.read import session_store
from wrongcall.trace.read.session_store import (
    SavedSession,
    delete_session,
    load_session,
    meta_of,
    save_session,
    session_names,
)
from wrongcall.trace.write.writer import TraceWriter

ANSWERS: list[dict[str, Any]] = [{"verdict": "right", "calls": [1, 2]}, {"note": "ü\n\0"}]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "t.wrongcall"
    TraceWriter(path, {"kind": "script"}).close("exit")
    return path


def _change(path: Path, sql: str) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute(sql)


def test_a_session_is_loaded_as_it_was_saved(path: Path) -> None:
    save_session(path, "mine", {"strategy": "x"}, ANSWERS)
    assert load_session(path, "mine") == SavedSession("mine", {"strategy": "x"}, tuple(ANSWERS))


def test_saving_again_replaces_everything(path: Path) -> None:
    save_session(path, "mine", {"a": 1}, ANSWERS)
    save_session(path, "other", {}, [])
    save_session(path, "mine", {"b": 2}, ANSWERS[1:])
    assert load_session(path, "mine") == SavedSession("mine", {"b": 2}, tuple(ANSWERS[1:]))
    assert session_names(path) == ["mine", "other"]


def test_a_deleted_session_leaves_no_answers(path: Path) -> None:
    save_session(path, "mine", {}, ANSWERS)
    delete_session(path, "mine")
    assert session_names(path) == []
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("SELECT count(*) FROM answers").fetchone() == (0,)
    with pytest.raises(TraceError, match="there is no session 'mine'"):
        delete_session(path, "mine")


def test_meta_facts_are_read_without_the_events(path: Path) -> None:
    facts = meta_of(path)
    assert (facts["kind"], facts["ended"]) == ("script", "exit")


@pytest.mark.parametrize(
    "sql",
    [
        'UPDATE answers SET entry = \'{"verdict": "wrong"}\' WHERE number = 1',
        "DELETE FROM answers WHERE number = 2",
        "UPDATE sessions SET settings = '{}'",
    ],
)
def test_answers_that_somebody_changed_are_noticed(path: Path, sql: str) -> None:
    save_session(path, "mine", {"a": 1}, ANSWERS)
    _change(path, sql)
    with pytest.raises(TraceError, match="damaged"):
        load_session(path, "mine")
    with pytest.raises(TraceError, match="damaged"):
        session_names(path)


def test_a_session_is_saved_whole_or_not_at_all(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save_session(path, "mine", {"a": 1}, ANSWERS)

    def fail(db: sqlite3.Connection) -> None:
        raise OSError("no more")

    monkeypatch.setattr(session_store, "_seal", fail)
    with pytest.raises((OSError, TraceError), match="no more"):
        save_session(path, "mine", {"b": 2}, [])
    monkeypatch.undo()
    assert load_session(path, "mine") == SavedSession("mine", {"a": 1}, tuple(ANSWERS))


def test_what_is_no_trace_is_refused(tmp_path: Path) -> None:
    other = tmp_path / "other.db"
    other.write_text("no database")
    with pytest.raises(TraceError, match="not a trace"):
        save_session(other, "name", {}, [])
    with pytest.raises(TraceError, match="no such file"):
        session_names(tmp_path / "missing")


def test_an_answer_that_is_no_json_is_damage_even_with_the_right_checksum(path: Path) -> None:
    save_session(path, "odd", {}, [{"calls": [1, 1]}])
    with closing(sqlite3.connect(path)) as db:
        db.execute("UPDATE answers SET entry = '{'")
        session_store._seal(db)
        db.commit()
    with pytest.raises(TraceError, match="session 'odd' is damaged"):
        load_session(path, "odd")


def test_an_entry_that_json_cannot_hold_leaves_the_saved_session(path: Path) -> None:
    save_session(path, "kept", {}, [{"n": 1}])
    with pytest.raises(TypeError):
        save_session(path, "kept", {}, [{"n": object()}])
    assert load_session(path, "kept").entries == ({"n": 1},)


def test_a_writer_that_dies_in_a_transaction_leaves_the_saved_session(path: Path) -> None:
    save_session(path, "kept", {}, [{"n": 1}])
    with closing(sqlite3.connect(path, isolation_level=None)) as blocker:
        blocker.execute("BEGIN IMMEDIATE")
        blocker.execute("DELETE FROM answers")
    assert load_session(path, "kept").entries == ({"n": 1},)
