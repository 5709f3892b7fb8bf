"""The control flow of functions: what was passed on the way from one block to the next.

A *block* is a run of lines that are executed together (see `block_entries`). The recorder stores which blocks can
follow each other, after which test, and which are *silent*: the test of a loop, and the place after a compound
statement that is the last of its suite. Those may be passed without an event. There is only one path from a block to
another that is entered with an event, so what was passed follows from the two.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from enum import IntEnum
from typing import NamedTuple

from wrongcall.trace.format.program_tables import Function


class Passed(NamedTuple):
    """A line that was executed, or the outcome of a test on it."""

    line: int
    taken: bool | None = None


class Arrival(IntEnum):
    """How a block was left for the next one."""

    NORMAL = 0
    RAISED = 1  # an exception led to the next one: `except`, `finally`
    SUPPRESSED = 2  # an exception left it and was suppressed by a `with`


class Flow:
    """Finds the paths between blocks."""

    def __init__(self) -> None:
        self._known: dict[tuple[int, int, int, Arrival], tuple[Passed, ...] | None] = {}
        self._tests: dict[tuple[int, int], frozenset[int]] = {}

    def passed(
        self, function: Function, previous: int, block: int, arrival: Arrival = Arrival.NORMAL
    ) -> tuple[Passed, ...]:
        """Return what was passed from one block to the next, in order; the first block has none before (-1)."""
        return self._way(function, previous, block, arrival) or ()

    def follows(self, function: Function, previous: int, block: int) -> bool:
        """Return whether a block can follow another one without an exception."""
        return self._way(function, previous, block, Arrival.NORMAL) is not None

    def tests_after(self, function: Function, block: int) -> frozenset[int]:
        """Return the lines of the tests that may follow a block directly without an event."""
        key = (function.id, block)
        if key not in self._tests:
            queue, found = [block], set()
            while queue:
                for target, _, _ in function.flow[queue.pop()].next:
                    known = target < len(function.flow) and function.flow[target].silent
                    if known and target not in found:
                        found.add(target)
                        queue.append(target)
            self._tests[key] = frozenset(line for each in found for line in function.blocks[each])
        return self._tests[key]

    def _way(
        self, function: Function, previous: int, block: int, arrival: Arrival
    ) -> tuple[Passed, ...] | None:
        if not 0 <= previous < len(function.flow) or arrival is Arrival.RAISED:
            return None
        key = (function.id, previous, block, arrival)
        if key not in self._known:
            if arrival is Arrival.NORMAL:
                self._known[key] = _search(function, [(previous, ())], block)
            else:
                self._known[key] = _resumed(function, previous, block)
        return self._known[key]


Way = tuple[int, tuple[Passed, ...]]
"""A block, and what was passed up to its end."""


def _resumed(function: Function, previous: int, block: int) -> tuple[Passed, ...] | None:
    """Return the path from the end of a `with` around a block: the innermost one that leads to the next block."""
    for behind, _, _ in function.flow[previous].resume:
        if behind == block:
            return ()
        if behind < len(function.flow) and function.flow[behind].silent:
            found = _search(function, [(behind, ())], block)
            if found is not None:
                return found
    return None


def _search(function: Function, ways: Iterable[Way], block: int) -> tuple[Passed, ...] | None:
    """Return the shortest path through silent blocks to a block, or None if there is none."""
    queue, seen = deque(ways), set()
    while queue:
        at, passed = queue.popleft()
        for target, line, taken in function.flow[at].next:
            here = (*passed, Passed(line, taken)) if line else passed
            if target == block:
                return here
            known = target < len(function.flow) and function.flow[target].silent
            if known and target not in seen:
                seen.add(target)
                queue.append((target, (*here, *map(Passed, function.blocks[target][:1]))))
    return None
