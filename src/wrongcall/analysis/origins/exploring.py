"""Explore an origin, the most telling nodes first.

The *slice* of a value is everything that it depended on. It is explored in the order of *distance*: an operand is near,
a condition is farther, and so on down the tree. A node that was reached in several ways counts where it is nearest.

A loop makes many nodes at one line, all of them near. Nodes are *alike* if the same happened at the same line. The more
of its kind came before it, the longer a node waits, so that other lines have their turn; what is below it is no farther
for that. The nodes that are alike can be shown as one, see `Explored.like`.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass

from wrongcall.analysis.origins.model import NodeKind, Opened, OriginNode, Role

_DISTANCES = {
    Role.ASKED: 0.0,
    Role.OPERAND: 1.0,
    Role.ELEMENT: 1.0,
    Role.KEY: 1.5,
    Role.CONDITION: 1.5,
    Role.KEPT: 2.0,
    Role.CONTAINER: 3.0,
}
_CALLED = 3.0
"""The distance of the call around everything: it says little."""
REPEATED = 0.5
"""How much farther a node counts for each earlier one that is like it."""


@dataclass(frozen=True)
class Explored:
    """A node of the slice."""

    node: OriginNode
    parent: int
    """The number of the node that it was reached from; -1 for the first."""
    depth: int
    like: int
    """The number of the first node that is like it; its own number if it is the first."""


def distance(node: OriginNode) -> float:
    """Return how far a node is from the one that it was reached from."""
    return _CALLED if node.kind is NodeKind.CALLED else _DISTANCES[node.role]


def explore(
    root: OriginNode,
    open_node: Callable[[OriginNode], Opened],
    depth: int | None = None,
    alike: Callable[[OriginNode], Hashable] = lambda node: node.key,
) -> Iterator[Explored]:
    """Iterate over the slice of a value, the nearest nodes first; what lies deeper than ``depth`` is left out.

    A node is opened when the next one is asked for. ``alike``: returns what nodes that are alike have in common.
    """
    waiting: list[tuple[float, int, float, int, OriginNode]] = [(0.0, 0, 0.0, -1, root)]
    found: list[int] = []  # the depths
    seen: set[object] = set()
    first: dict[Hashable, int] = {}
    repeated: dict[Hashable, int] = {}
    count = 1
    while waiting:
        far, order, near, parent, node = heapq.heappop(waiting)
        if node.key in seen:
            continue
        what = alike(node)
        # More of its kind may have come since it was put there.
        now = near + REPEATED * repeated.get(what, 0)
        if now > far:
            heapq.heappush(waiting, (now, order, near, parent, node))
            continue
        seen.add(node.key)
        number = len(found)
        repeated[what] = repeated.get(what, 0) + 1
        found.append(0 if parent < 0 else found[parent] + 1)
        yield Explored(node, parent, found[number], first.setdefault(what, number))
        if depth is not None and found[number] >= depth:
            continue
        for child in open_node(node).all:
            if child.key not in seen:
                at = near + distance(child)
                heapq.heappush(waiting, (at, count, at, number, child))
                count += 1
