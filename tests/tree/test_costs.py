"""What groups cost to read, against what their members cost."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.tree.shapes import preorder_parents
from wrongcall.tree.balance import Balancing, balance
from wrongcall.tree.costs import HEADING, costs_of
from wrongcall.tree.reading import Reading
from wrongcall.tree.tree import Tree


@given(preorder_parents(largest=30), st.data())
def test_a_list_costs_what_its_members_cost(parent: list[int], data: st.DataObject) -> None:
    count = len(parent)
    column = st.lists(st.integers(1, 9), min_size=count, max_size=count)
    alone, member = (np.array(data.draw(column), dtype=np.uint8) for _ in range(2))
    tree = Tree.from_parents(parent)
    keys = data.draw(st.lists(st.integers(-1, 1), min_size=count, max_size=count))
    grouped = balance(tree, keys, Balancing(listed=6))
    costs = costs_of(Reading(alone, member, np.ones(count, np.bool_)), grouped)
    for node in range(len(grouped)):
        calls = [grouped.call(each) for each in grouped.members(node)]
        if not grouped.is_group(node):
            assert costs[node] == alone[calls[0]]
        elif grouped.is_listed(node):
            assert costs[node] == sum(int(member[call]) for call in calls) + HEADING
        else:
            assert costs[node] > min(len(calls), 8) + HEADING


def test_without_groups_a_node_costs_what_its_call_costs() -> None:
    lines = np.array([4, 8, 10], dtype=np.uint8)
    reading = Reading(lines, lines, np.ones(3, np.bool_))
    assert costs_of(reading, Tree.from_parents([-1, 0, 0])).tolist() == [4, 8, 10]
