"""The rows of the tree that the page shows (docs/reference/api.md)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from wrongcall.tree.tree import NOBODY, Tree
from wrongcall.web.contract import Path, Row, Rows
from wrongcall.web.node_status import NodeStatus, callers_above, levels
from wrongcall.web.outline import AllBut, Flat, Opened, Outline, Without
from wrongcall.web.shown_tree import InWholeTree, shown_tree
from wrongcall.web.tree_snapshot import TreeSnapshot

MAX_ROWS = 400
"""The most rows in one answer."""

RowKind = Literal["call", "collapsed", "projected"]


@dataclass(frozen=True)
class Wanted:
    """Which rows are asked for."""

    open: tuple[str, ...] | None
    """The nodes that are open; None: all but those that are closed."""
    closed: tuple[str, ...] = ()
    function: str = ""
    """Only calls of functions whose names contain this."""
    status: NodeStatus | None = None
    value: str = ""
    """Only calls whose arguments or outcome contain this, as they are shown; see `value_search`."""

    bodies: bool = True
    """With the bodies of classes and modules in which nothing is suspect."""

    def stays(self, snapshot: TreeSnapshot) -> object:
        """Return what an answer depends on: the tree, or everything that is known about it."""
        return snapshot.version if self.status or not self.bodies else snapshot.tree


@dataclass(frozen=True)
class Window:
    """Which of the rows are asked for."""

    first: int
    count: int
    find: str = ""
    """A node whose row is asked for, by its key."""

    def of(self, snapshot: TreeSnapshot, outline: Outline) -> Rows:
        """Return these rows of an outline."""
        nodes = outline.window(self.first, self.first + min(self.count, MAX_ROWS))
        return {
            "version": snapshot.version,
            "count": outline.count,
            "first": self.first,
            "found": outline.position(snapshot.node(self.find)) if self.find else -1,
            "looked": outline.count,
            "candidates": outline.count,
            "bodies": 0,
            "rows": [row_data(snapshot, node) for node in nodes],
        }


class TreeRows:
    """Find rows. The last outline is kept: scrolling asks for the same one again."""

    def __init__(self) -> None:
        self._kept: tuple[object, Wanted, Outline] | None = None
        self._bodies = 0

    def data(self, snapshot: TreeSnapshot, wanted: Wanted, window: Window) -> Rows:
        """Return some rows, and the row of a node that is searched for."""
        of = wanted.stays(snapshot)
        if self._kept is None or self._kept[0] != of or self._kept[1] != wanted:
            self._kept = (of, wanted, _outline(snapshot, wanted))
            self._bodies = len(snapshot.quiet_bodies)
        return {**window.of(snapshot, self._kept[2]), "bodies": self._bodies}


def prepare_rows(tree: Tree) -> None:
    """Compute what rows of a tree need, whatever is known about its nodes; in a large tree, that takes a while."""
    shown_tree(tree)
    callers_above(tree)
    levels(tree)


def _outline(snapshot: TreeSnapshot, wanted: Wanted) -> Outline:
    if wanted.function or wanted.status:
        return Flat(candidates(snapshot, wanted))
    outline = _open_outline(snapshot, wanted)
    folded = snapshot.folding(wanted.bodies).nodes
    return Without(outline, folded.tolist()) if len(folded) else outline


def _open_outline(snapshot: TreeSnapshot, wanted: Wanted) -> Outline:
    shown = shown_tree(snapshot.tree)
    nodes = map(snapshot.node, wanted.closed if wanted.open is None else wanted.open)
    numbers = [shown.number(node) for node in nodes if shown.has(node)]
    chosen = AllBut if wanted.open is None else Opened
    return InWholeTree(shown, chosen(shown.tree, numbers))


def candidates(snapshot: TreeSnapshot, wanted: Wanted) -> npt.NDArray[np.intp]:
    """Return the calls that match everything but the value, which would have to be read."""
    tree = snapshot.tree
    keep = np.ones(len(tree), dtype=np.bool_)
    if tree.kind is not None:
        keep &= tree.kind == 0
    if wanted.function:
        low = wanted.function.lower()
        chosen = [number for number, name in snapshot.names.items() if low in name.lower()]
        keep &= np.isin(tree.function, chosen)
    if wanted.status:
        of_status = np.zeros(len(tree), dtype=np.bool_)
        of_status[snapshot.statuses.nodes(wanted.status)] = True
        keep &= of_status
    return np.flatnonzero(keep)


def row_data(snapshot: TreeSnapshot, node: int) -> Row:
    """Return a row of the tree; the title of its call is requested separately."""
    tree, statuses = snapshot.tree, snapshot.statuses
    end, parent = int(tree.end[node]), shown_tree(tree).parent(node)
    return {
        "key": snapshot.key(node),
        "node": node,
        "end": end,
        "depth": int(statuses.callers_above[node]),
        "level": int(statuses.level[node]),
        "kind": _kind(snapshot, node),
        "function": _function(snapshot, node),
        "status": statuses.status(node),
        "suspects": round(statuses.share(node, end) * (end - node)),
        "parent": snapshot.key(parent) if parent != NOBODY else "",
        "grouped": parent != NOBODY and tree.is_group(parent),
    }


def _function(snapshot: TreeSnapshot, node: int) -> str:
    """Return the function of a call, or of all calls of a group; empty: they are calls of several."""
    several = snapshot.tree.several
    return "" if several is not None and several[node] else snapshot.function(node)


def _kind(snapshot: TreeSnapshot, node: int) -> RowKind:
    if snapshot.tree.is_collapsed(node):
        return "collapsed"
    return "projected" if snapshot.tree.is_projected(node) else "call"


def path_data(snapshot: TreeSnapshot, key: str) -> Path:
    """Return the nodes above a node, the outermost first."""
    node, shown = snapshot.node(key), shown_tree(snapshot.tree)
    above = [each for each in snapshot.tree.ancestors(node) if shown.has(each)]
    return {
        "key": key,
        "row": snapshot.key(shown.node(shown.number(node))),
        "above": [snapshot.key(node) for node in reversed(above)],
        "functions": [
            "" if snapshot.tree.is_group(node) else snapshot.function(node)
            for node in reversed(above)
        ],
    }
