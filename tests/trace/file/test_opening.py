"""Opening a trace touches nothing but the trace, whatever lies beside it."""

from __future__ import annotations

import os
import sqlite3
import struct
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.trace.emitter import Emitter
from wrongcall.errors import TraceError
from wrongcall.recording import Recording
from wrongcall.trace.file.opening import connect, connect_to_write, tidy
from wrongcall.trace.read.session_store import load_session, save_session, session_names
from wrongcall.trace.write.writer import TraceWriter

ENTRY = {"calls": [1, 1], "verdict": "right"}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    (tmp_path / "folder").mkdir()
    path = tmp_path / "folder" / "run.wrongcall"
    emitter = Emitter()
    emitter.value("a text of more than eight characters")
    emitter.write(path)
    return path


@pytest.fixture
def precious(tmp_path: Path) -> Path:
    path = tmp_path / "precious.txt"
    path.write_bytes(b"precious" * 8192)
    return path


def beside(path: Path, suffix: str) -> Path:
    return path.with_name(path.name + suffix)


def everything(folder: Path) -> dict[str, object]:
    """Return what a folder holds, as far as one can tell without waiting for a pipe."""
    found: dict[str, object] = {}
    for file in sorted(folder.rglob("*")):
        status = file.lstat()
        content = file.read_bytes() if file.is_file() and not file.is_symlink() else None
        found[str(file)] = (status.st_mode, status.st_ino, content)
    return found


