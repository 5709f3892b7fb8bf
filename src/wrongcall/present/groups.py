"""A group of calls of one caller as it is put to an oracle: one state before, one state after."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from wrongcall.present.diffs import DiffLine, MeanwhileLine, effect_lines, meanwhile_lines
from wrongcall.present.processes import process_words, started_words
from wrongcall.present.questions import CALLED, Where, outcome_line, printed_text, title, where
from wrongcall.present.text import columns, shares
from wrongcall.recording import Recording, Ref

SHOWN = 8
"""Members shown of a large group: the first ones and the last ones."""


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
    meanwhile: tuple[MeanwhileLine, ...] = ()
    """What others changed meanwhile."""
    started: str = ""
    """Processes that they started, in words."""
    unrecorded: str = ""
    """Those among them that were not recorded, in words."""


def group(
    recording: Recording,
    calls: Sequence[int],
    *,
    width: int = 80,
    change_width: int | None = None,
    shown: int = SHOWN,
) -> Group:
    """Return a group of calls as a question; ``width``: columns of each call and each change."""
    change_width = width if change_width is None else change_width
    chosen = list(calls) if len(calls) <= shown else [*calls[: shown // 2], *calls[-shown // 2 :]]
    first, last = calls[0], calls[-1]
    effect = recording.questions.effect_until(first, last)
    started = recording.questions.processes(first, last)
    return Group(
        first=first,
        last=last,
        count=len(calls),
        where=where(recording, recording.call(first), width - CALLED),
        members=tuple(
            member(recording, call, width, _common(recording, chosen)) for call in chosen
        ),
        left_out=len(calls) - len(chosen),
        after=effect.after,
        changed=tuple(effect_lines(recording, effect, change_width)),
        printed=printed_text(recording.questions.printed(first, last)),
        meanwhile=tuple(meanwhile_lines(recording, effect, change_width)),
        started=started_words(recording, started),
        unrecorded=process_words(started),
    )


def _common(recording: Recording, calls: Sequence[int]) -> int:
    """Return how many arguments are the same object in all calls, at most one: the receiver, say."""
    firsts = [recording.call(call).args[:1] for call in calls]
    values = {passed.value for args in firsts for passed in args}
    if not all(firsts) or len(values) != 1:
        return 0
    (value,) = values
    return int(isinstance(value, Ref) and not recording.states.sameness.is_fixed(value))


def member(recording: Recording, number: int, width: int = 80, bare: int = 0) -> Member:
    """Return a call on one line of at most ``width`` columns; see `title`."""
    call = recording.call(number)
    head = title(recording, call, width=width, bare=bare)
    tail = outcome_line(recording, call, width)
    rooms = shares((columns(head), columns(tail)), width - 1)
    if columns(head) > rooms[0]:
        head = title(recording, call, width=max(rooms[0], 12), bare=bare)
    left = width - 1 - columns(head)
    if columns(tail) > left:
        tail = outcome_line(recording, call, max(left, 8))
    return Member(number, head, tail)
