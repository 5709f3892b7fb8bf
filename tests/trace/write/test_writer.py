from __future__ import annotations

import errno
import json
import os
import sqlite3
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.trace import streams
from tests.trace.emitter import Emitter
from wrongcall.errors import TraceError, TraceFullError
from wrongcall.events import Kind, Tag
from wrongcall.recording import Recording
from wrongcall.trace.format.event_records import EVENT, Events
from wrongcall.trace.format.segment import SEGMENT_EVENTS
from wrongcall.trace.write import writer
from wrongcall.trace.write.writer import TraceWriter


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "run.wrongcall"


def query(path: Path, sql: str) -> list[tuple[int, ...]]:
    with closing(sqlite3.connect(path)) as db:
        return db.execute(sql).fetchall()


def count_of(recording: Recording) -> int:
    return recording.event_count


def numbered(count: int) -> Events:
    events = np.zeros(count, EVENT)
    events["kind"] = Kind.BLOCK
    events["value"] = np.arange(count)
    return events


def test_written_events_can_be_read(path: Path) -> None:
    events = streams.fibonacci(12)
    trace_writer = TraceWriter(path, {"argv": ["fib.py", "12"]})
    trace_writer.add(events, b"")
    trace_writer.close("exit", {"waits": 0})
    with Recording(path) as recording:
        assert recording.events.between().tobytes() == events.tobytes()
        assert recording.meta == {"argv": ["fib.py", "12"], "ended": "exit", "waits": 0}
        assert recording.ended == "exit"


@settings(max_examples=15)
@given(st.lists(st.integers(0, 90_000), max_size=6), st.sets(st.integers(0, 5)))
def test_events_come_back_however_they_were_handed_over(
    tmp_path_factory: pytest.TempPathFactory, sizes: list[int], flushes: set[int]
) -> None:
    path = tmp_path_factory.mktemp("handed") / "run.wrongcall"
    events = numbered(sum(sizes))
    trace_writer = TraceWriter(path)
    done = 0
    for i, size in enumerate(sizes):
        trace_writer.add(events[done : done + size], b"")
        done += size
        if i in flushes:
            trace_writer.flush()
    trace_writer.close("exit")
    with Recording(path) as recording:
        assert recording.event_count == trace_writer.events == len(events)
        assert recording.events.between().tobytes() == events.tobytes()


def test_all_segments_but_the_last_are_full(path: Path) -> None:
    trace_writer = TraceWriter(path)
    for _ in range(3):
        trace_writer.add(numbered(50_000), b"")
        trace_writer.flush()
    trace_writer.close("exit")
    rows = query(path, "SELECT id, first, count FROM segments")
    assert rows == [(0, 0, 65_536), (1, 65_536, 65_536), (2, 131_072, 18_928)]


def test_only_a_flush_makes_events_visible(path: Path) -> None:
    trace_writer = TraceWriter(path)
    recording = Recording(path)
    trace_writer.add(numbered(100), b"")
    recording.refresh()
    assert count_of(recording) == 0
    trace_writer.flush()
    assert count_of(recording) == 0
    recording.refresh()
    assert count_of(recording) == 100
    trace_writer.close("exit")
    recording.close()


def test_a_trace_says_why_it_ends_when_it_has_ended(path: Path) -> None:
    trace_writer = TraceWriter(path)
    with Recording(path) as recording:
        assert recording.ended is None
    trace_writer.close("killed")
    with Recording(path) as recording:
        assert recording.ended == "killed"


def test_calls_and_bytes_are_counted(path: Path) -> None:
    emitter = Emitter()
    emitter.enter(1)
    emitter.enter(1, kind=Kind.CREATE)
    emitter.name("abc")
    trace_writer = TraceWriter(path)
    trace_writer.add(emitter.events(), bytes(emitter.data))
    assert (trace_writer.events, trace_writer.calls, trace_writer.bytes) == (3, 2, 3)
    trace_writer.close("exit")


def test_many_contents_are_split_into_batches(path: Path) -> None:
    emitter = Emitter()
    values = [emitter.value(f"text number {i}") for i in range(10_000)]
    trace_writer = TraceWriter(path)
    events, data = emitter.events(), bytes(emitter.data)
    done = 0
    for begin in range(0, 10_000, 999):
        part = events[begin : begin + 999]
        size = int(part["obj"].sum())
        trace_writer.add(part, data[done : done + size])
        trace_writer.flush()
        done += size
    trace_writer.close("exit")
    assert query(path, "SELECT count(*) FROM contents") == [(3,)]
    with Recording(path) as recording:
        read = [recording.states.values.read(*value) for value in values]
    assert read == [f"text number {i}" for i in range(10_000)]


# -- where the file goes ---------------------------------------------------------------------------


def test_an_older_trace_is_replaced(path: Path) -> None:
    first = TraceWriter(path)
    first.add(numbered(10), b"")
    first.close("exit")
    TraceWriter(path).close("exit")
    with Recording(path) as recording:
        assert recording.event_count == 0


def test_another_file_is_not_overwritten(path: Path) -> None:
    path.write_text("precious")
    with pytest.raises(TraceError, match="exists and is not a trace"):
        TraceWriter(path)
    assert path.read_text() == "precious"


def test_another_file_is_overwritten_by_force(path: Path) -> None:
    path.write_text("worthless")
    TraceWriter(path, force=True).close("exit")
    with Recording(path) as recording:
        assert recording.event_count == 0


