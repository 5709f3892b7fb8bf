"""The boundaries inside a call, in the order in which they were passed: what a search inside it asks about.

A *boundary* is the end of an execution: of a statement, a condition, a round, a branch. Everything up to it happened
before, so the question "was all well so far?" has one answer for each boundary: right up to some point, wrong from
there on. The first wrong one ends the execution that has the bug. If that is a statement or a condition, it is wrong;
if it is a round, a branch or the whole body, everything in it was right and something is missing.

Boundaries are numbered backwards: 0 is the end of the call, which is known to be wrong.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from wrongcall.analysis.inside.inside import Inside
from wrongcall.languages.python.outline import Part, PartKind
from wrongcall.trace.format.event_records import Ints

_CLOSING = frozenset({PartKind.ROUND, PartKind.BRANCH, PartKind.BODY})
"""Executions whose end may lack something, though all that ran in them is right."""
_EXTRA_LINES = 3
"""What a boundary seems longer to read for each level that it is nested: coarse ones are asked first."""
_COMPREHENSION_LINES = 40
"""The same for a round of a comprehension, whose result is not seen before it ends."""


@dataclass(frozen=True)
class Boundaries:
    """The boundaries of a call, from the last to the first."""

    inside: Inside
    node: Ints
    """The execution that each boundary ends."""
    is_closing: npt.NDArray[np.bool_]
    """Which of them may only lack something: their last part has a boundary of its own."""
    lines: npt.NDArray[np.uint8]
    """How long each question is to read, as a strategy should see it."""

    def __len__(self) -> int:
        return len(self.node)

    def of_node(self, node: int) -> int | None:
        """Return the boundary that ends an execution, or the nearest one around it."""
        while node >= 0:
            found = np.flatnonzero(self.node == node)
            if len(found):
                return int(found[0])
            node = int(self.inside.parent[node])
        return None


def boundaries_of(inside: Inside) -> Boundaries:
    """Return the boundaries inside a call."""
    parts = inside.outline.parts
    count = len(parts)
    has_children = np.zeros(len(inside), np.bool_)
    is_part = inside.child == 0
    above = inside.parent[is_part]
    has_children[above[above >= 0]] = True
    closing = np.array([part.kind in _CLOSING for part in parts] + [False])
    hollow = np.array(
        [part.kind in (PartKind.LOOP, PartKind.TRY, PartKind.WITH) for part in parts] + [False]
    )
    comprehension = np.array([part.is_comprehension for part in parts] + [False])
    part = inside.part
    # What a comprehension or a `try` is made of has boundaries of its own, and so has the last of it.
    kept = is_part & ~(has_children & (hollow[part] | comprehension[part]))
    kept[:1] = True
    depth = inside.number % 64
    nodes = np.flatnonzero(kept)
    order = nodes[np.lexsort((-depth[nodes], inside.end_step[nodes]))][::-1]
    nested = np.array([_nesting(parts, number) for number in range(count)] + [0])
    lines = 6 + _EXTRA_LINES * nested[part[order]]
    lines += np.where(comprehension[part[order]], _COMPREHENSION_LINES, 0)
    is_closing = closing[part[order]] & has_children[order]
    return Boundaries(inside, order, is_closing, np.clip(lines, 1, 255).astype(np.uint8))


def _nesting(parts: list[Part], number: int) -> int:
    """Return how many compound statements a part is in; a round counts for its loop."""
    depth = 0
    while (number := parts[number].parent) >= 0:
        depth += parts[number].kind is not PartKind.LOOP
    return depth
