"""Weights by coverage."""

from __future__ import annotations

import numpy as np
import pytest

from wrongcall.errors import TreeError
from wrongcall.tree.balance import balance
from wrongcall.tree.coverage import Coverage, CoverageWeights
from wrongcall.tree.states import NodeState
from wrongcall.tree.suspects import Suspects
from wrongcall.tree.tree import Tree

TREE = Tree.from_parents([-1, 0, 0, 0], [0, 1, 1, 1])
ENTITIES = [[0], [1, 2], [1, 2], [2, 3, 4]]


def weights_of(suspects: Suspects, weights: CoverageWeights) -> list[float]:
    return [weights.of(node, suspects.state) for node in range(len(suspects.tree))]


def test_entities_weigh_less_when_calls_that_covered_them_are_right() -> None:
    suspects = Suspects(TREE)
    weights = CoverageWeights(TREE, Coverage.of_calls(ENTITIES), 0.5)
    assert weights_of(suspects, weights) == [1, 2, 2, 3]
    suspects.mark(1, NodeState.RIGHT)
    assert weights_of(suspects, weights) == [1, 1, 1, 2.5]
    suspects.mark(2, NodeState.INADMISSIBLE)
    assert weights_of(suspects, weights) == [1, 0.5, 0.5, 2.25]
    suspects.mark(2, NodeState.WRONG)
    assert weights_of(suspects, weights) == [1, 1, 1, 2.5]


def test_callees_of_a_right_call_may_count_as_right() -> None:
    suspects = Suspects(TREE)
    suspects.mark(0, NodeState.RIGHT)
    coverage = Coverage.of_calls(ENTITIES)
    assert weights_of(suspects, CoverageWeights(TREE, coverage, 0.5))[3] == 0.125 + 0.5 + 0.5
    asked_only = CoverageWeights(TREE, coverage, 0.5, whole_subtree=False)
    assert weights_of(suspects, asked_only) == [0.5, 2, 2, 3]


def test_a_collapsed_group_covers_the_union_of_its_members() -> None:
    grouped = balance(TREE, [-1, 0, 0, 0])
    coverage = Coverage.of_calls(ENTITIES).grouped(grouped)
    weights = CoverageWeights(grouped, coverage, 0.5)
    suspects = Suspects(grouped)
    assert weights_of(suspects, weights) == [1, 7, 2, 2, 3]
    assert suspects.weigh(weights).total == 8
    # Found right as a group, each member vouches once.
    suspects.mark(1, NodeState.RIGHT)
    assert weights_of(suspects, weights)[2:] == [0.25 + 0.125, 0.25 + 0.125, 0.125 + 0.5 + 0.5]


def test_invalid_input_is_refused() -> None:
    coverage = Coverage.of_calls(ENTITIES)
    with pytest.raises(TreeError, match="from 0 to 1, not 2"):
        CoverageWeights(TREE, coverage, 2)
    with pytest.raises(TreeError, match="coverage of 4 calls for 1"):
        CoverageWeights(Tree.from_parents([-1]), coverage, 0.5)
    with pytest.raises(TreeError, match="a class of coverage that does not exist"):
        Coverage(np.array([0, 1]), [[1]])
