"""Several short columns in one block."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.trace.slow_packing import pack_column_block
from wrongcall.errors import TraceError
from wrongcall.trace.format.column_block import unpack_column_block, unpack_column_blocks
from wrongcall.trace.format.columns import Coding, Column

_TYPES = [np.dtype(name) for name in ("u1", "<u2", "<u4", "<i8")]


@st.composite
def _columns(draw: st.DrawFn) -> list[tuple[Column, Coding]]:
    count = draw(st.integers(0, 30))
    found = []
    for dtype in draw(st.lists(st.sampled_from(_TYPES), min_size=1, max_size=4)):
        limits = np.iinfo(dtype)
        numbers = st.integers(0, 3) | st.integers(int(limits.min), int(limits.max))
        column = np.array(draw(st.lists(numbers, min_size=count, max_size=count)), dtype)
        found.append((column, draw(st.sampled_from([Coding.PLANES, Coding.DELTA]))))
    return found


@settings(max_examples=60)
@given(_columns())
def test_unpacking_gives_back_the_columns(columns: list[tuple[Column, Coding]]) -> None:
    dtypes = [column.dtype for column, _ in columns]
    unpacked = unpack_column_block(pack_column_block(columns), dtypes, 30)
    assert [column.tolist() for column in unpacked] == [column.tolist() for column, _ in columns]
    assert [column.dtype for column in unpacked] == dtypes


def test_a_block_that_claims_more_than_allowed_is_refused() -> None:
    packed = pack_column_block([(np.arange(10, dtype=np.uint32), Coding.DELTA)])
    dtypes = [np.dtype("<u4")]
    assert len(unpack_column_block(packed, dtypes, 10)[0]) == 10
    with pytest.raises(TraceError, match="damaged trace"):
        unpack_column_block(packed, dtypes, 9)


def test_a_column_of_another_width_is_refused() -> None:
    packed = pack_column_block([(np.array([1 << 20], np.uint32), Coding.PLANES)])
    with pytest.raises(TraceError, match="damaged trace"):
        unpack_column_block(packed, [np.dtype("u1")], 10)


@pytest.mark.parametrize("packed", [b"", b"\1\0\0\0", b"\1\0\0\0\x13rest", b"\1\0\0\0\x11rest"])
def test_damage_is_an_error(packed: bytes) -> None:
    with pytest.raises(TraceError, match="damaged trace"):
        unpack_column_block(packed, [np.dtype("u1")], 10)


@settings(max_examples=60)
@given(st.data(), st.lists(st.integers(0, 30), max_size=5))
def test_blocks_unpacked_together_are_as_if_each_were_unpacked(
    data: st.DataObject, counts: list[int]
) -> None:
    blocks = []
    for count in counts:
        columns = []
        for dtype in _TYPES:
            limits = np.iinfo(dtype)
            numbers = st.integers(int(limits.min), int(limits.max))
            drawn = data.draw(st.lists(numbers, min_size=count, max_size=count))
            coding = data.draw(st.sampled_from([Coding.PLANES, Coding.DELTA]))
            columns.append((np.array(drawn, dtype), coding))
        blocks.append(pack_column_block(columns))
    together, ends = unpack_column_blocks(blocks, _TYPES, 30)
    assert [column.dtype for column in together] == _TYPES
    for block, count, end in zip(blocks, counts, ends, strict=True):
        for column, whole in zip(unpack_column_block(block, _TYPES, 30), together, strict=True):
            assert column.tolist() == whole[end - count : end].tolist()
    assert all(len(column) == sum(counts) for column in together)
    with pytest.raises(TraceError, match="damaged trace"):
        unpack_column_blocks([*blocks, b"\1\0\0\0"], _TYPES, 30)
