"""What is known about the nodes of a tree, for showing: about each node, and about ranges of nodes.

Vocabulary: a node's *status* is what was said about it, or *suspect* (the bug can be there), *cleared*
(it cannot, by what was said about others), *running* (it has not ended).
"""

from __future__ import annotations

from enum import Enum
from functools import cached_property, lru_cache

import numpy as np
import numpy.typing as npt

from wrongcall.session import Session
from wrongcall.tree import _kernels
from wrongcall.tree.states import INCOMPLETE, NodeState
from wrongcall.tree.tree import NOBODY, Flags, Tree


class NodeStatus(Enum):
    """What is known about a node."""

    RIGHT = "right"
    WRONG = "wrong"
    TRUSTED = "trusted"
    UNKNOWN = "unknown"
    INADMISSIBLE = "inadmissible"
    EXPLAINED = "explained"
    """Wrong because of a bug that was found before."""
    SUSPECT = "suspect"
    CLEARED = "cleared"
    RUNNING = "running"


_SAID = {
    NodeState.RIGHT: NodeStatus.RIGHT,
    NodeState.WRONG: NodeStatus.WRONG,
    NodeState.TRUSTED: NodeStatus.TRUSTED,
    NodeState.UNKNOWN: NodeStatus.UNKNOWN,
    NodeState.INADMISSIBLE: NodeStatus.INADMISSIBLE,
    NodeState.EXPLAINED: NodeStatus.EXPLAINED,
}


_TREES = 2
"""While groups arrive, the tree without them is still read."""


@lru_cache(_TREES)
def depths(tree: Tree) -> npt.NDArray[np.int32]:
    """Return how many nodes are above each."""
    return _levels(tree, None)


@lru_cache(_TREES)
def levels(tree: Tree) -> npt.NDArray[np.int32]:
    """Return how far to indent each node: by the nodes above it, without groups that are inside another group."""
    return depths(tree) if tree.kind is None else _levels(tree, inner_groups(tree))


@lru_cache(_TREES)
def callers_above(tree: Tree) -> npt.NDArray[np.int32]:
    """Return how many calls are above each node: groups don't count."""
    return depths(tree) if tree.kind is None else _levels(tree, tree.kind != 0)


def _levels(tree: Tree, left_out: Flags | None) -> npt.NDArray[np.int32]:
    level = np.empty(len(tree), dtype=np.int32)
    _kernels.levels(tree.parent, None if left_out is None else left_out.view(np.uint8), level)
    return level


def inner_groups(tree: Tree) -> Flags:
    """Return which nodes are groups inside a group."""
    if tree.kind is None:
        return np.zeros(len(tree), np.bool_)
    is_group = tree.kind != 0
    nodes = np.flatnonzero(is_group)
    found = np.zeros(len(tree), np.bool_)
    above = tree.parent[nodes]
    found[nodes] = (above != NOBODY) & is_group[above]
    return found


class NodeStatuses:
    """The statuses of all nodes at one version of a session."""

    def __init__(self, session: Session) -> None:
        suspects = session.suspects
        self.tree = suspects.tree
        self.root = suspects.root
        self._state = suspects.state.copy()
        self.suspect = suspects.kept()
        # Members of a group that is asked as one have its status.
        hidden = np.flatnonzero(self._state == NodeState.HIDDEN)
        groups = self.tree.parent[hidden]
        self.suspect[hidden], self._state[hidden] = self.suspect[groups], self._state[groups]

    @cached_property
    def _sums(self) -> npt.NDArray[np.int32]:
        sums = np.zeros(len(self.suspect) + 1, dtype=np.int32)
        np.cumsum(self.suspect, dtype=np.int32, out=sums[1:])
        return sums

    @property
    def depth(self) -> npt.NDArray[np.int32]:
        """How many nodes are above each."""
        return depths(self.tree)

    @property
    def callers_above(self) -> npt.NDArray[np.int32]:
        """How many calls are above each."""
        return callers_above(self.tree)

    @property
    def level(self) -> npt.NDArray[np.int32]:
        """How far each is indented."""
        return levels(self.tree)

    def status(self, node: int) -> NodeStatus:
        """Return the status of a node."""
        byte = int(self._state[node])
        said = _SAID.get(NodeState(byte & ~INCOMPLETE))
        if said is not None:
            return said
        if self.suspect[node]:
            return NodeStatus.SUSPECT
        return NodeStatus.RUNNING if byte & INCOMPLETE else NodeStatus.CLEARED

    def nodes(self, status: NodeStatus) -> npt.NDArray[np.intp]:
        """Return the nodes of this status."""
        bare = self._state & (~INCOMPLETE & 0xFF)
        for state, said in _SAID.items():
            if said is status:
                return np.flatnonzero(bare == state)
        silent = ~np.isin(bare, list(_SAID))
        if status is NodeStatus.SUSPECT:
            return np.flatnonzero(silent & self.suspect)
        silent &= ~self.suspect
        running = (self._state & INCOMPLETE) != 0
        return np.flatnonzero(silent & (running if status is NodeStatus.RUNNING else ~running))

    def share(self, first: int, end: int) -> float:
        """Return the share of suspects in a range of nodes, from 0 to 1."""
        return float(self._sums[end] - self._sums[first]) / max(end - first, 1)
