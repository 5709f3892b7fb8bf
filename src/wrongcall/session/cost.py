"""How many questions a strategy asks, and how many lines they have, for every place of the bug at once.

In the state with root r, asking v leads to v's subtree if v is wrong and to the rest if it is
right; each node is asked exactly once in all of these states together.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from wrongcall.session.strategies.base import Strategy
from wrongcall.tree.states import NodeState
from wrongcall.tree.suspects import Suspects
from wrongcall.tree.tree import NOBODY


@dataclass(frozen=True)
class Cost:
    """The number of questions, and of lines to read, until each place of the bug is known."""

    positions: npt.NDArray[np.int32]
    """The nodes that can be the bug, in order."""
    weights: npt.NDArray[np.float64]
    """How likely each is."""
    questions: npt.NDArray[np.int64]
    lines: npt.NDArray[np.int64]
    """Lines to read; each question is one line if their length is not known."""
    no_bug: int | None
    """The number until it is known that there is none; None: the root is known to be wrong."""

    @property
    def total(self) -> int:
        """The sum over all places."""
        return int(self.questions.sum())

    @property
    def worst(self) -> int:
        """The longest session."""
        return int(self.questions.max(initial=0))

    @property
    def average(self) -> float:
        """The mean over all places, by their weights."""
        return self._mean(self.questions)

    @property
    def average_lines(self) -> float:
        """The mean of the lines to read over all places, by their weights."""
        return self._mean(self.lines)

    def _mean(self, numbers: npt.NDArray[np.int64]) -> float:
        weight = float(self.weights.sum())
        return float(self.weights @ numbers) / weight if weight else 0.0


Choose = Callable[[Suspects], int]


def cost(
    suspects: Suspects, strategy: Strategy | Choose, length: npt.ArrayLike | None = None
) -> Cost:
    """Play a strategy against every place of the bug; the suspects are left as they were.

    ``length``: the lines to read of each node, if they are others than the strategy believes.
    """
    root, state = suspects.root, suspects.state.copy()
    compact = suspects.compact()
    choose = strategy.choose if isinstance(strategy, Strategy) else strategy
    lines_of = suspects.costs if length is None else np.asarray(length)
    asked: dict[int, tuple[int, int]] = {}
    # Depth first, wrong before right, so that all marks are those of a real session. A frame: the
    # root, the number of questions and lines so far, and what was found right since the root is known.
    frames: list[tuple[int, int, int, list[int]]] = [(root, 0, 0, [])]
    try:
        while frames:
            known, count, lines, right = frames[-1]
            suspects.root = suspects.implied(known)
            node = choose(suspects)
            if node != NOBODY:
                lines += 1 if lines_of is None else int(lines_of[node])
                frames[-1] = (known, count + 1, lines, right)
                suspects.mark(node, NodeState.WRONG)
                frames.append((node, count + 1, lines, []))
                continue
            asked[suspects.root] = (count, lines)
            frames.pop()
            for node in right:
                suspects.mark(node, NodeState.UNDEFINED)
            if frames:
                suspects.mark(known, NodeState.RIGHT)
                frames[-1][-1].append(known)
    finally:
        suspects.root = root
        suspects.state[:] = state
    places = [int(node) for node in compact.nodes if int(node) in asked and node != NOBODY]
    places = [node for node in places if not suspects.tree.is_projected(node)]
    positions = np.array(places, dtype=np.int32)
    counts = np.array([asked[node] for node in places], dtype=np.int64).reshape(-1, 2)
    weights = np.array([suspects.weights.of(node, state) for node in places])
    no_bug = asked[NOBODY][0] if root == NOBODY else None
    return Cost(positions, weights, counts[:, 0], counts[:, 1], no_bug)
