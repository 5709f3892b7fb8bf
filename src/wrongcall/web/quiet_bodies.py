"""The bodies of classes and modules that the tree and the picture fold.

Vocabulary: a body is *quiet* if nothing but such bodies ran in it and nothing in it is suspect. Quiet bodies are
*folded*, unless there are more than `MAX_FOLDED`.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import numpy.typing as npt

from wrongcall.tree.pretrusted import calls_of
from wrongcall.tree.tree import Flags, Tree

MAX_FOLDED = 20_000
"""The most bodies that are folded."""

Nodes = npt.NDArray[np.int64]


def quiet_bodies(tree: Tree, functions: frozenset[int], suspect: Flags) -> Nodes:
    """Return the quiet bodies, in order; ``functions``: those that are bodies."""
    nodes = _bodies(tree, functions)
    nodes = nodes[~suspect[nodes]]
    end = tree.end[nodes]
    is_quiet = np.searchsorted(nodes, end) - np.arange(len(nodes)) == end - nodes
    found: Nodes = nodes[is_quiet].astype(np.int64)
    return found


@lru_cache(maxsize=2)
def _bodies(tree: Tree, functions: frozenset[int]) -> npt.NDArray[np.intp]:
    """Return the calls to these functions."""
    is_body = calls_of(functions, tree.function)
    if tree.kind is not None:
        is_body &= tree.kind == 0
    return np.flatnonzero(is_body)


class Folding:
    """Where the nodes of a tree are drawn if some of them take no room.

    A *position* counts the nodes before it that are not folded. That of a folded node is the position of the next one
    that is not.
    """

    def __init__(self, nodes: Nodes) -> None:
        """``nodes``: those that are folded, by rising number."""
        self.nodes = nodes
        # The position at which each folded node would be.
        self._at = nodes - np.arange(len(nodes))

    def positions(self, nodes: npt.ArrayLike) -> Nodes:
        """Return the positions of nodes; the number of all nodes has the position of the end."""
        found = np.asarray(nodes, dtype=np.int64)
        return found - np.searchsorted(self.nodes, found)

    def position(self, node: int) -> int:
        """Return the position of a node."""
        return node - int(np.searchsorted(self.nodes, node))

    def node(self, position: int) -> int:
        """Return the node at a position."""
        return position + int(np.searchsorted(self._at, position, side="right"))

    def has(self, node: int) -> bool:
        """Return whether a node is folded."""
        at = int(np.searchsorted(self.nodes, node))
        return at < len(self.nodes) and int(self.nodes[at]) == node
