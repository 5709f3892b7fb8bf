"""The fewest questions in the worst case, in linear time."""

from __future__ import annotations

from wrongcall.session.strategies.base import Strategy
from wrongcall.tree import _kernels
from wrongcall.tree.suspects import Suspects


class WorstCaseOptimum(Strategy):
    """Asks the fewest questions in the worst case."""

    name = "worst-case"

    def choose(self, suspects: Suspects) -> int:
        """Return the node to ask."""
        node, _ = _kernels.worst_case(suspects.view())
        return node
