"""Conclude: what the answers add up to when there is nothing left to ask, and what a finding rests on."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from wrongcall.session.answers import Answer
from wrongcall.session.knowledge import Knowledge
from wrongcall.session.steps import Contradiction, Finding, NeedsMoreTree, Next, NoBug
from wrongcall.tree.states import NodeState
from wrongcall.tree.tree import NOBODY

Numbered = Sequence[tuple[int, Answer]]
"""The answers that count, each with its number."""


def conclude(knowledge: Knowledge, answers: Numbered, *, growing: bool) -> Next:
    """Return how the search ends. ``growing``: more of the tree may come."""
    suspects = knowledge.suspects
    # A group and its members may all be undecided: each call counts once.
    nodes = suspects.undecided().tolist()
    undecided = tuple(dict.fromkeys(call for node in nodes for call in knowledge.calls(node)))
    if suspects.root == NOBODY:
        return NeedsMoreTree(undecided) if growing else NoBug(undecided)
    clash = _clash(knowledge, answers, suspects.root) if not undecided else ()
    if clash:
        given = dict(answers)
        return Contradiction(clash, tuple(given[number] for number in clash))
    return finding_of(knowledge, answers, suspects.root, undecided=undecided)


def _clash(knowledge: Knowledge, answers: Numbered, root: int) -> tuple[int, ...]:
    """Return the answers that leave no place for the bug, if they do."""
    functions = {knowledge.function(call) for call in knowledge.calls(root)}
    trusting = [n for n, a in answers if functions & knowledge.functions(a)]
    if knowledge.tree.is_projected(root):
        return tuple(sorted({*_evidence(knowledge, answers, root), *trusting}))
    about = [n for n, a in answers if knowledge.node_of(a.calls) == root]
    return tuple(sorted({*about, *trusting})) if trusting else ()


def finding_of(
    knowledge: Knowledge,
    answers: Numbered,
    node: int,
    *,
    undecided: tuple[int, ...] = (),
    confirmed: bool = False,
) -> Finding:
    """Return the finding that a node is, if the bug is in it."""
    calls = () if knowledge.tree.is_projected(node) else knowledge.calls(node)
    evidence = _evidence(knowledge, answers, node)
    given = dict(answers)
    inadmissible = tuple(
        given[number].calls[0]
        for number in evidence
        if knowledge.effect(given[number]) is NodeState.INADMISSIBLE
    )
    function = knowledge.function(calls[0]) if calls else None
    return Finding(node, calls, function, evidence, undecided, inadmissible, confirmed)


def _evidence(knowledge: Knowledge, answers: Numbered, root: int) -> tuple[int, ...]:
    """Return the answers about a node and what is below it.

    Where it is known to be wrong because its siblings in wrong groups are right, those count.
    """
    tree = knowledge.tree
    groups, node = set(), int(tree.parent[root])
    while node != NOBODY and tree.is_projected(node):
        groups.add(node)
        node = int(tree.parent[node])
    found = []
    for number, answer in answers:
        about = knowledge.node_of(answer.calls)
        if about is not None and _supports(knowledge, about, root, groups):
            found.append(number)
    return tuple(found)


def _supports(knowledge: Knowledge, about: int, root: int, groups: set[int]) -> bool:
    is_beside = about in groups or int(knowledge.tree.parent[about]) in groups
    return is_beside or knowledge.tree.contains(root, about)


def weakest(
    finding: Finding, answers: Numbered, is_automatic: Callable[[Answer], bool]
) -> int | None:
    """Return the number of the answer to ask about again; None: all were asked twice.

    What was repeated or came from an oracle is weaker than what the user said; a group is
    harder to judge than a call; and later answers come first, as in Mercury's debugger.
    """
    given = dict(answers)

    def strength(number: int) -> tuple[bool, bool, int]:
        answer = given[number]
        return not is_automatic(answer), answer.is_about_one_call, -number

    open_ = [number for number in finding.evidence if not given[number].again]
    return min(open_, key=strength, default=None)
