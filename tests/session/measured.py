"""Trees whose questions have known lengths."""

from __future__ import annotations

import numpy as np

from tests.session.truth import FakeFacts
from wrongcall.tree.costs import MOST_LINES
from wrongcall.tree.reading import Reading
from wrongcall.tree.tree import Tree


def with_reading(tree: Tree, alone: list[int]) -> Tree:
    """Return a tree with an estimate of the lines of each question."""
    lines = np.array(alone, dtype=np.uint8)
    tree.reading = Reading(lines, np.maximum(lines // 4, 1), lines < 6)
    return tree


class Measuring(FakeFacts):
    """Facts that know how long questions are, and note each look."""

    def __init__(self, lengths: dict[int, int]) -> None:
        super().__init__()
        self.lengths = lengths
        self.looks: list[tuple[int, ...]] = []

    def lines(self, calls: tuple[int, ...], is_list: bool) -> int | None:
        self.looks.append(calls)
        if is_list:
            return MOST_LINES if len(calls) > 3 else sum(self.lengths[call] for call in calls)
        return self.lengths[calls[0]]
