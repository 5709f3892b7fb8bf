"""Equal calls: those with the same function, input and outcome, so that one answer holds for all of them."""

from __future__ import annotations

from collections.abc import Hashable

from wrongcall.session.answers import Answer, Verdict
from wrongcall.session.facts import Facts
from wrongcall.session.knowledge import Knowledge
from wrongcall.tree.states import NodeState

SAME = "the same question was answered before"
"""The author of answers that were repeated."""
REPEATED: dict[NodeState | None, Verdict] = {
    NodeState.RIGHT: Verdict.RIGHT,
    NodeState.WRONG: Verdict.WRONG,
    NodeState.INADMISSIBLE: Verdict.INADMISSIBLE,
    NodeState.UNKNOWN: Verdict.DONT_KNOW,
}
"""The verdict about an equal call, by the state that an answer gave."""


class EqualCalls:
    """Compares calls by their question keys, which are computed once."""

    def __init__(self) -> None:
        self._keys: dict[int, Hashable | None] = {}

    def are_same(self, knowledge: Knowledge, one: Answer, other: Answer) -> bool:
        """Return whether two answers are about equal calls.

        Check this last: it takes as long as showing a question.
        """
        if not (one.is_about_one_call and other.is_about_one_call):
            return False
        if knowledge.function(one.calls[0]) != knowledge.function(other.calls[0]):
            return False
        key = self._key(knowledge.facts, one.calls[0])
        return key is not None and key == self._key(knowledge.facts, other.calls[0])

    def _key(self, facts: Facts, call: int) -> Hashable | None:
        if call not in self._keys:
            self._keys[call] = facts.question_key(call)
        return self._keys[call]
