"""Heaviest first asks about the heaviest of the calls that the wrong call made."""

from __future__ import annotations

from hypothesis import given

from tests.session.strategies.obvious import Obvious, best, choices
from tests.tree.shapes import searches
from wrongcall.session.strategies.heaviest_first import HeaviestFirst
from wrongcall.tree.suspects import Suspects
from wrongcall.tree.tree import Tree


@given(searches())
def test_the_heaviest_child_of_the_root_is_chosen(suspects: Suspects) -> None:
    obvious = Obvious(suspects)
    expected = best(obvious.children(suspects.root), lambda node: -obvious.weight[node])
    assert choices(suspects, HeaviestFirst().choose) == {expected}


def test_the_first_of_equally_heavy_children_is_chosen() -> None:
    # 0 calls 1, 2 and 4; 2 and 4 make one call each.
    suspects = Suspects(Tree.from_parents([-1, 0, 0, 2, 0, 4]), root=0)
    assert HeaviestFirst().choose(suspects) == 2
