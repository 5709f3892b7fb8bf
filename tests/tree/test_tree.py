"""The structure of trees: order, relatives, numbers of calls."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tree.shapes import parents
from wrongcall.errors import TreeError
from wrongcall.tree.tree import NOBODY, Tree


@given(parents(largest=40))
def test_relatives_are_those_of_the_rows(parent: list[int]) -> None:
    tree = Tree.from_parents(parent, function=range(len(parent)))
    for row, caller in enumerate(parent):
        node = tree.node(row)
        assert tree.call(node) == tree.row(node) == row == tree.function[node]
        made = [child for child, p in enumerate(parent) if p == row]
        assert [tree.call(child) for child in tree.children(node)] == made
        assert tree.made_by(node).tolist() == list(tree.children(node))
        above = next(tree.ancestors(node), NOBODY)
        assert (NOBODY if above == NOBODY else tree.call(above)) == caller
        assert tree.contains(NOBODY, node)
        assert tree.contains(node, node)
        assert all(tree.contains(ancestor, node) for ancestor in tree.ancestors(node))


@given(parents(largest=30), st.data())
def test_a_row_that_comes_first_can_be_the_caller_of_earlier_ones(
    parent: list[int], data: st.DataObject
) -> None:
    roots = [row for row, caller in enumerate(parent) if caller == NOBODY]
    head = data.draw(st.sampled_from(roots))
    adopted = data.draw(st.sets(st.sampled_from(roots))) - {head}
    moved = [head if row in adopted else caller for row, caller in enumerate(parent)]
    ids = np.arange(100, 100 + len(parent), dtype=np.int64)
    tree = Tree.from_parents(moved, function=range(len(parent)), ids=ids, head=head)
    for row, caller in enumerate(moved):
        node = tree.node(row + 100)
        assert (tree.call(node), tree.row(node), tree.function[node]) == (row + 100, row, row)
        made = [child + 100 for child, p in enumerate(moved) if p == row]
        assert [tree.call(child) for child in tree.children(node)] == made
        above = next(tree.ancestors(node), NOBODY)
        assert (NOBODY if above == NOBODY else tree.row(above)) == caller


def test_several_roots_and_numbers_of_calls() -> None:
    ids = np.array([10, 20, 21, 40], dtype=np.int64)
    # The third row belongs to the first root, behind the second one: it is put in order.
    tree = Tree.from_parents([-1, -1, 0, 1], ids=ids)
    assert list(tree.children()) == [0, 2]
    assert [tree.call(node) for node in range(4)] == [10, 21, 20, 40]
    assert [tree.node(call) for call in ids.tolist()] == [0, 2, 1, 3]
    for missing in (9, 30, 41):
        with pytest.raises(TreeError, match=f"there is no call {missing}"):
            tree.node(missing)


def test_parents_that_form_no_tree_are_refused() -> None:
    with pytest.raises(TreeError, match="not a tree: node 1 has parent 1"):
        Tree.from_parents([-1, 1])
    with pytest.raises(TreeError, match="columns of 2 and 3 rows"):
        Tree.from_parents([-1, 0], function=[1, 2, 3])
    tree = Tree.from_parents([-1, 0])
    with pytest.raises(TreeError, match="there is no node 2: the tree has 2 calls"):
        tree.call(2)
    with pytest.raises(TreeError, match="there is no call -1"):
        tree.node(-1)


def test_an_empty_tree() -> None:
    tree = Tree.from_parents([])
    assert (len(tree), list(tree.children()), tree.function_count) == (0, [], 1)


@given(data=st.data())
def test_the_way_to_a_call_is_that_of_its_callers(data: st.DataObject) -> None:
    count = data.draw(st.integers(1, 12))
    callers_of = [data.draw(st.integers(-1, number - 1)) for number in range(count)]
    tree = Tree.from_parents(callers_of)
    root, node = (data.draw(st.integers(0, count - 1)) for _ in range(2))
    callers = [each for each in tree.ancestors(node) if tree.contains(root, each)]
    among = data.draw(st.sets(st.integers(0, count - 1)))
    assert set(tree.on_way(root, node, among)) == among & {node, *callers}
