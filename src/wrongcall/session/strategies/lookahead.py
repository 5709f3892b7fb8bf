"""Lookahead: the best of a few candidates, each followed by Optimal D&Q to the end.

Never worse than Optimal D&Q, because its question is among the candidates. Where that would take
too long, it is asked without a comparison: the more suspects, the less there is to gain.
"""

from __future__ import annotations

from wrongcall.session.strategies.base import Strategy
from wrongcall.tree import _kernels
from wrongcall.tree.suspects import Suspects
from wrongcall.tree.tree import NOBODY

NEAREST = 3
OFF_PATH = 2
MOST_SUSPECTS = 50_000
STEPS = 4_000_000
"""What it may take, in steps of the kernel: some 50 ms."""


class Lookahead(Strategy):
    """Asks the best of a few questions, each followed to the end."""

    name = "lookahead"

    def __init__(self, steps: int = STEPS, most_suspects: int = MOST_SUSPECTS) -> None:
        self.steps = steps
        self.most_suspects = most_suspects

    def choose(self, suspects: Suspects) -> int:
        """Return the node to ask."""
        weighed = suspects.weigh()
        greedy = _kernels.choose_optimal(*weighed)
        first, last = suspects.span
        # Counting them costs as much as a question: the span is enough to know that there are few.
        if greedy == NOBODY or last - first > self.most_suspects * 10:
            return greedy
        compact = suspects.compact()
        if len(compact) > self.most_suspects:
            return greedy
        index, *_ = _kernels.lookahead(compact.parent, compact.own, NEAREST, OFF_PATH, self.steps)
        return int(compact.nodes[index])
