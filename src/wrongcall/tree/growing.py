"""A tree whose program still runs.

Calls arrive in the order of their entries and end later; only those that have ended can be asked, and
those under a caller that has not hang from the nearest one that has, or from nobody (`Suspects` does
that). So each look at the trace gives a new `Tree`. What is costly is kept: the groups of a caller are
made once, when it has ended, because nothing can be added to it then.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from wrongcall.tree.balance import BalancedTree, Balancing, Groups, find_groups
from wrongcall.tree.tree import Flags, Tree


class GrowingBalance:
    """Balances a tree again and again while it grows."""

    def __init__(self, how: Balancing | None = None) -> None:
        self.how = how or Balancing()
        self._done: Flags = np.zeros(0, dtype=np.bool_)
        """By row: whose calls are grouped."""
        self._groups: list[npt.NDArray[np.int32]] = [np.empty((0, 3), dtype=np.int32)]
        """Rows of the first member, of the last member, kind."""

    def balance(self, tree: Tree, chains: npt.ArrayLike) -> BalancedTree:
        """Return the balanced tree; ``tree`` begins with the rows of the one before."""
        done = np.zeros(len(tree), dtype=np.bool_)
        done[: len(self._done)] = self._done
        rows = slice(None) if tree.rows is None else tree.rows
        callers = tree.completed & ~done[rows]
        self._keep(tree, find_groups(tree, chains, self.how, callers))
        done[rows] |= callers
        self._done = done
        return BalancedTree(tree, self._in_nodes(tree))

    def _keep(self, tree: Tree, found: Groups) -> None:
        # The last member of a group is the sibling whose subtree ends where the group does.
        last = [_last_member(tree, *pair) for pair in zip(found.first, found.end, strict=True)]
        rows = [
            (tree.row(int(first)), tree.row(node), int(kind))
            for first, node, kind in zip(found.first, last, found.kind, strict=True)
        ]
        self._groups.append(np.array(rows, dtype=np.int32).reshape(-1, 3))

    def _in_nodes(self, tree: Tree) -> Groups:
        table = np.concatenate(self._groups)
        self._groups = [table]
        first, last = (tree.nodes_of_rows(table[:, column]) for column in (0, 1))
        return Groups.of(np.stack([first, tree.end[last], table[:, 2]], axis=1))


def _last_member(tree: Tree, first: int, end: int) -> int:
    """Return the sibling of a node whose subtree ends there."""
    node, parent = int(end) - 1, int(tree.parent[first])
    while int(tree.parent[node]) != parent:
        node = int(tree.parent[node])
    return node
