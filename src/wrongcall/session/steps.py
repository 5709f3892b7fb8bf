"""What `Session.step` returns: plain values, never a prompt."""

from __future__ import annotations

from dataclasses import dataclass

from wrongcall.session.answers import Answer


@dataclass(frozen=True)
class Question:
    """Did these calls do what they should?"""

    node: int
    calls: tuple[int, ...]
    """One call, or the members of a group in order: one entry state, one exit state, or a list."""
    function: int | None
    """The function that was called; None: several."""
    counts: tuple[tuple[int, int], ...]
    """How often which function was called in a row, as in "3 times t.right()"."""
    again: bool = False
    """It was answered before, and a finding that rests on the answer was rejected."""
    note: str = ""
    """What the strategy wants to be known."""
    is_list: bool = False
    """Each call is judged by itself: right means that every one of them is."""
    opinions: tuple[Answer, ...] = ()
    """What oracles think of it without being certain."""
    nodes: tuple[int, ...] = ()
    """The nodes of a list that is no group: calls that are likely right, to be confirmed together."""
    inside: int = 0
    """It is about a boundary inside this call, whose number `calls` has; 0: it is about calls."""

    @property
    def is_group(self) -> bool:
        """Whether it is about several calls."""
        return len(self.calls) > 1


@dataclass(frozen=True)
class InsideFinding:
    """The execution inside a call that has the bug: right before it, wrong after it."""

    call: int
    boundary: int
    node: int
    """Among the executions inside the call."""
    evidence: tuple[int, ...]
    """The numbers of the answers, in the session inside the call, that it rests on."""
    undecided: tuple[int, ...] = ()
    """Boundaries that could not be judged: the bug may be there instead."""
    is_missing: bool = False
    """Everything that ran there is right, so something is missing."""


@dataclass(frozen=True)
class Finding:
    """These calls are wrong and everything they called is right: the bug is in their function."""

    node: int
    calls: tuple[int, ...]
    """The buggy call; several: one of a collapsed group. None: see `undecided`."""
    function: int | None
    evidence: tuple[int, ...]
    """The numbers of the answers that it rests on."""
    undecided: tuple[int, ...] = ()
    """Undecided calls: the bug may be in one of them instead."""
    inadmissible: tuple[int, ...] = ()
    """Calls that should not have been made like this: what the buggy call passed on is wrong."""
    confirmed: bool = False
    inside: InsideFinding | None = None
    """Where in the call it is; None: that was not searched, or not found."""


@dataclass(frozen=True)
class NoBug:
    """No call has the bug, if the answers are right; calls that did not end are judged by their state."""

    undecided: tuple[int, ...] = ()


@dataclass(frozen=True)
class NeedsMoreTree:
    """All completed calls are judged; the bug may be in calls that are still to begin or to end."""

    undecided: tuple[int, ...] = ()


@dataclass(frozen=True)
class Contradiction:
    """These answers can't all be right: judge one of them again, or undo."""

    numbers: tuple[int, ...]
    answers: tuple[Answer, ...]

    def __str__(self) -> str:
        named = [f"#{n} {a}" for n, a in zip(self.numbers, self.answers, strict=True)]
        return "these answers contradict each other: " + "; ".join(named)


Next = Question | Finding | NoBug | NeedsMoreTree | Contradiction


@dataclass(frozen=True)
class Why:
    """Why a question is asked."""

    strategy: str
    suspects: float
    """How many calls can be the bug."""
    left_if_right: float
    left_if_wrong: float
    left_if_unknown: float
    expected: float
    """About how many questions are left, this one included."""
    is_exact: bool
    """Whether that is what Optimal D&Q asks on average, or only a lower bound."""
    note: str = ""
