"""The kernels against what they are to do, said slowly."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wrongcall.trace.format import _packing
from wrongcall.trace.format.event_kinds import GROUPS, TRAITS
from wrongcall.trace.format.event_records import EVENT, FIELDS, OPAQUE, empty_columns

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
    with pytest.raises(ValueError, match="33 bytes are not whole events"):
        _packing.read_batch(bytes(33), TRAITS)
    with pytest.raises(ValueError, match="a segment needs room of"):
        _packing.pack_segment(bytes(64), TRAITS, 16, bytearray(10))
    with pytest.raises(ValueError, match="too many segments"):
        _packing.pack_extent(bytes(64), TRAITS, GROUPS, 0, 4, 512, 256, 0, 0, 0)
    with pytest.raises(ValueError, match="13 checkpoints"):
        _packing.merge_checkpoints([b""] * 13, TRAITS, 256)
    room = empty_columns(2)
    with pytest.raises(ValueError, match="no room for 2 events at 1"):
        _packing.to_columns(np.zeros(2, OPAQUE), tuple(room[name] for name in FIELDS), 1)
    with pytest.raises(TypeError, match="nine columns"):
        _packing.to_columns(np.zeros(2, OPAQUE), (four,), 0)
