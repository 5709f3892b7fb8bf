from __future__ import annotations

from pathlib import Path

import numpy as np

import wrongcall.recording
from tests.trace import streams
from tests.trace.emitter import Emitter
from wrongcall.recording import Recording
from wrongcall.trace.write.writer import TraceWriter


def test_a_trace_is_opened_by_its_path(tmp_path: Path) -> None:
    Emitter().write(tmp_path / "t.wrongcall")
    with wrongcall.recording.open(str(tmp_path / "t.wrongcall")) as trace:
        assert trace.path == tmp_path / "t.wrongcall"
        assert trace.event_count == 0
        assert list(trace.events.segments()) == []
        assert len(trace.calls.columns()) == 0


def test_all_events_can_be_gone_through_in_parts(tmp_path: Path) -> None:
    events = streams.merges(150_000)
    writer = TraceWriter(tmp_path / "t.wrongcall")
    writer.add(events, b"")
    writer.close("exit")
    with Recording(tmp_path / "t.wrongcall") as trace:
        parts = list(trace.events.segments())
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
