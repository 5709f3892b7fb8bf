"""Measure questions before asking one: how many lines do they really have?

A strategy that weighs lines to read has an estimate of them for every node. `sampled` looks at one call of each
function, to scale the estimate: what was looked at must not seem longer or shorter only because the rest is
estimated. `choose_looking` then looks at the question that the strategy would ask, takes its real length into
account, and lets it choose again, until it sticks to what was looked at. It changes nothing: what it measured is
part of its answer, and `note` keeps that for later choices.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from collections.abc import Set as AbstractSet
from typing import NamedTuple

import numpy as np

from wrongcall.session.strategies.base import Strategy
from wrongcall.tree.costs import HEADING, MOST_LINES
from wrongcall.tree.reading import Sample
from wrongcall.tree.states import NodeState
from wrongcall.tree.suspects import Suspects
from wrongcall.tree.tree import NOBODY, Tree

MOST_LOOKS = 12
"""Questions measured before one is asked."""
MANY_SUSPECTS = 5_000
FEW_LOOKS = 3
"""Questions measured with MANY_SUSPECTS or more, where choosing takes longer."""

MOST_SAMPLES = 24
"""Functions of which one call is measured, those with the most calls first."""

Look = Callable[[int], int | None]
"""Returns the lines of the question that a node is; None: looking would take too long."""


class NodeChoice(NamedTuple):
    """The node to ask, and what was measured to choose it."""

    node: int
    lengths: Mapping[int, int | None]
    """The lines of the nodes that were looked at; None: looking would take too long."""


def choose_looking(
    strategy: Strategy, suspects: Suspects, look: Look, known: AbstractSet[int]
) -> NodeChoice:
    """Return the node to ask. ``known``: the nodes that were looked at before, see `note`."""
    if suspects.costs is None or not strategy.needs_costs:
        return NodeChoice(strategy.choose(suspects), {})
    lengths: dict[int, int | None] = {}
    node = _choose(strategy, suspects, known, lengths)
    first, last = suspects.span
    for _ in range(FEW_LOOKS if last - first > MANY_SUSPECTS else MOST_LOOKS):
        if node == NOBODY or node in known or node in lengths:
            break
        lengths[node] = look(node)
        if lengths[node] is None:
            break
        node = _choose(strategy, suspects, known, lengths)
    return NodeChoice(node, lengths)


def note(suspects: Suspects, lengths: Mapping[int, int | None]) -> None:
    """Keep measured lengths instead of the estimates."""
    for node, lines in lengths.items():
        if suspects.costs is not None and lines is not None:
            suspects.costs[node] = max(1, min(lines, MOST_LINES))


def _choose(
    strategy: Strategy,
    suspects: Suspects,
    known: AbstractSet[int],
    lengths: Mapping[int, int | None],
) -> int:
    """Return the node to ask, but none that is too long: its parts are asked instead."""
    assert suspects.costs is not None
    state, costs = suspects.state, suspects.costs
    measured = list(lengths)
    estimates = costs[measured]
    note(suspects, lengths)
    looked_at = (*known, *measured)
    long = [n for n in looked_at if costs[n] == MOST_LINES and state[n] == NodeState.UNDEFINED]
    state[long] = NodeState.UNKNOWN
    try:
        return strategy.choose(suspects)
    finally:
        state[long] = NodeState.UNDEFINED
        costs[measured] = estimates


Measured = Callable[[tuple[int, ...], bool], int | None]
"""Returns the lines of a question about some calls, or a list of them; None: that is not known."""


def sampled(tree: Tree, measured: Measured, known: Mapping[int, Sample]) -> dict[int, Sample]:
    """Return a sample for each of the functions with the most calls; ``known``: some, from before."""
    found = dict(known)
    calls = np.bincount(tree.function[tree.completed], minlength=1)
    functions = np.argsort(-calls, kind="stable")[:MOST_SAMPLES]
    for function in functions[calls[functions] > 0].tolist():
        if function not in found:
            nodes = np.flatnonzero((tree.function == function) & tree.completed)
            node = int(nodes[len(nodes) // 2])
            call = (tree.call(node),)
            alone, listed = measured(call, False), measured(call, True)
            if alone is not None and listed is not None:
                found[function] = Sample(node, alone, max(1, listed - HEADING))
    return found
