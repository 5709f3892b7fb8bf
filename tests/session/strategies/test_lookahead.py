"""Lookahead is never worse than Optimal D&Q, and sometimes better."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings

from tests.tree.shapes import searches
from wrongcall.session.cost import cost
from wrongcall.session.strategies.lookahead import Lookahead
from wrongcall.session.strategies.optimal_dq import OptimalDivideAndQuery
from wrongcall.tree.states import NodeState
from wrongcall.tree.suspects import Suspects
from wrongcall.tree.tree import NOBODY, Tree
from wrongcall.tree.weights import IndividualWeights

# The smallest tree on which every choice of Optimal D&Q is wrong.
MISLEADING = [-1, 0, 1, 2, 3, 4, 4, 1]


@given(searches(largest=14))
@settings(max_examples=60)
def test_it_asks_no_more_than_optimal_dq(suspects: Suspects) -> None:
    suspects.weights = IndividualWeights(np.ones(len(suspects.tree)))
    assert cost(suspects, Lookahead()).total <= cost(suspects, OptimalDivideAndQuery()).total


def test_it_finds_what_optimal_dq_misses() -> None:
    suspects = Suspects(Tree.from_parents(MISLEADING), root=0)
    assert cost(suspects, OptimalDivideAndQuery()).total == 26
    assert cost(suspects, Lookahead()).total == 25


def test_with_too_many_suspects_it_asks_what_optimal_dq_asks() -> None:
    suspects = Suspects(Tree.from_parents(MISLEADING), root=0)
    few = Lookahead(most_suspects=len(MISLEADING) - 2)
    assert few.choose(suspects) == OptimalDivideAndQuery().choose(suspects)
    assert Lookahead(most_suspects=len(MISLEADING) - 1).choose(suspects) != few.choose(suspects)


def test_with_too_few_steps_it_asks_what_optimal_dq_asks() -> None:
    suspects = Suspects(Tree.from_parents(MISLEADING), root=0)
    assert Lookahead(steps=1).choose(suspects) == OptimalDivideAndQuery().choose(suspects)


def test_a_single_suspect_is_chosen() -> None:
    suspects = Suspects(Tree.from_parents([-1, 0]), root=0)
    assert Lookahead().choose(suspects) == 1
    suspects.mark(1, NodeState.RIGHT)
    assert Lookahead().choose(suspects) == NOBODY
