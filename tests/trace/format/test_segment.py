from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.trace import streams
from tests.trace.strategies import events
from wrongcall.errors import TraceError
from wrongcall.trace.format import _packing
from wrongcall.trace.format.event_records import EVENT, FIELDS, OPAQUE, Events
from wrongcall.trace.format.segment import SEGMENT_EVENTS, Packed, grouping, unpack
from wrongcall.trace.write.segment_rows import pack_segment

STREAMS = {
    "calls": lambda: streams.fibonacci(21),
    "lists": lambda: streams.merges(SEGMENT_EVENTS),
    "texts": lambda: streams.words(SEGMENT_EVENTS),
}


def packed(array: Events) -> bytes:
    return pack_segment(array).packed


@given(events())
def test_unpacking_gives_back_what_was_packed(array: Events) -> None:
    assert unpack(packed(array)).tobytes() == array.tobytes()


def test_a_full_segment_comes_back() -> None:
    array = streams.merges(SEGMENT_EVENTS)
    assert unpack(packed(array)).tobytes() == array.tobytes()


@given(events(), st.sampled_from(FIELDS))
def test_one_column_can_be_read_alone(array: Events, name: str) -> None:
    segment = Packed(packed(array))
    order = grouping(segment.stored("site"))
    assert segment.column(name, lambda: order).tolist() == array[name].tolist()


@given(events(), st.lists(st.sampled_from(FIELDS), unique=True))
def test_some_columns_can_be_read_together(array: Events, names: list[str]) -> None:
    found = Packed(packed(array)).columns(names)
    assert {name: column.tolist() for name, column in found.items()} == {
        name: array[name].tolist() for name in names
    }


@given(events(), st.data())
def test_damage_is_an_error_or_harmless(array: Events, data: st.DataObject) -> None:
    whole = bytearray(packed(array))
    whole[data.draw(st.integers(0, len(whole) - 1))] ^= data.draw(st.integers(1, 255))
    try:
        found = unpack(bytes(whole))
    except TraceError:
        return
    assert len(found) <= SEGMENT_EVENTS


@given(events(), st.integers(0, 200))
def test_a_segment_that_is_cut_off_is_refused(array: Events, size: int) -> None:
    whole = packed(array)
    with pytest.raises(TraceError, match="damaged trace"):
        unpack(whole[: min(size, len(whole) - 1)])


def test_a_segment_that_claims_too_much_is_refused() -> None:
    whole = bytearray(packed(np.zeros(3, EVENT)))
    whole[:4] = (SEGMENT_EVENTS + 1).to_bytes(4, "little")
    with pytest.raises(TraceError, match="claims to hold 65537 events"):
        unpack(bytes(whole))


@pytest.mark.parametrize("make", STREAMS.values(), ids=STREAMS)
def test_an_event_takes_less_than_three_bytes(make: Callable[[], Events]) -> None:
    array = make()[:SEGMENT_EVENTS]
    assert len(packed(array)) < 3 * len(array)


@pytest.mark.parametrize(
    "changed, message",
    [
        ({"planes": 8}, "nine columns"),
        ({"codings": bytes([3] * 9)}, "coding 3"),
        ({"codings": bytes([0x51, *[1] * 8])}, "coding 81"),
        ({"codings": bytes([0x41, *[1] * 8])}, "columns differ in length"),
        ({"room": 7}, "needs room"),
    ],
)
def test_the_kernel_refuses_what_it_would_read_or_write_beyond(
    changed: dict[str, Any], message: str
) -> None:
    planes = (b"",) * changed.get("planes", 9)
    room = np.empty(changed.get("room", _packing.unpacking_room()), np.uint8)
    events = np.empty(5, EVENT)
    with pytest.raises(ValueError, match=message):
        _packing.unpack_segment(
            planes, changed.get("codings", bytes([1] * 9)), events.view(OPAQUE), room
        )


def test_memory_that_is_used_again_gets_the_same_events() -> None:
    into = np.empty(SEGMENT_EVENTS, EVENT)
    for array in (streams.merges(SEGMENT_EVENTS), streams.words(SEGMENT_EVENTS)):
        segment = Packed(packed(array))
        assert segment.events(into) is into
        assert into.tobytes() == segment.events().tobytes() == array.tobytes()
