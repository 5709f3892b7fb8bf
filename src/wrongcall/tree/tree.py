"""The structure of an execution tree: which call made which.

Vocabulary: a *node* is the number of a call in preorder: a caller comes before its calls, siblings come in the order of
their entries, and the subtree of ``v`` is the range from ``v`` up to ``end[v]``. There may be several roots (threads;
modules). `NOBODY` is "no node", and the virtual caller of the roots.

Invariant: a `Tree` does not change. For a program that is still running, see `wrongcall.tree.growing`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from wrongcall.errors import TreeError
from wrongcall.tree import _kernels
from wrongcall.tree.reading import Reading
from wrongcall.tree.weights import Weights

NOBODY = -1
COLLAPSED, PROJECTED, LISTED = 1, 2, 3
"""Kinds of groups, in trees that have them: see `wrongcall.tree.balance`."""

Nodes = npt.NDArray[np.int32]
Flags = npt.NDArray[np.bool_]
Calls = npt.NDArray[np.int64]


class Tree:
    """Calls in preorder, as columns."""

    def __init__(
        self, parent: Nodes, end: Nodes, function: Nodes, completed: Flags, over: bool = False
    ) -> None:
        self.parent = parent
        self.end = end
        self.function = function
        self.completed = completed
        self.over = over
        """The run has ended: nothing can be added to any call."""
        self.kind: npt.NDArray[np.uint8] | None = None
        """What each node is (`wrongcall.tree.balance.Kind`); None if all are calls."""
        self.several: npt.NDArray[np.uint8] | None = None
        """Which nodes stand for calls of several functions; None if none does."""
        self.pretrusted: Flags | None = None
        """Which calls are trusted from the start (`wrongcall.tree.pretrusted`); None if none is."""
        self.reading: Reading | None = None
        """How long questions about the calls are, in the order of the nodes; None if not known."""
        self.weights: Weights | None = None
        """How likely each node has the bug; None if all are equally likely."""
        self._ids: Calls | None = None
        self._node_of_row: Nodes | None = None

    @classmethod
    def from_parents(
        cls,
        parent: npt.ArrayLike,
        function: npt.ArrayLike | None = None,
        completed: npt.ArrayLike | None = None,
        ids: Calls | None = None,
        *,
        over: bool = False,
        head: int = NOBODY,
    ) -> Tree:
        """Build a tree from rows in which a caller comes before its calls (-1: no caller).

        ``head``: a row that comes first, so that it may be the caller of earlier ones.

        ``ids`` are the external numbers of the calls, in ascending order; without them, the row numbers are used.
        ``over``: the run has ended, see `judgeable`.
        """
        rows = np.ascontiguousarray(parent, dtype=np.int32)
        functions = _column(function, 0, np.int32, len(rows))
        flags = _column(completed, True, np.bool_, len(rows))
        if head > 0:
            return cls._headed(rows, functions, flags, ids, over, head)
        position, end = np.empty_like(rows), np.empty_like(rows)
        try:
            in_order = _kernels.preorder(rows, position, end)
        except ValueError as exc:
            raise TreeError(f"not a tree: {exc}") from exc
        if in_order:
            tree = cls(rows, end, functions, flags, over)
        else:
            tree = cls._permuted(rows, position, end, functions, flags)
            tree.over = over
        tree._ids = ids
        return tree

    @classmethod
    def _headed(
        cls, rows: Nodes, functions: Nodes, flags: Flags, ids: Calls | None, over: bool, head: int
    ) -> Tree:
        """Build a tree of rows of which one comes first."""
        order = np.concatenate([[head], np.delete(np.arange(len(rows)), head)]).astype(np.int32)
        place = np.empty_like(order)
        place[order] = np.arange(len(rows), dtype=np.int32)
        callers = rows[order]
        moved = np.where(callers >= 0, place[callers], NOBODY)
        tree = cls.from_parents(moved, functions[order], flags[order], over=over)
        tree._node_of_row = place if tree._node_of_row is None else tree._node_of_row[place]
        tree._ids = ids
        return tree

    @classmethod
    def _permuted(
        cls, rows: Nodes, position: Nodes, end: Nodes, functions: Nodes, flags: Flags
    ) -> Tree:
        row_of_node = np.empty_like(position)
        row_of_node[position] = np.arange(len(rows), dtype=np.int32)
        callers = rows[row_of_node]
        parent = np.where(callers >= 0, position[callers], NOBODY).astype(np.int32)
        tree = cls(parent, end, functions[row_of_node], flags[row_of_node])
        tree._node_of_row = position
        return tree

    def __len__(self) -> int:
        return len(self.parent)

    @cached_property
    def judgeable(self) -> Flags:
        """Which calls can be judged: those that completed and, once the run has ended, all.

        A call that was still running then is judged by its state when the run stopped.
        """
        return np.ones_like(self.completed) if self.over else self.completed

    def pretrust(self, rows: Flags) -> None:
        """Trust these calls from the start; they are in the order of the rows."""
        if rows.any():
            self.pretrusted = rows if self.rows is None else rows[self.rows]

    def is_pretrusted(self, node: int) -> bool:
        """Return whether a call is trusted from the start."""
        return self.pretrusted is not None and bool(self.pretrusted[node])

    # -- numbers of calls --------------------------------------------------------------------------

    @cached_property
    def rows(self) -> Nodes | None:
        """The row that each node was built from; None if it is the node itself."""
        if self._node_of_row is None:
            return None
        rows = np.empty_like(self._node_of_row)
        rows[self._node_of_row] = np.arange(len(rows), dtype=np.int32)
        return rows

    def row(self, node: int) -> int:
        """Return the row that a node was built from."""
        return node if self.rows is None else int(self.rows[node])

    def nodes_of_rows(self, rows: npt.NDArray[np.int32]) -> Nodes:
        """Return the nodes that were built from these rows."""
        return rows if self._node_of_row is None else self._node_of_row[rows]

    def call(self, node: int) -> int:
        """Return the external number of a call."""
        self.check(node)
        row = self.row(node)
        return row if self._ids is None else int(self._ids[row])

    def calls(self) -> npt.NDArray[np.int64]:
        """Return the external numbers of the calls, in the order of the nodes."""
        rows = np.arange(len(self)) if self.rows is None else self.rows
        return rows.astype(np.int64) if self._ids is None else self._ids[rows]

    def node(self, call: int) -> int:
        """Return the node of a call."""
        row = call
        if self._ids is not None:
            row = int(np.searchsorted(self._ids, call))
            if row == len(self._ids) or self._ids[row] != call:
                raise TreeError(f"there is no call {call}")
        if not 0 <= row < len(self):
            raise TreeError(f"there is no call {call}: the tree has {len(self):,} calls")
        return row if self._node_of_row is None else int(self._node_of_row[row])

    def check(self, node: int) -> None:
        """Raise an error if there is no such node."""
        if not 0 <= node < len(self):
            raise TreeError(f"there is no node {node}: the tree has {len(self):,} calls")

    def members(self, node: int) -> list[int]:
        """Return the nodes of the calls that a node stands for: itself."""
        return [node]

    def is_group(self, node: int) -> bool:
        """Return whether a node stands for several calls."""
        return self.kind is not None and bool(self.kind[node])

    def is_projected(self, node: int) -> bool:
        """Return whether a node is a group that cannot be the bug itself."""
        return self.kind is not None and self.kind[node] in (PROJECTED, LISTED)

    def is_listed(self, node: int) -> bool:
        """Return whether a node is a group whose members are judged one by one."""
        return self.kind is not None and int(self.kind[node]) == LISTED

    def is_collapsed(self, node: int) -> bool:
        """Return whether a node is a group whose members are hidden."""
        return self.kind is not None and self.kind[node] == COLLAPSED

    # -- relatives ---------------------------------------------------------------------------------

    def children(self, node: int = NOBODY) -> Iterator[int]:
        """Iterate over the calls that a call made, in order; for `NOBODY`, those without a caller."""
        child, last = (0, len(self)) if node == NOBODY else (node + 1, int(self.end[node]))
        while child < last:
            yield child
            child = int(self.end[child])

    def made_by(self, node: int) -> Nodes:
        """Return the calls that a call made, in order, whatever groups they are in; millions of them in no time."""
        below = self.parent[node + 1 : int(self.end[node])]
        return (np.flatnonzero(below == node) + (node + 1)).astype(np.int32)

    def ancestors(self, node: int) -> Iterator[int]:
        """Iterate over the callers of a call, the nearest first."""
        while (node := int(self.parent[node])) != NOBODY:
            yield node

    def contains(self, ancestor: int, node: int) -> bool:
        """Return whether a call made another one, directly or not; it contains itself."""
        return ancestor == NOBODY or ancestor <= node < int(self.end[ancestor])

    def on_way(self, root: int, node: int, among: Iterable[int]) -> list[int]:
        """Return which of some calls are the call itself, or above it up to a root, whatever the depth."""
        above = (each for each in among if self.contains(each, node))
        return [each for each in above if each == node or self.contains(root, each)]

    @cached_property
    def function_count(self) -> int:
        """One more than the largest function number."""
        return int(self.function.max(initial=0)) + 1

    def pruned(self, nodes: npt.ArrayLike, parent: npt.ArrayLike) -> Tree:
        """Return a tree of only these nodes (in preorder) with these parents: see `Compact`."""
        kept = np.asarray(nodes)
        columns = (parent, self.function[kept], self.completed[kept])
        tree = Tree.from_parents(*columns, over=self.over)
        tree._ids = np.array([self.call(int(node)) for node in kept], dtype=np.int64)
        return tree


def _column(values: npt.ArrayLike | None, default: Any, dtype: Any, length: int) -> Any:
    if values is None:
        return np.full(length, default, dtype=dtype)
    column = np.ascontiguousarray(values, dtype=dtype)
    if len(column) != length:
        raise TreeError(f"columns of {length} and {len(column)} rows do not make a tree")
    return column
