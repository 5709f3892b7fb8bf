"""A group of calls of one caller as it is put to an oracle: one state before, one state after."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from wrongcall.present.diffs import DiffLine, effect_lines
from wrongcall.present.processes import process_words
from wrongcall.present.questions import Where, outcome_line, printed_text, title, where
from wrongcall.trace import Ref, Trace

SHOWN = 8
"""Of a large group so many members are shown: the first ones and the last ones."""


@dataclass(frozen=True)
class Member:
    """A call on one line."""

    call: int
    title: str
    outcome: str


@dataclass(frozen=True)
class Group:
    """What several calls in a row did together."""

    first: int
    last: int
    count: int
    where: Where
    """The function of the first one, and from where it was called."""
    members: tuple[Member, ...]
    left_out: int
    """How many members are not shown; they belong into the middle."""
    after: int
    """When the last one ended."""
    changed: tuple[DiffLine, ...]
    printed: str
    started: str = ""
    """Processes that they started and that were not recorded, in words."""


def group(trace: Trace, calls: Sequence[int], *, width: int = 80, shown: int = SHOWN) -> Group:
    """Return the question that a group of calls is."""
    chosen = list(calls) if len(calls) <= shown else [*calls[: shown // 2], *calls[-shown // 2 :]]
    first, last = calls[0], calls[-1]
    effect = trace.effect_until(first, last)
    return Group(
        first=first,
        last=last,
        count=len(calls),
        where=where(trace, trace.call(first)),
        members=tuple(member(trace, call, width, _common(trace, chosen)) for call in chosen),
        left_out=len(calls) - len(chosen),
        after=effect.after,
        changed=tuple(effect_lines(trace, effect, max(width // 2, 8))),
        printed=printed_text(trace.printed(first, last)),
        started=process_words(trace.processes(first, last)),
    )


def _common(trace: Trace, calls: Sequence[int]) -> int:
    """Return how many arguments are the same object in all calls, at most one: the receiver, say."""
    firsts = [trace.call(call).args[:1] for call in calls]
    values = {passed.value for args in firsts for passed in args}
    return int(all(firsts) and len(values) == 1 and isinstance(values.pop(), Ref))


def member(trace: Trace, number: int, width: int = 80, bare: int = 0) -> Member:
    """Return a call on one line of at most so many columns; see `title`."""
    call = trace.call(number)
    head = title(trace, call, width=max(width * 2 // 3, 12), bare=bare)
    return Member(number, head, outcome_line(trace, call, max(width - len(head) - 1, 8)))
