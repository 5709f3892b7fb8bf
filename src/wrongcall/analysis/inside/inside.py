"""What happened inside a call, as a tree of executions.

A node is one execution of a part of the function (`outline`): of a loop, a round, a branch, a condition, a statement;
or a call that was made there. Children are in the order in which they ran, and each finds the state as the one before
left it. Nodes are columns, in preorder: a call may run a loop a million times.

Vocabulary: a *start* is a step at which executions of parts begin; every step belongs to the latest start. The state
*before* a node is the one that its first step found, the state *after* it the one that the next step outside of it
found. A node's *number* is valid in every reading of the trace.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from wrongcall.languages.python.outline import Outline, Part, PartKind
from wrongcall.trace.format.event_records import Ints

DEPTHS = 64
"""Nodes that begin at one step have numbers that differ by less than this."""
Nodes = npt.NDArray[np.int32]
Numbers = npt.NDArray[np.int32] | Ints
"""Numbers of steps, or times: a call may have ten million executions, so they take 4 bytes where they fit."""
_MOST = {np.dtype(kind): int(np.iinfo(kind).max) for kind in (np.int32, np.int64)}


def narrow(numbers: Ints) -> Numbers:
    """Return numbers that are not negative with 4 bytes each, if they fit."""
    return (
        numbers.astype(np.int32) if numbers.max(initial=0) <= _MOST[np.dtype(np.int32)] else numbers
    )


def place_of(numbers: Numbers, wanted: int) -> int:
    """Return the position of the first number in ascending order that is not below a number."""
    if wanted > _MOST[numbers.dtype]:
        return len(numbers)
    # With another type, all numbers would be converted.
    return int(np.searchsorted(numbers, numbers.dtype.type(wanted)))


@dataclass(frozen=True)
class Inside:
    """The executions inside a call, as columns."""

    call: int
    outline: Outline
    number: Numbers
    """In ascending order."""
    parent: Nodes
    """-1 for the first node, which is the whole call."""
    part: Nodes
    """The part of the function; that of a call is the number of parts."""
    before: Numbers
    after: Numbers
    child: Ints
    """The call that a node is; 0: it is an execution of a part."""
    step: Numbers
    """The first step."""
    end_step: Numbers
    """The first step after it."""

    def __len__(self) -> int:
        return len(self.number)

    @property
    def nbytes(self) -> int:
        """Their size in memory, in bytes."""
        columns = (self.number, self.parent, self.part, self.before, self.after, self.child)
        return sum(column.nbytes for column in (*columns, self.step, self.end_step)) + 2000

    def at(self, number: int) -> int:
        """Return the position of the node with a number; -1 if there is none."""
        place = place_of(self.number, number)
        return place if place < len(self) and int(self.number[place]) == number else -1

    def is_call(self, node: int) -> bool:
        """Return whether a node is a call that was made."""
        return bool(self.child[node])

    def part_of(self, node: int) -> Part:
        """Return the part that a node is an execution of; of a call, the part that made it."""
        while self.is_call(node):
            node = int(self.parent[node])
        return self.outline.parts[int(self.part[node])]

    def kind(self, node: int) -> PartKind:
        """Return what a node is."""
        return PartKind.CALL if self.is_call(node) else self.part_of(node).kind

    def children(self, node: int) -> list[int]:
        """Return the nodes directly below a node."""
        found: list[int] = np.flatnonzero(self.parent == node).tolist()
        return found

    def leaf_at(self, time: int) -> int:
        """Return the smallest node during which an event happened."""
        node = place_of(self.before, time) - 1
        while node > 0 and not time <= self.after[node]:
            node = int(self.parent[node])
        return max(node, 0)

    @cached_property
    def _rounds(self) -> tuple[Nodes, Nodes]:
        """For each node, which round of its loop it is (0: none), and how many rounds the loop has."""
        kinds = np.array([part.kind is PartKind.ROUND for part in self.outline.parts] + [False])
        rounds = np.flatnonzero(kinds[self.part])
        order = rounds[np.argsort(self.parent[rounds], kind="stable")]
        loops = self.parent[order]
        first = np.searchsorted(loops, loops)
        which = np.zeros(len(self), np.int32)
        total = np.zeros(len(self), np.int32)
        which[order] = np.arange(len(order)) - first + 1
        total[order] = np.searchsorted(loops, loops, "right") - first
        return which, total

    def round(self, node: int) -> tuple[int, int]:
        """Return which round of its loop a node is, from 1, and how many there are; 0 if it is no round."""
        which, total = self._rounds
        return int(which[node]), int(total[node])

    def around(self, node: int) -> list[int]:
        """Return the rounds that a node is in, the outermost first, itself included."""
        found = []
        while node >= 0:
            if self.round(node)[0]:
                found.append(node)
            node = int(self.parent[node])
        return found[::-1]
