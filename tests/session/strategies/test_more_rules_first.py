"""More rules first asks about the call with the most functions below it."""

from __future__ import annotations

from hypothesis import given

from tests.session.strategies.obvious import Obvious, best, choices
from tests.tree.shapes import searches
from wrongcall.session.strategies.more_rules_first import MoreRulesFirst
from wrongcall.tree.suspects import Suspects
from wrongcall.tree.tree import Tree


@given(searches())
def test_the_child_with_the_most_distinct_functions_is_chosen(suspects: Suspects) -> None:
    obvious, function = Obvious(suspects), suspects.tree.function

    def distinct(node: int) -> int:
        return len({int(function[inside]) for inside in obvious.inside[node]})

    expected = best(obvious.children(suspects.root), lambda node: -distinct(node))
    assert choices(suspects, MoreRulesFirst().choose) == {expected}


def test_few_calls_of_many_functions_come_before_many_calls_of_one() -> None:
    # 1 makes four calls of one function, 6 makes two calls of two.
    parent, function = [-1, 0, 1, 1, 1, 1, 0, 6, 6], [0, 1, 2, 2, 2, 2, 1, 2, 3]
    suspects = Suspects(Tree.from_parents(parent, function), root=0)
    assert MoreRulesFirst().choose(suspects) == 6
