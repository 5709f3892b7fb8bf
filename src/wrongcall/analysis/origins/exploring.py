"""Explore an origin, the most telling nodes first.

The *slice* of a value is everything that it depended on. It is explored in the order of *distance*: an operand is near,
a condition is farther, and so on down the tree. A node that was reached in several ways counts where it is nearest.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator
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
_CALLED = 2.0
"""The distance of the call around everything: it says little."""


@dataclass(frozen=True)
class Explored:
    """A node of the slice."""

    node: OriginNode
    parent: int
    """The number of the node that it was reached from; -1 for the first."""
    depth: int


def distance(node: OriginNode) -> float:
    """Return how far a node is from the one that it was reached from."""
    return _CALLED if node.kind is NodeKind.CALLED else _DISTANCES[node.role]


def explore(
    root: OriginNode, open_node: Callable[[OriginNode], Opened], depth: int | None = None
) -> Iterator[Explored]:
    """Iterate over the slice of a value, the nearest nodes first; what lies deeper than ``depth`` is left out.

    A node is opened when the next one is asked for.
    """
    waiting: list[tuple[float, int, int, OriginNode]] = [(0.0, 0, -1, root)]
    depths: list[int] = []
    seen: set[object] = set()
    count = 1
    while waiting:
        far, _, parent, node = heapq.heappop(waiting)
        if node.key in seen:
            continue
        seen.add(node.key)
        number = len(depths)
        depths.append(0 if parent < 0 else depths[parent] + 1)
        yield Explored(node, parent, depths[number])
        if depth is not None and depths[number] >= depth:
            continue
        for child in open_node(node).all:
            if child.key not in seen:
                heapq.heappush(waiting, (far + distance(child), count, number, child))
                count += 1
