from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.trace.slow_packing import encode
from wrongcall.errors import TraceError
from wrongcall.trace.format.columns import Coding, Column, decode

DTYPES = (("u1", 0, 2**8 - 1), ("<u4", 0, 2**32 - 1), ("<i8", -(2**63), 2**63 - 1))


@st.composite
def columns(draw: st.DrawFn) -> Column:
    dtype, smallest, largest = draw(st.sampled_from(DTYPES))
    numbers = st.one_of(st.integers(0, 9), st.integers(smallest, largest))
    return np.array(draw(st.lists(numbers, max_size=60)), dtype=dtype)


@given(columns(), st.sampled_from(Coding))
def test_decoding_gives_back_what_was_encoded(column: Column, coding: Coding) -> None:
    how, frame = encode(column, coding)
    decoded = decode(frame, how, column.dtype, len(column))
    assert decoded.dtype == column.dtype
    assert decoded.tolist() == column.tolist()


@given(columns(), st.sampled_from(Coding), st.data())
def test_damage_is_refused_or_gives_a_column_of_the_same_shape(
    column: Column, coding: Coding, data: st.DataObject
) -> None:
    # What was changed is noticed by the checksum of the BLOB that a frame is part of: see test_checksums.
    how, frame = encode(column, coding)
    if not frame:
        return
    place = data.draw(st.integers(0, len(frame) - 1))
    flipped = data.draw(st.integers(1, 255))
    damaged = frame[:place] + bytes([frame[place] ^ flipped]) + frame[place + 1 :]
    try:
        decoded = decode(damaged, how, column.dtype, len(column))
    except TraceError:
        return
    assert (decoded.dtype, decoded.shape) == (column.dtype, column.shape)


@pytest.mark.parametrize("how", [3, 0x91])
def test_an_unknown_coding_is_refused(how: int) -> None:
    with pytest.raises(TraceError, match="unknown coding"):
        decode(b"", how, np.dtype("<i8"), 1)
