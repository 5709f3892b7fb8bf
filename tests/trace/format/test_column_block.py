"""Several short columns in one block."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.trace.slow_packing import pack_column_block
from wrongcall.errors import TraceError
from wrongcall.trace.format.column_block import unpack_column_block
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
