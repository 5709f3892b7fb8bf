from __future__ import annotations

from wrongcall.trace.format import sizes


def test_parts_fit_into_each_other() -> None:
    assert sizes.SEGMENT_EVENTS == 1 << 16, "positions in a segment have 16 bits"
    assert sizes.EXTENT_EVENTS == sizes.EXTENT * sizes.SEGMENT_EVENTS
    assert sizes.EXTENT_EVENTS % sizes.PAGE == sizes.EXTENT_EVENTS % sizes.CHUNK == 0
