from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from tests.trace.emitter import Emitter
from wrongcall.errors import TraceError, TraceVersionError
from wrongcall.recording import Recording
from wrongcall.trace.format import schema
from wrongcall.trace.format.schema import FILE_VERSION
from wrongcall.trace.read.session_store import save_session
from wrongcall.trace.write.writer import TraceWriter


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "run.wrongcall"
    Emitter().write(path)
    return path


def set_version(path: Path, version: int) -> None:
    db = sqlite3.connect(path)
    db.execute(f"PRAGMA user_version = {version}")
    db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    db.close()


def test_a_trace_says_what_it_is_in_its_first_bytes(path: Path) -> None:
    assert schema.format_version(path) == FILE_VERSION


def test_a_new_trace_says_so_before_anything_is_written_to_it(tmp_path: Path) -> None:
    writer = TraceWriter(tmp_path / "new.wrongcall")
    assert schema.format_version(tmp_path / "new.wrongcall") == FILE_VERSION
    writer.close("exit")


@pytest.mark.parametrize("step, age", [(1, "a newer"), (-1, "an older")])
def test_another_version_is_refused(path: Path, step: int, age: str) -> None:
    set_version(path, FILE_VERSION + step)
    with pytest.raises(TraceVersionError, match=f"format {FILE_VERSION + step} by {age}"):
        Recording(path)


@pytest.mark.parametrize("content", [b"", b"print('hello')\n", b"SQLite format 3\0", bytes(4096)])
def test_what_is_not_a_trace_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "other"
    path.write_bytes(content)
    assert schema.format_version(path) is None
    with pytest.raises(TraceError, match="not a trace"):
        Recording(path)


def test_another_database_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    db = sqlite3.connect(path)
    db.execute("CREATE TABLE meta (key, value)")
    db.close()
    with pytest.raises(TraceError, match="not a trace"):
        Recording(path)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(TraceError, match=r"missing\.wrongcall: no such file"):
        Recording(tmp_path / "missing.wrongcall")


def test_a_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(TraceError, match="directory"):
        Recording(tmp_path)


def test_a_finished_trace_is_one_file_also_when_it_is_read(path: Path) -> None:
    with Recording(path):
        assert [other.name for other in path.parent.iterdir()] == [path.name]
    assert [other.name for other in path.parent.iterdir()] == [path.name]


def test_a_trace_may_be_finished_while_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "run.wrongcall"
    writer = TraceWriter(path)
    with Recording(path) as recording:
        writer.close("exit")
        recording.refresh()
        assert recording.ended == "exit"
    with Recording(path) as recording:
        assert recording.ended == "exit"


FINISHED_IN_A_CLOSED_FOLDER = """
import os, sys
from pathlib import Path
from wrongcall.trace.write.writer import TraceWriter
path = Path(sys.argv[1])
writer = TraceWriter(path, {"round": 1})
os.chmod(path.parent, 0o555)
writer.close("exit")
"""


def test_a_trace_may_be_finished_in_a_folder_that_was_closed(tmp_path: Path) -> None:
    path = tmp_path / "closed" / "run.wrongcall"
    path.parent.mkdir()
    # Without its privileges even root has to keep to the rights of files.
    privileges = "--bounding-set=-dac_override,-dac_read_search"
    command = [sys.executable, "-c", FINISHED_IN_A_CLOSED_FOLDER, str(path)]
    if os.geteuid() == 0:
        command = ["setpriv", privileges, *command]
    subprocess.run(command, check=True)
    path.parent.chmod(0o755)
    with Recording(path) as recording:
        assert (recording.ended, recording.meta["round"]) == ("exit", 1)
    assert path.with_name("run.wrongcall-wal").stat().st_size == 0


@pytest.mark.parametrize("place", [100, 8192, 8192 * 3, 8192 * 6])
def test_a_damaged_file_is_an_error_of_the_trace_or_readable(tmp_path: Path, place: int) -> None:
    path = tmp_path / "run.wrongcall"
    emitter = Emitter()
    for i in range(5000):
        emitter.value(f"a rather long text number {i}")
    emitter.write(path)
    content = bytearray(path.read_bytes())
    content[place : place + 4000] = bytes(b"\xa5" * 4000)
    path.write_bytes(content)
    with pytest.raises(TraceError):
        read_everything(path)


def read_everything(path: Path) -> None:
    with Recording(path) as recording:
        for event in recording.events.between():
            recording.states.values.read(int(event["vtag"]), int(event["value"]))


@pytest.mark.parametrize("at, value", [(16, 16), (18, 1), (19, 1), (100, 5)])
def test_a_header_that_wrongcall_does_not_write_is_refused(path: Path, at: int, value: int) -> None:
    content = bytearray(path.read_bytes())
    content[at] = value
    path.write_bytes(content)
    with pytest.raises(TraceError, match="its header is not one that wrongcall writes"):
        Recording(path)


HIDDEN = (
    (
        "trigger",
        "sqlite_x",
        "answers",
        "CREATE TRIGGER t AFTER INSERT ON answers BEGIN SELECT 1; END",
    ),
    ("view", "sqlite_y", "sqlite_y", "CREATE VIEW v AS SELECT 1"),
)


@pytest.mark.parametrize("row", HIDDEN, ids=lambda row: row[0])
def test_nothing_hides_behind_a_name_of_sqlite(path: Path, row: tuple[str, ...]) -> None:
    db = sqlite3.connect(path, isolation_level=None)
    db.execute("PRAGMA writable_schema = ON")
    db.execute("INSERT INTO sqlite_master VALUES (?, ?, ?, 0, ?)", row)
    db.close()
    for touch in (Recording, lambda file: save_session(file, "s", {}, [])):
        with pytest.raises(
            TraceError, match=r"malformed database schema|tables are not those of a trace"
        ):
            touch(path)


def test_tables_that_share_a_place_are_refused(path: Path) -> None:
    db = sqlite3.connect(path, isolation_level=None)
    db.execute("PRAGMA writable_schema = ON")
    same = "(SELECT rootpage FROM sqlite_master WHERE name = 'names')"
    db.execute(f"UPDATE sqlite_master SET rootpage = {same} WHERE name = 'sessions'")
    db.close()
    with pytest.raises(TraceError, match="two tables are in the same place"):
        save_session(path, "s", {}, [])
