"""Indexes are made by the first reader that needs them, and are the same wherever they are kept."""

from __future__ import annotations

import random
import shutil
import sqlite3
import subprocess
import sys
import threading
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.trace.lives import COUNT, stream
from wrongcall.errors import TraceError
from wrongcall.events import Kind
from wrongcall.trace.format.event_records import EVENT, Events
from wrongcall.trace.format.extents import Extent, ExtentBuilder
from wrongcall.trace.format.owner_index import EXTENT_EVENTS, OBJECT
from wrongcall.trace.format.sizes import GROUP_EXTENTS
from wrongcall.trace.read import indexes
from wrongcall.trace.read.store import Store
from wrongcall.trace.write.writer import TraceWriter

KILLED = """
import os, sys
from pathlib import Path
from wrongcall.trace.format.extents import ExtentBuilder
from wrongcall.trace.format.sizes import GROUP_EXTENTS
from wrongcall.trace.read.store import Store

make = ExtentBuilder.make

def die(builder, number, events):
    if number == GROUP_EXTENTS + 1:
        os.kill(os.getpid(), 9)
    return make(builder, number, events)

ExtentBuilder.make = die
Store(Path(sys.argv[1])).extents
"""
TABLES = ("owner_indexes", "owner_pages", "checkpoints", "checkpoint_chunks")


@pytest.fixture(scope="module")
def events() -> Events:
    return stream(3, False)


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory, events: Events) -> Path:
    path = tmp_path_factory.mktemp("indexes") / "t.wrongcall"
    writer = TraceWriter(path)
    writer.add(events, b"")
    writer.close("exit")
    return path


