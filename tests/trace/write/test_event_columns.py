from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.trace.strategies import events
from wrongcall.trace.format import event_records
from wrongcall.trace.format.event_records import EVENT, Events
from wrongcall.trace.write.event_columns import FIELDS, copy_records, in_order, new_columns, part_of


def test_columns_are_the_fields_of_a_record() -> None:
    assert tuple(FIELDS) == event_records.FIELDS
    assert [column.itemsize for column in in_order(new_columns(3))] == [
        EVENT[name].itemsize for name in FIELDS
    ]


@given(events(), st.integers(0, 5))
def test_records_become_columns(array: Events, at: int) -> None:
    columns = new_columns(len(array) + at + 1)
    copy_records(array.tobytes(), columns, at)
    part = part_of(columns, at, at + len(array))
    for name in FIELDS:
        assert np.asarray(part[name]).tolist() == array[name].tolist()
        assert columns[name][at + len(array)] == 0
