"""The order of questions along the way of an exception."""

from __future__ import annotations

import math

from hypothesis import given
from hypothesis import strategies as st

from wrongcall.session.leading import INNERMOST, Known, next_on_the_way


@st.composite
def ways(draw: st.DrawFn) -> tuple[int, int]:
    """Draw how many calls an exception went through, and the innermost one of them that is wrong."""
    count = draw(st.integers(1, 300))
    return count, draw(st.integers(0, count - 1))


@given(ways())
def test_the_innermost_wrong_call_is_found_in_few_questions(way: tuple[int, int]) -> None:
    count, bug = way
    known = [Known.OPEN] * count
    known[-1] = Known.WRONG  # the program itself
    asked = 0
    while (place := next_on_the_way(known)) is not None:
        assert known[place] is Known.OPEN
        known[place] = Known.WRONG if place >= bug else Known.RIGHT
        asked += 1
    assert known[bug] is Known.WRONG
    assert bug == 0 or known[bug - 1] is Known.RIGHT
    assert asked <= INNERMOST + math.ceil(math.log2(count + 1))


@given(st.lists(st.sampled_from(Known), max_size=30))
def test_questions_lie_between_right_and_wrong_calls(known: list[Known]) -> None:
    place = next_on_the_way(known)
    rights = [i for i, state in enumerate(known) if state is Known.RIGHT]
    wrongs = [i for i, state in enumerate(known) if state is Known.WRONG]
    if place is not None:
        assert known[place] is Known.OPEN
        assert not rights or place > rights[-1]
        assert not wrongs or place < wrongs[0]
    else:
        first = rights[-1] + 1 if rights else 0
        last = wrongs[0] if wrongs else len(known)
        assert Known.OPEN not in known[first:last]


def test_the_first_questions_go_from_the_inside_outwards() -> None:
    known = [Known.OPEN] * 9
    for expected in (0, 1, 2):
        assert next_on_the_way(known) == expected
        known[expected] = Known.RIGHT
    assert next_on_the_way(known) == 6  # then the others are halved
