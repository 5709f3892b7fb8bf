"""A tree whose program is still running.

Calls arrive in the order of their entries and end later; only those that have ended can be asked about, and those below
a caller that has not ended move up to the nearest one that has, or to the virtual root (`Suspects` does that). So each
refresh of the trace gives a new `Tree`. Costly results are kept: the groups of a caller are made once, when it or the
run has ended, because nothing can be added to it then.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from wrongcall.tree.balance import BalancedTree, Balancing, Groups, find_groups
from wrongcall.tree.tree import Flags, Nodes, Tree


class GrowingBalance:
    """Balances a tree repeatedly while it grows."""

    def __init__(self, how: Balancing | None = None) -> None:
        self.how = how or Balancing()
        self._done: Flags = np.zeros(0, dtype=np.bool_)
        """By row: the callers whose calls are grouped."""
        self._groups: list[npt.NDArray[np.int32]] = [np.empty((0, 3), dtype=np.int32)]
        """Rows of the first member, of the last member, kind."""

    def balance(
        self, tree: Tree, chains: npt.ArrayLike, brief: Flags | None = None
    ) -> BalancedTree:
        """Return the balanced tree; ``tree`` begins with the rows of the previous one.

        ``brief``: which calls take one line in a list.
        """
        done = np.zeros(len(tree), dtype=np.bool_)
        done[: len(self._done)] = self._done
        rows = slice(None) if tree.rows is None else tree.rows
        callers = tree.judgeable & ~done[rows]
        self._keep(tree, find_groups(tree, chains, self.how, callers, brief))
        done[rows] |= callers
        self._done = done
        return BalancedTree(tree, self._in_nodes(tree))

    def _keep(self, tree: Tree, found: Groups) -> None:
        first, last = found.first, _last_members(tree, found)
        if tree.rows is not None:
            first, last = tree.rows[first], tree.rows[last]
        self._groups.append(np.stack([first, last, found.kind], axis=1))

    def _in_nodes(self, tree: Tree) -> Groups:
        table = np.concatenate(self._groups)
        self._groups = [table]
        first, last = (tree.nodes_of_rows(table[:, column]) for column in (0, 1))
        return Groups.of(np.stack([first, tree.end[last], table[:, 2]], axis=1))


def _last_members(tree: Tree, groups: Groups) -> Nodes:
    """Return the last member of each group: the sibling whose subtree ends where the group does."""
    node, caller = groups.end - 1, tree.parent[groups.first]
    below = np.flatnonzero(tree.parent[node] != caller)
    while len(below):
        node[below] = tree.parent[node[below]]
        below = below[tree.parent[node[below]] != caller[below]]
    return node
