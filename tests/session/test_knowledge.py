"""What follows from each entry, and that taking it back restores what was."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.session.truth import FakeFacts
from tests.tree.shapes import parents
from wrongcall.errors import TreeError
from wrongcall.session.answers import Answer, Choice, Decision, Entry, Part, Verdict, Where
from wrongcall.session.knowledge import Knowledge
from wrongcall.tree.balance import balance
from wrongcall.tree.states import NodeState
from wrongcall.tree.suspects import Suspects
from wrongcall.tree.tree import NOBODY, Tree

#        0
#    1       4
#  2   3   5 6 7
SMALL = [-1, 0, 1, 1, 0, 4, 4, 4]
FUNCTIONS = [0, 1, 2, 2, 1, 3, 3, 3]


def known(tree: Tree | None = None, facts: FakeFacts | None = None) -> Knowledge:
    tree = tree or Tree.from_parents(SMALL, FUNCTIONS)
    return Knowledge(Suspects(tree), facts or FakeFacts())


def told(call: int | tuple[int, int], verdict: Verdict, **more: object) -> Answer:
    calls = call if isinstance(call, tuple) else (call, call)
    return Answer(calls, verdict, **more)  # type: ignore[arg-type]


STATES = {
    Verdict.RIGHT: NodeState.RIGHT,
    Verdict.WRONG: NodeState.WRONG,
    Verdict.DONT_KNOW: NodeState.UNKNOWN,
    Verdict.INADMISSIBLE: NodeState.INADMISSIBLE,
}


@pytest.mark.parametrize("verdict,state", STATES.items())
def test_a_verdict_gives_its_state_to_the_call_alone(verdict: Verdict, state: NodeState) -> None:
    knowledge = known()
    knowledge.apply(told(4, verdict))
    states = {node: knowledge.suspects.state_of(node) for node in range(8)}
    assert states == dict.fromkeys(range(8), NodeState.UNDEFINED) | {4: state}
    assert knowledge.root == (4 if verdict is Verdict.WRONG else NOBODY)


def test_the_root_is_the_innermost_wrong_call_or_where_the_user_leads() -> None:
    knowledge = known()
    for call, root in ((4, 4), (0, 4), (6, 6), (4, 6), (1, 1)):
        knowledge.apply(told(call, Verdict.WRONG))
        assert knowledge.root == root


def test_a_wrong_call_later_judged_right_is_not_the_root() -> None:
    knowledge = known()
    knowledge.apply(told(4, Verdict.WRONG))
    knowledge.apply(told(6, Verdict.WRONG))
    knowledge.apply(told(6, Verdict.RIGHT))
    assert (knowledge.root, knowledge.position.wrong) == (4, (4,))


# -- parts -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "where,origin,state,hint",
    [
        (Where.OUTCOME, 6, NodeState.WRONG, 6),
        (Where.OUTCOME, 4, NodeState.WRONG, NOBODY),
        (Where.INPUT, 3, NodeState.INADMISSIBLE, 3),
        (Where.OUTCOME, 3, NodeState.INADMISSIBLE, 3),
        (Where.INPUT, None, NodeState.INADMISSIBLE, NOBODY),
        (Where.OUTCOME, None, NodeState.WRONG, NOBODY),
        (Where.EFFECT, None, NodeState.WRONG, NOBODY),
    ],
)
def test_a_wrong_part_is_judged_by_where_it_was_made(
    where: Where, origin: int | None, state: NodeState, hint: int
) -> None:
    knowledge = known()
    knowledge.apply(told(4, Verdict.WRONG_PART, part=Part(where, "x"), origin=origin))
    assert knowledge.suspects.state_of(4) is state
    assert knowledge.position.hint == hint


def test_the_next_answer_ends_a_hint() -> None:
    knowledge = known()
    knowledge.apply(told(4, Verdict.WRONG_PART, part=Part(Where.OUTCOME, "x"), origin=6))
    knowledge.apply(told(6, Verdict.RIGHT))
    assert knowledge.position.hint == NOBODY


# -- trust -----------------------------------------------------------------------------------------


def test_trusting_a_function_is_about_its_calls_that_are_not_judged() -> None:
    knowledge = known()
    knowledge.apply(told(6, Verdict.WRONG))
    knowledge.apply(told(5, Verdict.TRUST_FUNCTION))
    states = [knowledge.suspects.state_of(node) for node in (5, 6, 7)]
    assert states == [NodeState.TRUSTED, NodeState.WRONG, NodeState.TRUSTED]
    assert knowledge.position.trusted == {3}


def test_trusting_a_module_is_about_all_its_functions() -> None:
    facts = FakeFacts()
    facts.modules = {1: "library", 3: "library"}
    knowledge = known(facts=facts)
    answer = told(7, Verdict.TRUST_MODULE)
    assert knowledge.functions(answer) == {1, 3}
    assert knowledge.functions(told(7, Verdict.RIGHT)) == frozenset()
    knowledge.apply(answer)
    trusted = [n for n in range(8) if knowledge.suspects.state_of(n) is NodeState.TRUSTED]
    assert trusted == [1, 4, 5, 6, 7]


def test_taking_trust_back_leaves_what_was_trusted_before() -> None:
    facts = FakeFacts()
    facts.modules = {1: "library", 3: "library"}
    knowledge = known(facts=facts)
    knowledge.apply(told(5, Verdict.TRUST_FUNCTION))
    knowledge.apply(told(5, Verdict.TRUST_MODULE))
    knowledge.take_back()
    trusted = [n for n in range(8) if knowledge.suspects.state_of(n) is NodeState.TRUSTED]
    assert trusted == [5, 6, 7]
    assert knowledge.position.trusted == {3}


# -- decisions -------------------------------------------------------------------------------------


def test_going_on_explains_everything_above_the_finding() -> None:
    knowledge = known()
    for call in (0, 4, 6, 1):
        knowledge.apply(told(call, Verdict.WRONG))
    knowledge.apply(Decision(Choice.CONFIRM, (6, 6)))
    assert knowledge.position.confirmed == 6
    knowledge.apply(Decision(Choice.GO_ON, (6, 6)))
    explained = [n for n in range(8) if knowledge.suspects.state_of(n) is NodeState.EXPLAINED]
    assert explained == [0, 4, 6]
    assert (knowledge.position.wrong, knowledge.position.confirmed) == ((1,), NOBODY)


def test_a_rejected_finding_leads_to_the_question_to_ask_again() -> None:
    knowledge = known()
    knowledge.apply(told(5, Verdict.RIGHT))
    knowledge.apply(Decision(Choice.REJECT, (4, 4), again=(5, 5)))
    assert (knowledge.position.hint, knowledge.position.again) == (5, True)
    knowledge.apply(Decision(Choice.REJECT, (4, 4)))
    assert knowledge.position.hint == 5


# -- groups ----------------------------------------------------------------------------------------

LOOP = Tree.from_parents([-1, *[0] * 4], range(5))


def test_a_group_is_right_once_all_its_members_are() -> None:
    tree = balance(LOOP, [-1, 0, 0, 0, 0])
    knowledge = known(tree)
    group = tree.group(1, 2)
    assert group is not None
    knowledge.apply(told(1, Verdict.RIGHT))
    assert knowledge.suspects.state_of(group) is NodeState.UNDEFINED
    knowledge.apply(told(2, Verdict.INADMISSIBLE))
    assert knowledge.suspects.state_of(group) is NodeState.RIGHT
    knowledge.take_back()
    assert knowledge.suspects.state_of(group) is NodeState.UNDEFINED


def test_dont_know_about_a_collapsed_group_unhides_its_members() -> None:
    tree = balance(Tree.from_parents([-1, 0, 0, 0], [0, 1, 1, 1]), [-1, 0, 0, 0])
    knowledge = known(tree)
    members = [tree.node(call) for call in (1, 2, 3)]
    assert {knowledge.suspects.state_of(m) for m in members} == {NodeState.HIDDEN}
    knowledge.apply(told((1, 3), Verdict.DONT_KNOW))
    assert {knowledge.suspects.state_of(m) for m in members} == {NodeState.UNDEFINED}
    knowledge.take_back()
    assert {knowledge.suspects.state_of(m) for m in members} == {NodeState.HIDDEN}


@pytest.mark.parametrize(
    "verdict,state", [(Verdict.RIGHT, NodeState.RIGHT), (Verdict.WRONG, NodeState.UNDEFINED)]
)
def test_answers_about_a_missing_group_hold_for_its_members_only_if_right(
    verdict: Verdict, state: NodeState
) -> None:
    knowledge = known()
    assert knowledge.node_of((5, 6)) is None
    knowledge.apply(told((5, 6), verdict))
    states = [knowledge.suspects.state_of(node) for node in (4, 5, 6, 7)]
    assert states == [NodeState.UNDEFINED, state, state, NodeState.UNDEFINED]


def test_a_list_is_split_until_the_last_entry_is_undone() -> None:
    tree = balance(Tree.from_parents([-1, *[0] * 6], [0] + [1] * 6), [-1] * 7)
    knowledge = known(tree)
    listed = next(node for node in range(len(tree)) if tree.is_listed(node))
    knowledge.apply(told(0, Verdict.WRONG))
    knowledge.split(listed)
    assert knowledge.suspects.state_of(listed) is NodeState.SPLIT
    knowledge.take_back()
    assert knowledge.suspects.state_of(listed) is NodeState.UNDEFINED


# -- taking back -----------------------------------------------------------------------------------


@given(parents(smallest=2, largest=12), st.data())
def test_taking_entries_back_restores_each_earlier_state(
    parent: list[int], data: st.DataObject
) -> None:
    count = len(parent)
    functions = data.draw(st.lists(st.integers(0, 3), min_size=count, max_size=count))
    knowledge = known(Tree.from_parents(parent, functions))
    calls = st.integers(0, count - 1).map(lambda call: (call, call))
    entries = st.one_of(
        st.builds(Answer, calls, st.sampled_from(Verdict), origin=st.none() | calls.map(min)),
        st.builds(Decision, st.sampled_from(Choice), calls, again=st.none() | calls),
        st.none(),  # an entry that was revoked
    )
    given_entries: list[Entry | None] = data.draw(st.lists(entries, max_size=8))
    before = []
    for entry in given_entries:
        before.append((knowledge.suspects.state.tobytes(), knowledge.position))
        knowledge.skip() if entry is None else knowledge.apply(entry)
    for expected in reversed(before):
        knowledge.take_back()
        assert (knowledge.suspects.state.tobytes(), knowledge.position) == expected


def test_a_revoked_entry_changes_nothing() -> None:
    knowledge = known()
    before = knowledge.suspects.state.tobytes(), knowledge.position
    knowledge.skip()
    assert (knowledge.suspects.state.tobytes(), knowledge.position) == before


def test_a_call_that_has_not_finished_cannot_be_judged() -> None:
    knowledge = known(Tree.from_parents([-1, 0], completed=[False, True]))
    assert knowledge.check_call(1) == 1
    with pytest.raises(TreeError, match="call 0 has not finished; it can't be judged yet"):
        knowledge.check_call(0)
