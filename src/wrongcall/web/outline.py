"""The visible rows of a tree of any size.

A tree is shown as rows, some of which are *open*: their children follow them. The page holds a few
dozen rows. They are computed here, on columns, without visiting the others.

Vocabulary: an *outline* says which nodes are visible and in which order. `Opened`: only the nodes named
are open; `AllBut`: all but the nodes named are; `Without`: some nodes are left
out; `Flat`: these nodes and nothing below them.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from wrongcall.tree.tree import NOBODY, Nodes, Tree

_MAX_WALK = 2000
"""Find this many children one by one; the rest in one pass over everything below."""


class Outline(Protocol):
    """Visible nodes in order."""

    count: int

    def window(self, first: int, last: int) -> list[int]:
        """Return the nodes of the rows from first up to, not including, last."""

    def position(self, node: int) -> int:
        """Return the row of a node, -1 if it is not visible."""


class _Run(NamedTuple):
    """Siblings that follow each other without anything open in between (but the last)."""

    row: int
    nodes: Nodes


class Opened:
    """Only these nodes are open."""

    def __init__(self, tree: Tree, opened: Iterable[int]) -> None:
        below: dict[int, list[int]] = {}
        for node in sorted(set(opened)):
            below.setdefault(int(tree.parent[node]), []).append(node)
        self._tree = tree
        self._runs: list[_Run] = []
        self.count = 0
        # What is left to show; the next one is last.
        left = [(children_of(tree, NOBODY), below.get(NOBODY, []))]
        while left:
            nodes, open_ = left.pop()
            if not open_:
                self._append(nodes)
                continue
            cut = int(np.searchsorted(nodes, open_[0])) + 1
            self._append(nodes[:cut])
            left.append((nodes[cut:], open_[1:]))
            left.append((children_of(tree, open_[0]), below.get(open_[0], [])))
        self._starts = [run.row for run in self._runs]

    def _append(self, nodes: Nodes) -> None:
        if len(nodes):
            self._runs.append(_Run(self.count, nodes))
            self.count += len(nodes)

    def window(self, first: int, last: int) -> list[int]:
        """Return the nodes of some rows."""
        found: list[int] = []
        at = max(bisect_right(self._starts, first) - 1, 0)
        for run in self._runs[at:]:
            if run.row >= last:
                break
            found += run.nodes[max(first - run.row, 0) : last - run.row].tolist()
        return found

    def position(self, node: int) -> int:
        """Return the row of a node."""
        for run in self._runs:
            if run.nodes[0] <= node <= run.nodes[-1]:
                at = int(np.searchsorted(run.nodes, node))
                if run.nodes[at] == node:
                    return run.row + at
        return -1


def children_of(tree: Tree, node: int) -> Nodes:
    """Return the children of a node, in order."""
    child, end = (0, len(tree)) if node == NOBODY else (node + 1, int(tree.end[node]))
    found: list[int] = []
    while child < end and len(found) < _MAX_WALK:
        found.append(child)
        child = int(tree.end[child])
    walked = np.array(found, dtype=np.int32)
    if child >= end:
        return walked
    rest = np.flatnonzero(tree.parent[child:end] == node).astype(np.int32) + child
    return np.concatenate([walked, rest]).astype(np.int32)


class AllBut:
    """All nodes are open but these."""

    def __init__(self, tree: Tree, closed: Iterable[int]) -> None:
        first, end = [], []
        reached = 0
        for node in sorted(set(closed)):
            if node >= reached:
                reached = int(tree.end[node])
                first.append(node + 1)
                end.append(reached)
        self._first = np.array(first, dtype=np.int64)
        self._end = np.array(end, dtype=np.int64)
        self._hidden = np.concatenate([[0], np.cumsum(self._end - self._first)]).astype(np.int64)
        self._row = self._first - self._hidden[:-1]
        self.count = len(tree) - int(self._hidden[-1])

    def window(self, first: int, last: int) -> list[int]:
        """Return the nodes of some rows."""
        rows = np.arange(first, min(last, self.count), dtype=np.int64)
        nodes: list[int] = (
            rows + self._hidden[np.searchsorted(self._row, rows, side="right")]
        ).tolist()
        return nodes

    def position(self, node: int) -> int:
        """Return the row of a node."""
        before = int(np.searchsorted(self._first, node, side="right"))
        if before and node < self._end[before - 1]:
            return -1
        return node - int(self._hidden[before])


class Without:
    """Another outline without some of its nodes; everything below them is left out, too."""

    def __init__(self, outline: Outline, nodes: Iterable[int]) -> None:
        """``nodes`` contains all nodes below its nodes."""
        self._outline = outline
        self._nodes = frozenset(nodes)
        rows = sorted(row for node in self._nodes if (row := outline.position(node)) >= 0)
        self._rows = np.array(rows, dtype=np.int64)
        # How many rows of this outline are before each row that is left out.
        self._before = self._rows - np.arange(len(rows))
        self.count = outline.count - len(rows)

    def window(self, first: int, last: int) -> list[int]:
        """Return the nodes of some rows."""
        wanted = np.arange(first, min(last, self.count), dtype=np.int64)
        if not len(wanted):
            return []
        rows = wanted + np.searchsorted(self._before, wanted, side="right")
        found = self._outline.window(int(rows[0]), int(rows[-1]) + 1)
        return [node for node in found if node not in self._nodes]

    def position(self, node: int) -> int:
        """Return the row of a node."""
        row = self._outline.position(node)
        if row < 0 or node in self._nodes:
            return -1
        return row - int(np.searchsorted(self._rows, row))


class Flat:
    """These nodes, in order."""

    def __init__(self, nodes: npt.NDArray[np.intp]) -> None:
        self._nodes = nodes
        self.count = len(nodes)

    def window(self, first: int, last: int) -> list[int]:
        """Return the nodes of some rows."""
        found: list[int] = self._nodes[first:last].tolist()
        return found

    def position(self, node: int) -> int:
        """Return the row of a node."""
        at = int(np.searchsorted(self._nodes, node))
        return at if at < self.count and self._nodes[at] == node else -1
