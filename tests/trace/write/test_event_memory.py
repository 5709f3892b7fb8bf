from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.trace.strategies import events
from wrongcall.trace.format.event_records import EVENT, Events
from wrongcall.trace.write.event_memory import EventMemory


@given(events(), st.integers(0, 5))
def test_records_are_kept_where_they_are_put(array: Events, at: int) -> None:
    memory = EventMemory(len(array) + at + 1)
    memory.put(array.tobytes(), at)
    assert bytes(memory.part(at, at + len(array))) == array.tobytes()
    assert not any(memory.part(at + len(array), at + len(array) + 1))


def test_the_obj_of_an_event_can_be_changed() -> None:
    array = np.zeros(3, EVENT)
    array["hi"], array["call"], array["key"] = 0x21, 2**32 - 1, -1
    memory = EventMemory(3)
    memory.put(array.tobytes(), 0)
    memory.set_obj(1, 77)
    array["obj"][1] = 77
    assert bytes(memory.part(0, 3)) == array.tobytes()
