"""How opinions weigh."""

from __future__ import annotations

import numpy as np
import pytest

from wrongcall.session.evidence import LIKELY_RIGHT, LIKELY_WRONG, factors_of
from wrongcall.session.oracles import Suspicion
from wrongcall.tree.balance import BalancedTree, Groups, Kind
from wrongcall.tree.states import NodeState
from wrongcall.tree.tree import Tree

TREE = Tree.from_parents([-1, 0, 1, 1, 0, 4], [0, 1, 2, 2, 1, 3])


def test_without_evidence_there_are_no_factors() -> None:
    assert factors_of(TREE, [], []) is None


def test_what_is_below_a_call_weighs_like_it_unless_more_is_known() -> None:
    more, less = LIKELY_WRONG, LIKELY_RIGHT
    for order in (1, -1):
        likely = [(1, NodeState.WRONG), (3, NodeState.RIGHT), (4, NodeState.INADMISSIBLE)][::order]
        found = factors_of(TREE, likely, [])
        assert found is not None
        assert found.tolist() == [1, more, more, less, less, less]


def test_suspicious_functions_weigh_more_wherever_they_are_called() -> None:
    found = factors_of(TREE, [(4, NodeState.RIGHT)], [Suspicion({1: 3.0, 9: 5.0})])
    assert found is not None
    expected = [1, 3, 1, 1, 3 * LIKELY_RIGHT, LIKELY_RIGHT]
    assert found.tolist() == pytest.approx(expected)


def test_what_is_known_about_a_call_counts_instead_of_what_is_known_about_its_function() -> None:
    known = Suspicion({1: 3.0, 2: 7.0}, np.array([2, 4, 50]), np.array([0.5, 0.25, 9.0]))
    found = factors_of(TREE, [], [known])
    assert found is not None
    assert found.tolist() == [1, 3, 0.5, 7, 0.25, 1]
    twice = factors_of(TREE, [], [known, Suspicion({0: 2.0, 1: 2.0})])
    assert twice is not None
    assert twice.tolist() == [2, 6, 0.5, 7, 0.5, 1]


def test_a_collapsed_group_is_as_suspicious_as_its_members_on_average() -> None:
    balanced = BalancedTree(TREE, Groups.of([(2, 4, Kind.COLLAPSED)]))
    known = Suspicion({2: 7.0}, np.array([2]), np.array([0.5]))
    found = factors_of(balanced, [], [known])
    assert found is not None
    assert found.tolist() == [1, 1, (0.5 + 7) / 2, 0.5, 7, 1, 1]
