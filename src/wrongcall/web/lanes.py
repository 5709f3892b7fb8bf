"""Where the calls of a run are on the clock: when each began and ended, and in which lane it is drawn.

The clock is that of the trace: an event is one tick. Calls of another thread, and calls that went on while the code
that made them went on (tasks, generators), overlap others: they have a *lane* of their own, with everything below them.
Calls that don't overlap share a lane, so there are never more than ran at once.
"""

from __future__ import annotations

from dataclasses import dataclass
from heapq import heappop, heappush

import numpy as np
import numpy.typing as npt

from wrongcall.tree.tree import NOBODY, Tree

Ints = npt.NDArray[np.int64]
MAX_LANES = 16
"""The most lanes; the calls of the others are drawn in the last one."""
MAX_HEADS = 5000
"""The most calls that begin a lane; of more, those that took longest."""


@dataclass(frozen=True)
class Clock:
    """When the nodes of a tree began and ended, and their lanes."""

    entry: Ints
    exit: Ints
    lane: npt.NDArray[np.int32]
    top: npt.NDArray[np.int32]
    """How many calls are above the call that begins the lane."""
    names: tuple[str, ...]
    """The lanes from the top."""


@dataclass(frozen=True, eq=False)
class Began:
    """When the calls of a recording began and ended, and in which threads, by rising call."""

    id: Ints
    entry: Ints
    exit: Ints
    last: int
    """The end of the run, so far."""
    thread: Ints | None = None
    """None: there is only one."""


def clock_of(
    tree: Tree, level: npt.NDArray[np.int32], began: Began, names: dict[int, str]
) -> Clock:
    """Return the clock of a tree; ``level``: how many calls are above each node, ``names``: those of functions."""
    entry, exit_, thread = _columns(tree, began)
    count = len(tree)
    lane, top = np.zeros(count, np.int32), np.zeros(count, np.int32)
    if not count:
        return Clock(entry, exit_, lane, top, ())
    titles = [_thread_name(thread, 0)]
    heads = _heads(tree, entry, exit_, thread)
    if len(heads) > MAX_HEADS:
        longest = np.argsort(entry[heads] - exit_[heads], kind="stable")[:MAX_HEADS]
        heads = np.sort(heads[longest])
    # The lanes that are free again, and those in use, by when they will be free.
    free: dict[int, list[int]] = {}
    used: list[tuple[int, int, int]] = []
    of = {int(thread[0]): 0} if thread is not None else {}
    chosen: dict[int, int] = {}
    for node in heads[np.argsort(entry[heads], kind="stable")].tolist():
        mine = int(thread[node]) if thread is not None else 0
        is_root = int(tree.parent[node]) == NOBODY
        while used and used[0][0] < entry[node]:
            _, of_thread, number = heappop(used)
            heappush(free.setdefault(of_thread, []), number)
        if is_root and mine in of:
            chosen[node] = of[mine]
            continue
        waiting = free.get(mine)
        if waiting and not is_root:
            number = heappop(waiting)
        elif len(titles) < MAX_LANES:
            number = len(titles)
            titles.append(
                _thread_name(thread, node) if is_root else names.get(int(tree.function[node]), "?")
            )
        else:
            number = MAX_LANES - 1
        chosen[node] = number
        if is_root:
            of[mine] = number
        else:
            heappush(used, (int(exit_[node]), mine, number))
    for node in heads.tolist():  # callers first: what is inside them has its own lane
        end = int(tree.end[node])
        lane[node:end] = chosen[node]
        top[node:end] = level[node]
    return Clock(entry, exit_, lane, top, tuple(titles))


def _thread_name(thread: Ints | None, node: int) -> str:
    number = 1 if thread is None else int(thread[node])
    return "main thread" if number <= 1 else f"thread {number}"


def _columns(tree: Tree, began: Began) -> tuple[Ints, Ints, Ints | None]:
    """Return entries, exits and threads in the order of the nodes; a group is where its first call is."""
    calls = _calls(tree)
    rows = np.minimum(np.searchsorted(began.id, calls), max(len(began.id) - 1, 0))
    entry = began.entry[rows].astype(np.int64)
    ended = began.exit[rows].astype(np.int64)
    exit_ = np.where(ended < 0, began.last, ended) + 1
    thread = None if began.thread is None else began.thread[rows].astype(np.int64)
    return entry, exit_, thread


def _calls(tree: Tree) -> Ints:
    """Return the call of each node; of a group, its first one."""
    base = getattr(tree, "base", None)
    if base is None:
        return tree.calls()
    calls = base.calls()
    at = np.cumsum(tree.base_of >= 0) - (tree.base_of >= 0)  # type: ignore[attr-defined]
    found: Ints = calls[np.minimum(at, max(len(calls) - 1, 0))]
    return found


def _heads(tree: Tree, entry: Ints, exit_: Ints, thread: Ints | None) -> Ints:
    """Return the nodes that begin a lane, callers first."""
    is_call = np.ones(len(tree), np.bool_) if tree.kind is None else tree.kind == 0
    parent = np.maximum(_callers(tree), 0)
    has_parent = _callers(tree) != NOBODY
    # What comes right after a node and everything below it, if the same call made it.
    after = np.minimum(tree.end, len(tree) - 1)
    same = (tree.end < len(tree)) & (_callers(tree)[after] == _callers(tree))
    overlaps = has_parent & same & (exit_ > entry[after] + 1)
    overlaps |= has_parent & (exit_ > exit_[parent] + 1)
    if thread is not None:
        overlaps &= thread == thread[after]
        overlaps |= has_parent & (thread != thread[parent])
        overlaps |= ~has_parent
    found: Ints = np.flatnonzero(overlaps & is_call).astype(np.int64)
    return found


def _callers(tree: Tree) -> npt.NDArray[np.int32]:
    """Return the caller of each node, past groups."""
    found = tree.parent
    if tree.kind is None:
        return found
    is_group = tree.kind != 0
    found = found.copy()
    while True:
        inside = np.flatnonzero((found >= 0) & is_group[np.maximum(found, 0)])
        if not len(inside):
            return found
        found[inside] = tree.parent[found[inside]]
