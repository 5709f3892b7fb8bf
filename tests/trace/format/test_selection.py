"""Selections of events."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from wrongcall.trace.format.event_records import EVENT
from wrongcall.trace.format.selection import NOTHING, Found, join_found


def _found(times: list[int]) -> Found:
    events = np.zeros(len(times), EVENT)
    events["value"] = times
    return Found(np.array(times, np.int64), events)


@given(st.lists(st.lists(st.integers(0, 99), max_size=5), max_size=5))
def test_joined_selections_follow_each_other(parts: list[list[int]]) -> None:
    joined = join_found([_found(part) for part in parts])
    every = [time for part in parts for time in part]
    assert joined.times.tolist() == every
    assert joined.events["value"].tolist() == every
    assert joined.events.dtype == EVENT


def test_one_selection_is_not_copied() -> None:
    one = _found([1, 2])
    assert join_found([NOTHING, one, NOTHING]) is one
    assert join_found([]) is NOTHING


def test_a_selection_costs_its_times_and_events() -> None:
    empty = _found([]).nbytes
    assert _found([1, 2]).nbytes - empty == 2 * (8 + EVENT.itemsize)
