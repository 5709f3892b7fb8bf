"""The execution tree as columns, and what a search for the bug knows about it.

`tree` is the structure, `states` what is known about a node, `suspects` where the bug can still be, `weights` and
`coverage` how likely a node holds it, `balance` groups of sibling calls, `growing` a tree whose program is still
running, and `from_trace` the only module that knows traces. The loops are in ``native``, written in C.
"""

from __future__ import annotations

from wrongcall.tree.balance import BalancedTree, Balancing, Kind, balance
from wrongcall.tree.coverage import Coverage, CoverageWeights
from wrongcall.tree.states import NodeState, Trusted
from wrongcall.tree.suspects import Compact, Suspects
from wrongcall.tree.tree import NOBODY, Tree
from wrongcall.tree.weights import UNIT, IndividualWeights, Weights

__all__ = [
    "NOBODY",
    "UNIT",
    "BalancedTree",
    "Balancing",
    "Compact",
    "Coverage",
    "CoverageWeights",
    "IndividualWeights",
    "Kind",
    "NodeState",
    "Suspects",
    "Tree",
    "Trusted",
    "Weights",
    "balance",
]
