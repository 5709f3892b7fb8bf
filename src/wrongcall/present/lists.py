"""Calls of one caller as a list that is put to an oracle: each of them is judged by itself.

What their caller did between them is not known to the list, so there is no state before and after all
of it: only what each call was given, and its outcome.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace

from wrongcall.present.questions import QuestionView, Where, question
from wrongcall.present.values import ValueNode
from wrongcall.recording import Recording


@dataclass(frozen=True)
class CallList:
    """Calls that are judged each by itself, with one answer for all."""

    where: Where
    """The function of the first one, and from where it was called."""
    read: tuple[ValueNode, ...]
    """What they read, if all that read it found the same; constants last."""
    members: tuple[QuestionView, ...]
    """All that differ, without their variables; what they read only if others found something else."""
    constants: int = 0
    """How many of `read`, at its end, are constants."""
    counts: tuple[int, ...] = ()
    """How many calls each of them stands for; empty: none stands for others."""

    def times(self, index: int) -> int:
        """Return how many equal calls a member stands for."""
        return self.counts[index] if self.counts else 1

    @property
    def count(self) -> int:
        """How many calls there are."""
        return sum(self.counts) if self.counts else len(self.members)


def call_list(
    recording: Recording,
    calls: Sequence[int],
    *,
    depth: int = 1,
    width: int = 80,
    line_width: int | None = None,
    everything: bool = False,
) -> CallList:
    """Return the question that a list of calls is; the sizes are those of `question`.

    Calls with the same input, outcome and effect are one question, so they are there once.
    """
    counts = equal_calls(recording, calls)
    asked = [
        question(
            recording,
            call,
            depth=depth,
            width=width,
            line_width=line_width,
            variables=False,
            everything=everything,
        )
        for call in counts
    ]
    found: dict[str, set[ValueNode]] = {}
    for node in (node for each in asked for node in each.read):
        found.setdefault(node.label, set()).add(node)
    same = {label: nodes.pop() for label, nodes in found.items() if len(nodes) == 1}
    members = (
        replace(a, read=tuple(n for n in a.read if n.label not in same), constants=0) for a in asked
    )
    fixed = {node.label for a in asked for node in a.read[len(a.read) - a.constants :]}
    read = sorted(same.values(), key=lambda node: node.label in fixed)
    constants = sum(node.label in fixed for node in read)
    where, equal = asked[0].where, tuple(counts.values())
    return CallList(where, tuple(read), tuple(members), constants, equal)


def equal_calls(recording: Recording, calls: Sequence[int]) -> dict[int, int]:
    """Return the first of the calls that ask the same, each with their number."""
    alike = Counter(recording.questions.outline(call) for call in calls)
    firsts: dict[Hashable, int] = {}
    counts: dict[int, int] = {}
    for call in calls:
        # A key takes all that a call was given and did. Most calls differ at first glance.
        single = alike[recording.questions.outline(call)] == 1
        first = firsts.setdefault(call if single else recording.questions.key(call), call)
        counts[first] = counts.get(first, 0) + 1
    return counts