def test_an_empty_file_may_be_overwritten(path: Path) -> None:
    path.touch()
    TraceWriter(path).close("exit")


def test_a_folder_is_never_overwritten(tmp_path: Path) -> None:
    with pytest.raises(TraceError, match="not a trace"):
        TraceWriter(tmp_path, force=True)


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(TraceError, match=r"there is no folder .*missing"):
        TraceWriter(tmp_path / "missing" / "run.wrongcall")


# -- when it cannot go on --------------------------------------------------------------------------


def limit(trace_writer: TraceWriter, pages: int) -> None:
    """Let the database be full when it has so many pages more."""
    db = trace_writer._db
    (count,) = db.execute("PRAGMA page_count").fetchone()
    db.execute(f"PRAGMA max_page_count = {count + pages}")


def add_and_flush(trace_writer: TraceWriter, events: Events) -> None:
    """What is packed in the meantime is stored by the one or by the other."""
    trace_writer.add(events, b"")
    trace_writer.flush()


def random_events(count: int) -> Events:
    events = numbered(count)
    events["value"] = np.random.default_rng(1).integers(-(2**62), 2**62, count)
    return events


def test_a_full_disk_leaves_what_was_flushed(path: Path) -> None:
    trace_writer = TraceWriter(path)
    trace_writer.add(random_events(1000), b"")
    trace_writer.flush()
    limit(trace_writer, 3)
    with pytest.raises(TraceFullError, match="full"):
        add_and_flush(trace_writer, random_events(SEGMENT_EVENTS))
    assert trace_writer.full
    with pytest.raises(TraceFullError):
        trace_writer.add(random_events(1), b"")
    trace_writer.close("exit")
    with Recording(path) as recording:
        assert recording.event_count == 1000
        assert recording.events.between().tobytes() == random_events(1000).tobytes()
        assert recording.ended == "disk full"


def test_a_disk_that_is_full_at_the_end_says_so(path: Path) -> None:
    trace_writer = TraceWriter(path)
    trace_writer.add(random_events(60_000), b"")
    limit(trace_writer, 3)
    trace_writer.close("exit")
    with Recording(path) as recording:
        assert (recording.event_count, recording.ended) == (0, "disk full")


def test_a_disk_that_is_full_when_processes_have_ended_says_so(path: Path) -> None:
    trace_writer = TraceWriter(path)
    limit(trace_writer, 0)
    trace_writer.process_ended(1, "exit 0" * 10_000)
    assert trace_writer.full
    trace_writer.close("exit")
    with Recording(path) as recording:
        assert recording.ended == "disk full"


@pytest.mark.parametrize(
    "blocks, free",
    [(1 << 30, writer.RESERVED_DISK_BYTES // 4096 - 1), (512, 512 // writer.RESERVE_SHARE - 1)],
    ids=["large", "small"],
)
def test_some_of_the_disk_is_left_free(
    path: Path, monkeypatch: pytest.MonkeyPatch, blocks: int, free: int
) -> None:
    trace_writer = TraceWriter(path)
    trace_writer.add(numbered(10), b"")
    nearly = SimpleNamespace(f_blocks=blocks, f_bavail=free, f_frsize=4096)
    monkeypatch.setattr(os, "statvfs", lambda _: nearly)
    with pytest.raises(TraceFullError):
        trace_writer.flush()
    trace_writer.close("exit")
    with Recording(path) as recording:
        assert (recording.event_count, recording.ended) == (10, "disk full")


def test_other_errors_of_the_database_are_errors_of_the_trace(path: Path) -> None:
    trace_writer = TraceWriter(path)
    trace_writer._db.execute("DROP TABLE segments")
    trace_writer.add(numbered(10), b"")
    with pytest.raises(TraceError, match="no such table"):
        trace_writer.flush()
    with pytest.raises(TraceError, match="no such table"):
        trace_writer.close("exit")


def test_meta_may_be_anything_that_json_knows(path: Path) -> None:
    meta = {"argv": ["ä", "b c"], "nested": {"x": [1, None, 2.5, True]}}
    TraceWriter(path, json.loads(json.dumps(meta))).close("exit")
    with Recording(path) as recording:
        assert recording.meta == {**meta, "ended": "exit"}


def test_a_value_of_a_later_batch_is_found(path: Path) -> None:
    trace_writer = TraceWriter(path)
    recording = Recording(path)
    values = []
    for i in range(5):
        emitter = Emitter()
        value = emitter.content(Tag.STR, f"content of round {i}".encode())
        emitter.rows = [(*row[:-1], 1000 + i) for row in emitter.rows]
        trace_writer.add(emitter.events(), bytes(emitter.data))
        trace_writer.flush()
        recording.refresh()
        values.append(recording.states.values.read(value[0], 1000 + i))
    assert values == [f"content of round {i}" for i in range(5)]
    trace_writer.close("exit")
    recording.close()


def test_a_trace_whose_file_is_removed_is_an_error_of_the_trace(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def gone(_: Path) -> None:
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))

    trace_writer = TraceWriter(path)
    trace_writer.add(numbered(10), b"")
    monkeypatch.setattr(os, "statvfs", gone)
    with pytest.raises(TraceError, match=r"run\.wrongcall: No such file or directory"):
        trace_writer.flush()
    trace_writer.close("exit")
