"""Confirm what is likely right together: one answer for all the calls that a finding would rest on.

Oracles that are not certain decide nothing, so the user has to confirm what they say before a finding can rest on it.
Asking call by call would cost more than the oracles save. When nothing is left below the root but calls that are likely
right, they are asked about at once; if the user doesn't confirm them, each is asked about on its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from wrongcall.session.answers import Answer, Choice, Decision, Entry, Verdict
from wrongcall.session.knowledge import RIGHT, Knowledge
from wrongcall.session.steps import Question
from wrongcall.tree.tree import NOBODY

MOST_TOGETHER = 20
"""Calls or groups that are confirmed with one answer because they are likely right."""
MOST_BESIDE = 200
"""With more calls below the root, they are not confirmed together."""
LIKELY_TOGETHER = "all of them are likely right, and the finding rests on them"


def to_confirm(knowledge: Knowledge, entries: Sequence[Entry], chosen: int) -> tuple[int, ...]:
    """Return the nodes that are likely right, if nothing else is left to ask below the root.

    ``chosen``: the node that would be asked about otherwise.
    """
    nodes = beside(knowledge, entries, chosen)
    if not nodes or not all(is_likely_right(knowledge, node) for node in nodes):
        return ()
    return nodes[:MOST_TOGETHER]


def beside(knowledge: Knowledge, entries: Sequence[Entry], chosen: int) -> tuple[int, ...]:
    """Return what can be asked about below the root, if the choice fell on something likely right."""
    suspects, tree = knowledge.suspects, knowledge.tree
    root = suspects.root
    if root == NOBODY or tree.is_projected(root) or knowledge.position.hint == chosen:
        return ()
    # Few calls are likely right, but the way from the root to the choice may be a million calls long.
    likely = {node for node, _ in knowledge.position.likely if node != NOBODY}
    if not any(is_likely_right(knowledge, node) for node in tree.on_way(root, chosen, likely)):
        return ()
    nodes = suspects.topmost(MOST_BESIDE + 1)
    calls = [knowledge.calls(node)[0] for node in nodes]
    return () if len(nodes) > MOST_BESIDE or _asked_singly(entries, calls) else tuple(nodes)


def _asked_singly(entries: Sequence[Entry], calls: Sequence[int]) -> bool:
    """Return whether the user did not confirm some of these calls together with others."""
    decisions = [entry for entry in entries if isinstance(entry, Decision)]
    spans = [entry.calls for entry in decisions if entry.choice is Choice.SINGLY]
    return any(first <= call <= last for first, last in spans for call in calls)


def is_likely_right(knowledge: Knowledge, node: int) -> bool:
    """Return whether oracles say so, and none of them says the opposite."""
    thought = {state for about, state in knowledge.position.likely if about == node}
    return bool(thought) and thought <= RIGHT


def confirmation(asked: Sequence[Question]) -> Question:
    """Return one question for several, each about something that is likely right."""
    return replace(
        asked[0],
        calls=tuple(call for each in asked for call in each.calls),
        function=asked[0].function if len({each.function for each in asked}) == 1 else None,
        counts=tuple(count for each in asked for count in each.counts),
        note=LIKELY_TOGETHER,
        is_list=True,
        opinions=tuple(answer for each in asked for answer in each.opinions),
        nodes=tuple(each.node for each in asked),
    )


def all_right(knowledge: Knowledge, asked: Question, by: str, at: float) -> list[Answer]:
    """Return the answers that a confirmation stands for, one for each node."""
    about = [knowledge.calls(node) for node in asked.nodes]
    return [Answer((calls[0], calls[-1]), Verdict.RIGHT, by, at) for calls in about]
