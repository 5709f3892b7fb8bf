"""What holds for every strategy of the package, whoever adds one; and the three architectures."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.session.truth import Truth, covered
from tests.tree.shapes import facts, preorder_parents, searches
from wrongcall.session.cost import cost
from wrongcall.session.strategies import strategies, strategy
from wrongcall.tree.states import NodeState
from wrongcall.tree.suspects import Suspects
from wrongcall.tree.tree import NOBODY, Tree

NAMES = sorted(strategies())


@pytest.mark.parametrize("name", NAMES)
@given(searches(largest=12))
@settings(max_examples=30)
def test_every_strategy_asks_about_a_suspect_and_changes_nothing(
    name: str, suspects: Suspects
) -> None:
    suspects.coverage = covered(suspects.tree).coverages
    before = facts(suspects)
    chosen = strategy(name).choose(suspects)
    assert facts(suspects) == before
    assert strategy(name).choose(suspects) == chosen
    if chosen == NOBODY:
        assert suspects.first() == NOBODY
    else:
        assert suspects.can_ask(chosen)


@pytest.mark.parametrize("name", NAMES)
@given(searches(largest=12))
@settings(max_examples=15)
def test_every_strategy_finds_every_possible_bug(name: str, suspects: Suspects) -> None:
    suspects.coverage = covered(suspects.tree).coverages
    found = cost(suspects, strategy(name))
    places = suspects.compact().nodes.tolist()
    assert found.positions.tolist() == [node for node in places if node != NOBODY]
    # No two places are told apart by fewer questions than it takes to write their number.
    assert len(places) <= 2 ** max(found.worst, found.no_bug or 0)


@pytest.mark.parametrize("name", ["optimal-dq", "dq-hirunkitti", "top-down", "worst-case"])
@given(preorder_parents(largest=16), st.data())
@settings(max_examples=40)
def test_the_three_architectures_ask_the_same(
    name: str, parent: list[int], data: st.DataObject
) -> None:
    """Pruning what is known, marking it in a tree that stays, and trees with calls to come."""
    tree = Tree.from_parents(parent)
    bug = data.draw(st.integers(0, len(parent) - 1))
    truth = Truth(tree, [bug])
    fixed = questions_fixed(Suspects(tree), name, truth)
    assert questions_pruned(tree, name, truth) == fixed
    # One more call that has begun, above everything, and one that begins later.
    running = Tree.from_parents(
        [-1, *(p + 1 for p in parent), 0],
        completed=[False] + [True] * len(parent) + [False],
    )
    dynamic = questions_fixed(Suspects(running), name, truth, shift=1)
    assert dynamic == fixed


def questions_fixed(
    suspects: Suspects, name: str, truth: Truth, shift: int = 0
) -> list[tuple[int, bool]]:
    asked = []
    while (node := strategy(name).choose(suspects)) != NOBODY:
        wrong = truth.is_wrong(node - shift)
        asked.append((node - shift, wrong))
        suspects.mark(node, NodeState.WRONG if wrong else NodeState.RIGHT)
        if wrong:
            suspects.root = node
    return asked


def questions_pruned(tree: Tree, name: str, truth: Truth) -> list[tuple[int, bool]]:
    asked = []
    suspects = Suspects(tree)
    while (node := strategy(name).choose(suspects)) != NOBODY:
        call = suspects.tree.call(node)
        wrong = truth.is_wrong(call)
        asked.append((call, wrong))
        suspects.mark(node, NodeState.WRONG if wrong else NodeState.RIGHT)
        if wrong:
            suspects.root = node
        suspects = pruned(suspects)
    return asked


def pruned(suspects: Suspects) -> Suspects:
    """Return a search on a tree of its own with only the suspects."""
    compact = suspects.compact()
    if suspects.root == NOBODY:
        tree = suspects.tree.pruned(compact.nodes[1:], compact.parent[1:] - 1)
        return Suspects(tree)
    tree = suspects.tree.pruned(compact.nodes, compact.parent)
    smaller = Suspects(tree, root=0)
    smaller.mark(0, NodeState.WRONG)
    return smaller
