"""What lies beside a trace, and what of it is SQLite's log."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path

import pytest

from wrongcall.errors import TraceError
from wrongcall.trace.file.beside import (
    INDEX,
    JOURNAL,
    LOG,
    beside,
    check_all,
    check_journal,
    has_log,
    is_ours,
)
from wrongcall.trace.format.schema import PAGE_SIZE


@pytest.fixture
def trace(tmp_path: Path) -> Path:
    path = tmp_path / "t.wrongcall"
    path.write_bytes(b"")
    return path


def _real_log(folder: Path, page_size: int) -> bytes:
    """The log that SQLite itself writes."""
    path = folder / "real"
    db = sqlite3.connect(path, isolation_level=None)
    db.execute(f"PRAGMA page_size = {page_size}")
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("CREATE TABLE t (x)")
    log = beside(path, LOG).read_bytes()
    db.close()
    return log


def test_a_log_is_one_that_sqlite_wrote_with_our_page_size(trace: Path, tmp_path: Path) -> None:
    log = beside(trace, LOG)
    assert not has_log(trace)
    log.write_bytes(b"")
    assert not has_log(trace)
    log.write_bytes(_real_log(tmp_path, PAGE_SIZE))
    assert has_log(trace)
    assert is_ours(trace, LOG)


def test_another_page_size_is_not_ours(trace: Path, tmp_path: Path) -> None:
    beside(trace, LOG).write_bytes(_real_log(tmp_path, PAGE_SIZE // 2))
    with pytest.raises(TraceError, match="wrongcall did not write this file"):
        has_log(trace)


@pytest.mark.parametrize("content", [b"short", b"x" * 4096])
def test_files_that_are_no_log_are_refused(trace: Path, content: bytes) -> None:
    beside(trace, LOG).write_bytes(content)
    assert not is_ours(trace, LOG)
    with pytest.raises(TraceError, match="move it away"):
        check_all(trace)


def test_an_index_comes_in_whole_parts(trace: Path) -> None:
    index = beside(trace, INDEX)
    index.write_bytes(b"\0" * (32 << 10))
    check_all(trace)
    index.write_bytes(b"\0" * 100)
    with pytest.raises(TraceError, match="did not write this file"):
        check_all(trace)


def test_a_journal_is_never_ours_not_even_a_link_to_nowhere(trace: Path) -> None:
    check_journal(trace)
    beside(trace, JOURNAL).symlink_to("nowhere")
    with pytest.raises(TraceError, match="wrongcall did not write"):
        check_journal(trace)
    with pytest.raises(TraceError, match="wrongcall did not write"):
        has_log(trace)


@pytest.mark.parametrize(
    "make, why",
    [
        (lambda path: path.symlink_to("elsewhere"), "is not a regular file"),
        (lambda path: path.mkdir(), "is not a regular file"),
        (os.mkfifo, "is not a regular file"),
    ],
)
def test_links_folders_and_pipes_are_refused(trace: Path, make: object, why: str) -> None:
    make(beside(trace, LOG))  # type: ignore[operator]
    with pytest.raises(TraceError, match=why):
        has_log(trace)


def test_a_log_with_another_name_is_refused(trace: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.write_bytes(_real_log(tmp_path, PAGE_SIZE))
    os.link(other, beside(trace, LOG))
    with pytest.raises(TraceError, match="has a second name"):
        has_log(trace)
