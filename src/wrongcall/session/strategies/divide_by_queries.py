"""Divide by queries: the least average number of questions, exactly (Insa and Silva).

Finding it takes exponential time in the worst case, so there is a limit; when it is reached, the
question is that of lookahead, and `Strategy.note` says so.
"""

from __future__ import annotations

from wrongcall.session.strategies.base import Strategy
from wrongcall.session.strategies.lookahead import NEAREST, OFF_PATH, Lookahead
from wrongcall.tree import _kernels
from wrongcall.tree.suspects import Suspects
from wrongcall.tree.tree import NOBODY

MOST_SUSPECTS = 5_000


class DivideByQueries(Strategy):
    """Asks the fewest questions on average, exactly; for small trees."""

    name = "divide-by-queries"

    def __init__(self, seconds: float = 2.0) -> None:
        self.seconds = seconds

    def choose(self, suspects: Suspects) -> int:
        """Return the node to ask."""
        self.note = ""
        count = suspects.count()
        if count == 0:
            return NOBODY
        if count > MOST_SUSPECTS:
            self.note = f"{count:,} suspects are too many for the optimum: lookahead"
            return Lookahead().choose(suspects)
        compact = suspects.compact()
        index, total, _ = _kernels.lookahead(compact.parent, compact.own, NEAREST, OFF_PATH, 0)
        _, better, solved = _kernels.optimum(compact.parent, compact.own, total, self.seconds)
        if not solved:
            self.note = f"no optimum within {self.seconds:g} s: lookahead"
        # What the solver had found when its time was over is no worse than lookahead's question.
        return int(compact.nodes[better if better >= 0 else index])
