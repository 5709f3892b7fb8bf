"""More rules first (Hat-delta): top-down, the child with the most distinct functions below first."""

from __future__ import annotations

from wrongcall.session.strategies.base import Strategy
from wrongcall.tree import _kernels
from wrongcall.tree.suspects import Suspects


class MoreRulesFirst(Strategy):
    """Asks about the calls that a wrong call made, the one with the most functions below it first."""

    name = "more-rules-first"

    def choose(self, suspects: Suspects) -> int:
        """Return the node to ask."""
        tree = suspects.tree
        return _kernels.choose_diverse(suspects.view(), tree.function, tree.function_count)
