"""The tree at one version, what is known about its nodes, and their keys.

A snapshot never changes, so any thread can read it: showing the tree never waits for the trace.
"""

from __future__ import annotations

import reprlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np

from wrongcall.errors import UsageError
from wrongcall.tree.balance import BalancedTree
from wrongcall.tree.tree import Tree
from wrongcall.web.lanes import Began, Clock, clock_of
from wrongcall.web.node_status import NodeStatuses, callers_above
from wrongcall.web.quiet_bodies import MAX_FOLDED, Folding, Nodes, quiet_bodies

MAX_DIGITS = 15
"""The most digits of a number in a request: JavaScript rounds larger numbers."""


@dataclass(frozen=True)
class TreeSnapshot:
    """The tree at a version."""

    version: int
    statuses: NodeStatuses
    names: Mapping[int, str]
    """The names of functions, by number."""
    bodies: frozenset[int] = frozenset()
    """The functions that are bodies of classes and modules."""
    began: Began | None = None
    """When the calls began and ended; None: not known."""

    @property
    def tree(self) -> Tree:
        """The tree that is searched, groups included."""
        return self.statuses.tree

    @cached_property
    def clock(self) -> Clock:
        """When the nodes began and ended, and their lanes."""
        if self.began is None:
            raise UsageError("it is not known when these calls began")
        return _clock(self.tree, self.began, tuple(self.names.items()))

    @cached_property
    def quiet_bodies(self) -> Nodes:
        """The bodies of classes and modules in which nothing but such bodies ran, and nothing is suspect."""
        return quiet_bodies(self.tree, self.bodies, self.statuses.suspect)

    def folding(self, bodies: bool) -> Folding:
        """Return which nodes are folded; ``bodies``: none, so that all bodies are shown."""
        if bodies or len(self.quiet_bodies) > MAX_FOLDED:
            return Folding(np.zeros(0, np.int64))
        return Folding(self.quiet_bodies)

    def function(self, node: int) -> str:
        """Return the name of the function that a node is a call of."""
        return self.names[int(self.tree.function[node])]

    def key(self, node: int) -> str:
        """Return the key of a node: the number of its call, or the first and last of a group."""
        tree = self.tree
        if not tree.is_group(node):
            return str(tree.call(node))
        first = node
        while tree.is_group(first):
            first += 1
        # The last member is the outermost call that ends where the group does.
        last = above = int(tree.end[node]) - 1
        while above != node:
            last = last if tree.is_group(above) else above
            above = int(tree.parent[above])
        return f"{tree.call(first)}-{tree.call(last)}"

    def node(self, key: str) -> int:
        """Return the node of a key."""
        calls = parse_key(key)
        tree = self.tree
        if calls[0] == calls[1]:
            return tree.node(calls[0])
        group = tree.group(*calls) if isinstance(tree, BalancedTree) else None
        if group is None:
            raise UsageError(f"calls {calls[0]} to {calls[1]} are not a group of this tree")
        return group


@lru_cache(maxsize=1)
def _clock(tree: Tree, began: Began, names: tuple[tuple[int, str], ...]) -> Clock:
    return clock_of(tree, callers_above(tree), began, dict(names))


def parse_key(key: str) -> tuple[int, int]:
    """Return the first and the last call of a key."""
    first, _, last = key.partition("-")
    numbers = (first, last or first)
    if not all(n.isascii() and n.isdecimal() and len(n) <= MAX_DIGITS for n in numbers):
        raise UsageError(f"{reprlib.repr(key)} is not a call or a group of calls")
    return int(numbers[0]), int(numbers[1])
