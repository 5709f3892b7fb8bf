"""The whole run as a picture: the width of a node shows how many calls it made, its level how deep it is.

Only what is at least a pixel wide is drawn as a node of its own, so a picture is never larger than the
screen. What is narrower is drawn together, as *dust*: a stretch of nodes and how much of it is suspect.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import numpy.typing as npt

from wrongcall.tree.tree import NOBODY, Tree
from wrongcall.web.contract import Box, Dust, Picture
from wrongcall.web.node_status import NodeStatuses
from wrongcall.web.tree_snapshot import TreeSnapshot

DEEPEST = 48
"""The most levels that are drawn."""


def picture(snapshot: TreeSnapshot, focus: int, width: int) -> Picture:
    """Return the picture of a node and of everything below it; the width is in pixels."""
    statuses, tree = snapshot.statuses, snapshot.tree
    first, end = (0, len(tree)) if focus == NOBODY else (focus, int(tree.end[focus]))
    wide = _wide(tree, first, end, max((end - first) / width, 1.0))
    top = int(statuses.depth[first]) if first < end else 0
    depth = statuses.depth[wide] - top
    wide, depth = wide[depth < DEEPEST], depth[depth < DEEPEST]
    boxes = [_box(snapshot, int(v), int(d)) for v, d in zip(wide, depth, strict=True)]
    dust = _dust(statuses, wide, depth, [] if focus != NOBODY else [(NOBODY, -1, end, -1)])
    return {"version": snapshot.version, "first": first, "end": end, "boxes": boxes, "dust": dust}


def stretch(snapshot: TreeSnapshot, first: int, end: int, width: int) -> Picture:
    """Return the picture of some nodes that follow each other, with those above them; the width is in pixels."""
    statuses, tree = snapshot.statuses, snapshot.tree
    first = min(max(first, 0), max(len(tree) - 1, 0))
    end = min(max(end, first + 1), len(tree))
    above = [] if not len(tree) else list(tree.ancestors(first))[::-1]
    wide = np.array(
        [*above, *_wide(tree, first, end, max((end - first) / width, 1.0)).tolist()],
        dtype=np.int64,
    )
    depth = statuses.depth[wide]
    wide, depth = wide[depth < DEEPEST], depth[depth < DEEPEST]
    boxes = [_box(snapshot, int(v), int(d)) for v, d in zip(wide, depth, strict=True)]
    dust = [
        (max(a, first), min(b, end), d, share)
        for a, b, d, share in _dust(statuses, wide, depth, [(NOBODY, -1, len(tree), -1)])
        if a < end and b > first
    ]
    return {"version": snapshot.version, "first": first, "end": end, "boxes": boxes, "dust": dust}


@lru_cache(maxsize=4)
def _wide(tree: Tree, first: int, end: int, narrow: float) -> npt.NDArray[np.int64]:
    """Return the nodes in a range that are at least this wide."""
    nodes = np.arange(first, end, dtype=np.int32)
    found: npt.NDArray[np.int64] = np.flatnonzero(tree.end[first:end] - nodes >= narrow) + first
    return found


def _box(snapshot: TreeSnapshot, node: int, depth: int) -> Box:
    statuses, end = snapshot.statuses, int(snapshot.tree.end[node])
    share = round(statuses.share(node, end), 3)
    return (
        node,
        end,
        depth,
        statuses.status(node),
        share,
        snapshot.key(node),
        snapshot.function(node),
    )


def _dust(
    statuses: NodeStatuses,
    wide: npt.NDArray[np.int64],
    depth: npt.NDArray[np.int32],
    tops: list[tuple[int, int, int, int]],
) -> list[Dust]:
    """Return the stretches of children that are too narrow, of each wide node that has any."""
    covered: dict[int, list[int]] = {}
    for node in wide.tolist():
        covered.setdefault(int(statuses.tree.parent[node]), []).append(node)
    found: list[Dust] = []
    owners = [
        (int(v), int(v), int(statuses.tree.end[v]), int(d))
        for v, d in zip(wide, depth, strict=True)
        if d + 1 < DEEPEST
    ]
    for owner, before, last, level in [*tops, *owners]:
        at = before + 1
        for node in [*covered.get(owner, []), last]:
            if node > at:
                found.append((at, node, level + 1, round(statuses.share(at, node), 3)))
            at = int(statuses.tree.end[node]) if node < last else last
    return found
