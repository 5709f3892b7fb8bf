from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from wrongcall.replay.spans import below


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
