"""Hypothesis strategies for events."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from wrongcall.events import CARRIERS, Kind
from wrongcall.trace.format.event_records import EVENT, Events

# Marks never get into a trace; threads and processes fill tables, whose numbers are checked.
_NOT_PLAIN = CARRIERS | {Kind.THREAD, Kind.MARK, Kind.PROCESS}
_PLAIN_KINDS = [kind for kind in Kind if kind not in _NOT_PLAIN]
_SMALL = st.integers(0, 5)
_U32 = st.one_of(_SMALL, st.integers(0, 2**32 - 1))
_I64 = st.one_of(_SMALL, st.integers(-(2**63), 2**63 - 1))
_BYTE = st.one_of(st.just(0), st.integers(0, 255))

_ROW = st.tuples(st.sampled_from(_PLAIN_KINDS), _BYTE, _BYTE, _BYTE, _U32, _U32, _U32, _I64, _I64)


def _make(rows: list[tuple[int, ...]], repeat: int) -> Events:
    return np.array(rows * repeat, dtype=EVENT)


def events(max_size: int = 30, max_repeat: int = 50) -> st.SearchStrategy[Events]:
    """Return arrays of events that own no bytes, with plenty of repetition."""
    return st.builds(_make, st.lists(_ROW, max_size=max_size), st.integers(1, max_repeat))
