"""What a session says next."""

from __future__ import annotations

import pytest

from wrongcall.session.answers import Answer, Verdict
from wrongcall.session.steps import Contradiction, Question


def test_a_contradiction_names_each_answer_with_its_number() -> None:
    answers = (Answer((4, 4), Verdict.WRONG), Answer((5, 7), Verdict.RIGHT, by="contract"))
    assert str(Contradiction((1, 3), answers)) == (
        "these answers contradict each other: "
        "#1 call 4: wrong (your answer); #3 calls 5 to 7: right (contract)"
    )


def test_a_contradiction_must_have_a_number_for_each_answer() -> None:
    with pytest.raises(ValueError, match="zip"):
        str(Contradiction((1, 2), (Answer((4, 4), Verdict.WRONG),)))


@pytest.mark.parametrize("calls,is_group", [((3,), False), ((3, 4), True)])
def test_a_question_about_several_calls_is_a_group(calls: tuple[int, ...], is_group: bool) -> None:
    assert Question(0, calls, None, ()).is_group is is_group
