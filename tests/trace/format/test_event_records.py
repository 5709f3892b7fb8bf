from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.trace.emitter import Emitter
from tests.trace.strategies import events
from wrongcall.events import CARRIERS, SEEN, Kind
from wrongcall.trace.format.event_records import (
    EVENT,
    Events,
    call_ids,
    carriers,
    contiguous,
    distinct,
    kind_table,
    obj_ids,
    with_seen,
)


@given(st.integers(0, 2**36 - 1), st.integers(0, 2**36 - 1))
def test_ids_have_36_bits(call: int, obj: int) -> None:
    emitter = Emitter()
    emitter.event(Kind.ITEM, call=call, obj=obj)
    assert call_ids(emitter.events()).tolist() == [call]
    assert obj_ids(emitter.events()).tolist() == [obj]


@given(events())
def test_columns_have_what_the_records_have(array: Events) -> None:
    columns = contiguous(array)
    assert list(columns) == list(EVENT.names or ())
    assert all(columns[name].tolist() == array[name].tolist() for name in columns)


def test_events_that_own_bytes_are_found_with_their_sizes() -> None:
    emitter = Emitter()
    emitter.event(Kind.BLOCK, obj=77)
    for size, kind in enumerate(sorted(CARRIERS)):
        emitter.carrier(kind, bytes(size))
    emitter.event(Kind.THREAD, obj=0)
    where, sizes = carriers(emitter.events())
    assert where.tolist() == [1, 2, 3, 4, 5, 6]
    assert sizes.tolist() == [0, 1, 2, 3, 4, 5]


def test_a_kind_table_answers_for_whole_columns() -> None:
    table = kind_table(with_seen({Kind.ITEM}))
    kinds = np.array([Kind.ITEM, Kind.ITEM | SEEN, Kind.ATTR], np.uint8)
    assert table[kinds].tolist() == [True, True, False]


@given(st.lists(st.integers(-3, 3)))
def test_distinct_numbers_are_those_of_a_set(numbers: list[int]) -> None:
    assert distinct(np.array(numbers, np.int64)) == sorted(set(numbers))
