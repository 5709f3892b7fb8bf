"""Divide and query as Shapiro has it: the heaviest subtree of at most half the weight."""

from __future__ import annotations

from wrongcall.session.strategies.base import Strategy
from wrongcall.tree import _kernels
from wrongcall.tree.suspects import Suspects


class DivideAndQueryShapiro(Strategy):
    """Asks about the call with the most suspects below it, but not more than half of them all."""

    name = "dq-shapiro"

    def choose(self, suspects: Suspects) -> int:
        """Return the node to ask."""
        return _kernels.choose_shapiro(*suspects.weigh())
