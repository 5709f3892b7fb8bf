"""Where the bug can still be, against the obvious effective tree."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tree.shapes import obvious_effective, searches
from wrongcall.tree.balance import Kind
from wrongcall.tree.states import INCOMPLETE, NodeState, Trusted
from wrongcall.tree.suspects import Suspects
from wrongcall.tree.tree import NOBODY, Tree

# 0 calls 1 and 4; 1 calls 2 and 3; 4 calls 5.
PARENTS = [-1, 0, 1, 1, 0, 4]


@pytest.fixture
def suspects() -> Suspects:
    return Suspects(Tree.from_parents(PARENTS))


@given(searches())
def test_askable_nodes_are_the_effective_tree_without_its_root(suspects: Suspects) -> None:
    expected = set(obvious_effective(suspects)[0]) - {suspects.root}
    nodes = range(len(suspects.tree))
    assert {node for node in nodes if suspects.can_ask(node)} == expected
    assert suspects.count() == len(expected)
    assert suspects.first() == min(expected, default=NOBODY)


@given(searches())
def test_the_weight_of_a_subtree_is_that_of_its_suspects(suspects: Suspects) -> None:
    nodes, _ = obvious_effective(suspects)
    weighed = suspects.weigh()
    own = {node: suspects.weights.of(node, suspects.state) for node in nodes if node != NOBODY}
    below = sum(weight for node, weight in own.items() if node != suspects.root)
    assert weighed.below == pytest.approx(below)
    assert weighed.total == pytest.approx(sum(own.values()))
    assert suspects.compact().total_weight == pytest.approx(sum(own.values()))


@given(searches(), st.sampled_from(list(NodeState)))
def test_marking_keeps_that_a_call_has_not_ended(suspects: Suspects, state: NodeState) -> None:
    for node in range(len(suspects.tree)):
        suspects.mark(node, state)
        assert suspects.state_of(node) is state
        assert bool(suspects.state[node] & INCOMPLETE) is not bool(suspects.tree.judgeable[node])


def test_a_right_call_clears_everything_below_it(suspects: Suspects) -> None:
    suspects.mark(1, NodeState.RIGHT)
    assert [suspects.can_ask(node) for node in range(6)] == [True, False, False, False, True, True]


def test_suspects_are_what_is_below_the_root(suspects: Suspects) -> None:
    suspects.mark(1, NodeState.WRONG)
    suspects.root = 1
    assert suspects.span == (2, 4)
    assert [node for node in range(6) if suspects.can_ask(node)] == [2, 3]


def test_a_pretrusted_call_is_asked_only_if_somebody_leads_there() -> None:
    tree = Tree.from_parents(PARENTS)
    tree.pretrusted = np.array([False, True, False, False, False, False])
    suspects = Suspects(tree)
    assert suspects.state_of(1) is NodeState.TRUSTED
    assert not suspects.can_ask(1)
    assert suspects.can_ask(1, led=True)
    assert suspects.can_ask(2)  # what it called stays suspect
    suspects.mark(1, NodeState.RIGHT)
    assert not suspects.can_ask(1, led=True)


def test_undecided_are_the_unknown_and_those_that_have_not_ended() -> None:
    tree = Tree.from_parents(PARENTS, completed=[True, True, False, True, True, True])
    suspects = Suspects(tree)
    suspects.mark(4, NodeState.UNKNOWN)
    suspects.mark(5, NodeState.RIGHT)
    assert suspects.undecided().tolist() == [2, 4]
    suspects.mark(1, NodeState.RIGHT)
    assert suspects.undecided().tolist() == [4]


def test_trusting_may_prune() -> None:
    suspects = Suspects(Tree.from_parents(PARENTS), trusted=Trusted.PRUNE)
    suspects.mark(1, NodeState.TRUSTED)
    assert not suspects.can_ask(2)


def test_a_wrong_call_that_is_no_group_implies_itself(suspects: Suspects) -> None:
    suspects.mark(2, NodeState.RIGHT)
    assert suspects.implied(1) == 1
    assert suspects.implied(NOBODY) == NOBODY


def test_a_wrong_group_with_one_member_left_implies_that(suspects: Suspects) -> None:
    tree = Tree.from_parents(PARENTS)
    tree.kind = np.array([Kind.CALL, Kind.PROJECTED, *[Kind.CALL] * 4], np.uint8)
    grouped = Suspects(tree)
    assert grouped.implied(1) == 1
    grouped.mark(2, NodeState.RIGHT)
    assert grouped.implied(1) == 3
    grouped.mark(3, NodeState.UNKNOWN)  # nobody can tell whether it is that one
    assert grouped.implied(1) == 1


def test_memory_is_that_of_the_columns(suspects: Suspects) -> None:
    before = suspects.memory()
    assert before == len(PARENTS)
    suspects.weigh()
    assert suspects.memory() == before + 4 * (len(PARENTS) + 1)
