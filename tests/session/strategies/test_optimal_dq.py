"""Optimal D&Q asks about the call that splits the others most evenly into below and outside."""

from __future__ import annotations

from hypothesis import given

from tests.session.strategies.obvious import Obvious, best, choices
from tests.tree.shapes import searches
from wrongcall.session.strategies.optimal_dq import OptimalDivideAndQuery
from wrongcall.tree.suspects import Suspects
from wrongcall.tree.tree import Tree


@given(searches())
def test_what_is_below_is_as_near_as_possible_to_what_is_outside(suspects: Suspects) -> None:
    obvious = Obvious(suspects)
    others = obvious.total - obvious.own.get(suspects.root, 0)

    def unevenness(node: int) -> float:
        below = obvious.weight[node] - obvious.own[node]
        outside = others - obvious.weight[node]
        return abs(below - outside)

    assert choices(suspects, OptimalDivideAndQuery().choose) == {best(obvious.asked, unevenness)}


def test_the_call_itself_is_on_neither_side() -> None:
    # A chain of four: below 1 are two calls and outside is none; below 2 is one and outside is one.
    suspects = Suspects(Tree.from_parents([-1, 0, 1, 2]), root=0)
    assert OptimalDivideAndQuery().choose(suspects) == 2
