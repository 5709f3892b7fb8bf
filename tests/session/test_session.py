"""Dialogues with a session: what each verdict does, and what is refused."""

from __future__ import annotations

import pytest

from tests.session.truth import FakeFacts, Truth, find, play, snapshot
from wrongcall.errors import ContradictionError, SessionError, TreeError
from wrongcall.session.answers import Answer, Part, Verdict, Where, from_plain, to_plain
from wrongcall.session.oracles import Opinion, Oracle
from wrongcall.session.session import Session
from wrongcall.session.steps import (
    Contradiction,
    Finding,
    NeedsMoreTree,
    NoBug,
    Question,
)
from wrongcall.tree.states import NodeState
from wrongcall.tree.tree import Tree

#        0
#    1       4
#  2   3   5 6 7
SMALL = [-1, 0, 1, 1, 0, 4, 4, 4]

CASTLING = Tree.from_parents([-1, 0, 0, 0, 0, 0], [0, 1, 1, 1, 2, 2])
CASTLING_CHAINS = [-1, 0, 0, 0, 1, 1]

MERGE_SORT = Tree.from_parents(
    [-1, 0, 1, 1, 1, 4, 4, 0, 0, 8, 8, 8], [0, 0, 0, 0, 1, 2, 2, 0, 1, 2, 2, 2]
)
MERGE_SORT_CHAINS = [-1, 0, 1, 1, -1, 2, 2, 0, -1, 3, 3, 3]


def a_session(**others: object) -> Session:
    return Session(Tree.from_parents(SMALL), strategy="top-down", **others)  # type: ignore[arg-type]


def asked(session: Session) -> tuple[int, ...]:
    session.advance()
    step = session.step()
    assert isinstance(step, Question), step
    return step.calls


def dialogue(session: Session, truth: Truth) -> list[tuple[int, ...]]:
    """Return the questions of a session up to its finding."""
    questions = []

    def reply(question: Question) -> Verdict:
        questions.append(question.calls)
        return truth.verdict(question.calls)

    assert isinstance(play(session, reply), Finding)
    return questions


def test_top_down_asks_from_the_root_downwards() -> None:
    session = a_session()
    truth = Truth(session.tree, [6])
    assert dialogue(session, truth) == [(0,), (1,), (4,), (5,), (6,)]
    found = session.step()
    assert isinstance(found, Finding)
    assert (found.calls, found.evidence, found.undecided) == ((6,), (5,), ())


def test_right_answers_only_mean_no_bug() -> None:
    session = a_session()
    assert play(session, lambda question: Verdict.RIGHT) == NoBug()


def test_castling_takes_three_questions() -> None:
    plain = Session(CASTLING, strategy="dq-hirunkitti")
    assert len(dialogue(plain, Truth(CASTLING, [0]))) == 6
    for bug in range(6):
        session = Session(CASTLING, strategy="dq-hirunkitti", chains=CASTLING_CHAINS)
        assert len(dialogue(session, Truth(CASTLING, [bug]))) <= 3


def test_a_group_counts_the_calls_of_each_function() -> None:
    session = Session(CASTLING, strategy="dq-hirunkitti", chains=CASTLING_CHAINS)
    question = session.step()
    assert isinstance(question, Question)
    assert question.calls == (1, 2, 3)
    assert question.is_group
    assert (question.function, question.counts) == (1, ((1, 3),))


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


A_LOOP = Tree.from_parents([-1] + [0] * 6, [0] + [1] * 6)
NO_CHAINS = [-1] * 7


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


def test_inadmissible_is_right_but_says_that_the_caller_passed_it_on() -> None:
    session = a_session()
    session.judge(4, "wrong")
    session.judge(5, "inadmissible")
    session.judge(6, "right")
    session.judge(7, "right")
    found = session.step()
    assert isinstance(found, Finding)
    assert (found.calls, found.inadmissible) == ((4,), (5,))


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


def test_a_part_that_does_not_exist_is_an_error_and_changes_nothing() -> None:
    class Strict(FakeFacts):
        def origin(self, call: int, part: Part) -> int | None:
            raise SessionError(f"call {call} has no {part.path}")

    session = Session(Tree.from_parents(SMALL), Strict())
    before = snapshot(session)
    with pytest.raises(SessionError, match=r"has no result\[9\]"):
        session.judge(4, "this part is wrong", part=Part(Where.OUTCOME, "result[9]"))
    assert snapshot(session) == before


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


def test_strategies_can_be_switched_in_mid_session() -> None:
    session = a_session()
    session.judge(0, "wrong")
    assert asked(session) == (1,)
    session.use("single-stepping")
    assert asked(session) == (2,)
    before = snapshot(session)
    with pytest.raises(SessionError, match="there is no strategy 'best'; there are coverage-"):
        session.use("best")
    with pytest.raises(SessionError, match="no edges coverage"):
        session.use("coverage-edges")
    assert session.strategy.name == "single-stepping"
    assert snapshot(session) == before


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


def test_answers_say_who_and_when_and_what_was_expected() -> None:
    session = a_session(clock=lambda: 1234.5)
    session.step()
    session.answer("wrong", by="ann", expected="[1, 2]")
    answer = session.entries[0]
    assert isinstance(answer, Answer)
    assert (answer.by, answer.at, answer.expected) == ("ann", 1234.5, "[1, 2]")
    assert from_plain(to_plain(answer)) == answer


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
