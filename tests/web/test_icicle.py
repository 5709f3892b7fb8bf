"""The picture of a run: every node is in a box or in dust, once."""

from __future__ import annotations

from copy import copy
from dataclasses import replace

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.tree.shapes import parents
from tests.web.snapshots import snapshot
from wrongcall.tree.tree import NOBODY
from wrongcall.web.icicle import DEEPEST, View, draw, picture, stretch
from wrongcall.web.lanes import Began
from wrongcall.web.node_status import NodeStatus
from wrongcall.web.tree_snapshot import TreeSnapshot


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


def test_groups_are_not_drawn_and_their_calls_are_where_they_were_made() -> None:
    shown = snapshot([-1, *[0] * 8], [0, *[1] * 8], chains=[-1, *[5] * 8])
    assert any(map(shown.tree.is_group, range(len(shown.tree))))
    drawn = picture(shown, NOBODY, 1000)
    assert [(box[5], box[2]) for box in drawn["boxes"]] == [
        ("0", 0),
        *((str(call), 1) for call in range(1, 9)),
    ]


def test_by_time_boxes_are_as_wide_as_their_calls_took() -> None:
    times = np.array([[0, 99], [10, 89], [20, 29], [92, 92]])
    shown = replace(
        snapshot([-1, 0, 1, 0], [0, 1, 2, 1]),
        began=Began(np.arange(4), times[:, 0], times[:, 1], 100),
    )
    drawn = draw(shown, View(50, widths="time", search="CART"))
    assert (drawn["first"], drawn["end"], drawn["whole"]) == (0, 100, 100)
    assert [(box[0], box[2], box[7], box[8]) for box in drawn["boxes"]] == [
        (0, 0, 0, 100),
        (1, 1, 10, 90),
        (2, 2, 20, 30),
    ]
    # The last call is narrower than a pixel.
    assert [dust[:3] for dust in drawn["dust"]] == [(92, 94, 1)]
    assert drawn["lanes"] == []
    assert drawn["matches"] == [10, 92]
    part = draw(shown, View(50, part=(20, 40), widths="time"))
    assert [box[0] for box in part["boxes"]] == [0, 1, 2]
    assert (part["first"], part["end"]) == (20, 40)


def test_lanes_are_below_each_other_with_room_for_their_names() -> None:
    times = np.array([[0, 99], [10, 80], [20, 30], [40, 90]])
    shown = replace(
        snapshot([-1, 0, 1, 0], [0, 1, 2, 1]),
        began=Began(np.arange(4), times[:, 0], times[:, 1], 100),
    )
    drawn = draw(shown, View(1000, widths="time"))
    assert drawn["lanes"] == [
        {"name": "main thread", "level": 1},
        {"name": "Cart.add", "level": 4},
    ]
    assert {box[0]: box[2] for box in drawn["boxes"]} == {0: 1, 3: 2, 1: 4, 2: 5}


def with_bodies(
    parent: list[int], functions: list[int], suspect: list[bool], began: Began | None = None
) -> TreeSnapshot:
    """Return a snapshot in which the calls of function 1 are bodies of classes."""
    statuses = copy(snapshot(parent, functions).statuses)
    statuses.suspect = np.array(suspect)
    return replace(
        snapshot(parent, functions), statuses=statuses, bodies=frozenset({1}), began=began
    )


#  0 ( 1: body ( 2: body ) 3: body ( 4: a call ) 5: a call ), of which 1 and 2 are quiet
BODIES = ([-1, 0, 1, 0, 3, 0], [0, 1, 1, 1, 2, 2], [True, False, False, False, True, True])


def test_folded_bodies_take_no_width() -> None:
    shown = with_bodies(*BODIES)
    drawn = draw(shown, View(100, bodies=False, search="a", mark=4))
    assert (drawn["first"], drawn["end"], drawn["whole"], drawn["mark"]) == (0, 4, 4, 2)
    assert [(box[0], box[1], box[7], box[8]) for box in drawn["boxes"]] == [
        (0, 6, 0, 4),
        (3, 5, 1, 3),
        (4, 5, 2, 3),
        (5, 6, 3, 4),
    ]
    assert drawn["matches"] == [0, 1, 2, 3]
    whole = draw(shown, View(100, search="a", mark=4))
    assert len(whole["boxes"]) == whole["whole"] == 6
    assert (whole["matches"], whole["mark"]) == ([0, 1, 2, 3, 4, 5], 4)
    # A part is of what is drawn: the second position is that of node 3.
    part = draw(shown, View(100, part=(1, 3), bodies=False))
    assert [box[0] for box in part["boxes"]] == [0, 3, 4]
    assert draw(shown, View(100, mark=99))["mark"] == NOBODY


def test_a_folded_body_that_is_looked_at_is_drawn() -> None:
    drawn = draw(with_bodies(*BODIES), View(100, focus=1, bodies=False))
    assert [(box[0], box[7], box[8]) for box in drawn["boxes"]] == [(1, 1, 3), (2, 2, 3)]


def test_by_time_folded_bodies_are_not_drawn_and_the_clock_stays() -> None:
    times = np.array([[0, 59], [10, 29], [15, 19], [30, 39], [32, 34], [50, 55]])
    began = Began(np.arange(6), times[:, 0], times[:, 1], 60)
    drawn = draw(with_bodies(*BODIES, began), View(60, widths="time", bodies=False, mark=5))
    assert [(box[0], box[7], box[8]) for box in drawn["boxes"]] == [
        (0, 0, 60),
        (3, 30, 40),
        (4, 32, 35),
        (5, 50, 56),
    ]
    assert (drawn["first"], drawn["end"], drawn["mark"]) == (0, 60, 50)


@given(parents(smallest=1, largest=40), st.integers(1, 50), st.data())
def test_every_node_that_is_not_folded_is_drawn_once(
    parent: list[int], width: int, data: st.DataObject
) -> None:
    tree = snapshot(parent).tree
    count = len(tree)
    functions = data.draw(st.lists(st.integers(0, 1), min_size=count, max_size=count))
    suspect = data.draw(st.lists(st.booleans(), min_size=count, max_size=count))
    shown = with_bodies(tree.parent.tolist(), functions, suspect)
    folded = set(shown.quiet_bodies.tolist())
    drawn = draw(shown, View(width, bodies=False))
    position = 0
    boxes = {box[0]: box for box in drawn["boxes"]}
    for node in range(count):
        if node in folded:
            assert node not in boxes
            continue
        dusts = [dust for dust in drawn["dust"] if dust[0] <= position < dust[1]]
        assert (node in boxes) != (len(dusts) == 1)
        if node in boxes:
            below = [each for each in range(node, int(tree.end[node])) if each not in folded]
            assert boxes[node][7:] == (position, position + len(below))
            assert len(below) >= drawn["whole"] / width
        position += 1
    assert drawn["whole"] == position
    for left, right, _, share in drawn["dust"]:
        drawn_nodes = [node for node in range(count) if node not in folded][left:right]
        assert share == round(sum(suspect[node] for node in drawn_nodes) / (right - left), 3)
