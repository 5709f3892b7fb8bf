"""Divide and query as Hirunkitti and Hogger have it: the subtree nearest to half the weight."""

from __future__ import annotations

from wrongcall.session.strategies.base import Strategy
from wrongcall.tree import _kernels
from wrongcall.tree.suspects import Suspects


class DivideAndQueryHirunkitti(Strategy):
    """Asks about the call that, with all calls below it, is nearest to half of the suspects."""

    name = "dq-hirunkitti"

    def choose(self, suspects: Suspects) -> int:
        """Return the node to ask."""
        return _kernels.choose_nearest(*suspects.weigh())
