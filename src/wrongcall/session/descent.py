"""Decide whether a wrong call is searched inside before the calls that it made are judged.

A call may make a thousand others in a loop. If they form no chain, each of them, or each short list of them, is a
question of its own, and the wrong one is found by going through them. The rounds of the loop are a chain: "is the state
right after round 500?" halves them. So the call is searched inside first, where that takes fewer questions; the
statement that is found there leads to the few calls that it made. If it is not known yet whether the call is wrong,
that is the first question: most of the suspects are in it.
"""

from __future__ import annotations

import math

import numpy as np

from wrongcall.analysis.inside.inside import Inside
from wrongcall.session.session import Session
from wrongcall.tree.tree import NOBODY

MIN_BESIDE = 24
"""With fewer calls or groups below a call, they are asked about first."""
MAX_BESIDE = 4096
"""More are not looked at: it is clear by then."""
MIN_SHARE = 0.75
"""The share of the suspects that has to be in a call which is not known to be wrong."""
ONE_MORE = 2
"""Questions that one search must save: those inside a call take longer to answer."""


def crowded_call(session: Session) -> int:
    """Return the call with most of the suspects that made many calls, which are not in each other; 0: none."""
    suspects, tree = session.suspects, session.tree
    node = suspects.root
    if node == NOBODY:
        return 0
    weighed = suspects.weigh()
    least = MIN_SHARE * weighed.total
    while not tree.is_group(node):
        below = suspects.topmost(MIN_BESIDE, node)
        if len(below) >= MIN_BESIDE:
            return tree.call(node)
        node = max(below, key=weighed.of, default=NOBODY)
        if node == NOBODY or weighed.of(node) < least:
            return 0
    return 0


def questions_beside(session: Session, call: int) -> float:
    """Return how many questions find the one of the calls and groups below a call that has the bug.

    None of them contains another, so they are asked one after the other, the likeliest first.
    """
    suspects, node = session.suspects, session.tree.node(call)
    below = suspects.topmost(MAX_BESIDE, node)
    weighed = suspects.weigh()
    # If all of them are right, it is the call itself.
    own = suspects.weights.of(node, suspects.state)
    weights = np.append(np.sort([weighed.of(each) for each in below])[::-1], own)
    asked = np.minimum(np.arange(1, len(weights) + 1), len(below))
    return float((asked * weights).sum() / weights.sum())


def questions_inside(inside: Inside, boundaries: int) -> float:
    """Return how many questions find a statement inside a call, and the one of the calls it made that has the bug."""
    makers = inside.parent[inside.child > 0]
    most = int(np.bincount(makers).max()) if len(makers) else 0
    return math.log2(max(boundaries, 2)) + most / 2


def cuts_more_inside(session: Session, inside: Inside, boundaries: int) -> bool:
    """Return whether a call should be searched inside before the calls it made are judged."""
    return questions_beside(session, inside.call) > (
        questions_inside(inside, boundaries) + ONE_MORE
    )
