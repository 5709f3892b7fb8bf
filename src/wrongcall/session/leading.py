"""The order of questions along the way of an exception: the calls it went through, the innermost first.

The bug is often near the place where the exception was raised, so the first questions go from there outwards. If it is
not, the calls that are left are halved: an exception may have gone through a thousand of them.

The search knows that a call is wrong only if everything outside of it on the way is wrong as well, and that everything
inside of a right one is right; so what is open lies between the outermost right call and the innermost wrong one.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

INNERMOST = 3
"""Calls that are asked about one after the other, before the others are halved."""


class Known(Enum):
    """What is known about a call on the way."""

    OPEN = 0
    RIGHT = 1
    WRONG = 2
    PASSED = 3
    """It is not asked about: undecided, trusted, or not judgeable."""


def next_on_the_way(known: Sequence[Known]) -> int | None:
    """Return which call to ask about next, by its place on the way; None: the way says no more."""
    first = max((i for i, state in enumerate(known) if state is Known.RIGHT), default=-1) + 1
    last = min((i for i, state in enumerate(known) if state is Known.WRONG), default=len(known))
    left = [i for i in range(first, last) if known[i] is Known.OPEN]
    if not left:
        return None
    judged = sum(state in (Known.RIGHT, Known.PASSED) for state in known[:INNERMOST])
    return left[0] if judged < INNERMOST and left[0] < INNERMOST else left[len(left) // 2]
