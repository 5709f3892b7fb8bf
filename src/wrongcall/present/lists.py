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
    """What they read, if all that read it found the same."""
    members: tuple[Question, ...]
    """All of them, without their variables; what they read only if others found something else."""


def call_list(
    trace: Trace,
    calls: Sequence[int],
    *,
    depth: int = 1,
    width: int = 80,
    line_width: int | None = None,
    everything: bool = False,
) -> CallList:
    """Return the question that a list of calls is; the sizes are those of `question`."""
    asked = [
        question(
            trace,
            call,
            depth=depth,
            width=width,
            line_width=line_width,
            variables=False,
            everything=everything,
        )
        for call in calls
    ]
    found: dict[str, set[ValueNode]] = {}
    for node in (node for each in asked for node in each.read):
        found.setdefault(node.label, set()).add(node)
    same = {label: nodes.pop() for label, nodes in found.items() if len(nodes) == 1}
    members = (replace(a, read=tuple(n for n in a.read if n.label not in same)) for a in asked)
    return CallList(asked[0].where, tuple(same.values()), tuple(members))
