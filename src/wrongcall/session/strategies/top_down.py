"""Top-down: from a wrong call to the calls it made, in order."""

from __future__ import annotations

from wrongcall.session.strategies.base import Strategy
from wrongcall.tree import _kernels
from wrongcall.tree.suspects import Suspects


class TopDown(Strategy):
    """Asks about the calls that a wrong call made, in order."""

    name = "top-down"

    def choose(self, suspects: Suspects) -> int:
        """Return the node to ask."""
        return _kernels.choose_first(suspects.view(), None, 0.0, 0.0)
