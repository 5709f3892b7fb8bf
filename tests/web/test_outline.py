"""The visible rows of a tree, against a slow and obvious version."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from wrongcall.tree.tree import NOBODY, Tree
from wrongcall.web.outline import AllBut, Flat, Opened, Outline, Without, children_of


@st.composite
def trees(draw: st.DrawFn) -> Tree:
    count = draw(st.integers(1, 30))
    parents = [draw(st.integers(-1, node - 1)) for node in range(count)]
    return Tree.from_parents(parents)


def visible(tree: Tree, is_open: set[int], node: int = NOBODY) -> list[int]:
    found = []
    for child in tree.children(node):
        found.append(child)
        if child in is_open:
            found += visible(tree, is_open, child)
    return found


def check(outline: Outline, expected: list[int], tree: Tree) -> None:
    assert outline.count == len(expected)
    assert outline.window(0, len(expected) + 5) == expected
    for first in range(len(expected)):
        assert outline.window(first, first + 3) == expected[first : first + 3]
    for node in range(len(tree)):
        assert outline.position(node) == (expected.index(node) if node in expected else -1)


@given(trees(), st.sets(st.integers(0, 29)))
def test_only_the_opened_nodes_are_open(tree: Tree, chosen: set[int]) -> None:
    chosen = {node for node in chosen if node < len(tree)}
    check(Opened(tree, chosen), visible(tree, chosen), tree)


@given(trees(), st.sets(st.integers(0, 29)))
def test_all_nodes_but_the_closed_ones_are_open(tree: Tree, closed: set[int]) -> None:
    closed = {node for node in closed if node < len(tree)}
    check(AllBut(tree, closed), visible(tree, set(range(len(tree))) - closed), tree)


@given(trees(), st.sets(st.integers(0, 29)), st.sets(st.integers(0, 29)))
def test_nodes_are_left_out_with_everything_below_them(
    tree: Tree, closed: set[int], out: set[int]
) -> None:
    closed = {node for node in closed if node < len(tree)}
    gone = {n for node in out if node < len(tree) for n in range(node, int(tree.end[node]))}
    for outline, is_open in (
        (AllBut(tree, closed), set(range(len(tree))) - closed),
        (Opened(tree, closed), closed),
    ):
        shown = [node for node in visible(tree, is_open) if node not in gone]
        check(Without(outline, gone), shown, tree)


def test_a_flat_outline_has_exactly_its_nodes() -> None:
    tree = Tree.from_parents([-1, 0, 0, 1])
    check(Flat(np.array([0, 2])), [0, 2], tree)


def test_very_many_children_are_found_in_one_pass() -> None:
    count = 10_000
    parents = [-1, *([0] * count), 1]
    tree = Tree.from_parents(parents)
    children = children_of(tree, 0)
    assert len(children) == count
    assert children.tolist() == list(tree.children(0))
    outline = Opened(tree, {0})
    assert outline.count == count + 1
    assert outline.window(count, count + 1) == [int(children[-1])]
