"""Single-stepping asks about the call that ended first."""

from __future__ import annotations

from hypothesis import given

from tests.session.strategies.obvious import Obvious, choices
from tests.tree.shapes import searches
from wrongcall.session.cost import cost
from wrongcall.session.strategies.single_stepping import SingleStepping
from wrongcall.tree.suspects import Suspects
from wrongcall.tree.tree import NOBODY, Tree


@given(searches())
def test_the_first_call_that_ended_is_chosen(suspects: Suspects) -> None:
    obvious = Obvious(suspects)
    expected = suspects.root
    while children := obvious.children(expected):
        expected = children[0]
    if not obvious.asked:
        expected = NOBODY
    assert choices(suspects, SingleStepping().choose) == {expected}


def test_each_call_is_asked_once_in_postorder() -> None:
    #     0
    #   1   4
    #  2 3
    suspects = Suspects(Tree.from_parents([-1, 0, 1, 1, 0]), root=0)
    found = cost(suspects, SingleStepping())
    asked = dict(zip(found.positions.tolist(), found.questions.tolist(), strict=True))
    # 2 is asked first, then 3, 1 and 4: whichever is wrong ends the search; all right: it is 0.
    assert asked == {2: 1, 3: 2, 1: 3, 4: 4, 0: 4}
