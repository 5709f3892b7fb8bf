"""Top-down asks about the first call that the wrong call made."""

from __future__ import annotations

from hypothesis import given

from tests.session.strategies.obvious import Obvious, choices
from tests.tree.shapes import searches
from wrongcall.session.strategies.top_down import TopDown
from wrongcall.tree.states import NodeState
from wrongcall.tree.suspects import Suspects
from wrongcall.tree.tree import NOBODY, Tree


@given(searches())
def test_the_first_suspect_below_the_root_is_chosen(suspects: Suspects) -> None:
    obvious = Obvious(suspects)
    expected = next(iter(obvious.children(suspects.root)), NOBODY)
    assert choices(suspects, TopDown().choose) == {expected}


def test_the_calls_of_a_trusted_call_are_asked_in_its_place() -> None:
    suspects = Suspects(Tree.from_parents([-1, 0, 1, 1, 0]), root=0)
    suspects.mark(1, NodeState.TRUSTED)
    assert TopDown().choose(suspects) == 2
    suspects.mark(1, NodeState.RIGHT)
    assert TopDown().choose(suspects) == 4
