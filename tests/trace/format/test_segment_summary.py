from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.trace.emitter import Emitter
from tests.trace.strategies import events
from wrongcall.events import Kind, Layout
from wrongcall.trace.format.event_records import Events, call_ids, obj_ids
from wrongcall.trace.format.segment_summary import FILTER_BITS, may_contain, unpack_filter
from wrongcall.trace.write.segment_rows import pack_segment


@given(events())
def test_a_summary_never_rules_out_a_segment_that_matches(array: Events) -> None:
    summary = pack_segment(array)
    calls, objs = unpack_filter(summary.call_filter), unpack_filter(summary.obj_filter)
    min_call, max_call, min_obj, max_obj = summary.ranges
    for call in call_ids(array)[call_ids(array) > 0].tolist():
        assert min_call <= call <= max_call
        assert may_contain(calls, call)
    begins = np.isin(array["kind"], [Kind.ENTER, Kind.CREATE])  # of these it is the parent
    for obj in obj_ids(array)[(obj_ids(array) > 0) & ~begins].tolist():
        assert min_obj <= obj <= max_obj
        assert may_contain(objs, obj)
    assert all(may_contain(summary.kinds, kind) for kind in array["kind"].tolist())


@given(events())
def test_the_ranges_and_kinds_of_a_summary_are_exact(array: Events) -> None:
    summary = pack_segment(array)
    calls = [call for call in call_ids(array).tolist() if call]
    assert summary.ranges[:2] == (min(calls, default=0), max(calls, default=0))
    present = {kind for kind in range(256) if may_contain(summary.kinds, kind)}
    assert present == set(array["kind"].tolist())


@given(st.sets(st.integers(1, 2**36 - 1), max_size=50), st.integers(1, 2**36 - 1))
def test_a_filter_rules_out_ids_that_share_no_bit(ids: set[int], other: int) -> None:
    emitter = Emitter()
    for number in ids:
        emitter.event(Kind.BLOCK, call=number)
    bitmap = unpack_filter(pack_segment(emitter.events()).call_filter)
    shares = other % FILTER_BITS in {number % FILTER_BITS for number in ids}
    assert may_contain(bitmap, other) == shares


def test_the_sizes_of_texts_are_not_taken_for_objects() -> None:
    emitter = Emitter()
    emitter.type("a_type_with_a_long_name", Layout.LIST)
    summary = pack_segment(emitter.events())
    assert summary.ranges[2:] == (0, 0)
    assert np.flatnonzero(unpack_filter(summary.obj_filter)).tolist() == [0]
