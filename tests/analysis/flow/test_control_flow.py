"""What was passed on the way from one block to the next."""

from __future__ import annotations

import pytest

from tests.analysis.flow.functions import LOOP, function
from wrongcall.analysis.flow.control_flow import Arrival, Flow, Passed

TEST = Passed(3)
INTO, OUT = Passed(3, True), Passed(3, False)


@pytest.mark.parametrize(
    "before, after, expected",
    [
        (0, 2, [TEST, INTO]),  # into the loop
        (0, 4, [TEST, OUT]),  # past it
        (2, 3, [Passed(4, True)]),
        (3, 2, [TEST, INTO]),  # another round
        (2, 2, [Passed(4, False), TEST, INTO]),  # another round without line 5
        (3, 4, [TEST, OUT]),
        (2, 4, [Passed(4, False), TEST, OUT]),
    ],
)
def test_silent_tests_are_passed_between_two_blocks(
    before: int, after: int, expected: list[Passed]
) -> None:
    assert Flow().passed(LOOP, before, after) == tuple(expected)
    assert Flow().follows(LOOP, before, after)


@pytest.mark.parametrize("before, after", [(4, 2), (0, 3), (3, 3), (-1, 0), (99, 0)])
def test_there_is_no_way_to_a_block_that_cannot_follow(before: int, after: int) -> None:
    assert Flow().passed(LOOP, before, after) == ()
    assert not Flow().follows(LOOP, before, after)


def test_nothing_is_passed_where_an_exception_led_to_the_block() -> None:
    assert Flow().passed(LOOP, 0, 2, Arrival.RAISED) == ()


def test_suppressed_exceptions_resume_behind_the_innermost_with() -> None:
    nested = function(
        [[1], [2], [3], [4], [5]],
        {2: [(3, 7, True), (4, 7, False)]},
        silent=(2,),
        resume={0: [(1, 1, 1), (2, 1, 1)]},
    )
    flow = Flow()
    assert flow.passed(nested, 0, 1, Arrival.SUPPRESSED) == ()
    # Behind the outer one stands a silent test.
    assert flow.passed(nested, 0, 3, Arrival.SUPPRESSED) == (Passed(7, True),)
    assert flow.passed(nested, 0, 4, Arrival.SUPPRESSED) == (Passed(7, False),)
    assert not flow.follows(nested, 0, 3)


def test_tests_after_a_block_are_the_silent_ones_that_may_come_next() -> None:
    flow = Flow()
    assert flow.tests_after(LOOP, 0) == {3}
    assert flow.tests_after(LOOP, 2) == {3}  # at its end, without line 5
    assert flow.tests_after(LOOP, 4) == frozenset()


def test_silent_blocks_that_lead_to_each_other_come_to_an_end() -> None:
    endless = function(
        [[1], [2], [3]], {0: [(1, 0, False)], 1: [(2, 0, False)], 2: [(1, 0, False)]}, silent=(1, 2)
    )
    assert not Flow().follows(endless, 0, 0)
    assert Flow().tests_after(endless, 0) == {2, 3}


def test_a_damaged_flow_to_a_missing_block_is_not_followed() -> None:
    assert not Flow().follows(function([[1]], {0: [(7, 0, False)]}), 0, 0)
    assert Flow().tests_after(function([[1]], {0: [(7, 0, False)]}), 0) == frozenset()
