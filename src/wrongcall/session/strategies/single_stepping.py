"""Single-stepping (Shapiro): the calls in the order in which they ended."""

from __future__ import annotations

from wrongcall.session.strategies.base import Strategy
from wrongcall.tree import _kernels
from wrongcall.tree.suspects import Suspects


class SingleStepping(Strategy):
    """Asks about the calls in the order in which they ended."""

    name = "single-stepping"

    def choose(self, suspects: Suspects) -> int:
        """Return the node to ask."""
        return _kernels.choose_leaf(suspects.view(), None, 0.0, 0.0)
