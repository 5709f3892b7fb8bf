"""Shapiro's divide and query asks about the heaviest subtree of at most half the weight."""

from __future__ import annotations

from hypothesis import given

from tests.session.strategies.obvious import Obvious, best, choices
from tests.tree.shapes import searches
from wrongcall.session.strategies.dq_shapiro import DivideAndQueryShapiro
from wrongcall.tree.suspects import Suspects
from wrongcall.tree.tree import Tree


@given(searches())
def test_the_heaviest_of_at_most_half_is_chosen_or_else_the_lightest(suspects: Suspects) -> None:
    obvious = Obvious(suspects)
    light = [node for node in obvious.asked if 2 * obvious.weight[node] <= obvious.total]
    if light:
        expected = best(light, lambda node: -obvious.weight[node])
    else:
        expected = best(obvious.asked, lambda node: obvious.weight[node])
    assert choices(suspects, DivideAndQueryShapiro().choose) == {expected}


def test_a_subtree_just_over_half_is_not_chosen() -> None:
    # A chain of five: the subtrees have 4, 3, 2 and 1 of the five calls.
    suspects = Suspects(Tree.from_parents([-1, 0, 1, 2, 3]), root=0)
    assert DivideAndQueryShapiro().choose(suspects) == 3
