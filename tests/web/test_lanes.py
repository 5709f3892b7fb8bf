"""The clock of a run: calls that overlap others have lanes of their own."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from wrongcall.tree.tree import Tree
from wrongcall.web.lanes import MAX_LANES, Began, Clock, clock_of
from wrongcall.web.node_status import callers_above

pytestmark = pytest.mark.once
NAMES = {0: "main", 1: "task", 2: "step"}


def clock(
    parents: Sequence[int],
    times: Sequence[tuple[int, int]],
    functions: Sequence[int],
    threads: Sequence[int] | None = None,
) -> Clock:
    """Return the clock of a tree whose calls began and ended at these times."""
    tree = Tree.from_parents(parents, functions)
    entry, exit_ = (np.array(column, np.int64) for column in zip(*times, strict=True))
    thread = None if threads is None else np.array(threads, np.int64)
    ids = np.arange(len(parents), dtype=np.int64)
    began = Began(ids, entry, exit_, int(exit_.max()) + 1, thread)
    return clock_of(tree, callers_above(tree), began, NAMES)


def test_calls_inside_each_other_are_in_one_lane() -> None:
    found = clock([-1, 0, 0], [(0, 9), (1, 3), (5, 7)], [0, 2, 2])
    assert found.lane.tolist() == [0, 0, 0]
    assert found.names == ("main thread",)
    assert (found.entry.tolist(), found.exit.tolist()) == ([0, 1, 5], [10, 4, 8])


def test_tasks_that_run_at_once_have_lanes_with_all_their_calls() -> None:
    parents = [-1, 0, 1, 0, 3, 0]
    times = [(0, 30), (1, 12), (5, 6), (2, 14), (8, 9), (20, 25)]
    found = clock(parents, times, [0, 1, 2, 1, 2, 2])
    # The second task overlaps no later call: it stays in the lane of its caller.
    assert found.lane.tolist() == [0, 1, 1, 0, 0, 0]
    assert found.names == ("main thread", "task")
    assert found.top.tolist() == [0, 1, 1, 0, 0, 0]


def test_tasks_one_after_the_other_share_a_lane() -> None:
    times = [(0, 40), (1, 8), (4, 5), (11, 18), (14, 15)]
    found = clock([-1, 0, 0, 0, 0], times, [0, 1, 2, 1, 2])
    assert found.lane.tolist() == [0, 1, 0, 1, 0]


def test_threads_have_lanes() -> None:
    times = [(0, 20), (1, 9), (3, 12)]
    found = clock([-1, -1, -1], times, [0, 2, 2], threads=[1, 2, 3])
    assert found.lane.tolist() == [0, 1, 2]
    assert found.names == ("main thread", "thread 2", "thread 3")


def test_there_are_never_more_lanes_than_can_be_drawn() -> None:
    count = 3 * MAX_LANES
    times = [(0, 1000), *((1 + n, 900 + n) for n in range(count))]
    found = clock([-1] + [0] * count, times, [0] + [1] * count)
    assert len(found.names) == MAX_LANES
    assert int(found.lane.max()) == MAX_LANES - 1


def test_a_call_that_has_not_ended_lasts_until_now() -> None:
    tree = Tree.from_parents([-1], [0])
    began = Began(np.array([0]), np.array([3]), np.array([-1]), 50)
    assert clock_of(tree, callers_above(tree), began, NAMES).exit.tolist() == [51]
