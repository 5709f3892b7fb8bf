from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.trace.emitter import Emitter
from wrongcall.errors import TraceError
from wrongcall.events import Kind
from wrongcall.trace.format.call_index import SegmentCalls, unpack_calls
from wrongcall.trace.write.segment_rows import pack_segment

ENDS = [Kind.RETURN, Kind.RAISE, Kind.DROP]
steps = st.lists(
    st.tuples(
        st.sampled_from([Kind.ENTER, Kind.CREATE, *ENDS, Kind.BLOCK, Kind.LOCAL, Kind.OBJ]),
        st.integers(1, 2**36 - 1),
        st.integers(0, 2**36 - 1),
        st.integers(0, 2**32 - 1),
    ),
    max_size=60,
)


def columns(table: SegmentCalls) -> list[list[int]]:
    begun = (table.begun_where, table.id, table.parent, table.site)
    ended = (table.ended_where, table.call, table.kind)
    return [column.tolist() for column in (*begun, *ended)]


@given(steps)
def test_the_table_has_what_begins_and_ends(events: list[tuple[Kind, int, int, int]]) -> None:
    emitter = Emitter()
    for kind, call, obj, site in events:
        emitter.event(kind, call=call, obj=obj, site=site)
    packed = pack_segment(emitter.events()).calls
    begun = [(i, *row) for i, row in enumerate(events) if row[0] in (Kind.ENTER, Kind.CREATE)]
    ended = [(i, *row) for i, row in enumerate(events) if row[0] in ENDS]
    expected = [
        [row[0] for row in begun],
        [row[2] for row in begun],
        [row[3] for row in begun],
        [row[4] for row in begun],
        [row[0] for row in ended],
        [row[2] for row in ended],
        [row[1] for row in ended],
    ]
    assert columns(unpack_calls(packed, len(events))) == expected


def packed() -> bytes:
    emitter = Emitter()
    for _ in range(3):
        emitter.leave(emitter.enter(1))
    return pack_segment(emitter.events()).calls


@pytest.mark.parametrize("damage", [lambda p: p[:10], lambda p: p[:-1], lambda p: p + b"x"])
def test_damage_is_noticed(damage: object) -> None:
    assert callable(damage)
    with pytest.raises(TraceError, match="damaged trace"):
        unpack_calls(damage(packed()), 100)


def test_more_calls_than_events_is_damage() -> None:
    assert len(unpack_calls(packed(), 6).id) == 3
    with pytest.raises(TraceError, match="3 calls begin"):
        unpack_calls(packed(), 2)
