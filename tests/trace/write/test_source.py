from __future__ import annotations

import numpy as np

from tests.trace.producer import RingProducer
from wrongcall.events import Kind
from wrongcall.trace.format.event_records import EVENT
from wrongcall.trace.write.ring import Ring
from wrongcall.trace.write.source import Source


def test_what_was_taken_is_held_when_more_is_taken() -> None:
    with Ring.create(8, 16) as ring:
        program, source = RingProducer(ring.fd), Source(ring, 2)
        for value in (1, 2):
            event = np.zeros(1, EVENT)
            event["kind"], event["value"] = Kind.BLOCK, value
            program.put(event)
            source.take()
        source.take()
        program.close()
        held = [np.frombuffer(batch.events, EVENT)["value"].tolist() for batch in source.held]
        assert held == [[1], [2]]
