"""Drawn graphs: boxes never overlap, and each is right of the one that leads to it."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from wrongcall.present.graph_layout import GAP_X, GAP_Y, Size, place, tree_parents

SIZES = st.lists(
    st.builds(Size, st.integers(20, 200), st.integers(10, 90)), min_size=1, max_size=25
)


@st.composite
def graphs(draw: st.DrawFn) -> tuple[list[Size], list[tuple[int, int]]]:
    sizes = draw(SIZES)
    numbers = st.integers(0, len(sizes) - 1)
    return sizes, draw(st.lists(st.tuples(numbers, numbers), max_size=60))


@given(graphs())
def test_boxes_never_overlap(graph: tuple[list[Size], list[tuple[int, int]]]) -> None:
    sizes, edges = graph
    placed = place(sizes, edges)
    for i, (one, size) in enumerate(zip(placed, sizes, strict=True)):
        assert min(one.x, one.y) >= 0
        for other, its in list(zip(placed, sizes, strict=True))[i + 1 :]:
            beside = one.x + size.width <= other.x or other.x + its.width <= one.x
            above = one.y + size.height <= other.y or other.y + its.height <= one.y
            assert beside or above


@given(graphs())
def test_a_box_is_right_of_the_one_that_leads_to_it(
    graph: tuple[list[Size], list[tuple[int, int]]],
) -> None:
    sizes, edges = graph
    placed = place(sizes, edges)
    for box, parent in enumerate(tree_parents(len(sizes), edges)):
        if parent >= 0:
            assert (parent, box) in edges
            assert placed[box].x >= placed[parent].x + sizes[parent].width + GAP_X


def test_a_linked_list_is_a_row_and_a_tree_is_centred() -> None:
    same = Size(50, 20)
    chain = place([same] * 4, [(0, 1), (1, 2), (2, 3)])
    assert [p.y for p in chain] == [0] * 4
    assert [p.x for p in chain] == [i * (50 + GAP_X) for i in range(4)]
    tree = place([same] * 3, [(0, 1), (0, 2)])
    assert (tree[1].y, tree[2].y) == (0, 20 + GAP_Y)
    assert tree[0].y == (20 + GAP_Y) // 2
