"""What oracles other than the user may say, and what follows from it."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.session.opinions import Says, a_session, asked, likely
from tests.session.truth import Truth, play
from wrongcall.session.answers import Answer, Confidence, Verdict, from_plain, to_plain
from wrongcall.session.oracles import Opinion, Oracle
from wrongcall.session.session import Session
from wrongcall.session.steps import Finding, Question
from wrongcall.session.strategies import strategies
from wrongcall.tree.states import NodeState
from wrongcall.tree.tree import Tree


def test_certain_opinions_decide() -> None:
    session = a_session(Says(c4=Opinion(Verdict.WRONG, reason="a rule")), strategy="top-down")
    session.judge(1, "right")
    assert asked(session).calls == (5,)
    answer = session.entries[-1]
    assert isinstance(answer, Answer)
    assert (answer.by, answer.reason, answer.calls) == ("says", "a rule", (4, 4))


def test_likely_opinions_change_no_state_but_the_order() -> None:
    session = a_session(Says(c4=likely(Verdict.RIGHT)))
    assert a_session().step() == Question(4, (4,), 4, ((4, 1),))
    assert asked(session).calls == (1,)
    assert all(session.suspects.state_of(node) is NodeState.UNDEFINED for node in range(1, 8))


def test_a_call_that_is_likely_wrong_is_asked_next_with_the_reason() -> None:
    session = a_session(Says(c6=likely(Verdict.WRONG)))
    session.consult(6)
    question = asked(session)
    assert question.calls == (6,)
    assert [(a.by, a.reason) for a in question.opinions] == [("says", "because")]


def test_an_opinion_about_another_call_is_kept_under_that_call() -> None:
    class Elsewhere(Oracle):
        name = "elsewhere"

        def opinion(self, calls: tuple[int, ...]) -> Opinion | None:
            return Opinion(Verdict.WRONG, reason="look there", call=7)

    session = a_session(Elsewhere())
    session.advance()
    assert session.step() == session.finding_at(7)


@pytest.mark.parametrize("verdict", [Verdict.RIGHT, Verdict.WRONG])
def test_a_likely_opinion_that_the_user_contradicts_ends_the_oracles_service(
    verdict: Verdict,
) -> None:
    oracle = Says(c1=likely(verdict), c4=likely(verdict))
    session = a_session(oracle, strategy="top-down")
    while asked(session).calls != (1,):
        session.answer("don't know")
    session.answer("wrong" if verdict is Verdict.RIGHT else "right")
    assert session.dismissed() == {"says"}
    before = len(oracle.asked)
    session.advance()
    assert len(oracle.asked) == before


def test_a_certain_answer_that_the_user_replaces_ends_the_oracles_service() -> None:
    session = a_session(Says(c1=Opinion(Verdict.RIGHT, reason="a rule")))
    session.consult(1)
    session.judge(1, "wrong", replace=True)
    assert session.dismissed() == {"says"}
    session.undo()
    assert session.dismissed() == frozenset()


def test_an_oracle_that_contradicts_the_user_is_excused_and_named() -> None:
    session = a_session(Says(c4=Opinion(Verdict.WRONG, reason="a rule")))
    session.judge(4, "right")
    assert session.consult(4) is None
    assert "it contradicts an answer: call 4: wrong (says: a rule)" in session.panel.excused["says"]
    assert session.suspects.state_of(4) is NodeState.RIGHT


def test_dismissing_an_oracle_takes_back_what_it_said() -> None:
    session = a_session(Says(c4=Opinion(Verdict.RIGHT, reason="a rule")))
    session.consult(4)
    assert session.suspects.state_of(4) is NodeState.RIGHT
    session.dismiss("says")
    assert session.suspects.state_of(4) is NodeState.UNDEFINED
    assert session.consult(4) is None
    session.undo()
    assert session.suspects.state_of(4) is NodeState.RIGHT


def test_oracles_learn_what_the_user_judged_and_took_back() -> None:
    session = a_session(Says())
    session.judge(1, "right")
    session.judge(4, "don't know")
    assert [(j.calls, j.verdict) for j in session.judged()] == [
        ((0,), Verdict.WRONG),
        ((1,), Verdict.RIGHT),
    ]
    session.undo()
    session.undo()
    assert [j.calls for j in session.judged()] == [(0,)]


def test_likely_answers_can_be_stored() -> None:
    answer = Answer((3, 3), Verdict.WRONG, "says", 1.5, confidence=Confidence.LIKELY, reason="why")
    assert from_plain(to_plain(answer)) == answer
    old = {k: v for k, v in to_plain(answer).items() if k not in ("confidence", "reason")}
    found = from_plain(old)
    assert isinstance(found, Answer)
    assert found.confidence is Confidence.CERTAIN


@st.composite
def parents(draw: st.DrawFn) -> list[int]:
    size = draw(st.integers(2, 20))
    found = [-1]
    # In preorder: each hangs from the previous one or from one above it.
    path = [0]
    for node in range(1, size):
        del path[draw(st.integers(1, len(path))) :]
        found.append(path[-1])
        path.append(node)
    return found


@given(parents(), st.data())
@settings(max_examples=150)
def test_whatever_is_likely_the_bug_that_is_found_is_one(
    columns: list[int], data: st.DataObject
) -> None:
    """Likely answers may be as mistaken as they like: the user's answers alone lead to the finding."""
    tree = Tree.from_parents(columns, range(len(columns)))
    truth = Truth(tree, {data.draw(st.integers(0, len(columns) - 1), label="bug")})
    verdicts = st.sampled_from([None, Verdict.RIGHT, Verdict.WRONG, Verdict.INADMISSIBLE])
    drawn = data.draw(st.lists(verdicts, min_size=len(columns), max_size=len(columns)))
    opinions = {f"c{n}": likely(v) for n, v in enumerate(drawn) if v is not None}
    chosen = data.draw(st.sampled_from(["least-reading", "optimal-dq", "top-down", "lookahead"]))
    assert chosen in strategies()
    session = Session(tree, strategy=chosen, oracles=[Says(**opinions)])
    session.judge(0, "wrong")
    step = play(session, lambda question: truth.verdict(question.calls))
    assert isinstance(step, Finding)
    assert set(step.calls) == truth.findable
    again = Session(tree, strategy=chosen, entries=session.entries)
    assert again.suspects.state.tolist() == session.suspects.state.tolist()
