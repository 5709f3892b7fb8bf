"""The worst-case strategy: no other asks fewer questions at worst."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from tests.tree.shapes import brute_force, searches
from wrongcall.session.cost import cost
from wrongcall.session.strategies.worst_case import WorstCaseOptimum
from wrongcall.tree.suspects import Suspects
from wrongcall.tree.tree import NOBODY, Tree


@given(searches(largest=10))
@settings(max_examples=60)
def test_the_longest_session_is_as_short_as_any_strategy_can_make_it(suspects: Suspects) -> None:
    compact = suspects.compact()
    _, least = brute_force(compact.parent.tolist(), compact.own.tolist())
    found = cost(suspects, WorstCaseOptimum())
    assert max(found.worst, found.no_bug or 0) == least


@pytest.mark.parametrize("count,questions", [(2, 1), (4, 2), (64, 6), (65, 7), (4096, 12)])
def test_a_chain_is_searched_like_a_sorted_list(count: int, questions: int) -> None:
    suspects = Suspects(Tree.from_parents(range(-1, count - 1)), root=0)
    assert cost(suspects, WorstCaseOptimum()).worst == questions


def test_nothing_is_chosen_if_there_is_nothing_to_ask() -> None:
    assert WorstCaseOptimum().choose(Suspects(Tree.from_parents([-1]), root=0)) == NOBODY