@pytest.fixture
def trace(recorded: Path, tmp_path: Path) -> Path:
    """A trace that nobody has read."""
    return Path(shutil.copy(recorded, tmp_path / "t.wrongcall"))


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The extents that are made, in order."""
    numbers: list[int] = []
    make = ExtentBuilder.make

    def counted(builder: ExtentBuilder, extent: int, events: Any) -> Extent:
        numbers.append(extent)
        return make(builder, extent, events)

    monkeypatch.setattr(ExtentBuilder, "make", counted)
    return numbers


def rows(path: Path) -> dict[str, list[Any]]:
    """Return what a trace has in the tables of its indexes."""
    with closing(sqlite3.connect(path)) as db:
        return {table: db.execute(f"SELECT * FROM {table}").fetchall() for table in TABLES}


def agree(store: Store, events: Events) -> None:
    """Compare the events of some objects with those that a full scan finds."""
    chance = random.Random(1)
    about = np.isin(events["kind"] & 0x7F, (Kind.ATTR, Kind.ATTR_DEL))
    for oid in chance.sample(sorted(set(events["obj"][about].tolist())), 15):
        found = store.owner_events.find(oid | OBJECT).times
        expected = np.flatnonzero(about & (events["obj"] == oid))
        assert np.isin(expected, found).all()


def test_the_writer_makes_none(trace: Path) -> None:
    assert rows(trace) == {table: [] for table in TABLES}


def test_opening_a_trace_makes_none(trace: Path, made: list[int]) -> None:
    before = trace.read_bytes()
    store = Store(trace)
    store.segments.events(0, 10)
    store.close()
    assert made == []
    assert trace.read_bytes() == before


def test_who_first_asks_stores_them_for_all_others(
    trace: Path, made: list[int], events: Events
) -> None:
    store = Store(trace)
    assert store.extents == 2
    agree(store, events)
    store.close()
    assert made == [0, 1]
    assert len(rows(trace)["owner_indexes"]) == 2
    again = Store(trace)
    agree(again, events)
    again.close()
    assert made == [0, 1]


def test_a_reader_that_was_open_before_uses_what_another_one_stored(
    trace: Path, made: list[int], events: Events
) -> None:
    first, second = Store(trace), Store(trace)
    agree(first, events)
    stored = rows(trace)
    agree(second, events)
    agree(first, events)
    first.close()
    second.close()
    assert made == [0, 1]
    assert rows(trace) == stored


def refuse(path: Path) -> Any:
    raise TraceError(f"{path}: attempt to write a readonly database")


def test_a_trace_that_cannot_be_written_gets_a_temporary_file(
    trace: Path, made: list[int], events: Events, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = trace.read_bytes()
    monkeypatch.setattr(indexes, "connect_to_write", refuse)
    store = Store(trace)
    agree(store, events)
    store.close()
    assert made == [0, 1]
    assert trace.read_bytes() == before
    assert list(trace.parent.iterdir()) == [trace]


def test_temporary_and_stored_indexes_are_the_same(
    trace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    apart = Store(Path(shutil.copy(trace, trace.with_name("apart.wrongcall"))))
    with monkeypatch.context() as patch:
        patch.setattr(indexes, "connect_to_write", refuse)
        assert apart.extents == 2
    temporary = apart._indexes._apart
    assert temporary is not None
    store = Store(trace)
    assert store.extents == 2
    store.close()
    for table, expected in rows(trace).items():
        assert expected
        assert temporary.query(f"SELECT * FROM {table}") == expected
    apart.close()


def test_no_room_anywhere_is_an_error(trace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(**_: Any) -> Any:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(indexes, "connect_to_write", refuse)
    monkeypatch.setattr("tempfile.NamedTemporaryFile", full)
    store = Store(trace)
    with pytest.raises(TraceError, match=r"no room for indexes.*No space left"):
        store.owner_events.find(1 | OBJECT)
    store.close()


def test_they_grow_beside_a_trace_that_is_being_recorded(
    tmp_path: Path, made: list[int], events: Events
) -> None:
    path = tmp_path / "t.wrongcall"
    writer = TraceWriter(path)
    writer.add(events[: EXTENT_EVENTS + 10], b"")
    writer.flush()
    store = Store(path)
    assert store.extents == 1
    writer.add(events[EXTENT_EVENTS + 10 :], b"")
    writer.flush()
    assert store.extents == 1  # the snapshot is as it was
    store.refresh()
    assert store.extents == 2
    agree(store, events)
    writer.close("exit")
    store.refresh()
    assert store.extents == 2
    store.close()
    assert made == [0, 1]
    assert rows(path) == {table: [] for table in TABLES}


def test_a_forked_process_makes_its_own(
    trace: Path, events: Events, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(indexes, "connect_to_write", refuse)
    store = Store(trace)
    assert store.extents == 2
    parent = store._indexes._apart
    store.reconnect()
    agree(store, events)
    assert store._indexes._apart is not parent
    store.close()
    assert parent is not None
    parent.close()
    # This process is the parent, too: its connection would be a warning whenever it is collected.
    (kept,) = store._db._parents
    assert isinstance(kept, sqlite3.Connection)
    kept.close()


def test_a_reader_that_was_killed_leaves_whole_groups(tmp_path: Path, made: list[int]) -> None:
    path = tmp_path / "t.wrongcall"
    extent = np.zeros(EXTENT_EVENTS, EVENT)
    extent["kind"], extent["obj"], extent["value"] = Kind.ATTR, 1, np.arange(EXTENT_EVENTS)
    first = extent.copy()
    first["kind"][0] = Kind.OBJ
    writer = TraceWriter(path)
    for number in range(GROUP_EXTENTS + 2):
        writer.add(extent if number else first, b"")
    writer.close("exit")
    whole = Path(shutil.copy(path, tmp_path / "whole.wrongcall"))

    done = subprocess.run([sys.executable, "-c", KILLED, str(path)], check=False)
    assert done.returncode == -9

    store = Store(path)
    assert store.extents == GROUP_EXTENTS + 2
    store.close()
    assert made == [GROUP_EXTENTS, GROUP_EXTENTS + 1]
    other = Store(whole)
    assert other.extents == GROUP_EXTENTS + 2
    other.close()
    assert rows(path) == rows(whole)


def test_a_gap_is_damage(trace: Path) -> None:
    store = Store(trace)
    assert store.extents == 2
    store.close()
    with closing(sqlite3.connect(trace)) as db, db:
        db.execute("DELETE FROM owner_indexes WHERE extent = 0")
    with pytest.raises(TraceError, match="1 owner indexes, the last of them 1, for 2 extents"):
        Store(trace)


def test_a_short_trace_has_none(tmp_path: Path, made: list[int], events: Events) -> None:
    path = tmp_path / "t.wrongcall"
    writer = TraceWriter(path)
    writer.add(events[:1000], b"")
    writer.close("exit")
    store = Store(path)
    assert store.extents == 0
    store.close()
    assert made == []
    assert COUNT > 1000


def test_another_thread_makes_the_same(trace: Path, made: list[int], events: Events) -> None:
    whole = Path(shutil.copy(trace, trace.with_name("whole.wrongcall")))
    store = Store(trace)
    store.prepare()
    assert len(store.segments.events(0, 1000)) == 1000  # can be read meanwhile
    agree(store, events)
    store.close()
    assert made == [0, 1]
    other = Store(whole)
    assert other.extents == 2
    other.close()
    assert rows(trace) == rows(whole)
    assert sorted(trace.parent.iterdir()) == [trace, whole]  # no log is left


def test_a_visitor_sees_all_events_of_the_extents_in_order(trace: Path, events: Events) -> None:
    shown: list[Events] = []

    def visit(first: int, part: Events) -> None:
        assert first == sum(map(len, shown))
        shown.append(part.copy())  # the memory is used again

    store = Store(trace)
    store.prepare(visit)
    store.prepared()
    assert store.extents == 2
    assert np.concatenate(shown).tobytes() == events[: 2 * EXTENT_EVENTS].tobytes()
    store.close()
    again = Store(trace)
    again.prepare(visit)  # there is nothing to unpack
    again.prepared()
    again.close()
    assert sum(map(len, shown)) == 2 * EXTENT_EVENTS


def test_a_visitor_is_not_shown_events_after_a_gap(
    trace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    firsts: list[int] = []
    monkeypatch.setattr(indexes, "GROUP_EXTENTS", 1)
    store = Store(trace)
    # Somebody else has stored the first group in the meantime.
    assert indexes._IndexThread(trace, store.segments, 1, None).finish() == 1
    thread = indexes._IndexThread(trace, store.segments, 2, lambda first, _: firsts.append(first))
    assert thread.finish() == 2
    assert firsts == []
    assert len(rows(trace)["owner_indexes"]) == 2
    store.close()


def test_preparing_what_is_there_makes_nothing(trace: Path, made: list[int]) -> None:
    for _ in range(2):
        store = Store(trace)
        store.prepare()
        store.prepare()
        assert store.extents == 2
        store.prepare()
        store.close()
    assert made == [0, 1]


def test_closing_a_trace_stops_the_thread(
    trace: Path, events: Events, monkeypatch: pytest.MonkeyPatch
) -> None:
    began, goes_on = threading.Event(), threading.Event()
    make = ExtentBuilder.make

    def slow(builder: ExtentBuilder, extent: int, events: Any) -> Extent:
        began.set()
        assert goes_on.wait(60)
        return make(builder, extent, events)

    monkeypatch.setattr(ExtentBuilder, "make", slow)
    store = Store(trace)
    store.prepare()
    assert began.wait(60)
    threading.Timer(0.05, goes_on.set).start()
    store.close()
    assert not [each for each in threading.enumerate() if each.name.startswith("indexing")]
    again = Store(trace)
    agree(again, events)
    again.close()


def test_what_the_thread_cannot_store_goes_to_a_temporary_file(
    trace: Path, events: Events, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = trace.read_bytes()

    def full(*_: Any) -> Any:
        raise TraceError("disk full")

    store = Store(trace)
    with monkeypatch.context() as patch:
        patch.setattr(indexes, "_insert", full)
        store.prepare()
        assert store._indexes._thread is not None
        store._indexes.finish()
    monkeypatch.setattr(indexes, "connect_to_write", refuse)
    agree(store, events)
    assert store._indexes._apart is not None
    store.close()
    assert trace.read_bytes() == before


def test_no_thread_reads_a_trace_that_is_being_recorded(tmp_path: Path, events: Events) -> None:
    writer = TraceWriter(tmp_path / "t.wrongcall")
    writer.add(events, b"")
    writer.flush()
    store = Store(tmp_path / "t.wrongcall")
    store.prepare()
    assert store._indexes._thread is None
    agree(store, events)
    store.close()
    writer.close("exit")
