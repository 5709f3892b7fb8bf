"""What questions cost to read: the lines on the screen, for every node of a tree.

`Reading` is an estimate from columns, for any number of calls: for each call, the lines of a question about it alone,
and the lines it takes as a member of a list. A call that is *brief* may take one line there, so that a list can have
many of them. `Reading.costs` turns that into the lines of every node, groups included. Measured questions improve the
estimate: measuring one call of a function scales the estimate for all of them, and the length of a measured call is
known exactly; see `wrongcall.session.looking`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from wrongcall.tree.tree import COLLAPSED, LISTED, PROJECTED, Flags

if TYPE_CHECKING:
    from wrongcall.tree.balance import BalancedTree
    from wrongcall.tree.tree import Tree

Lines = npt.NDArray[np.uint8]
Costs = npt.NDArray[np.uint16]

MOST_LINES = 65_535
"""The longest question assumed, in lines."""
HEADING = 3
"""Lines of a list or a group besides its calls: the question itself, and the caller."""
SHOWN_MEMBERS = 8
"""Calls shown for a group that is asked about by its state."""
SHOWN_CHANGES = 8
"""Lines shown for what they changed together."""


class Sample(NamedTuple):
    """A measured call of a function: its real lines."""

    node: int
    alone: int
    member: int


@dataclass(frozen=True)
class Reading:
    """Lines to read, in the order of the nodes of a tree without groups."""

    alone: Lines
    member: Lines
    brief: Flags
    """Which calls probably take a single line in a list."""

    def scaled(self, functions: npt.NDArray[np.int32], samples: Mapping[int, Sample]) -> Reading:
        """Return the estimate on the assumption that calls are as long as the sample of their function.

        ``functions``: one per call. ``samples``: by function; functions without a sample are scaled like the others.
        """
        if not samples:
            return self
        count = int(functions.max(initial=0)) + 1
        ratios = np.ones((2, count))
        for row, estimate in enumerate((self.alone, self.member)):
            known = {f: s[1 + row] / int(estimate[s.node]) for f, s in samples.items() if f < count}
            ratios[row] = float(np.mean([*known.values()]))
            ratios[row, list(known)] = list(known.values())
        lines = [
            np.clip(np.rint(column * ratio[functions]), 1, 255).astype(np.uint8)
            for column, ratio in zip((self.alone, self.member), ratios, strict=True)
        ]
        brief = self.brief.copy()
        for function, sample in samples.items():
            brief[functions == function] = sample.member == 1
        return Reading(lines[0], lines[1], brief)

    def costs(self, tree: Tree) -> Costs:
        """Return the lines of each node, for the same tree or for that tree with groups."""
        if tree.kind is None:
            return self.alone.astype(np.uint16)
        balanced: BalancedTree = tree  # type: ignore[assignment]
        costs = np.zeros(len(tree), dtype=np.uint16)
        costs[balanced.node_of_base] = self.alone
        lines, count = self._members(balanced)
        kind = balanced.kinds[balanced.group_nodes]
        changes = np.minimum(lines - count, SHOWN_CHANGES)
        by_state = np.minimum(count, SHOWN_MEMBERS) + 1 + changes
        groups = HEADING + np.where(kind == LISTED, lines, by_state)
        costs[balanced.group_nodes] = np.minimum(groups, MOST_LINES)
        assert set(np.unique(kind)) <= {COLLAPSED, PROJECTED, LISTED}
        return costs

    def _members(self, tree: BalancedTree) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """Return the lines of the members of each group, and their number."""
        groups = tree.group_nodes
        lines, count = np.zeros((2, len(groups)), dtype=np.int64)
        base = np.arange(len(tree.base))
        above = tree.parent[tree.node_of_base]
        while len(above):
            inside = above >= 0
            inside[inside] = tree.kinds[above[inside]] != 0
            base, above = base[inside], above[inside]
            number = np.searchsorted(groups, above)
            lines += np.bincount(number, self.member[base], minlength=len(groups)).astype(np.int64)
            count += np.bincount(number, minlength=len(groups))
            above = tree.parent[above]
        return lines, count
