"""What a question says about itself."""

from __future__ import annotations

import pytest

from tests.session.dialogues import (
    CASTLING,
    CASTLING_CHAINS,
    SMALL,
)
from wrongcall.errors import SessionError
from wrongcall.session.session import Session
from wrongcall.session.steps import Question
from wrongcall.tree.tree import Tree


def test_a_group_counts_the_calls_of_each_function() -> None:
    session = Session(CASTLING, strategy="dq-hirunkitti", chains=CASTLING_CHAINS)
    question = session.step()
    assert isinstance(question, Question)
    assert question.calls == (1, 2, 3)
    assert question.is_group
    assert (question.function, question.counts) == (1, ((1, 3),))


def test_why_counts_what_each_answer_leaves() -> None:
    session = Session(Tree.from_parents(SMALL), strategy="optimal-dq")
    session.judge(0, "wrong")
    question = session.step()
    assert isinstance(question, Question)
    why = session.why()
    assert question.calls == (4,)
    assert (why.suspects, why.left_if_wrong, why.left_if_right, why.left_if_unknown) == (8, 4, 4, 7)
    # 4: 5 2, 6 3, 7 4, 4 4; then 1: 2 3, 3 4, 1 4; 0 2, by hand.
    assert (why.expected, why.is_exact) == (26 / 8, True)
    session.judge(0, "right", replace=True)
    with pytest.raises(SessionError, match="no question is open"):
        session.why()
