"""Where the bug can still be: a tree, what is known about its nodes, and the root of the search.

Vocabulary: the *root* is a node known to be wrong, and the suspects are it and what is below it; or the root is
`NOBODY`, a virtual caller of everything that cannot be the bug itself. The *effective* tree is what remains when right
subtrees are cut and unknown, trusted and incomplete nodes are spliced; `Compact` has it as columns of its own.

Invariants: a tree is shared, states belong to one search. Nothing here knows why a node has its state.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from wrongcall.tree import _kernels
from wrongcall.tree.costs import Costs
from wrongcall.tree.coverage import Coverage
from wrongcall.tree.states import ASK, CUT, INCOMPLETE, SPLICE, NodeState, Trusted, code_table
from wrongcall.tree.tree import COLLAPSED, NOBODY, Flags, Nodes, Tree
from wrongcall.tree.weights import UNIT, ScaledWeights, Weights

Reals = npt.NDArray[np.float64]


class Weighed(NamedTuple):
    """The weights of all subtrees, as running sums over the suspects."""

    view: tuple[Any, ...]
    sums: npt.NDArray[Any]
    total: float
    """Including the root, if it is a node."""
    below: float
    """Excluding it."""

    def of(self, node: int) -> float:
        """Return the weight of the subtree of a node that can be asked about."""
        end = self.view[1]
        return float(self.sums[end[node]] - self.sums[node])


@dataclass(frozen=True)
class Compact:
    """The effective tree. Entry 0 is the root of the search; parents come first."""

    nodes: Nodes
    parent: Nodes
    own: Reals

    def __len__(self) -> int:
        return len(self.nodes)

    @cached_property
    def greedy_total(self) -> float:
        """The questions that Optimal D&Q takes, summed over all places of the bug by weight."""
        return _kernels.greedy_total(self.parent, self.own, -1)

    @property
    def total_weight(self) -> float:
        """The total weight of all places of the bug."""
        return float(self.own.sum())


class Suspects:
    """The state of one search."""

    def __init__(
        self,
        tree: Tree,
        *,
        weights: Weights = UNIT,
        trusted: Trusted = Trusted.SPLICE,
        root: int = NOBODY,
        coverage: Mapping[str, Coverage] | None = None,
        costs: Costs | None = None,
    ) -> None:
        """``costs``: the lines to read for each node, for the strategies that weigh them."""
        self.tree = tree
        self.costs = costs
        self.coverage = coverage or {}
        self.base_weights = weights
        """What each node counts, whatever the evidence."""
        self.weights = weights
        """What each node weighs for strategies; see `weigh_by`."""
        self.root = root
        self.state = np.where(tree.judgeable, np.uint8(0), np.uint8(INCOMPLETE))
        if tree.kind is not None:
            self._hide_members(tree.kind)
        self.trust_pretrusted()
        self.trusted = trusted
        self._table = code_table(trusted)
        self._scratch: npt.NDArray[Any] | None = None

    def _hide_members(self, kind: npt.NDArray[np.uint8]) -> None:
        parent = self.tree.parent
        self.state[(parent >= 0) & (kind[parent] == COLLAPSED)] = NodeState.HIDDEN

    def trust_pretrusted(self) -> None:
        """Mark pretrusted calls as trusted, unless more is known about them."""
        if self.tree.pretrusted is not None:
            self.state[self.tree.pretrusted & (self.state == NodeState.UNDEFINED)] = (
                NodeState.TRUSTED
            )

    def mark(self, node: int, state: NodeState) -> None:
        """Set the state of a node."""
        self.state[node] = state | (self.state[node] & INCOMPLETE)

    def state_of(self, node: int) -> NodeState:
        """Return the state of a node."""
        return NodeState(int(self.state[node]) & ~INCOMPLETE)

    def are(self, state: NodeState, nodes: Nodes) -> Flags:
        """Return which nodes, or a group that they are in, have a state."""
        found: Flags = (self.state[nodes] & ~np.uint8(INCOMPLETE)) == state
        kind, above = self.tree.kind, self.tree.parent[nodes]
        while kind is not None and len(inside := np.flatnonzero((above >= 0) & (kind[above] != 0))):
            found[inside] |= (self.state[above[inside]] & ~np.uint8(INCOMPLETE)) == state
            outer = np.full_like(above, NOBODY)
            outer[inside] = self.tree.parent[above[inside]]
            above = outer
        return found

    def topmost(self, most: int, below: int | None = None) -> list[int]:
        """Return the nodes below the root that can be asked about and are in no other one, at most so many.

        ``below``: those below this node instead.
        """
        found: list[int] = []
        left = [*self.tree.children(self.root if below is None else below)][::-1]
        while left and len(found) < most:
            node = left.pop()
            code = self._table[self.state[node]]
            if code == ASK:
                found.append(node)
            elif code != CUT:
                left.extend([*self.tree.children(node)][::-1])
        return found

    def can_ask(self, node: int, *, led: bool = False) -> bool:
        """Return whether a node is in the effective tree (and is not its root).

        ``led``: the user pointed at it, so that a pretrusted call can be asked about as well.
        """
        if node == self.root or not self.tree.contains(self.root, node):
            return False
        is_pretrusted = self.tree.is_pretrusted(node) and self.state[node] == NodeState.TRUSTED
        if self._table[self.state[node]] != ASK and not (led and is_pretrusted):
            return False
        above = self.tree.ancestors(node)
        for ancestor in above:
            if ancestor == self.root:
                return True
            if self._table[self.state[ancestor]] == CUT:
                return False
        return True

    @property
    def span(self) -> tuple[int, int]:
        """The nodes below the root, as a range."""
        if self.root == NOBODY:
            return 0, len(self.tree)
        return self.root + 1, int(self.tree.end[self.root])

    def view(self, weights: Weights | None = None) -> tuple[Any, ...]:
        """Return the columns for the kernels."""
        own, class_of, by_class = (weights or self.weights).columns(self.state)
        tree = self.tree
        columns = (tree.parent, tree.end, self.state, self._table, own, class_of, by_class)
        return (*columns, *self.span)

    def weigh(self, weights: Weights | None = None) -> Weighed:
        """Weigh all subtrees. The columns are valid until the next call."""
        view = self.view(weights)
        is_unit = view[4] is None and view[5] is None
        dtype = np.dtype(np.int32 if is_unit else np.float64)
        if self._scratch is None or self._scratch.dtype != dtype:
            self._scratch = np.empty(len(self.tree) + 1, dtype=dtype)
        below = _kernels.running_sums(view, self._scratch)
        return Weighed(view, self._scratch, below + self.root_weight(weights), below)

    def weigh_by(self, factors: Reals | None) -> None:
        """Multiply what each node weighs for strategies; None: every node by 1."""
        base = self.base_weights
        self.weights = base if factors is None else ScaledWeights(base, factors)

    def root_weight(self, weights: Weights | None = None) -> float:
        """Return the root's own weight."""
        return 0.0 if self.root == NOBODY else (weights or self.weights).of(self.root, self.state)

    def compact(self) -> Compact:
        """Return the effective tree."""
        nodes, parent, own = _kernels.compact(self.view())
        compact = Compact(
            np.frombuffer(nodes, dtype=np.int32).copy(),
            np.frombuffer(parent, dtype=np.int32),
            np.frombuffer(own, dtype=np.float64).copy(),
        )
        compact.nodes[0] = self.root
        compact.own[0] = self.root_weight()
        return compact

    def kept(self) -> Flags:
        """Return which nodes are in the effective tree, its root included."""
        flags = np.zeros(len(self.tree), dtype=np.bool_)
        _kernels.mark_kept(self.view(), flags.view(np.uint8))
        if self.root != NOBODY:
            flags[self.root] = True
        return flags

    def implied(self, root: int) -> int:
        """Return the node that must be wrong if a node is wrong; usually that node itself.

        If all members but one of a wrong projected group were found right, that one is wrong.
        """
        while root != NOBODY and self.tree.is_projected(root):
            left = [c for c in self.tree.children(root) if self._table[self.state[c]] != CUT]
            if len(left) != 1 or self.state[left[0]] not in (NodeState.UNDEFINED, NodeState.WRONG):
                break
            root = left[0]
        return root

    def first(self) -> int:
        """Return the first suspect below the root, or `NOBODY` if there is none."""
        return _kernels.choose_first(self.view(), None, 0.0, 0.0)

    def count(self) -> int:
        """Return how many nodes can be asked about."""
        return round(self.weigh(UNIT).below)

    def undecided(self) -> Nodes:
        """Return the nodes below the root that could not be judged: unknown or not completed."""
        table = bytearray(self._table)
        table[NodeState.UNDEFINED] = SPLICE
        table[NodeState.UNKNOWN] = ASK
        for state in (NodeState.UNDEFINED, NodeState.UNKNOWN, NodeState.WRONG):
            table[state | INCOMPLETE] = ASK
        view = list(self.view())
        view[3] = bytes(table)
        nodes, *_ = _kernels.compact(tuple(view))
        return np.frombuffer(nodes, dtype=np.int32)[1:]

    def memory(self) -> int:
        """Return the bytes that the columns of this search take."""
        columns = (self.state, self._scratch, self.costs)
        return sum(column.nbytes for column in columns if column is not None)
