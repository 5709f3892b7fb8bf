"""How likely answers weigh: factors for the weights of nodes.

What is likely right, with everything below it, is suspected less; what is likely wrong is suspected more. An inner
opinion counts instead of an outer one: a call that is likely right is so within a call that is likely wrong. How
suspicious functions and calls are multiplies with that. Nothing here rules a node out.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from wrongcall.session.oracles import Suspicion
from wrongcall.tree.balance import BalancedTree, Kind
from wrongcall.tree.states import FOUND_RIGHT, NodeState
from wrongcall.tree.tree import Tree

LIKELY_WRONG = 20.0
"""How much more a call is suspected if it is likely wrong."""
LIKELY_RIGHT = 1 / 1000
"""How much less if it is likely right: such calls are left to the end, where they are confirmed together."""

Factors = npt.NDArray[np.float64]


def factors_of(
    tree: Tree, likely: Iterable[tuple[int, NodeState]], suspicions: Sequence[Suspicion]
) -> Factors | None:
    """Return a factor for each node; None: all are 1."""
    opinions = dict(likely)
    if not opinions and not suspicions:
        return None
    factors = np.ones(len(tree))
    # Parents have smaller numbers than what is below them.
    for node in sorted(opinions):
        if opinions[node] is NodeState.WRONG:
            factors[node : int(tree.end[node])] = LIKELY_WRONG
        elif opinions[node] in FOUND_RIGHT:
            factors[node : int(tree.end[node])] = LIKELY_RIGHT
    for suspicion in suspicions:
        factors *= _suspected(tree, suspicion)
    return factors


def _suspected(tree: Tree, suspicion: Suspicion) -> Factors:
    """Return how suspicious each node is."""
    functions = suspicion.functions
    by_function = np.ones(max(tree.function_count, *(f + 1 for f in functions), 1))
    by_function[list(functions)] = list(functions.values())
    found: Factors = by_function[tree.function]
    if not len(suspicion.calls):
        return found
    nodes, calls = np.arange(len(tree)), tree
    if isinstance(tree, BalancedTree):
        nodes, calls = tree.node_of_base, tree.base
    numbers = calls.calls()
    places = np.minimum(np.searchsorted(suspicion.calls, numbers), len(suspicion.calls) - 1)
    is_known = suspicion.calls[places] == numbers
    found[nodes[is_known]] = suspicion.factors[places[is_known]]
    if isinstance(tree, BalancedTree):
        # A collapsed group weighs as much as its members together.
        sums = np.append(0.0, np.cumsum(found))
        groups = np.flatnonzero(tree.kinds == Kind.COLLAPSED)
        ends = tree.end[groups]
        found[groups] = (sums[ends] - sums[groups + 1]) / (ends - groups - 1)
    return found
