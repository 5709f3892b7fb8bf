from __future__ import annotations

import os
import re
from operator import attrgetter
from pathlib import Path

import numpy as np
import pytest

import wrongcall.recording
from tests.trace import streams
from tests.trace.emitter import Emitter
from wrongcall.recording import Recording
from wrongcall.trace.write.writer import TraceWriter


def test_a_trace_is_opened_by_its_path(tmp_path: Path) -> None:
    Emitter().write(tmp_path / "t.wrongcall")
    with wrongcall.recording.open(str(tmp_path / "t.wrongcall")) as recording:
        assert recording.path == tmp_path / "t.wrongcall"
        assert recording.event_count == 0
        assert list(recording.events.segments()) == []
        assert len(recording.calls.columns()) == 0


def test_the_queries_that_the_docstring_lists_are_there(tmp_path: Path) -> None:
    Emitter().write(tmp_path / "t.wrongcall")
    listed = re.findall(
        r"^    recording\.([\w.]+)\(", str(wrongcall.recording.__doc__), re.MULTILINE
    )
    assert len(listed) > 15
    with Recording(tmp_path / "t.wrongcall") as recording:
        for name in listed:
            assert callable(attrgetter(name)(recording)), name


def test_all_events_can_be_gone_through_in_parts(tmp_path: Path) -> None:
    events = streams.merges(150_000)
    writer = TraceWriter(tmp_path / "t.wrongcall")
    writer.add(events, b"")
    writer.close("exit")
    with Recording(tmp_path / "t.wrongcall") as recording:
        parts = list(recording.events.segments())
        assert [first for first, _ in parts] == [0, 65_536, 131_072]
        assert np.concatenate([part for _, part in parts]).tobytes() == events.tobytes()


def test_a_trace_can_be_read_by_many_at_once(tmp_path: Path) -> None:
    writer = TraceWriter(tmp_path / "t.wrongcall")
    writer.add(streams.merges(1000), b"")
    writer.flush()
    readers = [Recording(tmp_path / "t.wrongcall") for _ in range(5)]
    writer.add(streams.merges(1000), b"")
    writer.flush()
    for reader in readers:
        assert reader.event_count == 1000
        reader.refresh()
        assert reader.event_count == 2000
        reader.close()
    writer.close("exit")


# Other tests may have left a thread, of which the child makes no use.
@pytest.mark.filterwarnings("ignore:.*multi-threaded, use of fork:DeprecationWarning")
def test_a_forked_process_reads_on_by_a_connection_of_its_own(tmp_path: Path) -> None:
    writer = TraceWriter(tmp_path / "t.wrongcall")
    writer.add(streams.merges(150_000), b"")
    writer.close("exit")
    with Recording(tmp_path / "t.wrongcall") as recording:
        count = recording.event_count
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            try:
                recording.reconnect()
                os.write(writing, str(len(recording.events.between(0, count))).encode())
            finally:
                os._exit(0)
        os.waitpid(child, 0)
        os.close(writing)
        assert int(os.read(reading, 100)) == count
        os.close(reading)
        assert len(recording.events.between(0, count)) == count
