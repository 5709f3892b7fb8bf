"""Balanced trees: the kernel against the algorithm as printed, the way back, and what is gained."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tree import obvious_balance
from tests.tree.shapes import listing, preorder_parents
from wrongcall.errors import TreeError
from wrongcall.session.cost import cost
from wrongcall.session.strategies import strategy
from wrongcall.tree import UNIT, BalancedTree, Balancing, Kind, State, Suspects, Tree, balance
from wrongcall.tree.balance import Groups, find_groups


@st.composite
def balancings(draw: st.DrawFn) -> Balancing:
    smallest = draw(st.integers(2, 4))
    flag = st.booleans()
    return Balancing(
        smallest,
        draw(st.sampled_from([smallest, 5, 2**31 - 1])),
        *(draw(flag) for _ in range(5)),
    )


@given(preorder_parents(largest=30), balancings(), st.data())
def test_it_is_the_algorithm_as_printed(
    parent: list[int], how: Balancing, data: st.DataObject
) -> None:
    count = len(parent)
    column = st.lists(st.integers(-1, 1), min_size=count, max_size=count)
    chains, methods = data.draw(column), data.draw(column)
    expected = obvious_balance.balanced(obvious_balance.build(parent, methods, chains), how)
    found = balance(Tree.from_parents(parent, [m + 1 for m in methods]), chains, how)
    assert listing(found) == obvious_balance.listing(expected)
    back = [int(found.base_of[found.node(call)]) for call in range(count)]
    assert back == list(range(count))
    for node in np.flatnonzero(found.kinds):
        calls = [found.call(member) for member in found.members(int(node))]
        assert found.group(calls[0], calls[-1]) == node


@given(preorder_parents(largest=30), st.data())
def test_callers_can_be_balanced_one_by_one(parent: list[int], data: st.DataObject) -> None:
    count = len(parent)
    chains = data.draw(st.lists(st.integers(-1, 1), min_size=count, max_size=count))
    tree = Tree.from_parents(parent, np.arange(count) % 3)
    rows = [
        find_groups(tree, chains, Balancing(), np.arange(count) == caller).rows()
        for caller in range(count)
    ]
    together = find_groups(tree, chains, Balancing())
    assert (Groups.of(np.concatenate(rows)).rows() == together.rows()).all()


def average(tree: Tree, name: str = "optimal-dq") -> float:
    weights = tree.weights if isinstance(tree, BalancedTree) else UNIT
    suspects = Suspects(tree, root=0, weights=weights)
    suspects.mark(0, State.WRONG)
    return cost(suspects, strategy(name)).average


@pytest.mark.parametrize("count", [2, 3, 16, 100, 1022])
def test_a_loop_costs_its_logarithm(count: int) -> None:
    tree = Tree.from_parents([-1] + [0] * count, np.arange(count + 1))
    found = balance(tree, np.zeros(count + 1, np.int64))
    assert average(found) <= math.log2(count + 1) + 0.5
    assert average(tree) == pytest.approx((count * (count + 1) / 2 + count) / (count + 1))


def test_a_loop_of_one_function_is_one_question() -> None:
    tree = Tree.from_parents([-1] + [0] * 50)
    assert average(balance(tree, np.zeros(51, np.int64))) == 1


def test_after_all_members_but_one_the_last_is_known() -> None:
    tree = Tree.from_parents([-1, 0, 0, 0, 0], [0, 1, 2, 3, 4])
    found = BalancedTree(tree, Groups.of([(1, 4, Kind.PROJECTED)]))
    suspects = Suspects(found, root=1)
    assert suspects.implied(1) == 1
    suspects.mark(2, State.RIGHT)
    suspects.mark(4, State.RIGHT)
    assert suspects.implied(1) == 3
    suspects.mark(3, State.UNKNOWN)
    assert suspects.implied(1) == 1


def test_what_makes_no_sense_is_refused() -> None:
    tree = Tree.from_parents([-1, 0, 1, 0])
    with pytest.raises(TreeError, match="groups of 1 to 5"):
        Balancing(smallest=1, largest=5)
    with pytest.raises(TreeError, match="2 chain keys for 4 calls"):
        find_groups(tree, [0, 0], Balancing())
    with pytest.raises(TreeError, match="no runs of siblings"):
        BalancedTree(tree, Groups.of([(2, 4, Kind.PROJECTED)]))
    with pytest.raises(TreeError, match="there is no call 9"):
        balance(tree, [-1] * 4).node(9)
    with pytest.raises(TreeError, match="is a group"):
        BalancedTree(tree, Groups.of([(1, 4, Kind.PROJECTED)])).call(1)
