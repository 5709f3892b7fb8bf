"""The tree and what is known of it at one moment, and what its nodes are called.

A glance never changes, so any thread can have it: what the page shows of the tree need not wait for
what is read from the trace.
"""

from __future__ import annotations

import reprlib
from collections.abc import Mapping
from dataclasses import dataclass

from wrongcall.errors import UsageError
from wrongcall.tree.balance import BalancedTree
from wrongcall.tree.tree import Tree
from wrongcall.web.shading import Shading

MOST_DIGITS = 15
"""Digits of the largest number that a request may name: JavaScript has larger ones only rounded."""


@dataclass(frozen=True)
class Glance:
    """What there is to see at a version."""

    version: int
    shading: Shading
    names: Mapping[int, str]
    """Of functions, by number."""

    @property
    def tree(self) -> Tree:
        """The tree that is searched, groups included."""
        return self.shading.tree

    def function(self, node: int) -> str:
        """Return the name of the function that a node is a call of."""
        return self.names[int(self.tree.function[node])]

    def key(self, node: int) -> str:
        """Return how a node is called: the number of a call, or of the first and last of a group."""
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
        """Return the node that is called so."""
        calls = parse_key(key)
        tree = self.tree
        if calls[0] == calls[1]:
            return tree.node(calls[0])
        group = tree.group(*calls) if isinstance(tree, BalancedTree) else None
        if group is None:
            raise UsageError(f"calls {calls[0]} to {calls[1]} are not a group of this tree")
        return group


def parse_key(key: str) -> tuple[int, int]:
    """Return the first and the last call that a key names."""
    first, _, last = key.partition("-")
    numbers = (first, last or first)
    if not all(n.isascii() and n.isdecimal() and len(n) <= MOST_DIGITS for n in numbers):
        raise UsageError(f"{reprlib.repr(key)} names no call and no group of calls")
    return int(numbers[0]), int(numbers[1])
