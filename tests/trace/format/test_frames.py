from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wrongcall.errors import TraceError
from wrongcall.trace.format.frames import compress, decompress


@given(st.binary(max_size=500))
def test_decompressing_gives_back_the_bytes(data: bytes) -> None:
    assert decompress(compress(data), len(data)) == data
    assert compress(memoryview(data)) == compress(data)


def test_a_frame_that_claims_too_much_is_refused_before_it_is_unpacked() -> None:
    bomb = compress(bytes(1 << 24))
    with pytest.raises(TraceError, match="claims to hold 16777216"):
        decompress(bomb, 100)


def test_what_is_not_a_frame_is_refused() -> None:
    with pytest.raises(TraceError, match="damaged trace"):
        decompress(b"not a frame", 100)
