from __future__ import annotations

from dataclasses import replace

from wrongcall.analysis.origins.model import NodeKind, Opened, OriginNode, Role
from wrongcall.analysis.provenance.model import At
from wrongcall.replay.resolve import Variable

NODE = OriginNode(
    NodeKind.WRITTEN, Role.OPERAND, "x", 1, 10, 12, 3, 4, handle=At(Variable(3, "x"), 12, "x")
)


def test_the_same_thing_reached_in_different_ways_has_the_same_key() -> None:
    other = replace(NODE, role=Role.KEY, text="self.x", read=20)
    assert other != NODE
    assert other.key == NODE.key
    assert replace(NODE, time=11).key != NODE.key


def test_all_parts_are_operands_conditions_and_kept_in_this_order() -> None:
    parts = [replace(NODE, time=time) for time in range(3)]
    opened = Opened((parts[0],), (parts[1],), (parts[2],))
    assert opened.all == tuple(parts)
