"""The tree as the page draws it: a group is one row, however many groups are inside it.

Balancing nests groups so that a loop of n calls takes about log2(n) questions. To a reader that nesting means nothing:
the page shows the outermost group and, in it, its calls. Groups inside a group are *inner* groups; they have no row of
their own, and the first of their calls stands for them.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from wrongcall.tree import _kernels
from wrongcall.tree.tree import NOBODY, Flags, Nodes, Tree
from wrongcall.web.node_status import inner_groups
from wrongcall.web.outline import Outline


class ShownTree:
    """A tree without its inner groups, and the numbers of its nodes in the whole tree."""

    def __init__(self, tree: Tree, inner: Flags) -> None:
        self._inner = inner
        self._number: Nodes | None = None
        """The number here of each node; of an inner group, that of the first call in it. None: the node itself."""
        self._node: Nodes | None = None
        """The other way round."""
        self.tree = tree
        if not inner.any():
            return
        self._number = np.zeros(len(tree) + 1, dtype=np.int32)
        np.cumsum(~inner, dtype=np.int32, out=self._number[1:])
        kept = self._node = np.flatnonzero(~inner).astype(np.int32)
        end = self._number[tree.end[kept]]
        parent = np.empty_like(end)
        _kernels.parents(end, parent)
        self.tree = Tree(parent, end, tree.function[kept], tree.completed[kept], tree.over)

    def number(self, node: int) -> int:
        """Return the number here of a node of the whole tree; of an inner group, that of its first call."""
        return node if self._number is None else int(self._number[node])

    def node(self, number: int) -> int:
        """Return the node of the whole tree."""
        return number if self._node is None else int(self._node[number])

    def has(self, node: int) -> bool:
        """Return whether a node of the whole tree has a row of its own."""
        return not self._inner[node]

    def parent(self, node: int) -> int:
        """Return what is drawn above a node."""
        found = int(self.tree.parent[self.number(node)])
        return found if found == NOBODY else self.node(found)


class InWholeTree:
    """An outline of a shown tree, in numbers of the whole tree."""

    def __init__(self, shown: ShownTree, outline: Outline) -> None:
        self._shown = shown
        self._outline = outline
        self.count = outline.count

    def window(self, first: int, last: int) -> list[int]:
        """Return the nodes of some rows."""
        return [self._shown.node(number) for number in self._outline.window(first, last)]

    def position(self, node: int) -> int:
        """Return the row of a node."""
        return self._outline.position(self._shown.number(node))


@lru_cache(maxsize=2)  # while groups arrive, the tree without them is still read
def shown_tree(tree: Tree) -> ShownTree:
    """Return the tree as it is drawn."""
    return ShownTree(tree, inner_groups(tree))
