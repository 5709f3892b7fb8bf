"""Divide by queries asks the fewest questions on average, and says when it had to give up."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings

from tests.tree.shapes import brute_force, searches
from wrongcall.session.cost import cost
from wrongcall.session.strategies import divide_by_queries
from wrongcall.session.strategies.divide_by_queries import DivideByQueries
from wrongcall.session.strategies.lookahead import Lookahead
from wrongcall.tree.states import NodeState
from wrongcall.tree.suspects import Suspects
from wrongcall.tree.tree import NOBODY, Tree
from wrongcall.tree.weights import IndividualWeights


@given(searches(largest=9))
@settings(max_examples=60)
def test_no_strategy_asks_fewer_questions_on_average(suspects: Suspects) -> None:
    compact = suspects.compact()
    least, _ = brute_force(compact.parent.tolist(), compact.own.tolist())
    found = cost(suspects, DivideByQueries(seconds=60))
    assert float(found.weights @ found.questions) == least


def test_the_note_says_that_time_ran_out() -> None:
    rng = np.random.default_rng(1)
    parent = [-1, *(int(rng.integers(max(0, node - 4), node)) for node in range(1, 600))]
    weights = rng.integers(1, 1000, len(parent)).astype(float)
    suspects = Suspects(Tree.from_parents(parent), weights=IndividualWeights(weights), root=0)
    chosen = DivideByQueries(seconds=0.01)
    assert suspects.can_ask(chosen.choose(suspects))
    assert chosen.note == "no optimum within 0.01 s: lookahead"


def test_with_too_many_suspects_it_asks_as_lookahead_and_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(divide_by_queries, "MOST_SUSPECTS", 1000)
    suspects = Suspects(Tree.from_parents(range(-1, 1001)), root=0)
    chosen = DivideByQueries()
    assert chosen.choose(suspects) == Lookahead().choose(suspects)
    assert chosen.note == "1,001 suspects are too many for the optimum: lookahead"


def test_the_note_is_about_the_last_choice_only() -> None:
    chosen = DivideByQueries()
    chosen.note = "about an earlier choice"
    suspects = Suspects(Tree.from_parents([-1, 0, 0]), root=0)
    assert chosen.choose(suspects) == 1
    assert chosen.note == ""


def test_nothing_is_chosen_if_there_is_nothing_to_ask() -> None:
    suspects = Suspects(Tree.from_parents([-1, 0]), root=0)
    suspects.mark(1, NodeState.RIGHT)
    assert DivideByQueries().choose(suspects) == NOBODY
