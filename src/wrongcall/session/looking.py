"""Measure questions before asking one: how many lines do they really have?

A strategy that weighs lines to read has an estimate of them for every node. `sampled` looks at one call of each
function, to scale the estimate: what was looked at must not seem longer or shorter only because the rest is
estimated. `choose_looking` then looks at the question that the strategy would ask, notes how long it really is,
and lets it choose again, until it sticks to what was looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from wrongcall.session.strategies.base import Strategy
from wrongcall.tree.reading import HEADING, MOST_LINES, Sample
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


def choose_looking(strategy: Strategy, suspects: Suspects, look: Look, known: set[int]) -> int:
    """Return the node to ask; ``known``: the nodes whose lines are known, to which more are added."""
    if suspects.costs is None or not strategy.needs_costs:
        return strategy.choose(suspects)
    node = _choose(strategy, suspects, known)
    first, last = suspects.span
    for _ in range(FEW_LOOKS if last - first > MANY_SUSPECTS else MOST_LOOKS):
        if node == NOBODY or node in known:
            break
        known.add(node)
        lines = look(node)
        if lines is None:
            break
        suspects.costs[node] = max(1, min(lines, MOST_LINES))
        node = _choose(strategy, suspects, known)
    return node


def _choose(strategy: Strategy, suspects: Suspects, known: set[int]) -> int:
    """Return the node to ask, but none that is too long: its parts are asked instead."""
    assert suspects.costs is not None
    state = suspects.state
    long = [n for n in known if suspects.costs[n] == MOST_LINES and state[n] == NodeState.UNDEFINED]
    state[long] = NodeState.UNKNOWN
    try:
        return strategy.choose(suspects)
    finally:
        state[long] = NodeState.UNDEFINED


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
