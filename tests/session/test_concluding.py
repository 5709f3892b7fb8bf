"""How searches end, and what findings rest on."""

from __future__ import annotations

import pytest

from tests.session.dialogues import (
    SMALL,
    a_session,
)
from tests.session.truth import FakeFacts, play, snapshot
from wrongcall.errors import SessionError
from wrongcall.session.answers import Verdict
from wrongcall.session.session import Session
from wrongcall.session.steps import Contradiction, Finding, NoBug, Question
from wrongcall.tree.tree import Tree


def test_right_answers_only_mean_no_bug() -> None:
    session = a_session()
    assert play(session, lambda question: Verdict.RIGHT) == NoBug()


def test_inadmissible_is_right_but_says_that_the_caller_passed_it_on() -> None:
    session = a_session()
    session.judge(4, "wrong")
    session.judge(5, "inadmissible")
    session.judge(6, "right")
    session.judge(7, "right")
    found = session.step()
    assert isinstance(found, Finding)
    assert (found.calls, found.inadmissible) == ((4,), (5,))


def test_a_wrong_call_of_a_trusted_function_with_right_callees_is_a_contradiction() -> None:
    session = Session(Tree.from_parents(SMALL, range(8)), strategy="top-down")
    session.judge(4, "wrong")
    session.judge(4, "trust function")
    for call in (5, 6, 7):
        session.judge(call, "right")
    clash = session.step()
    assert isinstance(clash, Contradiction)
    assert clash.numbers == (1, 2)
    assert "#2 call 4: trust function" in str(clash)


def test_a_wrong_group_of_right_calls_is_a_contradiction() -> None:
    tree = Tree.from_parents([-1, 0, 0, 0, 0], range(5))
    session = Session(tree, chains=[-1, 0, 0, 0, 0])
    session.judge((1, 2), "wrong")
    session.judge(1, "right")
    found = session.step()
    assert isinstance(found, Finding)
    assert (found.calls, found.evidence) == ((2,), (1, 2))
    session.judge(2, "right")
    clash = session.step()
    assert isinstance(clash, Contradiction)
    assert clash.numbers == (1, 2, 3)


def test_undecided_calls_are_named() -> None:
    session = a_session()
    session.judge(4, "wrong")
    session.judge(5, "don't know")
    session.judge(6, "right")
    session.judge(7, "right")
    found = session.step()
    assert isinstance(found, Finding)
    assert (found.calls, found.undecided) == ((4,), (5,))


def test_a_rejected_finding_asks_the_weakest_answers_again() -> None:
    facts = FakeFacts()
    facts.keys = {5: "same", 6: "same"}
    session = Session(Tree.from_parents(SMALL), facts, strategy="top-down")
    session.judge(4, "wrong")
    session.judge(5, "right")
    session.judge(7, "right")
    assert [entry.calls for entry in session.advance()] == [(6, 6)]
    assert isinstance(session.step(), Finding)
    session.reject()
    question = session.step()
    assert isinstance(question, Question)
    # What was only concluded is the weakest.
    assert (question.calls, question.again) == ((6,), True)
    session.answer("right")
    assert isinstance(session.step(), Finding)
    order = []
    for _ in range(3):
        session.reject()
        question = session.step()
        assert isinstance(question, Question)
        order.append(question.calls[0])
        session.answer("wrong" if question.calls == (4,) else "right", replace=True)
    assert order == [7, 5, 4]
    before = snapshot(session)
    with pytest.raises(SessionError, match="was given twice"):
        session.reject()
    assert snapshot(session) == before
