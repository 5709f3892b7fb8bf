"""Dialogues with a session: what each verdict does, and what is refused."""

from __future__ import annotations

import pytest

from tests.session.dialogues import (
    A_LOOP,
    CASTLING,
    CASTLING_CHAINS,
    MERGE_SORT,
    MERGE_SORT_CHAINS,
    NO_CHAINS,
    SMALL,
    a_session,
    asked,
    dialogue,
)
from tests.session.truth import FakeFacts, Truth, find, play, snapshot
from wrongcall.errors import SessionError, TreeError
from wrongcall.session.answers import Answer, Part, Verdict, Where
from wrongcall.session.oracles import Opinion, Oracle
from wrongcall.session.session import Session
from wrongcall.session.steps import (
    Finding,
    NeedsMoreTree,
    NoBug,
    Question,
)
from wrongcall.tree.states import NodeState
from wrongcall.tree.tree import Tree


def test_castling_takes_three_questions() -> None:
    plain = Session(CASTLING, strategy="dq-hirunkitti")
    assert len(dialogue(plain, Truth(CASTLING, [0]))) == 6
    for bug in range(6):
        session = Session(CASTLING, strategy="dq-hirunkitti", chains=CASTLING_CHAINS)
        assert len(dialogue(session, Truth(CASTLING, [bug]))) <= 3


def test_the_papers_merge_sort_takes_five_questions_instead_of_seven() -> None:
    truth = Truth(MERGE_SORT, [8])
    plain = Session(MERGE_SORT, strategy="top-down")
    balanced = Session(MERGE_SORT, strategy="top-down", chains=MERGE_SORT_CHAINS)
    assert dialogue(plain, truth) == [(0,), (1,), (7,), (8,), (9,), (10,), (11,)]
    assert dialogue(balanced, truth) == [(0,), (1,), (7,), (8,), (9, 10, 11)]


def test_dont_know_about_a_group_falls_back_to_its_members() -> None:
    session = Session(CASTLING, strategy="dq-hirunkitti", chains=CASTLING_CHAINS)
    assert asked(session) == (1, 2, 3)
    session.answer("don't know")
    truth = Truth(CASTLING, [2])
    assert find(session, truth).calls == (2,)


def test_balancing_can_be_undone_at_any_time() -> None:
    session = Session(CASTLING, strategy="dq-hirunkitti", chains=CASTLING_CHAINS)
    assert asked(session) == (1, 2, 3)
    session.answer("right")
    session.grow(CASTLING)
    assert [session.suspects.state_of(node) for node in (1, 2, 3)] == [NodeState.RIGHT] * 3
    assert asked(session) == (4,)
    session.grow(CASTLING, chains=CASTLING_CHAINS)
    assert asked(session) == (4, 5)


def test_trusting_a_function_keeps_its_callees() -> None:
    tree = Tree.from_parents(SMALL, [0, 1, 2, 2, 1, 3, 3, 3])
    session = Session(tree, strategy="top-down")
    session.judge(0, "wrong")
    session.judge(1, Verdict.TRUST_FUNCTION)
    assert asked(session) == (2,)
    assert session.suspects.state_of(4) is NodeState.TRUSTED
    session.undo()
    assert asked(session) == (1,)


def test_a_list_is_narrowed_down_to_the_call_that_is_wrong() -> None:
    session = Session(A_LOOP, strategy="dq-hirunkitti", chains=NO_CHAINS)
    session.judge(0, "wrong")
    question = session.step()
    assert isinstance(question, Question)
    assert question.is_list
    assert question.calls == (1, 2, 3)
    for bug in range(1, 7):
        other = Session(A_LOOP, strategy="dq-hirunkitti", chains=NO_CHAINS)
        other.judge(0, "wrong")
        found = find(other, Truth(A_LOOP, [bug]))
        assert found.calls == (bug,)
    state = Session(CASTLING, strategy="dq-hirunkitti", chains=CASTLING_CHAINS).step()
    assert isinstance(state, Question)
    assert state.is_group
    assert not state.is_list


def test_all_but_one_of_a_list_are_right() -> None:
    session = Session(A_LOOP, strategy="dq-hirunkitti", chains=NO_CHAINS)
    session.judge(0, "wrong")
    assert asked(session) == (1, 2, 3)
    session.answer("wrong")
    session.judge(1, "right")
    session.judge(3, "right")
    found = session.step()
    assert isinstance(found, Finding)
    assert found.calls == (2,)


