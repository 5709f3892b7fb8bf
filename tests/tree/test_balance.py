"""Balanced trees: the kernel against the algorithm as printed, the way back, and what is gained."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tree import obvious_balance
from tests.tree.shapes import listing, preorder_parents
from wrongcall.errors import TreeError
from wrongcall.session.cost import cost
from wrongcall.session.strategies import strategy
from wrongcall.tree.balance import (
    LIST_MOST,
    BalancedTree,
    Balancing,
    Groups,
    Kind,
    balance,
    find_groups,
)
from wrongcall.tree.reading import Reading
from wrongcall.tree.states import NodeState
from wrongcall.tree.suspects import Suspects
from wrongcall.tree.tree import Tree
from wrongcall.tree.weights import UNIT


@st.composite
def balancings(draw: st.DrawFn) -> Balancing:
    smallest = draw(st.integers(2, 4))
    flag = st.booleans()
    names = ("shrink", "project", "unrestricted", "recursive", "count_nodes")
    return Balancing(
        smallest,
        draw(st.sampled_from([smallest, 5, 2**31 - 1])),
        **{name: draw(flag) for name in names},
        listed=draw(st.sampled_from([0, 1, 2, 3, 5, 32])),
        listed_long=draw(st.sampled_from([1, 2, 4])),
        near=draw(st.integers(1, 4)),
        loop=draw(st.integers(2, 6)),
    )


@given(preorder_parents(largest=30), balancings(), st.data())
@settings(max_examples=400)
def test_balancing_matches_the_published_algorithm(
    parent: list[int], how: Balancing, data: st.DataObject
) -> None:
    count = len(parent)
    column = st.lists(st.integers(-1, 1), min_size=count, max_size=count)
    chains, methods = data.draw(column), data.draw(column)
    completed = [draw != 0 for draw in data.draw(_flags(count))]
    brief = [draw != 0 for draw in data.draw(_flags(count))]
    plain = obvious_balance.build(parent, methods, chains, completed, brief)
    expected = obvious_balance.balanced(plain, how)
    tree = Tree.from_parents(parent, [m + 1 for m in methods], completed)
    lines = np.ones(count, dtype=np.uint8)
    tree.reading = Reading(lines, lines, np.array(brief))
    found = balance(tree, chains, how)
    assert listing(found) == obvious_balance.listing(expected)
    back = [int(found.base_of[found.node(call)]) for call in range(count)]
    assert back == list(range(count))
    for node in np.flatnonzero(found.kinds):
        calls = [found.call(member) for member in found.members(int(node))]
        assert found.group(calls[0], calls[-1]) == node


def _flags(count: int) -> st.SearchStrategy[list[int]]:
    return st.lists(st.integers(0, 5), min_size=count, max_size=count)


@given(preorder_parents(largest=30), balancings(), st.data())
def test_what_a_call_made_and_its_states_are_found_through_groups(
    parent: list[int], how: Balancing, data: st.DataObject
) -> None:
    chains = data.draw(st.lists(st.integers(-1, 1), min_size=len(parent), max_size=len(parent)))
    tree = balance(Tree.from_parents(parent), chains, how)
    suspects = Suspects(tree)
    for node in range(len(tree)):
        if data.draw(st.booleans()):
            suspects.mark(node, data.draw(st.sampled_from(list(NodeState))))
    for call in tree.node_of_base.tolist():
        made = tree.made_by(call)
        assert made.tolist() == [m for c in tree.children(call) for m in tree.members(c)]
        for state in NodeState:
            expected = [_has_been_given(suspects, node, state) for node in made.tolist()]
            assert suspects.are(state, made).tolist() == expected


def _has_been_given(suspects: Suspects, node: int, state: NodeState) -> bool:
    while suspects.state_of(node) is not state:
        node = int(suspects.tree.parent[node])
        if node < 0 or not suspects.tree.is_group(node):
            return False
    return True


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
    suspects.mark(0, NodeState.WRONG)
    return cost(suspects, strategy(name)).average


@pytest.mark.parametrize("count", [2, 3, 16, 100, 1022])
def test_a_loop_takes_a_logarithmic_number_of_questions(count: int) -> None:
    tree = Tree.from_parents([-1] + [0] * count, np.arange(count + 1))
    found = balance(tree, np.zeros(count + 1, np.int64))
    assert average(found) <= math.log2(count + 1) + 0.5
    assert average(tree) == pytest.approx((count * (count + 1) / 2 + count) / (count + 1))


def test_a_loop_of_one_function_is_one_question() -> None:
    tree = Tree.from_parents([-1] + [0] * 50)
    assert average(balance(tree, np.zeros(51, np.int64))) == 1


def runs(tree: BalancedTree, kind: Kind) -> list[tuple[int, int]]:
    """Return the outermost groups of a kind: the first call, and how many calls."""
    nodes = [
        int(n) for n in np.flatnonzero(tree.kinds == kind) if not tree.is_group(tree.parent[n])
    ]
    return [(tree.call(tree.members(n)[0]), len(tree.members(n))) for n in nodes]


NO_CHAINS = -1


@pytest.mark.parametrize("count", [33, 60, 100, 1000])
def test_a_loop_without_chains_is_asked_in_lists(count: int) -> None:
    tree = Tree.from_parents([-1] + [0] * count, [0] + [1] * count)
    found = balance(tree, np.full(count + 1, NO_CHAINS))
    assert not (found.kinds == Kind.COLLAPSED).any()
    sizes = [size for _, size in runs(found, Kind.LISTED)]
    lists = math.ceil(count / LIST_MOST)
    assert max(sizes) <= math.ceil(count / lists) <= LIST_MOST
    # Half of the lists, then a logarithm.
    assert average(found) <= lists / 2 + math.log2(LIST_MOST) + 1.5


def test_a_loop_that_makes_several_calls_is_asked_in_lists() -> None:
    body, times = [1, 2, 3], 20
    functions = [0, *(body * times)]
    tree = Tree.from_parents([-1] + [0] * len(body) * times, functions)
    chains = np.full(len(functions), NO_CHAINS)
    found = balance(tree, chains)
    assert average(found) < average(tree) / 3
    assert found.several is not None
    assert found.several[found.kinds == Kind.LISTED].any()
    few = Tree.from_parents([-1] + [0] * 6, [0, *(body * 2)])
    assert not len(balance(few, np.full(7, NO_CHAINS)).group_nodes)
    assert average(balance(tree, chains, Balancing(near=2))) == average(tree)


def test_states_stay_together_however_long_they_are() -> None:
    # Calls that call another one are not collapsed: 3 by themselves, 40 on one state, 3 by themselves.
    parent, functions, chains = [-1], [0], [NO_CHAINS]
    for i in range(46):
        parent += [0, len(parent)]
        functions += [1, 2]
        chains += [7 if 3 <= i < 43 else NO_CHAINS, NO_CHAINS]
    tree = Tree.from_parents(parent, functions)
    found = balance(tree, chains)
    on_state = range(1 + 2 * 3, 1 + 2 * 43)
    for node in np.flatnonzero(found.kinds == Kind.PROJECTED):
        assert all(found.call(m) in on_state for m in found.members(int(node)))
    for node in np.flatnonzero(found.kinds == Kind.LISTED):
        assert not any(found.call(m) in on_state for m in found.members(int(node)))
    assert (found.kinds == Kind.LISTED).any()
    largest = max(len(found.members(int(n))) for n in np.flatnonzero(found.kinds))
    assert largest > 46 / 2 - 1


@given(preorder_parents(largest=40), st.data())
def test_lists_are_small_and_other_groups_share_one_state(
    parent: list[int], data: st.DataObject
) -> None:
    count = len(parent)
    column = st.lists(st.integers(-1, 1), min_size=count, max_size=count)
    chains, methods = data.draw(column), [m + 1 for m in data.draw(column)]
    found = balance(Tree.from_parents(parent, methods), chains, Balancing(listed=4, loop=4))
    for node in (int(n) for n in np.flatnonzero(found.kinds)):
        calls = [found.call(member) for member in found.members(node)]
        keys = {chains[call] for call in calls}
        if found.is_listed(node):
            assert len(calls) <= 4
            assert len(keys) > 1 or keys == {NO_CHAINS}
        else:
            assert len(keys) == 1
            assert keys != {NO_CHAINS}
        assert found.several is not None
        assert bool(found.several[node]) == (len({methods[call] for call in calls}) > 1)


def test_unfinished_calls_are_in_no_list() -> None:
    completed = [True, True, True, False, True, True]
    tree = Tree.from_parents([-1, 0, 0, 0, 0, 0], [0, 1, 1, 1, 1, 1], completed)
    found = balance(tree, [NO_CHAINS] * 6)
    groups = [[found.call(m) for m in found.members(int(n))] for n in np.flatnonzero(found.kinds)]
    assert [1, 2] in groups or [4, 5] in groups
    assert all(3 not in calls for calls in groups)


def test_the_last_member_of_a_wrong_group_needs_no_question() -> None:
    tree = Tree.from_parents([-1, 0, 0, 0, 0], [0, 1, 2, 3, 4])
    found = BalancedTree(tree, Groups.of([(1, 4, Kind.PROJECTED)]))
    suspects = Suspects(found, root=1)
    assert suspects.implied(1) == 1
    suspects.mark(2, NodeState.RIGHT)
    suspects.mark(4, NodeState.RIGHT)
    assert suspects.implied(1) == 3
    suspects.mark(3, NodeState.UNKNOWN)
    assert suspects.implied(1) == 1


def test_invalid_input_is_refused() -> None:
    tree = Tree.from_parents([-1, 0, 1, 0])
    with pytest.raises(TreeError, match="groups of 1 to 5"):
        Balancing(smallest=1, largest=5)
    with pytest.raises(TreeError, match="lists of -1 calls"):
        Balancing(listed=-1)
    with pytest.raises(TreeError, match="2 chain keys for 4 calls"):
        find_groups(tree, [0, 0], Balancing())
    with pytest.raises(TreeError, match="not runs of siblings"):
        BalancedTree(tree, Groups.of([(2, 4, Kind.PROJECTED)]))
    with pytest.raises(TreeError, match="there is no call 9"):
        balance(tree, [-1] * 4).node(9)
    with pytest.raises(TreeError, match="is a group"):
        BalancedTree(tree, Groups.of([(1, 4, Kind.PROJECTED)])).call(1)
