"""The kernels against slow, obvious versions."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tree.shapes import (
    below,
    brute_force,
    obvious_effective,
    parents,
    preorder_parents,
    searches,
)
from wrongcall.session.cost import cost
from wrongcall.session.strategies import strategy
from wrongcall.tree import _kernels
from wrongcall.tree.suspects import Suspects
from wrongcall.tree.tree import NOBODY, Tree


def own_weights(suspects: Suspects) -> dict[int, float]:
    return {node: suspects.weights.of(node, suspects.state) for node in range(len(suspects.tree))}


def subtree_weights(suspects: Suspects) -> dict[int, float]:
    own = own_weights(suspects)
    nodes, above = obvious_effective(suspects)
    return {node: sum(own.get(b, 0) for b in all_) for node, all_ in below(nodes, above).items()}


@given(parents(largest=40))
def test_preorder(parent: list[int]) -> None:
    children: list[list[int]] = [[] for _ in parent]
    for node, caller in enumerate(parent[1:], 1):
        children[caller].append(node)
    order: list[int] = []
    ends: dict[int, int] = {}

    def visit(node: int) -> None:
        order.append(node)
        for child in children[node]:
            visit(child)
        ends[node] = len(order)

    visit(0)
    position, end = np.empty(len(parent), np.int32), np.empty(len(parent), np.int32)
    same = _kernels.preorder(np.array(parent, np.int32), position, end)
    assert position.tolist() == [order.index(node) for node in range(len(parent))]
    assert end.tolist() == [ends[node] for node in order]
    assert same == (order == sorted(order))


@given(searches())
def test_compact_and_weights(suspects: Suspects) -> None:
    nodes, above = obvious_effective(suspects)
    compact = suspects.compact()
    assert compact.nodes.tolist() == nodes
    assert [nodes[p] for p in compact.parent.tolist()[1:]] == above[1:]
    own = own_weights(suspects)
    assert compact.own.tolist() == [own.get(node, 0) for node in nodes]
    expected = subtree_weights(suspects)
    weighed = suspects.weigh()
    assert weighed.total == expected[suspects.root]
    assert {node: weighed.of(node) for node in nodes[1:]} == {
        node: expected[node] for node in nodes[1:]
    }
    assert [node for node in range(len(suspects.tree)) if suspects.can_ask(node)] == nodes[1:]


@given(searches())
def test_kept_are_the_nodes_of_the_effective_tree(suspects: Suspects) -> None:
    nodes, _ = obvious_effective(suspects)
    assert np.flatnonzero(suspects.kept()).tolist() == [node for node in nodes if node != NOBODY]


@given(parents(), st.data())
def test_levels_count_what_is_above(parent: list[int], data: st.DataObject) -> None:
    left_out = data.draw(st.sets(st.integers(0, len(parent) - 1)))

    def above(node: int) -> list[int]:
        return [] if parent[node] < 0 else [parent[node], *above(parent[node])]

    flags = np.array([node in left_out for node in range(len(parent))], np.uint8)
    level = np.empty(len(parent), np.int32)
    _kernels.levels(np.array(parent, np.int32), flags, level)
    assert level.tolist() == [len({*above(n)} - left_out) for n in range(len(parent))]
    _kernels.levels(np.array(parent, np.int32), None, level)
    assert level.tolist() == [len(above(n)) for n in range(len(parent))]


@given(searches(largest=12))
@settings(max_examples=60)
def test_greedy_total_is_what_optimal_dq_asks(suspects: Suspects) -> None:
    own = own_weights(suspects)
    found = cost(suspects, strategy("optimal-dq"))
    asked = zip(found.positions.tolist(), found.questions.tolist(), strict=True)
    assert suspects.compact().greedy_total == sum(own[node] * count for node, count in asked)


@given(preorder_parents(largest=10), searches(largest=10))
@settings(max_examples=60)
def test_optima_match_brute_force(parent: list[int], suspects: Suspects) -> None:
    compact = suspects.compact()
    for tree, own in ((parent, [1.0] * len(parent)), (compact.parent, compact.own)):
        average, worst = brute_force(list(map(int, tree)), list(map(float, own)))
        columns = np.array(tree, np.int32), np.array(own, np.float64)
        assert _kernels.optimum(*columns, 1e9, 60.0)[::2] == (average, True)
        whole = Suspects(Tree.from_parents(columns[0]), root=0)
        assert _kernels.worst_case(whole.view())[1] == worst
    assert _kernels.worst_case(suspects.view())[1] == worst


def longest(parent: list[int]) -> int:
    """Return the worst case of a wide tree, by the rule for labels, with sets and no words."""
    children: list[list[int]] = [[] for _ in parent]
    for node, caller in enumerate(parent[1:], 1):
        children[caller].append(node)

    def feasible(tight: list[set[int]], allowed: set[int]) -> bool:
        rest = [sorted(each, reverse=True) for each in tight]
        for label in range(max(allowed.union(*tight), default=-1), -1, -1):
            showing = [each for each in rest if each and each[0] == label]
            if len(showing) > 1 or (showing and label not in allowed):
                return False
            if showing:
                showing[0].pop(0)
            elif label in allowed and rest:
                rest.remove(max(rest))
        return not rest

    def visible(node: int) -> set[int]:
        shown = [visible(child) for child in children[node]]
        top = max((max(each, default=-1) for each in shown), default=-1) + len(shown) + 1
        allowed = set(range(top + 1)) if shown else set()
        for label in sorted(allowed, reverse=True):
            if feasible(shown, allowed - {label}):
                allowed.discard(label)
        return allowed

    return max(visible(0), default=-1) + 1


@given(st.lists(st.integers(0, 3), min_size=1, max_size=90), st.integers(0, 40))
@settings(max_examples=60)
def test_the_worst_case_of_wide_trees(sizes: list[int], leaves: int) -> None:
    """More labels than a word has bits, and more children than are joined as words."""
    parent = [-1] + [0] * leaves
    for size in sizes:
        first = len(parent)
        parent += [0] + [first] * size
    tree = Tree.from_parents([-1, 0, *(p + 1 for p in parent[1:])])
    assert _kernels.worst_case(Suspects(tree, root=0).view())[1] == longest(tree.parent.tolist())


@pytest.mark.parametrize("count", [1, 5, 200])
def test_a_star_needs_as_many_questions_as_it_has_leaves(count: int) -> None:
    parent = np.array([-1] + [0] * count, np.int32)
    assert _kernels.worst_case(Suspects(Tree.from_parents(parent), root=0).view())[1] == count
    assert _kernels.optimum(parent, np.ones(count + 1), 1e9, 1.0)[0] == count * (count + 3) / 2


def test_columns_that_do_not_fit_are_refused() -> None:
    column = np.zeros(3, np.int32)
    with pytest.raises(TypeError, match="4 bytes"):
        _kernels.preorder(np.zeros(3), column, column)
    with pytest.raises(ValueError, match="differ in length"):
        _kernels.preorder(np.array([-1, 0], np.int32), column, column)
    with pytest.raises(ValueError, match="before its calls"):
        _kernels.preorder(np.array([-1, 2, 1], np.int32), column, column)
    with pytest.raises(ValueError, match="before its calls"):
        _kernels.levels(np.array([-1, 2, 1], np.int32), None, column)
    with pytest.raises(ValueError, match="has parent"):
        _kernels.optimum(np.array([-1, -1], np.int32), np.ones(2), 1e9, 1.0)
    with pytest.raises(ValueError, match="begins with its root"):
        _kernels.greedy_total(np.empty(0, np.int32), np.empty(0), -1)


def test_the_optimum_says_when_its_time_is_over() -> None:
    rng = np.random.default_rng(1)
    parent = [-1, *(int(rng.integers(max(0, node - 4), node)) for node in range(1, 600))]
    tree = Tree.from_parents(parent)
    weights = rng.integers(1, 1000, len(tree)).astype(float)
    assert not _kernels.optimum(tree.parent, weights, 1e18, 0.01)[2]
