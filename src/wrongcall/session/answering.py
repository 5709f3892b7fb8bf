"""Make answers: check what is said about calls, and find the answers that it contradicts."""

from __future__ import annotations

from collections.abc import Sequence

from wrongcall.errors import SessionError
from wrongcall.session.answers import USER, Answer, Part, Verdict
from wrongcall.session.equal_calls import REPEATED, EqualCalls
from wrongcall.session.knowledge import RIGHT, Knowledge
from wrongcall.session.oracles import Judged
from wrongcall.tree.states import NodeState

Numbered = Sequence[tuple[int, Answer]]
"""The answers that count, each with its number."""
TRUSTING = (Verdict.TRUST_FUNCTION, Verdict.TRUST_MODULE)


def checked_answer(
    knowledge: Knowledge,
    calls: tuple[int, int],
    verdict: str | Verdict,
    part: Part | None,
    expected: str | None,
    by: str,
    at: float,
    again: bool,
) -> Answer:
    """Return an answer about a call or a group, if it makes sense."""
    checked = Verdict.of(verdict)
    if (checked is Verdict.WRONG_PART) != (part is not None):
        raise SessionError('"this part is wrong" needs a part, and no other verdict has one')
    _check_trust(knowledge, calls, checked)
    _check_input(knowledge, calls, checked)
    origin = knowledge.facts.origin(calls[0], part) if part is not None else None
    if origin is not None:
        knowledge.tree.node(origin)
    return Answer(calls, checked, by, at, part, origin, expected, again=again)


def _check_trust(knowledge: Knowledge, calls: tuple[int, int], verdict: Verdict) -> None:
    """Refuse to trust a group of different functions: which one is meant?"""
    node = knowledge.node_of(calls)
    if verdict not in TRUSTING or node is None:
        return
    functions = {knowledge.function(call) for call in knowledge.calls(node)}
    names = {knowledge.facts.function_name(function) for function in functions}
    if len(names) > 1:
        raise SessionError(
            f"the group has calls to {', '.join(sorted(names))}; judge a call to the one you trust"
        )


def _check_input(knowledge: Knowledge, calls: tuple[int, int], verdict: Verdict) -> None:
    """Refuse to call a list invalid: one invalid call says nothing about the others."""
    node = knowledge.node_of(calls)
    if verdict is Verdict.INADMISSIBLE and node is not None and knowledge.tree.is_listed(node):
        raise SessionError(
            f"calls {calls[0]} to {calls[1]} are a list; judge the invalid call itself"
        )


def contradicted(
    knowledge: Knowledge, answers: Numbered, answer: Answer, equal: EqualCalls
) -> tuple[int, ...]:
    """Return the answers that an answer contradicts: about the same call, or an equal one."""
    state = knowledge.effect(answer)
    if state is not NodeState.WRONG and state not in RIGHT:
        return ()
    found = []
    for number, other in answers:
        said = knowledge.effect(other)
        differs = said in RIGHT if state is NodeState.WRONG else said is NodeState.WRONG
        if not differs:
            continue
        if other.calls == answer.calls or equal.are_same(knowledge, other, answer):
            found.append(number)
    return tuple(found)


def is_news(knowledge: Knowledge, answer: Answer) -> bool:
    """Return whether an answer says more than is known."""
    node, state = knowledge.node_of(answer.calls), knowledge.effect(answer)
    if state is None:
        return not knowledge.functions(answer) <= knowledge.position.trusted
    known = (*RIGHT, NodeState.WRONG, state)
    return node is not None and knowledge.suspects.state_of(node) not in known


def judged_by_user(knowledge: Knowledge, answers: Numbered) -> list[Judged]:
    """Return the calls and groups that the user has judged; of lists that are right, each call."""
    found: dict[tuple[int, ...], Judged] = {}
    for _, answer in answers:
        verdict = REPEATED.get(knowledge.effect(answer), Verdict.DONT_KNOW)
        node = knowledge.node_of(answer.calls)
        if answer.by != USER or node is None or verdict is Verdict.DONT_KNOW:
            continue
        calls = knowledge.calls(node)
        is_each = verdict is Verdict.RIGHT and knowledge.tree.is_listed(node)
        for each in [(call,) for call in calls] if is_each else [calls]:
            found[each] = Judged(each, verdict, answer.at, answer.expected)
    return list(found.values())
