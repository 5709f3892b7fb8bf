"""Bursts of several processes in order; `test_rings` shows it with clocks and rings."""

from __future__ import annotations

from typing import cast

import numpy as np

from wrongcall.events import Kind
from wrongcall.trace.format.event_records import EVENT, Events
from wrongcall.trace.write.batch import Batch
from wrongcall.trace.write.merging import Part, merged, until
from wrongcall.trace.write.renumber import Stretch
from wrongcall.trace.write.ring import Ring
from wrongcall.trace.write.source import Source


def events(*rows: tuple[int, int], size: int = 0) -> Events:
    made = np.zeros(len(rows), EVENT)
    made["kind"], made["value"] = [kind for kind, _ in rows], [value for _, value in rows]
    made["obj"] = size
    return made


def holding(array: Events, data: bytes = b"") -> Source:
    source = Source(cast(Ring, None), 2)
    source.hold(Batch(array.tobytes(), data))
    return source


def test_bursts_up_to_the_clock_are_taken_and_the_rest_is_held() -> None:
    source = holding(
        events((Kind.MARK, 5), (Kind.BLOCK, 1), (Kind.MARK, 9), (Kind.BLOCK, 2), (Kind.BLOCK, 3))
    )
    part = until(source, 8)
    assert (part.events["value"].tolist(), part.begins.tolist()) == ([1], [5])
    part = until(source, 9)
    assert (part.events["value"].tolist(), part.begins.tolist()) == ([2, 3], [9, 9])
    assert source.held == []
    assert len(until(source, 99).events) == 0


def test_bytes_stay_with_their_events() -> None:
    source = holding(events((Kind.NAME, 1), (Kind.MARK, 9), (Kind.NAME, 2), size=3), b"abcdef")
    array = np.frombuffer(source.held[0].events, EVENT).copy()
    array["obj"][1] = 0
    source.held = [Batch(array.tobytes(), b"abcdef")]
    assert until(source, 8).data == b"abc"
    assert until(source, 9).data == b"def"


def test_events_are_merged_by_when_their_bursts_began_then_by_process() -> None:
    one = Part(1, events((Kind.BLOCK, 1), (Kind.BLOCK, 4)), b"", np.array([3, 7]))
    two = Part(2, events((Kind.BLOCK, 2), (Kind.BLOCK, 3)), b"", np.array([3, 5]))
    found, data, stretches = merged([two, one])
    assert found["value"].tolist() == [1, 2, 3, 4]
    assert stretches == [Stretch(1, 0, 1), Stretch(2, 1, 3), Stretch(1, 3, 4)]
    assert data == b""
    assert merged([])[2] == []
