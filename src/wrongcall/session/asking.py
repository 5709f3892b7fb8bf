"""Put a question: what it is about, and why it is asked."""

from __future__ import annotations

import math
from itertools import groupby

from wrongcall.session.answers import Answer
from wrongcall.session.knowledge import Knowledge
from wrongcall.session.steps import Question, Why
from wrongcall.tree.suspects import Suspects

MOST_TO_PLAY = 200_000
"""With more suspects, what is left is estimated without playing it to the end."""


def question_about(
    knowledge: Knowledge, node: int, note: str, opinions: tuple[Answer, ...]
) -> Question:
    """Return the question about a node. ``note``: what the strategy wants to be known."""
    calls = knowledge.calls(node)
    functions = [knowledge.function(call) for call in calls]
    position = knowledge.position
    return Question(
        node,
        calls,
        functions[0] if len(set(functions)) == 1 else None,
        tuple((function, len(list(run))) for function, run in groupby(functions)),
        again=position.again and node == position.hint,
        note=note,
        is_list=knowledge.tree.is_listed(node),
        opinions=opinions,
    )


def why_asked(suspects: Suspects, asked: Question, strategy: str) -> Why:
    """Explain a question that this strategy chose."""
    weighed = suspects.weigh(suspects.base_weights)
    total = weighed.total
    inside = sum(weighed.of(node) for node in asked.nodes or (asked.node,))
    own = suspects.base_weights.of(asked.node, suspects.state)
    expected, is_exact = _expected(suspects, total)
    return Why(
        strategy,
        total,
        left_if_right=total - inside,
        # What is to be confirmed together is asked about one by one then: nothing is ruled out.
        left_if_wrong=total if asked.nodes else inside,
        left_if_unknown=total if asked.nodes else total - own,
        expected=expected,
        is_exact=is_exact,
        note=asked.note,
    )


def _expected(suspects: Suspects, total: float) -> tuple[float, bool]:
    """Return how many questions are left, and whether that is more than a lower bound."""
    first, last = suspects.span
    if total <= 0:
        return 1.0, False
    if last - first > MOST_TO_PLAY:
        return math.log2(max(2.0, total)), False
    left = suspects.compact()
    return left.greedy_total / left.total_weight, True
