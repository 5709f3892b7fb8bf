"""Least reading: lookahead that weighs the lines to read as well as what a question rules out.

Of questions that tell nearly as much, the shorter one comes first. Where the candidates can be followed to the
end, that is the one with the fewest lines to read, on average, among those with about as few questions as
the best. Where all questions are equally long, or their length is not known, this is exactly lookahead.
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

SHORTEST = 4
"""Candidates chosen because they are short."""


class LeastReading(Strategy):
    """Asks so that you read as few lines as possible until the bug is found."""

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
            return _kernels.choose_short(*suspects.weigh(), suspects.costs)
        compact = suspects.compact()
        costs = suspects.costs[compact.nodes]
        index, *_ = _kernels.lookahead(
            compact.parent, compact.own, NEAREST, OFF_PATH, self.steps, costs, SHORTEST
        )
        return int(compact.nodes[index])
