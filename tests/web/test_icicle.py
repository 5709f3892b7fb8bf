"""The picture of a run: every node is in a box or in dust, once."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tests.tree.shapes import parents
from tests.web.snapshots import snapshot
from wrongcall.tree.tree import NOBODY
from wrongcall.web.icicle import DEEPEST, picture, stretch
from wrongcall.web.node_status import NodeStatus


@given(parents(smallest=1, largest=40), st.integers(1, 50), st.data())
def test_every_node_is_drawn_once_at_its_level(
    parent: list[int], width: int, data: st.DataObject
) -> None:
    shown = snapshot(parent)
    tree, depth = shown.tree, shown.statuses.depth
    focus = data.draw(st.integers(NOBODY, len(tree) - 1))
    drawn = picture(shown, focus, width)
    first, end = drawn["first"], drawn["end"]
    assert (first, end) == ((0, len(tree)) if focus == NOBODY else (focus, int(tree.end[focus])))
    boxes = {box[0]: box for box in drawn["boxes"]}
    assert len(boxes) == len(drawn["boxes"])
    for node, (_, until, level, *_) in boxes.items():
        assert until == tree.end[node]
        assert level == depth[node] - depth[first]
    # A node without a box of its own is in the dust beside or below exactly one box.
    for node in range(first, end):
        dusts = [dust for dust in drawn["dust"] if dust[0] <= node < dust[1]]
        assert (node in boxes) != (len(dusts) == 1)
        assert len(dusts) <= 1


@given(parents(smallest=1, largest=40), st.integers(1, 50), st.data())
def test_a_stretch_has_its_nodes_and_those_above_them(
    parent: list[int], width: int, data: st.DataObject
) -> None:
    shown = snapshot(parent)
    tree, depth = shown.tree, shown.statuses.depth
    first = data.draw(st.integers(0, len(tree) - 1))
    end = data.draw(st.integers(first + 1, len(tree)))
    drawn = stretch(shown, first, end, width)
    boxes = {box[0]: box for box in drawn["boxes"]}
    above = {node for node in range(first) if tree.end[node] > first}
    assert above <= boxes.keys() <= above | set(range(first, end))
    assert all(box[2] == depth[node] for node, box in boxes.items())
    for node in range(first, end):
        dusts = [dust for dust in drawn["dust"] if dust[0] <= node < dust[1]]
        assert (node in boxes) != (len(dusts) == 1)


@given(parents(smallest=1, largest=60), st.integers(1, 20))
def test_boxes_are_no_more_than_pixels_on_each_level(parent: list[int], width: int) -> None:
    drawn = picture(snapshot(parent), NOBODY, width)
    levels = [box[2] for box in drawn["boxes"]]
    assert all(levels.count(level) <= width for level in levels)


def test_with_a_pixel_for_each_call_there_is_no_dust() -> None:
    drawn = picture(snapshot([-1, 0, 0, 2], [0, 1, 2, 1]), NOBODY, 100)
    assert drawn["dust"] == []
    assert [(box[0], box[1], box[2], box[5], box[6]) for box in drawn["boxes"]] == [
        (0, 4, 0, "0", "main"),
        (1, 2, 1, "1", "Cart.add"),
        (2, 4, 1, "2", "total"),
        (3, 4, 2, "3", "Cart.add"),
    ]


def test_shares_say_how_much_is_suspect() -> None:
    drawn = picture(snapshot([-1, 0, 0, 2, 2, 2], judged={2: "right"}), NOBODY, 2)
    (whole, *_) = drawn["boxes"]
    assert (whole[3], whole[4]) == (NodeStatus.SUSPECT, round(2 / 6, 3))
    assert all(0 <= dust[3] <= 1 for dust in drawn["dust"])


def test_very_deep_calls_are_not_drawn() -> None:
    drawn = picture(snapshot(range(-1, 200)), NOBODY, 1000)
    assert max(box[2] for box in drawn["boxes"]) == DEEPEST - 1
    assert len(drawn["boxes"]) == DEEPEST


def test_a_run_without_calls_is_empty() -> None:
    from wrongcall.session import Session
    from wrongcall.tree.tree import Tree
    from wrongcall.web.node_status import NodeStatuses
    from wrongcall.web.tree_snapshot import TreeSnapshot

    empty = TreeSnapshot(1, NodeStatuses(Session(Tree.from_parents([]), growing=True)), {})
    drawn = picture(empty, NOBODY, 100)
    assert (drawn["boxes"], drawn["dust"], drawn["end"]) == ([], [], 0)
