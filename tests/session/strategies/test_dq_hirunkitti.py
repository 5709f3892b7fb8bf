"""Hirunkitti's divide and query asks about the subtree nearest to half the weight."""

from __future__ import annotations

from hypothesis import given

from tests.session.strategies.obvious import Obvious, best, choices
from tests.tree.shapes import searches
from wrongcall.session.strategies.dq_hirunkitti import DivideAndQueryHirunkitti
from wrongcall.tree.suspects import Suspects
from wrongcall.tree.tree import Tree


@given(searches())
def test_the_subtree_nearest_to_half_is_chosen(suspects: Suspects) -> None:
    obvious = Obvious(suspects)
    expected = best(obvious.asked, lambda node: abs(2 * obvious.weight[node] - obvious.total))
    assert choices(suspects, DivideAndQueryHirunkitti().choose) == {expected}


def test_a_subtree_over_half_is_chosen_if_it_is_equally_near() -> None:
    # A chain of five, and 2.5 is the middle: 3 calls are as near as 2, and come first.
    suspects = Suspects(Tree.from_parents([-1, 0, 1, 2, 3]), root=0)
    assert DivideAndQueryHirunkitti().choose(suspects) == 2
