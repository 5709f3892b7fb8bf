from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from wrongcall.errors import TraceError
from wrongcall.trace.read.database import Database
from wrongcall.trace.write.writer import TraceWriter


def test_queries_in_one_look_see_the_same(tmp_path: Path) -> None:
    writer = TraceWriter(tmp_path / "run.wrongcall", {"round": 1})
    sql = "SELECT value FROM meta"
    with closing(Database(tmp_path / "run.wrongcall")) as db:
        with db.unchanged():
            assert db.query(sql) == [("1",)]
            writer.set_meta({"round": 2})
            writer.flush()
            assert db.query(sql) == [("1",)]
        assert db.query(sql) == [("2",)]
    writer.close("exit")


def test_database_errors_become_trace_errors(tmp_path: Path) -> None:
    TraceWriter(tmp_path / "run.wrongcall").close("exit")
    with closing(Database(tmp_path / "run.wrongcall")) as db:
        with pytest.raises(TraceError, match=r"run\.wrongcall: no such table: missing"):
            db.query("SELECT * FROM missing")
        with pytest.raises(TraceError, match="readonly"):
            db.query("DELETE FROM meta")
        with pytest.raises(TraceError, match="damaged trace: nonsense"), db.unchanged():
            raise ValueError("nonsense")
