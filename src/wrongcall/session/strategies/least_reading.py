"""Least reading: lookahead that counts the lines to read instead of the questions.

A question cuts the suspects, and costs what has to be read to answer it. Worth asking is what brings the
most bits for each line; of a few such questions, and of those that lookahead considers, the best one is that after
which the fewest lines are left to read, if each is followed to the end. Where all questions are equally long, or
nobody knows how long they are, this is exactly lookahead.
"""

from __future__ import annotations

from wrongcall.session.strategies.base import Strategy
from wrongcall.session.strategies.lookahead import (
    MOST_SUSPECTS,
    NEAREST,
    OFF_PATH,
    STEPS,
    Lookahead,
)
from wrongcall.tree import _kernels
from wrongcall.tree.suspects import Suspects

MOST_WORTH = 4
"""So many candidates are there for what they tell for each line."""


class LeastReading(Strategy):
    """Asks so that there is as little as possible to read until the bug is found."""

    name = "least-reading"
    needs_costs = True

    def __init__(self, steps: int = STEPS, most_suspects: int = MOST_SUSPECTS) -> None:
        self.steps = steps
        self.most_suspects = most_suspects

    def choose(self, suspects: Suspects) -> int:
        """Return the node to ask."""
        if suspects.costs is None:
            return Lookahead(self.steps, self.most_suspects).choose(suspects)
        if not 1 < suspects.count() <= self.most_suspects:
            return _kernels.choose_worth(*suspects.weigh(), suspects.costs)
        compact = suspects.compact()
        costs = suspects.costs[compact.nodes]
        index, *_ = _kernels.lookahead(
            compact.parent, compact.own, NEAREST, OFF_PATH, self.steps, costs, MOST_WORTH
        )
        return int(compact.nodes[index])
