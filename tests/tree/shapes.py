"""Random trees and searches, for property tests; and the obvious versions of the kernels."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

from hypothesis import strategies as st

from wrongcall.tree.balance import BalancedTree, Kind
from wrongcall.tree.states import NodeState, Trusted
from wrongcall.tree.suspects import Suspects
from wrongcall.tree.tree import NOBODY, Tree
from wrongcall.tree.weights import IndividualWeights

LETTERS = {Kind.CALL: "o", Kind.COLLAPSED: "c", Kind.PROJECTED: "p", Kind.LISTED: "l"}
MARKS = (
    NodeState.UNDEFINED,
    NodeState.UNKNOWN,
    NodeState.TRUSTED,
    NodeState.RIGHT,
    NodeState.INADMISSIBLE,
)


@st.composite
def parents(draw: st.DrawFn, smallest: int = 1, largest: int = 24) -> list[int]:
    """Parent arrays in which parents come first, of all shapes: deep, wide, bushy."""
    count = draw(st.integers(smallest, largest))
    reach = draw(st.sampled_from([1, 2, 4, 100]))
    callers = (draw(st.integers(max(0, node - reach), node - 1)) for node in range(1, count))
    return [-1, *callers]


@st.composite
def preorder_parents(draw: st.DrawFn, smallest: int = 1, largest: int = 24) -> list[int]:
    """The same, in preorder."""
    tree = Tree.from_parents(draw(parents(smallest, largest)))
    found: list[int] = tree.parent.tolist()
    return found


@st.composite
def searches(draw: st.DrawFn, largest: int = 16, weighted: bool = True) -> Suspects:
    """Trees with all kinds of states, incomplete nodes, weights, and a root somewhere."""
    tree_parents = draw(preorder_parents(largest=largest))
    count = len(tree_parents)
    tree = Tree.from_parents(
        tree_parents,
        function=draw(st.lists(st.integers(0, 4), min_size=count, max_size=count)),
        completed=draw(
            st.lists(st.sampled_from([True, True, True, False]), min_size=count, max_size=count)
        ),
    )
    own = [1] * count
    if weighted and draw(st.booleans()):
        own = draw(st.lists(st.integers(0, 5), min_size=count, max_size=count))
    suspects = Suspects(
        tree, weights=IndividualWeights(own), trusted=draw(st.sampled_from(list(Trusted)))
    )
    for node in range(count):
        if draw(st.integers(0, 3)) == 0:
            suspects.mark(node, draw(st.sampled_from(MARKS)))
    root = draw(st.integers(-1, count - 1))
    if root != NOBODY and tree.completed[root]:
        suspects.mark(root, NodeState.WRONG)
        suspects.root = root
    return suspects


def obvious_effective(suspects: Suspects) -> tuple[list[int], list[int]]:
    """Return the nodes of the effective tree and their parents (nodes, not indices)."""
    tree = suspects.tree
    is_pruning = suspects.trusted is Trusted.PRUNE
    nodes, above = [suspects.root], [NOBODY - 1]

    def visit(node: int, kept: int) -> None:
        state = suspects.state_of(node)
        if state in (NodeState.RIGHT, NodeState.INADMISSIBLE) or (
            state is NodeState.TRUSTED and is_pruning
        ):
            return
        if state is NodeState.UNDEFINED and tree.completed[node]:
            nodes.append(node)
            above.append(kept)
            kept = node
        for child in tree.children(node):
            visit(child, kept)

    for child in tree.children(suspects.root):
        visit(child, suspects.root)
    return nodes, above


def below(nodes: Sequence[int], above: Sequence[int]) -> dict[int, list[int]]:
    """Return, for each node, those of its subtree."""
    found: dict[int, list[int]] = {node: [node] for node in nodes}
    for node, parent in reversed(list(zip(nodes, above, strict=True))):
        if parent in found:
            found[parent] = found[parent] + found[node]
    return found


def brute_force(parent: Sequence[int], own: Sequence[float]) -> tuple[float, int]:
    """Return the least total and the least worst case over all strategies."""
    count = len(parent)
    inside = [1 << node for node in range(count)]
    for node in range(count - 1, 0, -1):
        inside[parent[node]] |= inside[node]

    def members(state: int) -> list[int]:
        return [node for node in range(count) if state >> node & 1]

    @functools.cache
    def average(state: int, root: int) -> float:
        nodes = members(state)
        weight = sum(own[node] for node in nodes)
        return min(
            (
                weight + average(state & inside[v], v) + average(state & ~inside[v], root)
                for v in nodes
                if v != root
            ),
            default=0,
        )

    @functools.cache
    def worst(state: int, root: int) -> int:
        return min(
            (
                1 + max(worst(state & inside[v], v), worst(state & ~inside[v], root))
                for v in members(state)
                if v != root
            ),
            default=0,
        )

    full = (1 << count) - 1
    return average(full, 0), worst(full, 0)


def facts(suspects: Suspects) -> dict[str, Any]:
    """Return everything a search is, to compare it with another."""
    return {"state": suspects.state.tolist(), "root": suspects.root}


def listing(tree: BalancedTree) -> tuple[list[int], str, list[list[int]]]:
    """Return parent, kind and members of all nodes but the hidden ones."""
    hidden = Suspects(tree).state == NodeState.HIDDEN
    shown = [node for node in range(len(tree)) if not hidden[node]]
    place = {-1: -1} | {node: index for index, node in enumerate(shown)}
    members = [
        [] if tree.is_projected(node) else [int(tree.base_of[m]) for m in tree.members(node)]
        for node in shown
    ]
    kinds = "".join(LETTERS[Kind(tree.kinds[node])] for node in shown)
    return [place[int(tree.parent[node])] for node in shown], kinds, members
