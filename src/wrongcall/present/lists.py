"""Calls of one caller as a list that is put to an oracle: each of them is judged by itself.

What their caller did between them is not known to the list, so there is no state before and after all
of it: only what each call was given, and what came of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from wrongcall.present.questions import Question, Where, question
from wrongcall.present.values import ValueNode
from wrongcall.trace import Trace


@dataclass(frozen=True)
class CallList:
    """Calls that are judged each by itself, with one answer for all."""

    where: Where
    """The function of the first one, and from where it was called."""
    read: tuple[ValueNode, ...]
    """What all of them read, and found the same."""
    members: tuple[Question, ...]
    """All of them, without their variables; what they read is here only if it is not the same for all."""


def call_list(
    trace: Trace,
    calls: Sequence[int],
    *,
    depth: int = 1,
    width: int = 80,
    line_width: int | None = None,
) -> CallList:
    """Return the question that a list of calls is; the sizes are those of `question`."""
    asked = [
        question(trace, call, depth=depth, width=width, line_width=line_width, variables=False)
        for call in calls
    ]
    same = tuple(n for n in asked[0].read if all(n in other.read for other in asked[1:]))
    members = (replace(a, read=tuple(n for n in a.read if n not in same)) for a in asked)
    return CallList(asked[0].where, same, tuple(members))
