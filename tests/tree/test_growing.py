"""Balancing a growing tree step by step gives what balancing it at the end gives."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.tree.shapes import listing, parents
from wrongcall.tree.balance import balance
from wrongcall.tree.growing import GrowingBalance
from wrongcall.tree.tree import Tree


@given(parents(largest=30), st.data())
def test_groups_are_made_when_a_caller_has_ended(parent: list[int], data: st.DataObject) -> None:
    count = len(parent)
    functions = np.arange(count) % 3
    keys = np.array(data.draw(st.lists(st.integers(-1, 1), min_size=count, max_size=count)))
    ended = np.zeros(count, dtype=np.bool_)
    growing = GrowingBalance()
    begun = 0
    while begun < count or not ended.all():
        waiting = [row for row in range(begun) if not ended[row] and _may_end(parent, ended, row)]
        if begun < count and (not waiting or data.draw(st.booleans())):
            begun += data.draw(st.integers(1, count - begun))
        elif waiting:
            ended[data.draw(st.sampled_from(waiting))] = True
        tree = Tree.from_parents(parent[:begun], functions[:begun], ended[:begun])
        chains = keys[:begun][[tree.row(node) for node in range(begun)]]
        grown = growing.balance(tree, chains)
        assert listing(grown) == listing(balance(tree, chains))


def _may_end(
    parent: list[int], ended: np.ndarray[tuple[int], np.dtype[np.bool_]], row: int
) -> bool:
    """All its calls are there and have ended."""
    return all(ended[child] for child, caller in enumerate(parent) if caller == row)