def test_a_group_of_right_calls_is_not_asked_about() -> None:
    session = Session(A_LOOP, chains=NO_CHAINS)
    groups = [node for node in range(len(session.tree)) if session.tree.is_group(node)]
    session.judge(0, "wrong")
    for call in (6, 5, 4, 3, 2, 1):
        session.judge(call, "right")
    assert {session.suspects.state_of(group) for group in groups} == {NodeState.RIGHT}
    found = session.step()
    assert isinstance(found, Finding)
    assert found.calls == (0,)
    session.undo()
    assert NodeState.UNDEFINED in {session.suspects.state_of(group) for group in groups}
    session.judge(1, "wrong")
    other = session.step()
    assert isinstance(other, Finding)
    assert other.calls == (1,)


def test_one_call_of_a_list_can_be_judged_wrong() -> None:
    session = Session(A_LOOP, strategy="dq-hirunkitti", chains=NO_CHAINS)
    session.judge(0, "wrong")
    assert asked(session) == (1, 2, 3)
    session.judge(2, "wrong")
    found = session.step()
    assert isinstance(found, Finding)
    assert found.calls == (2,)


def test_lists_of_a_trusted_function_are_not_asked() -> None:
    session = Session(A_LOOP, strategy="top-down", chains=NO_CHAINS)
    session.judge(0, "wrong")
    session.judge(1, "trust function")
    found = session.step()
    assert isinstance(found, Finding)
    assert found.calls == (0,)
    session.undo()
    assert len(asked(session)) > 1


def test_a_trusted_function_is_not_asked_about_in_a_list_of_others() -> None:
    # A loop that calls f, g, f, g ...; the second g calls what is wrong.
    parents = [-1, *[0] * 6, 4, *[0] * 6]
    functions = [0, 1, 2, 1, 2, 1, 2, 3, 1, 2, 1, 2, 1, 2]
    tree = Tree.from_parents(parents, functions)
    session = Session(tree, strategy="dq-hirunkitti", chains=[-1] * len(tree))
    session.judge(0, "wrong")
    step = session.step()
    assert isinstance(step, Question)
    assert step.is_list
    assert len(set(step.counts)) == 2
    session.judge(2, "trust function")
    truth, told = Truth(tree, [7]), []

    def reply(question: Question) -> Verdict:
        told.append(question.calls)
        return truth.verdict(question.calls)

    found = play(session, reply)
    assert isinstance(found, Finding)
    assert found.calls == (7,)  # what a trusted function called is still looked at
    assert told
    assert not {tree.function[tree.node(call)] for calls in told for call in calls} & {2}
    while len(session.entries) > 1:
        session.undo()
    again = session.step()
    assert isinstance(again, Question)
    assert again.calls == step.calls


def test_functions_trusted_by_name_are_not_asked_about_in_lists() -> None:
    class Names(Oracle):
        name = "names"
        trusts_functions = True

        def opinion(self, calls: tuple[int, ...]) -> Opinion | None:
            is_two = {int(tree.function[tree.node(call)]) for call in calls} == {2}
            return Opinion(Verdict.TRUST_FUNCTION) if is_two else None

    tree = Tree.from_parents([-1, *[0] * 12], [0, *[1, 2] * 6])
    session = Session(tree, strategy="dq-hirunkitti", chains=[-1] * 13, oracles=(Names(),))
    session.judge(0, "wrong")
    truth = Truth(tree, [9])
    for calls in dialogue(session, truth):
        assert {int(tree.function[tree.node(call)]) for call in calls} == {1}


def test_trusting_a_module_trusts_all_its_functions() -> None:
    facts = FakeFacts()
    facts.modules = {1: "library", 3: "library"}
    tree = Tree.from_parents(SMALL, [0, 1, 2, 2, 1, 3, 3, 3])
    session = Session(tree, facts, strategy="top-down")
    session.judge(0, "wrong")
    session.judge(7, "trust module")
    assert [asked(session)] == [(2,)]
    session.answer("right")
    session.answer("right") if isinstance(session.step(), Question) else None
    found = session.step()
    assert isinstance(found, Finding)
    assert found.calls == (0,)


