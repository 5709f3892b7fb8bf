"""Heaviest first (Binks): top-down, the largest subtree first."""

from __future__ import annotations

from wrongcall.session.strategies.base import Strategy
from wrongcall.tree import _kernels
from wrongcall.tree.suspects import Suspects


class HeaviestFirst(Strategy):
    """Asks about the calls that a wrong call made, the one with the most calls below it first."""

    name = "heaviest-first"

    def choose(self, suspects: Suspects) -> int:
        """Return the node to ask."""
        return _kernels.choose_heaviest(*suspects.weigh())
