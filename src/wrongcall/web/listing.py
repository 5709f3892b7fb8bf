"""The rows of the tree that the page shows, as plain data for JSON (docs/reference/api.md)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from wrongcall.errors import UsageError
from wrongcall.tree.tree import NOBODY
from wrongcall.web.glance import Glance
from wrongcall.web.rows import AllBut, Flat, Opened, Outline
from wrongcall.web.shading import SHADES

MOST_ROWS = 400


@dataclass(frozen=True)
class Wanted:
    """Which rows are asked for."""

    open: tuple[str, ...] | None
    """The nodes that are open; None: all but those that are closed."""
    closed: tuple[str, ...] = ()
    function: str = ""
    """Only calls of functions whose names contain this."""
    shade: str = ""
    value: str = ""
    """Only calls whose arguments or outcome contain this, as they are shown; see `seeking`."""

    def stays(self, glance: Glance) -> object:
        """Return what makes an answer out of date when it changes: the tree, or all that is known."""
        return glance.version if self.shade else glance.tree


@dataclass(frozen=True)
class Window:
    """Which of the rows are asked for."""

    first: int
    count: int
    find: str = ""
    """A node whose row is asked for, by its key."""

    def of(self, glance: Glance, outline: Outline) -> dict[str, Any]:
        """Return these rows of an outline."""
        nodes = outline.window(self.first, self.first + min(self.count, MOST_ROWS))
        return {
            "version": glance.version,
            "count": outline.count,
            "first": self.first,
            "found": outline.position(glance.node(self.find)) if self.find else -1,
            "looked": outline.count,
            "candidates": outline.count,
            "rows": [row_data(glance, node) for node in nodes],
        }


class Listing:
    """Finds rows; what was found last is kept, because scrolling asks for the same again."""

    def __init__(self) -> None:
        self._kept: tuple[object, Wanted, Outline] | None = None

    def data(self, glance: Glance, wanted: Wanted, window: Window) -> dict[str, Any]:
        """Return some rows, and at which row a node is."""
        of = wanted.stays(glance)
        if self._kept is None or self._kept[0] != of or self._kept[1] != wanted:
            self._kept = (of, wanted, _outline(glance, wanted))
        return window.of(glance, self._kept[2])


def _outline(glance: Glance, wanted: Wanted) -> Outline:
    if wanted.function or wanted.shade:
        return Flat(candidates(glance, wanted))
    if wanted.open is None:
        return AllBut(glance.tree, map(glance.node, wanted.closed))
    return Opened(glance.tree, map(glance.node, wanted.open))


def candidates(glance: Glance, wanted: Wanted) -> npt.NDArray[np.intp]:
    """Return the calls that are wanted by what is known of them without reading them."""
    tree = glance.tree
    keep = np.ones(len(tree), dtype=np.bool_)
    if tree.kind is not None:
        keep &= tree.kind == 0
    if wanted.function:
        low = wanted.function.lower()
        chosen = [number for number, name in glance.names.items() if low in name.lower()]
        keep &= np.isin(tree.function, chosen)
    if wanted.shade:
        if wanted.shade not in SHADES:
            raise UsageError(f"there is no {wanted.shade!r}; there are {', '.join(SHADES)}")
        of_shade = np.zeros(len(tree), dtype=np.bool_)
        of_shade[glance.shading.nodes(wanted.shade)] = True
        keep &= of_shade
    return np.flatnonzero(keep)


def row_data(glance: Glance, node: int) -> dict[str, Any]:
    """Return a row of the tree; what a call was given is asked for apart."""
    tree, shading = glance.tree, glance.shading
    end, parent = int(tree.end[node]), int(tree.parent[node])
    return {
        "key": glance.key(node),
        "node": node,
        "end": end,
        "depth": int(shading.depth[node]),
        "kind": _kind(glance, node),
        "function": glance.function(node),
        "shade": shading.shade(node),
        "suspects": round(shading.share(node, end) * (end - node)),
        "parent": glance.key(parent) if parent != NOBODY else "",
    }


def _kind(glance: Glance, node: int) -> str:
    if glance.tree.is_collapsed(node):
        return "collapsed"
    return "projected" if glance.tree.is_projected(node) else "call"


def path_data(glance: Glance, key: str) -> dict[str, Any]:
    """Return the nodes above a node, the outermost first."""
    above = list(glance.tree.ancestors(glance.node(key)))
    return {"key": key, "above": [glance.key(node) for node in reversed(above)]}
