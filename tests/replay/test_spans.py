from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wrongcall.replay import spans
from wrongcall.replay.spans import Family, below


@given(st.lists(st.integers(0, 10**6), max_size=60), st.integers(1, 61), st.integers(0, 5))
def test_descendants_match_the_chain_of_parents(choices: list[int], call: int, older: int) -> None:
    # Each call hangs from an earlier one, or from one that is older than all of them.
    ids = [older + i + 1 for i in range(len(choices))]
    parents = [choice % (older + i + 1) for i, choice in enumerate(choices)]

    def is_below(number: int) -> bool:
        while number > older:
            if number == call:
                return True
            number = parents[number - older - 1]
        return number == call and number > 0

    found = below(call, np.array(ids, np.int64), np.array(parents, np.int64))
    assert found.tolist() == [is_below(number) for number in ids]


_IDS = st.integers(0, 60)


@given(st.sets(st.integers(1, 50), min_size=1), st.lists(_IDS), st.booleans())
def test_a_family_includes_its_members_and_nothing_else(
    members: set[int], calls: list[int], flags: bool
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(spans, "MAX_FLAGS", 1000 if flags else 0)
        family = Family(np.array(sorted(members)))
    assert (family._flags is not None) == flags
    found = family.includes(np.array(calls, np.int64))
    assert found.tolist() == [call in members for call in calls]


def test_looking_up_calls_does_not_change_them() -> None:
    calls = np.array([0, 5, 99])
    assert Family(np.array([5])).includes(calls).tolist() == [False, True, False]
    assert calls.tolist() == [0, 5, 99]