def journal_that_names(victim: Path, pages: int) -> bytes:
    """Return a rollback journal after whose playback SQLite deletes a file."""
    name = bytes(victim)
    header = bytes.fromhex("d9d505f920a163d7") + struct.pack(">IIIII", 0, 0, pages, 512, 8192)
    trailer = struct.pack(">I", 0x40000000 // 8192 + 1) + name
    checksum = sum(byte - 256 if byte > 127 else byte for byte in name) & 0xFFFFFFFF
    trailer += struct.pack(">II", len(name), checksum) + header[:8]
    return header.ljust(512, b"\0") + trailer


def read(path: Path) -> None:
    with Recording(path) as recording:
        assert recording.ended == "exit"


def save(path: Path) -> None:
    save_session(path, "session", {}, [ENTRY])


def load(path: Path) -> None:
    session_names(path)


USES = (read, save, load, tidy)


@pytest.mark.parametrize("use", USES, ids=lambda use: use.__name__)
def test_a_journal_that_names_a_file_deletes_nothing(
    tmp_path: Path, path: Path, precious: Path, use: Callable[[Path], None]
) -> None:
    beside(path, "-journal").write_bytes(journal_that_names(precious, path.stat().st_size // 8192))
    before = everything(tmp_path)
    if use is tidy:
        use(path)
    else:
        with pytest.raises(TraceError, match=r"run\.wrongcall-journal: wrongcall did not write"):
            use(path)
    assert everything(tmp_path) == before


@pytest.mark.skipif(
    sqlite3.sqlite_version_info >= (3, 53), reason="SQLite 3.53 leaves the file alone by itself"
)
def test_sqlite_itself_would_obey_that_journal(path: Path, precious: Path) -> None:
    """Else the test above would prove nothing."""
    beside(path, "-journal").write_bytes(journal_that_names(precious, path.stat().st_size // 8192))
    db = sqlite3.connect(path)
    db.execute("SELECT count(*) FROM sqlite_master").fetchall()
    db.close()
    assert not precious.exists()


def put_link(file: Path, precious: Path) -> None:
    file.symlink_to(precious)


def put_second_name(file: Path, precious: Path) -> None:
    os.link(precious, file)


def put_pipe(file: Path, precious: Path) -> None:
    os.mkfifo(file)


def put_folder(file: Path, precious: Path) -> None:
    file.mkdir()


def put_dangling_link(file: Path, precious: Path) -> None:
    file.symlink_to(precious.with_name("nowhere"))


def put_notes(file: Path, precious: Path) -> None:
    file.write_bytes(b"my notes")


THINGS = (put_link, put_second_name, put_pipe, put_folder, put_dangling_link, put_notes)


@pytest.mark.parametrize("use", USES, ids=lambda use: use.__name__)
@pytest.mark.parametrize("suffix", ["-wal", "-shm", "-journal"])
@pytest.mark.parametrize("put", THINGS, ids=lambda put: put.__name__)
def test_what_lies_beside_a_trace_is_not_touched(
    tmp_path: Path,
    path: Path,
    precious: Path,
    put: Callable[[Path, Path], None],
    suffix: str,
    use: Callable[[Path], None],
) -> None:
    put(beside(path, suffix), precious)
    before = everything(tmp_path)
    ignored = suffix == "-shm" and use in (read, load)  # it is not looked at
    if ignored or use is tidy:
        use(path)
    else:
        with pytest.raises(TraceError, match=rf"run\.wrongcall{suffix}: .*move it away"):
            use(path)
    assert everything(tmp_path) == before


@pytest.mark.parametrize("use", [read, load], ids=lambda use: use.__name__)
def test_reading_changes_nothing(tmp_path: Path, path: Path, use: Callable[[Path], None]) -> None:
    before = everything(tmp_path)
    use(path)
    assert everything(tmp_path) == before


def test_saving_changes_the_trace_only(tmp_path: Path, path: Path) -> None:
    before = everything(tmp_path)
    save(path)
    after = everything(tmp_path)
    assert after.pop(str(path)) != before.pop(str(path))
    assert after == before
    assert load_session(path, "session").entries == (ENTRY,)


@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir], ids=["pipe", "folder"])
def test_folders_and_pipes_are_refused_at_once(
    tmp_path: Path, make: Callable[[Path], None]
) -> None:
    make(tmp_path / "trace")
    for use in (read, save, load):
        with pytest.raises(TraceError, match=r"is (a directory|not a regular file)"):
            use(tmp_path / "trace")


# -- what a killed process left --------------------------------------------------------------------

KILLED_WRITER = """
import os, sys
from pathlib import Path
from wrongcall.trace.write.writer import TraceWriter
writer = TraceWriter(Path(sys.argv[1]), {"round": 1})
writer.set_meta({"round": 2})
writer.flush()
os.kill(os.getpid(), 9)
"""
KILLED_SAVING = """
import os, sys
from pathlib import Path
from wrongcall.trace.file import opening
from wrongcall.trace.read.session_store import save_session
opening.Connection.close = lambda self: os.kill(os.getpid(), 9)
save_session(Path(sys.argv[1]), "session", {}, [{"calls": [1, 1], "verdict": "right"}])
"""


def killed(code: str, path: Path) -> None:
    done = subprocess.run([sys.executable, "-c", code, str(path)], check=False)
    assert done.returncode == -9
    assert beside(path, "-wal").stat().st_size


def test_the_log_of_a_killed_recorder_is_read_and_nothing_is_touched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    private = tmp_path / "private"
    private.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(private))
    path = tmp_path / "run.wrongcall"
    killed(KILLED_WRITER, path)
    before = everything(tmp_path)
    with Recording(path) as recording:
        assert (recording.meta["round"], recording.ended, recording.is_recorded) == (2, None, False)
        assert everything(tmp_path) == before, "not even a copy is left while it is read"
    assert everything(tmp_path) == before


def test_answers_are_saved_in_a_trace_whose_recorder_was_killed(tmp_path: Path) -> None:
    path = tmp_path / "run.wrongcall"
    killed(KILLED_WRITER, path)
    save(path)
    assert [file.name for file in tmp_path.iterdir()] == [path.name]
    with Recording(path) as recording:
        assert recording.meta["round"] == 2
    assert session_names(path) == ["session"]


def test_answers_that_a_killed_debugger_saved_are_there(path: Path) -> None:
    killed(KILLED_SAVING, path)
    assert load_session(path, "session").entries == (ENTRY,)
    tidy(path)
    assert [file.name for file in path.parent.iterdir()] == [path.name]
    assert load_session(path, "session").entries == (ENTRY,)


def test_a_log_that_is_damaged_counts_as_far_as_it_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "run.wrongcall"
    killed(KILLED_WRITER, path)
    log = beside(path, "-wal")
    log.write_bytes(log.read_bytes()[:-100])
    with Recording(path) as recording:
        assert recording.meta["round"] == 1


def test_a_log_cannot_make_a_trace_of_another_version(tmp_path: Path, path: Path) -> None:
    db = sqlite3.connect(path, isolation_level=None)
    db.execute("PRAGMA user_version = 77")
    log, main = beside(path, "-wal").read_bytes(), path.read_bytes()
    db.close()
    path.write_bytes(main)
    beside(path, "-wal").write_bytes(log)
    with pytest.raises(TraceError, match="written in format 77 by a newer wrongcall"):
        read(path)


# -- a recorder that is at work --------------------------------------------------------------------


def test_a_trace_that_is_being_written_is_read_as_it_grows(tmp_path: Path) -> None:
    path = tmp_path / "run.wrongcall"
    writer = TraceWriter(path, {"round": 1})
    with Recording(path) as recording:
        assert recording.is_recorded
        writer.set_meta({"round": 2})
        writer.flush()
        save(path)
        recording.refresh()
        assert recording.meta["round"] == 2
        assert session_names(path) == ["session"]
        writer.close("exit")
        recording.refresh()
        assert (recording.ended, recording.is_recorded) == ("exit", False)
    tidy(path)
    assert [file.name for file in tmp_path.iterdir()] == [path.name]


def test_connections_cannot_reach_other_files(path: Path, tmp_path: Path) -> None:
    for opened in (connect, connect_to_write):
        db = opened(path)
        for sql in (
            f"ATTACH '{tmp_path / 'other'}' AS other",
            f"VACUUM INTO '{tmp_path / 'other'}'",
        ):
            with pytest.raises(sqlite3.Error):
                db.execute(sql)
        db.close()
    assert not (tmp_path / "other").exists()
