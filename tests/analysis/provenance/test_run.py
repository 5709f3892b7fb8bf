from __future__ import annotations

from tests.trace.conftest import Record
from wrongcall.replay.resolve import Variable


def test_a_place_was_written_when_its_last_write_happened(record: Record) -> None:
    run = record("def f():\n    x = 1\n    y = 2\n    x = 3\n    return x + y\n\nf()\n")
    with run.recording as recording:
        call = run.calls("f")[0].id
        writes = recording.places.local_writes(call, "x")
        assert [write.new for write in writes] == [1, 3]
        _, value = recording.places.find(call, "x", writes[1].time - 1)
        assert value == 1
        target, value = recording.places.find(call, "x")
        assert (target, value) == (Variable(call, "x"), 3)
