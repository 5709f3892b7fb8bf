"""The suspects as plain lists and sums, to say which question a strategy should choose."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tests.tree.shapes import below, obvious_effective
from wrongcall.tree.suspects import Suspects
from wrongcall.tree.tree import NOBODY
from wrongcall.tree.weights import UNIT


class Obvious:
    """The effective tree of a search, without any kernel."""

    def __init__(self, suspects: Suspects) -> None:
        self.root = suspects.root
        self.nodes, self.above = obvious_effective(suspects)
        self.asked = self.nodes[1:]
        """The nodes that can be asked about."""
        self.inside = below(self.nodes, self.above)
        """For each node, those of its subtree."""
        every = range(len(suspects.tree))
        self.own = {node: suspects.weights.of(node, suspects.state) for node in every}
        self.weight = {
            node: sum(self.own.get(one, 0) for one in inside)
            for node, inside in self.inside.items()
        }
        self.total = self.weight[self.root]

    def children(self, node: int) -> list[int]:
        """Return the nodes right below a node, in order."""
        return [one for one, above in zip(self.nodes, self.above, strict=True) if above == node]


def best(candidates: Sequence[int], key: Callable[[int], float]) -> int:
    """Return the candidate with the least key; of several, the smallest node."""
    return min(candidates, key=lambda node: (key(node), node), default=NOBODY)


def choices(suspects: Suspects, choose: Callable[[Suspects], int]) -> set[int]:
    """Return what is chosen: once by the given weights and, if all of them are 1, also without any."""
    chosen = {choose(suspects)}
    if all(suspects.weights.of(node, suspects.state) == 1 for node in range(len(suspects.tree))):
        suspects.weights = UNIT
        chosen.add(choose(suspects))
    return chosen
