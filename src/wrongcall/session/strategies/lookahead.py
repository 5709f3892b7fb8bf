"""Lookahead: the best of a few candidates, each followed by Optimal D&Q to the end.

Never worse than Optimal D&Q, because its question is among the candidates. Where that would take
too long, it is asked without a comparison: the more suspects, the less there is to gain.
"""

from __future__ import annotations

from wrongcall.session.strategies.base import Strategy
from wrongcall.tree import _kernels
from wrongcall.tree.suspects import Suspects

NEAREST = 3
OFF_PATH = 2
MOST_SUSPECTS = 50_000
STEPS = 4_000_000
"""What it may take, in steps of the kernel: some 50 ms."""


class Lookahead(Strategy):
    """Asks the best of a few questions, after following each one to the end."""

    name = "lookahead"

    def __init__(self, steps: int = STEPS, most_suspects: int = MOST_SUSPECTS) -> None:
        self.steps = steps
        self.most_suspects = most_suspects

    def choose(self, suspects: Suspects) -> int:
        """Return the node to ask."""
        if not 1 < suspects.count() <= self.most_suspects:
            return _kernels.choose_optimal(*suspects.weigh())
        compact = suspects.compact()
        index, *_ = _kernels.lookahead(compact.parent, compact.own, NEAREST, OFF_PATH, self.steps)
        return int(compact.nodes[index])
