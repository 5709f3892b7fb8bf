"""How likely answers weigh: factors for the weights of nodes.

What is likely right, with everything below it, is suspected less; what is likely wrong is suspected more. An inner
opinion counts instead of an outer one: a call that is likely right is so within a call that is likely wrong. How
suspicious functions are multiplies with that. Nothing here rules a node out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np
import numpy.typing as npt

from wrongcall.tree.states import FOUND_RIGHT, NodeState
from wrongcall.tree.tree import Tree

LIKELY_WRONG = 20.0
"""How much more a call is suspected if it is likely wrong."""
LIKELY_RIGHT = 1 / 1000
"""How much less if it is likely right: such calls are left to the end, where they are confirmed together."""

Factors = npt.NDArray[np.float64]


def factors_of(
    tree: Tree, likely: Iterable[tuple[int, NodeState]], suspicion: Mapping[int, float]
) -> Factors | None:
    """Return a factor for each node; None: all are 1."""
    opinions = dict(likely)
    if not opinions and not suspicion:
        return None
    factors = np.ones(len(tree))
    # Parents have smaller numbers than what is below them.
    for node in sorted(opinions):
        if opinions[node] is NodeState.WRONG:
            factors[node : int(tree.end[node])] = LIKELY_WRONG
        elif opinions[node] in FOUND_RIGHT:
            factors[node : int(tree.end[node])] = LIKELY_RIGHT
    if suspicion:
        by_function = np.ones(max(tree.function_count, *(f + 1 for f in suspicion)))
        by_function[list(suspicion)] = list(suspicion.values())
        factors *= by_function[tree.function]
    return factors
