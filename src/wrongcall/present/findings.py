"""A finding as it is shown and reported: the buggy call, and why it must be this one."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

from wrongcall.present.excerpts import Excerpt, excerpt
from wrongcall.present.groups import Group, Member, group, member
from wrongcall.present.questions import Question, question
from wrongcall.present.text import safe
from wrongcall.session.answers import ASSUMED, USER, Answer, Verdict
from wrongcall.session.session import Session
from wrongcall.session.steps import Finding
from wrongcall.trace import Trace
from wrongcall.tree.states import FOUND_RIGHT, State

LISTED = 12
"""So many calls are listed where there may be very many."""


@dataclass(frozen=True)
class Reason:
    """An answer that a finding rests on."""

    number: int
    """Of the answer, in the session."""
    call: int
    title: str
    outcome: str
    """Empty: it is about several calls."""
    verdict: str
    by: str


@dataclass(frozen=True)
class FindingView:
    """The buggy call with everything that speaks for it."""

    calls: tuple[int, ...]
    function: str
    place: str
    """As in ``prog.py:12``; empty if it is not known which of several calls it is."""
    question: Question | None
    """The call; None: one of several."""
    group: Group | None
    """The calls, if it is one of several."""
    summary: str
    """Why it must be this one, in a sentence."""
    reasons: tuple[Reason, ...]
    expected: str
    """What should have come out instead, if somebody said so."""
    undecided: tuple[Member, ...]
    undecided_count: int
    inadmissible: tuple[Member, ...]
    """Calls that should not have been made like this."""
    source: Excerpt | None
    confirmed: bool


def finding_view(
    trace: Trace,
    session: Session,
    finding: Finding,
    *,
    depth: int = 1,
    width: int = 80,
    line_width: int = 80,
) -> FindingView:
    """Return what is to be shown of a finding; values have so many columns, lines ``line_width``."""
    calls = finding.calls
    one = calls[0] if len(calls) == 1 else 0
    answers = _answers(session, finding)
    function = trace.functions[finding.function] if finding.function is not None else None
    asked = question(trace, one, depth=depth, width=width, line_width=line_width) if one else None
    together = group(trace, calls, width=line_width) if len(calls) > 1 else None
    shown = asked or together
    return FindingView(
        calls=calls,
        function=safe(function.qualname) if function else "",
        place=f"{shown.where.file}:{shown.where.line}" if shown else "",
        question=asked,
        group=together,
        summary=summary_of(session, finding),
        reasons=tuple(_reason(trace, n, answer, line_width) for n, answer in answers),
        expected=_expected(answers, calls),
        undecided=tuple(member(trace, call, line_width) for call in finding.undecided[:LISTED]),
        undecided_count=len(finding.undecided),
        inadmissible=tuple(
            member(trace, call, line_width) for call in finding.inadmissible[:LISTED]
        ),
        source=excerpt(trace, calls[0]) if calls else None,
        confirmed=finding.confirmed,
    )


def _answers(session: Session, finding: Finding) -> list[tuple[int, Answer]]:
    entries = session.entries
    return [(n, a) for n in finding.evidence if isinstance(a := entries[n - 1], Answer)]


def _reason(trace: Trace, number: int, answer: Answer, width: int) -> Reason:
    first, last = answer.calls
    shown = member(trace, first, width)
    if last != first:
        shown = replace(shown, title=f"{shown.title} up to #{last}", outcome="")
    part = f": {safe(answer.part.path)}" if answer.part is not None else ""
    by = {USER: "you said so", ASSUMED: "the run was started to be debugged"}.get(answer.by)
    said = f"{answer.verdict.value}{part}"
    return Reason(number, first, shown.title, shown.outcome, said, by or safe(answer.by))


def _expected(answers: list[tuple[int, Answer]], calls: tuple[int, ...]) -> str:
    said = [a.expected for _, a in answers if a.expected and set(a.calls) & set(calls)]
    return safe(said[-1]) if said else ""


def summary_of(session: Session, finding: Finding) -> str:
    """Say in a sentence why it must be this one."""
    if not finding.calls:
        return "Something here is wrong, and what could not be judged may be it."
    if len(finding.calls) > 1:
        return "Together they are wrong, and what they called is right: it is one of them."
    said = any(
        answer.verdict in (Verdict.WRONG, Verdict.WRONG_PART) and finding.calls[0] in answer.calls
        for _, answer in _answers(session, finding)
    )
    wrong = "It is wrong" if said else "It is wrong, because the others of its group are right"
    return f"{wrong}, and {_callees(session, finding)}."


def _callees(session: Session, finding: Finding) -> str:
    """Say what is known about the calls that the buggy one made."""
    tree = session.tree
    node = tree.node(finding.calls[0])
    made = [m for child in tree.children(node) for m in tree.members(child)]
    if not made:
        return "it made no calls"
    right = sum(_is_one_of(FOUND_RIGHT, session, member) for member in made)
    trusted = sum(_is_one_of({State.TRUSTED}, session, member) for member in made)
    calls = "its only call is" if len(made) == 1 else f"all {len(made):,} calls it made are"
    if len(made) in (right, trusted):
        return f"{calls} {'right' if right else 'trusted'}"
    parts = [f"{right:,} right"] if right else []
    parts += [f"{trusted:,} trusted"] if trusted else []
    others = len(made) - right - trusted
    parts += [f"{others:,} not judged"] if others else []
    total = "1 call" if len(made) == 1 else f"{len(made):,} calls"
    return f"of the {total} it made {', '.join(parts)}"


def _is_one_of(states: Collection[State], session: Session, node: int) -> bool:
    """Tell whether a call, or a group that it is in, has one of these states."""
    tree, suspects = session.tree, session.suspects
    while suspects.state_of(node) not in states:
        node = int(tree.parent[node])
        if node < 0 or not tree.is_group(node):
            return False
    return True
