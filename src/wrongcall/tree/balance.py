"""Balancing: a second tree in which one question can cover a run of sibling calls.

A *chain* is a run of siblings in which each finds the state as the previous one left it; a column of chain keys marks
them: neighbours with the same key (not -1) are in one chain. Chains are made into *groups*. A collapsed group is a run
of leaves of one function: if it is wrong, the bug is in that function, whichever of them it was. A projected group
stands above its members and cannot be the bug itself. Members of a collapsed group are kept below it, hidden, so that
it can always be undone.

The calls of a loop can be asked about together, too, whatever happened between them: as a *list*, in which each member
is judged on its own. Neighbours can be in one list if they are calls of one function, or if they are in a *loop*: a
long run in which each function recurs soon. A listed group is one in which some neighbours are linked only in this way.
As all of its members have to be read, it is never large: longer runs are cut into lists of about the same size. Lists
are not collapsed, because it matters which member is wrong.

The paper's Algorithm 4 never balances inside a projected node and weighs nodes by their number; here balancing
continues inside, and groups weigh what their members weigh. Both can be switched back to the published form, for
comparison.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Final

import numpy as np
import numpy.typing as npt

from wrongcall.errors import TreeError
from wrongcall.tree import _kernels
from wrongcall.tree.tree import COLLAPSED, LISTED, PROJECTED, Flags, Nodes, Tree
from wrongcall.tree.weights import IndividualWeights

ANY: Final = 2**31 - 1
LIST_MOST: Final = 32
"""The most calls in a list: a person can look at this many, one by one, for one answer."""
LONG_LIST_MOST: Final = 8
"""The most calls in a list if one of them takes more than a line."""
LOOP: Final = 12
NEAR: Final = 8
"""The fewest calls of a loop, and the largest distance between two calls of one function in it."""
ALIKE: Final = 4
"""Added to the kind of a group whose members are calls of one function."""
Keys = npt.NDArray[np.int64]


class Kind(IntEnum):
    """What a node of a balanced tree is."""

    CALL = 0
    COLLAPSED = COLLAPSED
    PROJECTED = PROJECTED
    LISTED = LISTED


@dataclass(frozen=True)
class Balancing:
    """How to balance."""

    smallest: int = 2
    """The fewest members of a group."""
    largest: int = ANY
    """The most members of a collapsed group, or of a projected one, where nested groups count once."""
    shrink: bool = True
    """Collapse runs of leaves of the same function."""
    project: bool = True
    """Project parts of chains."""
    unrestricted: bool = False
    """Treat all siblings as one chain: fewer questions, but harder ones."""
    recursive: bool = True
    """Balance inside projected groups, too."""
    count_nodes: bool = False
    """Weigh by the number of nodes, as published, instead of by the members."""
    listed: int = LIST_MOST
    """The most calls in a list; 0: no lists, as published."""
    listed_long: int = LONG_LIST_MOST
    """The most calls in a list in which one takes more than a line."""
    near: int = NEAR
    """The largest distance between two calls of one function in a loop."""
    loop: int = LOOP
    """The fewest calls of a loop: shorter runs have lists of one function only."""

    def __post_init__(self) -> None:
        if self.listed < 0:
            raise TreeError(f"lists of {self.listed} calls: use 0 for no lists")
        if self.listed_long < 1:
            raise TreeError(f"lists of {self.listed_long} calls: the minimum is 1")
        if self.smallest < 2 or self.largest < self.smallest:
            raise TreeError(
                f"groups of {self.smallest} to {self.largest} calls: the minimum is at least 2, "
                "and the maximum cannot be below it"
            )


@dataclass(frozen=True)
class Groups:
    """Runs of siblings, each from the node ``first`` up to, not including, the node ``end``."""

    first: Nodes
    end: Nodes
    kind: Nodes
    """Its `Kind`, and perhaps `ALIKE`."""

    @classmethod
    def of(cls, rows: npt.ArrayLike) -> Groups:
        """Make groups from rows of first, end, kind; outer groups come before inner ones."""
        table = np.asarray(rows, dtype=np.int32).reshape(-1, 3)
        table = table[np.lexsort((-table[:, 1], table[:, 0]))]
        table = table[np.diff(table, axis=0, prepend=-1).any(axis=1)]
        return cls(*(np.ascontiguousarray(table[:, column]) for column in range(3)))

    def __len__(self) -> int:
        return len(self.first)

    def rows(self) -> npt.NDArray[np.int32]:
        """Return them as a table."""
        return np.stack([self.first, self.end, self.kind], axis=1)


def find_groups(
    tree: Tree,
    chains: npt.ArrayLike,
    how: Balancing,
    callers: Flags | None = None,
    brief: Flags | None = None,
) -> Groups:
    """Return the groups among the calls of these callers (None: of all callers that can be judged).

    ``brief``: which calls take one line in a list (None: as in the tree, or all).
    """
    keys = np.ascontiguousarray(chains, dtype=np.int64)
    if len(keys) != len(tree):
        raise TreeError(f"{len(keys)} chain keys for {len(tree)} calls")
    wanted = tree.judgeable if callers is None else callers
    options = (
        how.smallest,
        how.largest,
        how.listed,
        min(how.listed_long, how.listed),
        how.near,
        how.loop,
        how.shrink,
        how.project,
        how.recursive,
        how.unrestricted,
        how.count_nodes,
    )
    # A call that is not asked about does not belong in a group either.
    askable = tree.completed if tree.pretrusted is None else tree.completed & ~tree.pretrusted
    flags = (askable.view(np.uint8), wanted.view(np.uint8))
    if brief is None:
        brief = np.ones(len(tree), np.bool_) if tree.reading is None else tree.reading.brief
    columns = (tree.parent, tree.end, tree.function, keys, *flags, brief.view(np.uint8))
    found = _kernels.balance(*columns, options)
    return Groups.of(np.frombuffer(found, dtype=np.int32))


class BalancedTree(Tree):
    """A tree with groups: its nodes are the calls and the groups together, in preorder."""

    weights: IndividualWeights

    def __init__(self, base: Tree, groups: Groups) -> None:
        count = len(base) + len(groups)
        nodes = np.arange(len(base), dtype=np.int32)
        self.base = base
        self.node_of_base = nodes + _before(groups, nodes, "right")
        self.group_nodes = groups.first + np.arange(len(groups), dtype=np.int32)
        end = np.empty(count, dtype=np.int32)
        end[self.node_of_base] = base.end + _before(groups, base.end, "left")
        end[self.group_nodes] = groups.end + _before(groups, groups.end, "left")
        parent = np.empty(count, dtype=np.int32)
        try:
            _kernels.parents(end, parent)
        except ValueError as exc:
            raise TreeError(f"these groups are not runs of siblings: {exc}") from exc
        function = np.empty(count, dtype=np.int32)
        function[self.node_of_base] = base.function
        function[self.group_nodes] = base.function[groups.first]
        completed = np.ones(count, dtype=np.bool_)
        completed[self.node_of_base] = base.completed
        super().__init__(parent, end, function, completed, base.over)
        self.kind = self.kinds = np.zeros(count, dtype=np.uint8)
        self.kinds[self.group_nodes] = groups.kind & ~ALIKE
        self.several = np.zeros(count, dtype=np.uint8)
        self.several[self.group_nodes] = groups.kind & ALIKE == 0
        self.base_of = np.full(count, -1, dtype=np.int32)
        self.base_of[self.node_of_base] = nodes
        if base.pretrusted is not None:
            self.pretrusted = np.zeros(count, dtype=np.bool_)
            self.pretrusted[self.node_of_base] = base.pretrusted
        self.weights = IndividualWeights(self._own())

    def _own(self) -> npt.NDArray[np.float64]:
        own = np.where(self.kinds == Kind.CALL, 1.0, 0.0)
        collapsed = np.flatnonzero(self.kinds == Kind.COLLAPSED)
        own[collapsed] = self.end[collapsed] - collapsed - 1
        return own

    def call(self, node: int) -> int:
        """Return the number of the call; a group has none."""
        self.check(node)
        if self.kinds[node] != Kind.CALL:
            raise TreeError(f"node {node} is a group of calls")
        return self.base.call(int(self.base_of[node]))

    def node(self, call: int) -> int:
        """Return the node of a call."""
        return int(self.node_of_base[self.base.node(call)])

    def members(self, node: int) -> list[int]:
        """Return the nodes of the calls that a node stands for: itself, or those of a group."""
        if self.kinds[node] == Kind.CALL:
            return [node]
        return [member for child in self.children(node) for member in self.members(child)]

    def made_by(self, node: int) -> Nodes:
        """Return the calls that a call made, in order, whatever groups they are in."""
        made: Nodes = self.node_of_base[self.base.made_by(int(self.base_of[node]))]
        return made

    def group(self, first_call: int, last_call: int) -> int | None:
        """Return the node of the group with this first and last member, if there is one."""
        first, last = self.node(first_call), self.node(last_call)
        node = int(self.parent[first])
        while node >= 0 and self.kinds[node] != Kind.CALL:
            if self.end[node] == self.end[last]:
                return node
            node = int(self.parent[node])
        return None


def _before(groups: Groups, nodes: Nodes, side: str) -> Nodes:
    """Return how many groups begin before a node ("right": or with it)."""
    found = np.searchsorted(groups.first, nodes, side=side)  # type: ignore[call-overload]
    counts: Nodes = found.astype(np.int32)
    return counts


def balance(tree: Tree, chains: npt.ArrayLike, how: Balancing | None = None) -> BalancedTree:
    """Return the balanced tree."""
    return BalancedTree(tree, find_groups(tree, chains, how or Balancing()))
