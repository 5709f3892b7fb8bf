"""What is known about a node, and what that means for the search.

A *state* is one byte in a column: a verdict, plus `INCOMPLETE` for a call that is not judgeable because it has not
ended and the run is still going. A *code* is what a state means to the kernels: the node can be asked about, or is
spliced (it is not asked about and has no weight; its children move up to the nearest kept node), or is cut (removed
with everything below it).
"""

from __future__ import annotations

from enum import Enum, IntEnum

INCOMPLETE = 0x80
"""Added to the state of a call that has not ended yet: it is not asked about."""

ASK, SPLICE, CUT = 0, 1, 2


class NodeState(IntEnum):
    """What is known about a node."""

    UNDEFINED = 0
    RIGHT = 1
    WRONG = 2
    TRUSTED = 3
    UNKNOWN = 4
    INADMISSIBLE = 5
    """An invalid call: it is right, but its caller or an earlier call is not."""
    EXPLAINED = 6
    """Wrong, but because of a bug that was already found."""
    HIDDEN = 7
    """Stands for nothing: a member of a collapsed group, which is asked about instead."""
    SPLIT = 8
    """A list whose calls are asked about one by one instead: some of them are trusted."""


class Trusted(Enum):
    """What happens to the calls that a trusted call made."""

    SPLICE = "splice"
    """They remain suspects: trusting a function says nothing about those it calls."""
    PRUNE = "prune"
    """They are trusted too."""


_SPLICED = (NodeState.WRONG, NodeState.UNKNOWN, NodeState.EXPLAINED, NodeState.SPLIT)
_CUT = (NodeState.RIGHT, NodeState.INADMISSIBLE, NodeState.HIDDEN)
FOUND_RIGHT = (NodeState.RIGHT, NodeState.INADMISSIBLE)


def code_table(trusted: Trusted) -> bytes:
    """Return the code of each of the 256 states."""
    table = bytearray([SPLICE]) * 256
    table[NodeState.UNDEFINED] = ASK
    for state in _SPLICED:
        table[state] = SPLICE
    table[NodeState.TRUSTED] = SPLICE if trusted is Trusted.SPLICE else CUT
    for state in _CUT:
        table[state] = CUT
        table[state | INCOMPLETE] = CUT
    table[NodeState.TRUSTED | INCOMPLETE] = table[NodeState.TRUSTED]
    return bytes(table)


def right_table() -> bytes:
    """Return which of the 256 states mean that a call and everything it made were found right."""
    table = bytearray(256)
    for state in FOUND_RIGHT:
        table[state] = 1
        table[state | INCOMPLETE] = 1
    return bytes(table)
