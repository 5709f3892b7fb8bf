"""Where the boxes of a drawn graph are: a tree from left to right, one column for each step from the first box.

The tree is that of the shortest ways from the first box. Each box and all that it leads to have a *band* of their own,
so that nothing overlaps; a box stands at the middle of its band. Edges that are not part of the tree (sharing, cycles)
are drawn across.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

GAP_X, GAP_Y = 56, 14
"""Pixels between columns, and between boxes of a column."""


@dataclass(frozen=True)
class Size:
    """Of a box, in pixels."""

    width: int
    height: int


@dataclass(frozen=True)
class Placed:
    """The corner of a box at its left and top."""

    x: int
    y: int


def tree_parents(count: int, edges: Sequence[tuple[int, int]]) -> list[int]:
    """Return the parent of each box in the tree of the shortest ways from box 0; -1: it has none."""
    leads: list[list[int]] = [[] for _ in range(count)]
    for source, target in edges:
        leads[source].append(target)
    parents, seen, row = [-1] * count, {0}, [0]
    while row:
        following = []
        for source in row:
            for target in leads[source]:
                if target not in seen:
                    seen.add(target)
                    parents[target] = source
                    following.append(target)
        row = following
    return parents


def place(sizes: Sequence[Size], edges: Sequence[tuple[int, int]]) -> list[Placed]:
    """Return where each box is drawn; box 0 is the first. Boxes that it does not lead to are below."""
    parents = tree_parents(len(sizes), edges)
    children: list[list[int]] = [[] for _ in sizes]
    for box, parent in enumerate(parents):
        if parent >= 0:
            children[parent].append(box)
    levels = _levels(parents)
    lefts = _columns(sizes, levels)
    roots = [box for box, parent in enumerate(parents) if parent < 0]
    order = [box for root in roots for box in _parents_first(root, children)]
    bands = [0] * len(sizes)
    for box in reversed(order):
        inner = sum(bands[child] for child in children[box]) + GAP_Y * (len(children[box]) - 1)
        bands[box] = max(sizes[box].height, inner)
    tops = _band_tops(roots, order, children, bands)
    return [
        Placed(lefts[levels[box]], tops[box] + (bands[box] - sizes[box].height) // 2)
        for box in range(len(sizes))
    ]


def _band_tops(
    roots: Sequence[int],
    order: Sequence[int],
    children: Sequence[Sequence[int]],
    bands: Sequence[int],
) -> list[int]:
    """Return where the band of each box begins."""
    tops = [0] * len(bands)

    def stack(boxes: Sequence[int], top: int) -> None:
        for box in boxes:
            tops[box] = top
            top += bands[box] + GAP_Y

    stack(roots, 0)
    for box in order:
        inner = sum(bands[child] for child in children[box]) + GAP_Y * (len(children[box]) - 1)
        stack(children[box], tops[box] + max(bands[box] - inner, 0) // 2)
    return tops


def _levels(parents: Sequence[int]) -> list[int]:
    levels = [-1] * len(parents)
    for box in range(len(parents)):
        way = []
        at = box
        while at >= 0 and levels[at] < 0:
            way.append(at)
            at = parents[at]
        level = levels[at] if at >= 0 else -1
        for each in reversed(way):
            level += 1
            levels[each] = level
    return levels


def _columns(sizes: Sequence[Size], levels: Sequence[int]) -> list[int]:
    widths = [0] * (max(levels, default=0) + 1)
    for size, level in zip(sizes, levels, strict=True):
        widths[level] = max(widths[level], size.width)
    lefts, left = [], 0
    for width in widths:
        lefts.append(left)
        left += width + GAP_X
    return lefts


def _parents_first(root: int, children: Sequence[Sequence[int]]) -> list[int]:
    order, stack = [], [root]
    while stack:
        box = stack.pop()
        order.append(box)
        stack += reversed(children[box])
    return order
