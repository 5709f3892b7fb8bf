"""A slice is explored from near to far, each node once."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.analysis.origins.origin_tests import root
from tests.trace.conftest import Record
from wrongcall.analysis.origins.exploring import REPEATED, distance
from wrongcall.recording import OriginNode, Recording

PROGRAM = """
def f(n):
    a = b = 1
    for i in range(n):
        a, b = b, a + b
    return a

f(12)
"""

RECURSIVE = """
def total(tree):
    if isinstance(tree, int):
        return tree
    result = 0
    for part in tree:
        result += total(part)
    return result

def f(tree):
    return total(tree)

f([1, [2, [3], 4], [5]])
"""


def test_each_node_once_and_parents_first(record: Record) -> None:
    run = record(PROGRAM)
    found = list(run.recording.places.origin_slice(root(run, "f", "result")))
    assert len({each.node.key for each in found}) == len(found)
    assert found[0].parent == -1
    assert all(each.parent < number for number, each in enumerate(found))
    assert {each.node.line for each in found} >= {3, 4, 5, 6}


def slow_order(recording: Recording, top: OriginNode) -> list[OriginNode]:
    """Explore by looking at everything that waits, each time."""
    waiting = [(0.0, top)]
    found: list[OriginNode] = []

    def alike(node: OriginNode) -> object:
        place = recording.call(node.call).function.id if node.call else node.key
        return node.kind, node.taken, node.name, node.line, place

    while waiting:
        counts = Counter(map(alike, found))
        nearest = min(near + REPEATED * counts[alike(node)] for near, node in waiting)
        # Of several, the one that waits longest.
        near, node = next(w for w in waiting if w[0] + REPEATED * counts[alike(w[1])] == nearest)
        found.append(node)
        waiting = [w for w in waiting if w[1].key != node.key]
        known = {each.key for each in found}
        below = recording.places.open_origin(node).all
        waiting += [(near + distance(each), each) for each in below if each.key not in known]
    return found


@pytest.mark.parametrize("program", [PROGRAM, RECURSIVE])
def test_near_nodes_come_first_and_repeated_ones_wait(program: str, record: Record) -> None:
    run = record(program)
    top = root(run, "f", "result")
    found = list(run.recording.places.origin_slice(top))
    assert [each.node.key for each in found] == [n.key for n in slow_order(run.recording, top)]
    assert len(found) > 20


def test_nodes_are_alike_if_the_same_happened_at_the_same_line(record: Record) -> None:
    run = record(PROGRAM)
    found = list(run.recording.places.origin_slice(root(run, "f", "result")))
    for number, each in enumerate(found):
        first = found[each.like]
        assert each.like <= number
        assert first.like == each.like
        assert (first.node.kind, first.node.line) == (each.node.kind, each.node.line)
        assert (first.node.name, first.node.taken) == (each.node.name, each.node.taken)
    firsts = [each.node for number, each in enumerate(found) if each.like == number]
    written = {(node.name, node.line) for node in firsts if node.name}
    assert {("a", 5), ("b", 5), ("i", 4)} & written
    assert len(firsts) < len(found) / 2


def test_a_depth_limits_it(record: Record) -> None:
    run = record(PROGRAM)
    top = root(run, "f", "result")
    found = list(run.recording.places.origin_slice(top, 2))
    assert max(each.depth for each in found) == 2
    assert len(found) < len(list(run.recording.places.origin_slice(top)))
