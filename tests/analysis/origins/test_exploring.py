"""A slice is explored from near to far, each node once."""

from __future__ import annotations

from tests.analysis.origins.origin_tests import root
from tests.trace.conftest import Record
from wrongcall.analysis.origins.exploring import distance

PROGRAM = """
def f(n):
    a = b = 1
    for i in range(n):
        a, b = b, a + b
    return a

f(12)
"""


def test_each_node_once_and_parents_first(record: Record) -> None:
    run = record(PROGRAM)
    found = list(run.recording.places.origin_slice(root(run, "f", "result")))
    assert len({each.node.key for each in found}) == len(found)
    assert found[0].parent == -1
    assert all(each.parent < number for number, each in enumerate(found))
    far = [0.0]
    for each in found[1:]:
        far.append(far[each.parent] + distance(each.node))
    assert far == sorted(far)
    assert {each.node.line for each in found} >= {3, 4, 5, 6}


def test_a_depth_limits_it(record: Record) -> None:
    run = record(PROGRAM)
    top = root(run, "f", "result")
    found = list(run.recording.places.origin_slice(top, 2))
    assert max(each.depth for each in found) == 2
    assert len(found) < len(list(run.recording.places.origin_slice(top)))
