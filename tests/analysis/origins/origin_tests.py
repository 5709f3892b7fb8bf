"""What the tests of origins share."""

from __future__ import annotations

from itertools import islice

from tests.trace.conftest import Recorded
from wrongcall.recording import Opened, OriginNode

MANY = 2000
"""Nodes that no slice of a test's program has."""


def root(run: Recorded, function: str, path: str) -> OriginNode:
    """Return the origin of a place at the end of the only call of a function."""
    return run.recording.places.origin_tree(run.call(function).id, path)


def opened(run: Recorded, node: OriginNode) -> Opened:
    """Open a node."""
    return run.recording.places.open_origin(node)


def values(nodes: tuple[OriginNode, ...]) -> dict[str, object]:
    """Return the values of nodes by their texts."""
    return {node.text: node.value for node in nodes}


def lines(run: Recorded, node: OriginNode) -> set[int]:
    """Return the lines of everything that a value depended on."""
    found = list(islice(run.recording.places.origin_slice(node), MANY))
    assert len(found) < MANY
    return {each.node.line for each in found}
