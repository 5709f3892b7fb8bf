"""The rows of the tree that the page shows, as plain data for JSON (docs/api.md)."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from wrongcall.errors import UsageError
from wrongcall.present.text import safe
from wrongcall.tree.tree import NOBODY
from wrongcall.web.calls import line_data
from wrongcall.web.desk import Desk
from wrongcall.web.rows import AllBut, Flat, Opened, Outline
from wrongcall.web.shading import SHADES
from wrongcall.web.steps import key_node, node_key

MOST_ROWS = 400
PATIENCE = 0.7
"""Seconds that a search for values may take; it says how far it got."""


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
    """Only calls whose arguments or outcome contain this, as they are shown."""

    @property
    def is_filter(self) -> bool:
        """Tell whether calls are looked for, instead of the tree shown."""
        return bool(self.function or self.shade or self.value)


@dataclass(frozen=True)
class _Found:
    outline: Outline
    looked: int
    """How many calls a search looked at."""
    candidates: int


class Listing:
    """Finds rows; what was found last is kept, because scrolling asks for the same again."""

    def __init__(self) -> None:
        self._kept: tuple[object, Wanted, _Found] | None = None

    def data(self, desk: Desk, wanted: Wanted, first: int, count: int, find: str) -> dict[str, Any]:
        """Return some rows, and at which row a node is."""
        found = self._find(desk, wanted)
        nodes = found.outline.window(first, first + min(count, MOST_ROWS))
        where = found.outline.position(key_node(desk, find)) if find else -1
        return {
            "version": desk.version,
            "count": found.outline.count,
            "first": first,
            "found": where,
            "looked": found.looked,
            "candidates": found.candidates,
            "rows": [row_data(desk, node) for node in nodes],
        }

    def _find(self, desk: Desk, wanted: Wanted) -> _Found:
        # Shades change with every version, what is open only with the tree.
        of = desk.version if wanted.is_filter else desk.session.tree
        if self._kept is None or self._kept[:2] != (of, wanted):
            found = _matches(desk, wanted) if wanted.is_filter else _outline(desk, wanted)
            self._kept = (of, wanted, found)
        return self._kept[2]


def _outline(desk: Desk, wanted: Wanted) -> _Found:
    tree = desk.session.tree
    if wanted.open is None:
        closed = (key_node(desk, key) for key in wanted.closed)
        return _Found(AllBut(tree, closed), 0, 0)
    return _Found(Opened(tree, (key_node(desk, key) for key in wanted.open)), 0, 0)


def _matches(desk: Desk, wanted: Wanted) -> _Found:
    tree, trace = desk.session.tree, desk.trace
    keep = np.ones(len(tree), dtype=np.bool_)
    if tree.kind is not None:
        keep &= tree.kind == 0
    if wanted.function:
        low = wanted.function.lower()
        chosen = [n for n, f in trace.functions.items() if low in f.qualname.lower()]
        keep &= np.isin(tree.function, chosen)
    if wanted.shade:
        if wanted.shade not in SHADES:
            raise UsageError(f"there is no {wanted.shade!r}; there are {', '.join(SHADES)}")
        of_shade = np.zeros(len(tree), dtype=np.bool_)
        of_shade[desk.shading.nodes(wanted.shade)] = True
        keep &= of_shade
    nodes = np.flatnonzero(keep)
    if not wanted.value:
        return _Found(Flat(nodes), len(nodes), len(nodes))
    return _with_value(desk, nodes, wanted.value)


def _with_value(desk: Desk, nodes: npt.NDArray[np.intp], text: str) -> _Found:
    found, looked = [], 0
    until = time.monotonic() + PATIENCE
    for node in nodes.tolist():
        line = line_data(desk.trace, desk.session.tree.call(node))
        looked += 1
        if text in line["title"] or text in line["outcome"]:
            found.append(node)
        if time.monotonic() > until:
            break
    return _Found(Flat(np.array(found, dtype=np.intp)), looked, len(nodes))


def row_data(desk: Desk, node: int) -> dict[str, Any]:
    """Return a row of the tree; what a call was given is asked for apart."""
    tree, shading = desk.session.tree, desk.shading
    key = node_key(desk, node)
    end = int(tree.end[node])
    return {
        "key": key,
        "node": node,
        "end": end,
        "depth": int(shading.depth[node]),
        "kind": _kind(desk, node),
        "function": safe(desk.trace.functions[int(tree.function[node])].qualname),
        "shade": shading.shade(node),
        "suspects": round(shading.share(node, end) * (end - node)),
        "parent": node_key(desk, int(tree.parent[node])) if tree.parent[node] != NOBODY else "",
    }


def _kind(desk: Desk, node: int) -> str:
    tree = desk.session.tree
    if tree.is_collapsed(node):
        return "collapsed"
    return "projected" if tree.is_projected(node) else "call"


def path_data(desk: Desk, key: str) -> dict[str, Any]:
    """Return the nodes above a node, the outermost first."""
    above = list(desk.session.tree.ancestors(key_node(desk, key)))
    return {"key": key, "above": [node_key(desk, node) for node in reversed(above)]}
