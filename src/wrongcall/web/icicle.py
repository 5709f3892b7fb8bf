"""The whole run as a picture: widths show how many calls a call made or how long it took, levels how deep it is.

Only what is at least a pixel wide is drawn as a call of its own, so a picture is never larger than the
screen. What is narrower is drawn together, as *dust*: a stretch of calls and how much of it is suspect.
Groups are not drawn: their calls are where they were made.

Positions are nodes if widths show numbers of calls, else times. Folded bodies of classes and modules are not drawn
(`quiet_bodies`): positions that are nodes leave them out, times stay what they were.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from wrongcall.tree.tree import NOBODY, Tree
from wrongcall.web.contract import Box, Dust, Lane, Picture, Widths
from wrongcall.web.lanes import Clock
from wrongcall.web.node_status import NodeStatuses
from wrongcall.web.quiet_bodies import Folding
from wrongcall.web.tree_snapshot import TreeSnapshot

DEEPEST = 48
"""The most levels that are drawn, in all lanes together."""

Nodes = npt.NDArray[np.int64]


@dataclass(frozen=True)
class View:
    """What is asked for."""

    width: int
    """In pixels."""
    focus: int = NOBODY
    """Only this node and what is below it."""
    part: tuple[int, int] | None = None
    """Only what is between these positions, with what is above it."""
    widths: Widths = "calls"
    search: str = ""
    """Say where the calls of functions are whose names contain this."""
    bodies: bool = True
    """With the bodies of classes and modules in which nothing is suspect."""
    mark: int = NOBODY
    """Say where this node is."""

    def folding(self, snapshot: TreeSnapshot) -> Folding:
        """Return which nodes are folded: none, if one of them is looked at."""
        found = snapshot.folding(self.bodies)
        return snapshot.folding(True) if found.has(self.focus) else found


def draw(snapshot: TreeSnapshot, view: View) -> Picture:
    """Return the picture of a run."""
    drawn = _by_time(snapshot, view) if view.widths == "time" else _by_calls(snapshot, view)
    matches = _matches(snapshot, view, drawn["first"], drawn["end"])
    return {**drawn, "matches": matches, "mark": _mark(snapshot, view)}


def picture(snapshot: TreeSnapshot, focus: int, width: int) -> Picture:
    """Return the picture of a node and of everything below it; the width is in pixels."""
    return _by_calls(snapshot, View(width, focus))


def stretch(snapshot: TreeSnapshot, first: int, end: int, width: int) -> Picture:
    """Return the picture of some nodes that follow each other, with those above them; the width is in pixels."""
    return _by_calls(snapshot, View(width, part=(first, end)))


# -- widths show numbers of calls ------------------------------------------------------------------


def _by_calls(snapshot: TreeSnapshot, view: View) -> Picture:
    statuses, tree, folding = snapshot.statuses, snapshot.tree, view.folding(snapshot)
    first, end = _nodes(tree, view, folding)
    left, right = folding.position(first), folding.position(end)
    pixel = max((right - left) / view.width, 1.0)
    above = [] if view.part is None or not len(tree) else list(tree.ancestors(first))[::-1]
    found = _wide(tree, first, end, pixel)
    if len(folding.nodes):  # which makes what is above it narrower
        found = found[folding.positions(tree.end[found]) - folding.positions(found) >= pixel]
    wide = np.array([*above, *found.tolist()], dtype=np.int64)
    top = int(statuses.callers_above[first]) if view.part is None and first < end else 0
    level = statuses.callers_above[wide] - top
    wide, level = wide[level < DEEPEST], level[level < DEEPEST]
    from_, to = folding.positions(wide).tolist(), folding.positions(tree.end[wide]).tolist()
    boxes = [
        _box(snapshot, int(v), int(d), at, until)
        for v, d, at, until in zip(wide, level, from_, to, strict=True)
        if not tree.is_group(int(v))
    ]
    tops = [] if view.focus != NOBODY and view.part is None else [(NOBODY, -1, len(tree), -1)]
    dust = [
        (max(at, left), min(until, right), d, share)
        for at, until, d, share in _dust(statuses, wide, level, tops, folding)
        if at < right and until > left
    ]
    return {
        "version": snapshot.version,
        "widths": "calls",
        "first": left,
        "end": right,
        "whole": folding.position(len(tree)),
        "boxes": boxes,
        "dust": dust,
        "lanes": [],
        "matches": [],
        "mark": NOBODY,
    }


def _nodes(tree: Tree, view: View, folding: Folding) -> tuple[int, int]:
    """Return the nodes that are drawn."""
    if view.part is None:
        return (0, len(tree)) if view.focus == NOBODY else (view.focus, int(tree.end[view.focus]))
    whole = folding.position(len(tree))
    first = min(max(view.part[0], 0), max(whole - 1, 0))
    until = min(max(view.part[1], first + 1), whole)
    return folding.node(first), folding.node(until)


@lru_cache(maxsize=4)
def _wide(tree: Tree, first: int, end: int, narrow: float) -> Nodes:
    """Return the nodes in a range that are at least this wide."""
    nodes = np.arange(first, end, dtype=np.int32)
    found: Nodes = np.flatnonzero(tree.end[first:end] - nodes >= narrow) + first
    return found


def _box(snapshot: TreeSnapshot, node: int, level: int, left: int, right: int) -> Box:
    statuses, end = snapshot.statuses, int(snapshot.tree.end[node])
    share = round(statuses.share(node, end), 3)
    status = statuses.status(node)
    return (
        node,
        end,
        level,
        status,
        share,
        snapshot.key(node),
        snapshot.function(node),
        left,
        right,
    )


def _dust(
    statuses: NodeStatuses,
    wide: Nodes,
    level: npt.NDArray[np.int32],
    tops: list[tuple[int, int, int, int]],
    folding: Folding,
) -> list[Dust]:
    """Return the stretches of children that are too narrow, of each wide node that has any."""
    tree = statuses.tree
    covered: dict[int, list[int]] = {}
    for node in wide.tolist():
        covered.setdefault(int(tree.parent[node]), []).append(node)
    found: list[Dust] = []
    owners = [
        # What is inside a group is beside it.
        (int(v), int(v), int(tree.end[v]), int(d) - tree.is_group(int(v)))
        for v, d in zip(wide, level, strict=True)
        if d + 1 < DEEPEST
    ]
    for owner, before, last, above in [*tops, *owners]:
        at = before + 1
        for node in [*covered.get(owner, []), last]:
            left, right = folding.position(at), folding.position(node)
            if right > left:  # otherwise it is all folded
                # Nothing that is folded is suspect.
                share = statuses.share(at, node) * (node - at) / (right - left)
                found.append((left, right, above + 1, round(share, 3)))
            at = int(tree.end[node]) if node < last else last
    return found


# -- widths show times -----------------------------------------------------------------------------


def _by_time(snapshot: TreeSnapshot, view: View) -> Picture:
    clock, tree = snapshot.clock, snapshot.tree
    whole = int(clock.exit.max(initial=0))
    first, end = _times(clock, view, whole)
    node, until = (
        (0, len(tree)) if view.focus == NOBODY else (view.focus, int(tree.end[view.focus]))
    )
    pixel = max((end - first) / view.width, 1.0)
    folded = view.folding(snapshot).nodes
    nodes = _visible(tree, clock, folded, (first, end), (node, until))
    top = int(snapshot.statuses.callers_above[node]) if view.focus != NOBODY and len(tree) else 0
    level, lanes = _levels(snapshot, clock, nodes, top)
    nodes, level = nodes[level < DEEPEST], level[level < DEEPEST]
    is_wide = clock.exit[nodes] - clock.entry[nodes] >= pixel
    boxes = [
        _box(snapshot, v, d, int(clock.entry[v]), int(clock.exit[v]))
        for v, d in zip(nodes[is_wide].tolist(), level[is_wide].tolist(), strict=True)
    ]
    dust = _time_dust(snapshot, clock, nodes[~is_wide], level[~is_wide], (first, end, pixel))
    return {
        "version": snapshot.version,
        "widths": "time",
        "first": first,
        "end": end,
        "whole": whole,
        "boxes": boxes,
        "dust": dust,
        "lanes": lanes,
        "matches": [],
        "mark": NOBODY,
    }


def _times(clock: Clock, view: View, whole: int) -> tuple[int, int]:
    """Return the times that are drawn."""
    if view.part is not None:
        first = min(max(view.part[0], 0), max(whole - 1, 0))
        return first, min(max(view.part[1], first + 1), max(whole, 1))
    if view.focus == NOBODY:
        return 0, whole
    return int(clock.entry[view.focus]), int(clock.exit[view.focus])


def _visible(
    tree: Tree, clock: Clock, folded: Nodes, times: tuple[int, int], nodes: tuple[int, int]
) -> Nodes:
    """Return the calls that ran between two times, of a range of nodes, without those that are folded."""
    (first, end), (node, until) = times, nodes
    ran = (clock.entry[node:until] < end) & (clock.exit[node:until] > first)
    if tree.kind is not None:
        ran &= tree.kind[node:until] == 0
    ran[folded[(folded >= node) & (folded < until)] - node] = False
    found: Nodes = np.flatnonzero(ran) + node
    return found


def _levels(
    snapshot: TreeSnapshot, clock: Clock, nodes: Nodes, top: int
) -> tuple[npt.NDArray[np.int64], list[Lane]]:
    """Return the levels of calls, with the lanes below each other; a lane has a line for its name above it."""
    above = snapshot.statuses.callers_above[nodes].astype(np.int64)
    lane = clock.lane[nodes]
    inside = above - np.maximum(clock.top[nodes], top)
    used = np.unique(lane)
    if len(used) <= 1:
        return np.maximum(inside, 0), []
    level = np.zeros(len(nodes), np.int64)
    lanes: list[Lane] = []
    reached = 0
    for number in used.tolist():
        mine = lane == number
        lanes.append({"name": clock.names[number], "level": reached + 1})
        level[mine] = np.maximum(inside[mine], 0) + reached + 1
        reached = int(level[mine].max()) + 1
    return level, lanes


def _time_dust(
    snapshot: TreeSnapshot,
    clock: Clock,
    nodes: Nodes,
    level: npt.NDArray[np.int64],
    drawn: tuple[int, int, float],
) -> list[Dust]:
    """Return the calls that are too narrow, those of a level that are in neighbouring pixels together."""
    if not len(nodes):
        return []
    first, end, pixel = drawn
    column = ((np.maximum(clock.entry[nodes], first) - first) / pixel).astype(np.int64)
    # A call that is not the first of its pixel is not seen.
    cell = level * (1 << 20) + column
    cells, which = np.unique(cell, return_inverse=True)
    suspects = np.bincount(which, weights=snapshot.statuses.suspect[nodes], minlength=len(cells))
    counts = np.bincount(which, minlength=len(cells))
    found: list[Dust] = []
    starts = np.flatnonzero(np.diff(cells, prepend=-2) != 1)
    for start, stop in zip(starts, [*starts[1:], len(cells)], strict=True):
        at, to = int(cells[start]), int(cells[stop - 1]) + 1
        depth = at >> 20
        left = first + round((at - (depth << 20)) * pixel)
        right = min(first + round((to - (depth << 20)) * pixel), end)
        share = float(suspects[start:stop].sum() / counts[start:stop].sum())
        found.append((left, max(right, left + 1), depth, round(share, 3)))
    return found


def _matches(snapshot: TreeSnapshot, view: View, first: int, end: int) -> list[int]:
    """Return where the calls of functions with a text in their names are."""
    if not view.search or end <= first:
        return []
    low, tree = view.search.lower(), snapshot.tree
    chosen = [number for number, name in snapshot.names.items() if low in name.lower()]
    is_match = np.isin(tree.function, chosen)
    if tree.kind is not None:
        is_match &= tree.kind == 0
    folded = view.folding(snapshot).nodes
    if view.widths == "time":
        is_match[folded] = False
        at = snapshot.clock.entry[is_match]
    else:
        # Among the nodes that are not folded, each is at its position.
        at = np.flatnonzero(np.delete(is_match, folded) if len(folded) else is_match)
    at = at[(at >= first) & (at < end)]
    pixel = max((end - first) / view.width, 1.0)
    columns = np.unique(((at - first) / pixel).astype(np.int64))
    found: list[int] = np.minimum((first + columns * pixel).astype(np.int64), end - 1).tolist()
    return found


def _mark(snapshot: TreeSnapshot, view: View) -> int:
    """Return the position of the node that is asked for."""
    if not 0 <= view.mark < len(snapshot.tree):
        return NOBODY
    if view.widths == "time":
        return int(snapshot.clock.entry[view.mark])
    return view.folding(snapshot).position(view.mark)