def test_a_wrong_part_leads_to_the_call_that_made_it() -> None:
    facts = FakeFacts()
    facts.origins = {(4, "result[2]"): 6}
    session = Session(Tree.from_parents(SMALL), facts, strategy="top-down")
    session.judge(4, "this part is wrong", part=Part(Where.OUTCOME, "result[2]"))
    assert session.suspects.state_of(4) is NodeState.WRONG
    assert asked(session) == (6,)
    session.answer("right")
    assert asked(session) == (5,)


def test_a_wrong_part_made_outside_makes_the_call_inadmissible() -> None:
    facts = FakeFacts()
    facts.origins = {(4, "x"): 3, (7, "y"): None, (6, "z"): None}
    session = Session(Tree.from_parents(SMALL), facts, strategy="top-down")
    session.judge(4, "this part is wrong", part=Part(Where.INPUT, "x"))
    assert session.suspects.state_of(4) is NodeState.INADMISSIBLE
    assert asked(session) == (3,)
    session.judge(7, "this part is wrong", part=Part(Where.INPUT, "y"))
    assert session.suspects.state_of(7) is NodeState.INADMISSIBLE
    session.judge(6, "this part is wrong", part=Part(Where.EFFECT, "z"))
    assert session.suspects.state_of(6) is NodeState.WRONG


def test_undo_takes_back_what_was_concluded_from_it() -> None:
    facts = FakeFacts()
    facts.keys = dict.fromkeys((5, 6, 7), "same")
    session = Session(Tree.from_parents(SMALL), facts, strategy="top-down")
    session.judge(4, "wrong")
    assert asked(session) == (5,)
    before = snapshot(session)
    session.answer("right")
    assert [entry.calls for entry in session.advance()] == [(6, 6), (7, 7)]
    assert isinstance(session.step(), Finding)
    assert len(session.entries) == 4
    session.undo()
    assert snapshot(session) == before


def test_going_on_finds_another_bug() -> None:
    session = a_session()
    truth = Truth(session.tree, [2, 6])
    assert find(session, truth).calls == (2,)
    session.confirm()
    session.go_on()
    assert find(session, truth).calls == (6,)
    session.go_on()
    assert isinstance(play(session, lambda q: truth.verdict(q.calls)), NoBug)


def test_decisions_need_a_finding() -> None:
    session = a_session()
    for decide in (session.confirm, session.reject, session.go_on):
        with pytest.raises(SessionError, match="nothing found yet"):
            decide()


class Contract(Oracle):
    name = "contract"

    def opinion(self, calls: tuple[int, ...]) -> Opinion | None:
        return Opinion(Verdict.RIGHT) if calls == (5,) else None


def test_oracles_are_asked_first() -> None:
    session = a_session(oracles=[Contract()])
    session.judge(4, "wrong")
    assert asked(session) == (6,)
    assert session.entries[-1] == Answer((5, 5), Verdict.RIGHT, "contract", session.entries[-1].at)
    session.undo()
    assert session.entries == ()
    with pytest.raises(SessionError, match="nothing to undo"):
        session.undo()


def test_only_the_open_question_can_be_answered() -> None:
    session = a_session()
    before = snapshot(session)
    session.judge(0, "right")
    with pytest.raises(SessionError, match="no question is open"):
        session.answer("right")
    session.undo()
    assert snapshot(session) == before
    question = session.step()
    assert isinstance(question, Question)
    session.answer("wrong")
    session.step()
    after = snapshot(session)
    with pytest.raises(SessionError, match="call 0 is not the open question; that is call 1"):
        session.answer("right", question=question)
    with pytest.raises(SessionError, match="no verdict 'maybe'; there are 'right', 'wrong'"):
        session.answer("maybe")
    with pytest.raises(SessionError, match="needs a part"):
        session.answer("this part is wrong")
    with pytest.raises(TreeError, match="there is no call 99"):
        session.judge(99, "right")
    with pytest.raises(SessionError, match="not a group"):
        session.judge((1, 4), "right")
    assert snapshot(session) == after != before


def test_unfinished_calls_cannot_be_judged() -> None:
    with pytest.raises(SessionError, match="no call finished"):
        Session(Tree.from_parents([-1, 0], completed=[False, False]))
    with pytest.raises(SessionError, match="no call finished"):
        Session(Tree.from_parents([]))
    tree = Tree.from_parents([-1, 0], completed=[False, True])
    session = Session(tree, growing=True)
    with pytest.raises(TreeError, match="call 0 has not finished"):
        session.judge(0, "right")
    assert asked(session) == (1,)
    session.answer("right")
    assert session.step() == NeedsMoreTree((0,))
