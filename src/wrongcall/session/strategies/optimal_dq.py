"""Optimal divide and query (Insa and Silva): what is below and what is outside as equal as can be."""

from __future__ import annotations

from wrongcall.session.strategies.base import Strategy
from wrongcall.tree import _kernels
from wrongcall.tree.suspects import Suspects


class OptimalDivideAndQuery(Strategy):
    """Asks about the call that splits the suspects most evenly."""

    name = "optimal-dq"

    def choose(self, suspects: Suspects) -> int:
        """Return the node to ask."""
        return _kernels.choose_optimal(*suspects.weigh())
