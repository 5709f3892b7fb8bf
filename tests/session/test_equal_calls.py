"""Equal calls are asked about once."""

from __future__ import annotations

import pytest

from tests.session.dialogues import (
    SMALL,
    a_session,
    asked,
)
from tests.session.truth import FakeFacts, snapshot
from wrongcall.errors import ContradictionError
from wrongcall.session.answers import Answer, Verdict
from wrongcall.session.session import Session
from wrongcall.tree.states import NodeState
from wrongcall.tree.tree import Tree


def test_the_same_question_is_not_asked_twice() -> None:
    facts = FakeFacts()
    facts.keys = {5: "f(1) == 2", 6: "f(1) == 2", 7: "f(2) == 3"}
    session = Session(Tree.from_parents(SMALL), facts, strategy="top-down")
    session.judge(4, "wrong")
    assert asked(session) == (5,)
    session.answer("right")
    assert asked(session) == (7,)
    repeated = session.entries[-1]
    assert isinstance(repeated, Answer)
    assert (repeated.calls, repeated.because, repeated.verdict) == ((6, 6), 2, Verdict.RIGHT)
    assert "answered before" in repeated.by
    # It can be revoked: the user says otherwise.
    with pytest.raises(ContradictionError, match="call 5: right") as caught:
        session.judge(6, "wrong")
    assert caught.value.numbers == (2, 3)
    session.judge(6, "wrong", replace=True)
    assert session.suspects.root == 6
    session.undo()
    assert asked(session) == (7,)


def test_contradictions_name_the_answers() -> None:
    session = a_session()
    session.judge(4, "wrong")
    before = snapshot(session)
    with pytest.raises(ContradictionError, match=r"#1 call 4: wrong .*and now call 4: right"):
        session.judge(4, "right")
    assert snapshot(session) == before
    session.judge(4, "right", replace=True)
    assert session.suspects.state_of(4) is NodeState.RIGHT
    assert session.suspects.root == -1
