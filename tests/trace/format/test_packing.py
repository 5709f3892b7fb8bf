"""The kernels against what they are to do, said slowly."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wrongcall.trace.format import _packing
from wrongcall.trace.format.event_records import EVENT, FIELDS, OPAQUE, empty_columns, kind_table

WIDTHS = (1, 2, 4, 8)


def columns(width: int) -> st.SearchStrategy[list[int]]:
    largest = (1 << 8 * width) - 1
    return st.lists(st.integers(0, largest) | st.integers(0, 3), max_size=40)


def steps(numbers: list[int], bits: int) -> list[int]:
    """Differences modulo 2 ** bits, their sign in the lowest bit."""
    found = []
    for before, number in zip([0, *numbers], numbers, strict=False):
        step = (number - before) % (1 << bits)
        if step >= 1 << (bits - 1):  # it went down
            found.append(2 * ((1 << bits) - step) - 1)
        else:
            found.append(2 * step)
    return found


@given(st.data(), st.sampled_from(WIDTHS), st.booleans(), st.booleans())
def test_split_and_join(data: st.DataObject, width: int, delta: bool, ordered: bool) -> None:
    numbers = data.draw(columns(width))
    order = data.draw(st.permutations(range(len(numbers)))) if ordered else None
    expected = [numbers[i] for i in order] if order is not None else numbers
    if delta:
        expected = steps(expected, 8 * width)
    column = np.array(numbers, dtype=f"<u{width}")
    order_column = None if order is None else np.array(order, np.uint16)
    height, planes = _packing.split(column, width, order_column, delta)
    assert height == (max(expected, default=0).bit_length() + 7) // 8
    assert planes == bytes(number >> 8 * p & 255 for p in range(height) for number in expected)
    out = np.empty_like(column)
    _packing.join(planes, height, width, order_column, delta, out)
    assert out.tolist() == numbers


@given(
    st.data(),
    st.integers(0, 30),
    st.lists(st.tuples(st.sampled_from(WIDTHS), st.booleans()), min_size=1, max_size=6),
    st.integers(1, 12),
    st.booleans(),
)
def test_pages_are_split_one_by_one(
    data: st.DataObject, count: int, fields: list[tuple[int, bool]], page: int, ordered: bool
) -> None:
    made = []
    for width, _ in fields:
        numbers = st.integers(0, (1 << 8 * width) - 1) | st.integers(0, 3)
        drawn = data.draw(st.lists(numbers, min_size=count, max_size=count))
        made.append(np.array(drawn, dtype=f"<u{width}"))
    order = None
    if ordered:  # some of them, in any order, also more than once
        chosen = st.lists(st.integers(0, count - 1), max_size=40) if count else st.just([])
        order = np.array(data.draw(chosen), dtype=np.uint32)
    codings = bytes(2 if delta else 1 for _, delta in fields)
    expected = []
    total = count if order is None else len(order)
    for begin in range(0, total, page):
        how, planes = bytearray(), b""
        for column, (width, delta) in zip(made, fields, strict=True):
            taken = column if order is None else column[order]
            part = np.ascontiguousarray(taken[begin : begin + page])
            height, split = _packing.split(part, width, None, delta)
            how.append((2 if delta else 1) | height << 4)
            planes += split
        expected.append((bytes(how), planes))
    assert _packing.split_pages(tuple(made), codings, order, page) == expected


def test_an_order_must_be_one_of_the_numbers() -> None:
    column, order = np.zeros(3, np.uint8), np.array([0, 3], np.uint32)
    with pytest.raises(ValueError, match="order"):
        _packing.split_pages((column,), b"\1", order, 2)
    with pytest.raises(ValueError, match="differ in length"):
        _packing.split_pages((column, np.zeros(2, np.uint8)), b"\1\1", None, 2)
    with pytest.raises(ValueError, match="0 to a page"):
        _packing.split_pages((column,), b"\1", None, 0)


@given(st.lists(st.integers(0, 3) | st.integers(0, 2**32 - 1), max_size=60))
def test_group_is_stable(sites: list[int]) -> None:
    order = np.empty(len(sites), np.uint16)
    _packing.group(np.array(sites, np.uint32), order)
    assert order.tolist() == sorted(range(len(sites)), key=lambda i: sites[i] % 65_536)
    rank = np.empty(len(sites), np.uint16)
    _packing.rank(np.array(sites, np.uint32), rank)
    assert [order[place] for place in rank.tolist()] == list(range(len(sites)))


@given(st.data(), st.integers(0, 20), st.lists(st.sampled_from(WIDTHS), max_size=10))
def test_the_columns_of_a_column_block_are_joined_together(
    data: st.DataObject, count: int, widths: list[int]
) -> None:
    made = [
        np.array(data.draw(st.lists(st.integers(0, 300), min_size=count, max_size=count)))
        .clip(max=(1 << 8 * width) - 1)
        .astype(f"<u{width}")
        for width in widths
    ]
    planes, codings = b"", bytearray()
    for column, width in zip(made, widths, strict=True):
        delta = data.draw(st.booleans())
        height, split = _packing.split(column, width, None, delta)
        planes += split
        codings.append(height << 4 | (2 if delta else 1))
    out = tuple(np.empty_like(column) for column in made)
    _packing.join_all(planes, bytes(codings), out)
    assert [column.tolist() for column in out] == [column.tolist() for column in made]


@given(st.binary(max_size=320), st.integers(0, 5))
def test_events_become_columns_and_events_again(data: bytes, at: int) -> None:
    events = np.frombuffer(data[: len(data) // 32 * 32], EVENT)
    room = empty_columns(len(events) + at)
    ordered = tuple(room[name] for name in FIELDS)
    _packing.to_columns(events.view(OPAQUE), ordered, at)
    for name in FIELDS:
        assert room[name][at:].tolist() == events[name].tolist()
    back = np.empty(len(events), EVENT)
    _packing.to_events(tuple(column[at:] for column in ordered), back.view(OPAQUE))
    assert back.tobytes() == events.tobytes()


IDS = st.integers(0, 3) | st.integers(0, 2**36 - 1)


@given(
    st.lists(st.tuples(st.integers(0, 255), IDS, IDS), max_size=30), st.sets(st.integers(0, 255))
)
def test_survey(events: list[tuple[int, int, int]], wanted: set[int]) -> None:
    kinds = np.array([kind for kind, _, _ in events], np.uint8)
    calls = np.array([call & 0xFFFFFFFF for _, call, _ in events], np.uint32)
    objs = np.array([obj & 0xFFFFFFFF for _, _, obj in events], np.uint32)
    high = np.array([call >> 32 | obj >> 32 << 4 for _, call, obj in events], np.uint8)
    ranges, bits, call_filter, obj_filter = _packing.survey(
        kinds, calls, objs, high, kind_table(wanted)
    )
    own_calls = [call for _, call, _ in events]
    own_objs = [obj if kind in wanted else 0 for kind, _, obj in events]
    assert ranges == (*extremes(own_calls), *extremes(own_objs))
    assert ones(bits) == {kind for kind, _, _ in events}
    assert ones(call_filter) == {call % 65_536 for call in own_calls}
    assert ones(obj_filter) == {obj % 65_536 for obj in own_objs}
    where = np.frombuffer(_packing.places(kinds, kind_table(wanted)), np.uint16)
    assert where.tolist() == [i for i, (kind, _, _) in enumerate(events) if kind in wanted]


def extremes(ids: list[int]) -> tuple[int, int]:
    present = [number for number in ids if number]
    return (min(present), max(present)) if present else (0, 0)


def ones(bitmap: bytes) -> set[int]:
    return {i for i in range(8 * len(bitmap)) if bitmap[i >> 3] >> (i & 7) & 1}


def test_what_does_not_fit_is_refused() -> None:
    four = np.zeros(4, np.uint32)
    with pytest.raises(ValueError, match="order"):
        _packing.split(four, 4, np.array([0, 1, 2, 4], np.uint16), False)
    with pytest.raises(ValueError, match="differ in length"):
        _packing.split(four, 4, np.array([0, 1], np.uint16), False)
    with pytest.raises(TypeError, match="4 bytes per item"):
        _packing.split(four.astype(np.uint64), 4, None, False)
    with pytest.raises(ValueError, match="3 bytes"):
        _packing.split(four, 3, None, False)
    with pytest.raises(ValueError, match="differ in length"):
        _packing.join(b"123", 1, 4, None, False, four)
    with pytest.raises(ValueError, match="5 planes of 4"):
        _packing.join(bytes(20), 5, 4, None, False, four)
    with pytest.raises(ValueError, match="5 planes of 4"):
        _packing.join_all(bytes(20), bytes([5 << 4 | 1]), (four,))
    with pytest.raises(ValueError, match="2 planes of 4"):
        _packing.join_all(bytes(7), bytes([2 << 4 | 1]), (four,))
    with pytest.raises(ValueError, match="differ in length"):
        _packing.join_all(bytes(8), bytes([0x11, 0x11]), (four,))
    with pytest.raises(ValueError, match="too many"):
        _packing.group(np.zeros(65_537, np.uint32), np.zeros(65_537, np.uint16))
    with pytest.raises(ValueError, match="more than a segment"):
        _packing.places(np.zeros(65_537, np.uint8), kind_table({1}))
    room = empty_columns(2)
    with pytest.raises(ValueError, match="no room for 2 events at 1"):
        _packing.to_columns(np.zeros(2, OPAQUE), tuple(room[name] for name in FIELDS), 1)
    with pytest.raises(TypeError, match="nine columns"):
        _packing.to_columns(np.zeros(2, OPAQUE), (four,), 0)
