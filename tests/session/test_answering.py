"""What can be said about calls, and what is refused."""

from __future__ import annotations

import pytest

from tests.session.dialogues import (
    A_LOOP,
    CASTLING,
    CASTLING_CHAINS,
    NO_CHAINS,
    SMALL,
    a_session,
    asked,
)
from tests.session.truth import FakeFacts, snapshot
from wrongcall.errors import SessionError
from wrongcall.session.answers import Answer, Part, Where, from_plain, to_plain
from wrongcall.session.session import Session
from wrongcall.tree.tree import Tree


def test_trusting_a_group_must_name_one_function() -> None:
    tree = Tree.from_parents([-1, 0, 0, 0, 0], range(5))
    session = Session(tree, chains=[-1, 0, 0, 0, 0])
    before = snapshot(session)
    with pytest.raises(SessionError, match="calls to function 1, function 2"):
        session.judge((1, 2), "trust function")
    assert snapshot(session) == before
    collapsed = Session(CASTLING, chains=CASTLING_CHAINS)
    collapsed.judge((1, 3), "trust function")
    assert not any(collapsed.suspects.can_ask(node) for node in range(1, 5))


def test_a_whole_list_cannot_be_inadmissible() -> None:
    session = Session(A_LOOP, strategy="dq-hirunkitti", chains=NO_CHAINS)
    session.judge(0, "wrong")
    assert asked(session) == (1, 2, 3)
    before = snapshot(session)
    with pytest.raises(SessionError, match="calls 1 to 3 are a list"):
        session.answer("inadmissible")
    assert snapshot(session) == before
    session.judge(2, "inadmissible")
    assert asked(session) != (2,)


def test_a_part_that_does_not_exist_is_an_error_and_changes_nothing() -> None:
    class Strict(FakeFacts):
        def origin(self, call: int, part: Part) -> int | None:
            raise SessionError(f"call {call} has no {part.path}")

    session = Session(Tree.from_parents(SMALL), Strict())
    before = snapshot(session)
    with pytest.raises(SessionError, match=r"has no result\[9\]"):
        session.judge(4, "this part is wrong", part=Part(Where.OUTCOME, "result[9]"))
    assert snapshot(session) == before


def test_answers_say_who_and_when_and_what_was_expected() -> None:
    session = a_session(clock=lambda: 1234.5)
    session.step()
    session.answer("wrong", by="ann", expected="[1, 2]")
    answer = session.entries[0]
    assert isinstance(answer, Answer)
    assert (answer.by, answer.at, answer.expected) == ("ann", 1234.5, "[1, 2]")
    assert from_plain(to_plain(answer)) == answer
