"""What every node of a tree costs to read: the lines of its question, groups included."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from wrongcall.tree.balance import BalancedTree
from wrongcall.tree.reading import Reading
from wrongcall.tree.tree import COLLAPSED, LISTED, PROJECTED, Tree

Costs = npt.NDArray[np.uint16]

MOST_LINES = 65_535
"""The longest question assumed, in lines."""
HEADING = 3
"""Lines of a list or a group besides its calls: the question itself, and the caller."""
SHOWN_MEMBERS = 8
"""Calls shown for a group that is asked about by its state."""
SHOWN_CHANGES = 8
"""Lines shown for what they changed together."""


def costs_of(reading: Reading, tree: Tree) -> Costs:
    """Return the lines of each node, for the tree of a reading or for that tree with groups."""
    if not isinstance(tree, BalancedTree):
        return reading.alone.astype(np.uint16)
    costs = np.zeros(len(tree), dtype=np.uint16)
    costs[tree.node_of_base] = reading.alone
    lines, count = _members(reading, tree)
    kind = tree.kinds[tree.group_nodes]
    changes = np.minimum(lines - count, SHOWN_CHANGES)
    by_state = np.minimum(count, SHOWN_MEMBERS) + 1 + changes
    groups = HEADING + np.where(kind == LISTED, lines, by_state)
    costs[tree.group_nodes] = np.minimum(groups, MOST_LINES)
    assert set(np.unique(kind)) <= {COLLAPSED, PROJECTED, LISTED}
    return costs


def _members(
    reading: Reading, tree: BalancedTree
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Return the lines of the members of each group, and their number."""
    groups = tree.group_nodes
    lines, count = np.zeros((2, len(groups)), dtype=np.int64)
    base = np.arange(len(tree.base))
    above = tree.parent[tree.node_of_base]
    while len(above):
        inside = above >= 0
        inside[inside] = tree.kinds[above[inside]] != 0
        base, above = base[inside], above[inside]
        number = np.searchsorted(groups, above)
        lines += np.bincount(number, reading.member[base], minlength=len(groups)).astype(np.int64)
        count += np.bincount(number, minlength=len(groups))
        above = tree.parent[above]
    return lines, count
