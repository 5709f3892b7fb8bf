"""A finding as it is shown and reported: the buggy call, and why it must be this one."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from wrongcall.present.authors import author_suffix, author_words
from wrongcall.present.excerpts import Excerpt, excerpt
from wrongcall.present.groups import Group, Member, group, member
from wrongcall.present.inside_questions import StatementView, statement_view
from wrongcall.present.processes import processes_sentence
from wrongcall.present.questions import QuestionView, question, short_path, title
from wrongcall.present.stopping import INTERRUPTED, STILL_RUNNING
from wrongcall.present.text import safe
from wrongcall.recording import Recording
from wrongcall.session.answers import Answer, Verdict, Where
from wrongcall.session.inside import InsideSession
from wrongcall.session.session import Session
from wrongcall.session.steps import Finding
from wrongcall.tree.states import NodeState

_SAID = {NodeState.RIGHT: "right", NodeState.INADMISSIBLE: "invalid", NodeState.TRUSTED: "trusted"}
_SAID_ROOM = 12
"""Columns of a reason for the number of the call and the verdict."""
LISTED = 12
"""Calls listed where there may be very many."""


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
    headline: str
    """Where the bug is, as far as that is proved."""
    function: str
    place: str
    """As in ``prog.py:12``; empty if it is not known which of several calls it is."""
    question: QuestionView | None
    """The call; None: one of several."""
    group: Group | None
    """The calls, if it is one of several."""
    summary: str
    """Why it must be this one, in a sentence."""
    reasons: tuple[Reason, ...]
    expected: str
    """What should have come out instead, if the user said so."""
    undecided: tuple[Member, ...]
    undecided_count: int
    inadmissible: tuple[Member, ...]
    """Invalid calls: they should never have been made with these arguments."""
    source: Excerpt | None
    confirmed: bool
    statement: StatementView | None = None
    """Where in the call it is; None: that was not searched, or not found."""


def finding_view(
    recording: Recording,
    session: Session,
    finding: Finding,
    *,
    depth: int = 1,
    width: int = 80,
    line_width: int = 80,
    change_width: int | None = None,
    text_lines: int = 0,
    inside: InsideSession | None = None,
) -> FindingView:
    """Return the view of a finding; the sizes are those of `question`.

    ``inside``: the search inside the call, if the finding has a place in it.
    """
    calls = finding.calls
    one = calls[0] if len(calls) == 1 else 0
    answers = _answers(session, finding)
    asked = None
    if one:
        asked = question(
            recording,
            one,
            depth=depth,
            width=width,
            line_width=line_width,
            change_width=change_width,
            text_lines=text_lines,
        )
    together = group(recording, calls, width=line_width) if len(calls) > 1 else None
    name = function_name(recording, finding)
    statement = None
    if inside is not None and finding.inside is not None:
        statement = statement_view(recording, inside, finding.inside, width=line_width)
    line = statement.line if statement is not None else 0
    return FindingView(
        calls=calls,
        headline=headline(finding, name) if statement is None else statement.headline,
        function=name,
        place=place_of(recording, finding) if statement is None else statement.place,
        question=asked,
        group=together,
        summary=_with_processes(
            summary_of(session, finding, name, stopped_text(asked)), asked or together
        ),
        reasons=tuple(
            _reason(recording, n, answer, line_width - _SAID_ROOM) for n, answer in answers
        ),
        expected=_expected(answers, calls),
        undecided=tuple(member(recording, call, line_width) for call in finding.undecided[:LISTED]),
        undecided_count=len(finding.undecided),
        inadmissible=tuple(
            member(recording, call, line_width) for call in finding.inadmissible[:LISTED]
        ),
        source=_source(recording, session, calls[0], asked, line) if calls else None,
        confirmed=finding.confirmed,
        statement=statement,
    )


def _source(
    recording: Recording, session: Session, call: int, asked: QuestionView | None, found: int
) -> Excerpt:
    """Return the source of the buggy call, with its `marked_lines`; ``found``: the line of the bug, if known."""
    if found:
        return excerpt(recording, call, marked=found)
    return excerpt(recording, call, also=marked_lines(recording, session, call, asked))


def marked_lines(
    recording: Recording, session: Session, call: int, asked: QuestionView | None
) -> frozenset[int]:
    """Return the lines of the buggy call that matter.

    Those are the lines that put a wrong part where it is, the line that an exception left, and in a call that never
    ended the line it was at.
    """
    stopped = asked.stopped if asked is not None else None
    line = stopped.line if stopped is not None else recording.call(call).raised_at
    return lines_of_wrong_parts(recording, session, call) | ({line} if line else set())


def lines_of_wrong_parts(recording: Recording, session: Session, call: int) -> frozenset[int]:
    """Return the lines of a call that wrote a value which the user called wrong."""
    found: set[int] = set()
    for _, answer in session.answers():
        if answer.part is None:
            continue
        time = recording.call(answer.calls[0]).entered if answer.part.where is Where.INPUT else None
        origin = recording.places.origin(answer.calls[0], answer.part.place, time)
        found.update(link.line for link in origin.links if link.call == call)
        if origin.call == call:
            found.add(origin.line)
    return frozenset(found)


def _answers(session: Session, finding: Finding) -> list[tuple[int, Answer]]:
    entries = session.entries
    return [(n, a) for n in finding.evidence if isinstance(a := entries[n - 1], Answer)]


def _reason(recording: Recording, number: int, answer: Answer, width: int) -> Reason:
    first, last = answer.calls
    shown = member(recording, first, width)
    if last != first:
        more = f" up to #{last}"
        head = title(recording, recording.call(first), width=width - len(more))
        shown = replace(shown, title=head + more, outcome="")
    part = f": {safe(answer.part.path)}" if answer.part is not None else ""
    said = f"{answer.verdict.value}{part}{author_suffix(answer)}"
    return Reason(number, first, shown.title, shown.outcome, said, author_words(answer))


def _expected(answers: list[tuple[int, Answer]], calls: tuple[int, ...]) -> str:
    said = [a.expected for _, a in answers if a.expected and set(a.calls) & set(calls)]
    return safe(said[-1]) if said else ""


def function_name(recording: Recording, finding: Finding) -> str:
    """Return the name of the function that the bug is in; empty: of several, or not known."""
    if finding.function is None:
        return ""
    return safe(recording.program.functions[finding.function].qualname)


def place_of(recording: Recording, finding: Finding) -> str:
    """Return where that function is; empty if nothing was found for certain."""
    if not finding.calls:
        return ""
    function = recording.call(finding.calls[0]).function
    return f"{short_path(recording, recording.program.files[function.file].path)}:{function.line}"


def _with_processes(summary: str, shown: QuestionView | Group | None) -> str:
    started = shown.unrecorded if shown is not None else ""
    return f"{summary} {processes_sentence(started)}" if started else summary


def stopped_text(asked: QuestionView | None) -> str:
    """Say where a call was that had not ended when the run stopped; empty: it had."""
    return asked.stopped.text if asked is not None and asked.stopped is not None else ""


def headline(finding: Finding, function: str) -> str:
    """Say where the bug is, and no more than is proved."""
    count = len(finding.undecided)
    others = "a call that was not judged"
    if count > 1:
        others = f"one of {count:,} calls that were not judged"
    if not finding.calls:
        return f"The bug is in {others}"
    name = function or "one of several functions"
    return f"The bug is in {name}, or in {others}" if count else f"The bug is in {name}"


def found_call(recording: Recording, session: Session, call: int) -> str:
    """Say why the search goes on inside a call."""
    found, name = session.step(), safe(recording.call(call).function.qualname)
    if isinstance(found, Finding) and found.calls == (call,):
        return (
            f"{headline(found, name)}, call #{call}: it is wrong, and the calls it made are right."
        )
    made = len(session.tree.made_by(session.tree.node(call)))
    later = f" The {made:,} calls it made come later." if made > 1 else ""
    return f"{name}, call #{call}, is wrong.{later}"


def summary_of(session: Session, finding: Finding, function: str = "", stopped: str = "") -> str:
    """Say in a sentence why it must be this one; ``stopped``: where it was, if it never ended."""
    if not finding.calls:
        return "Something is wrong here, and the undecided calls may be the cause."
    if len(finding.calls) > 1:
        return "Together they are wrong, and the calls they made are right, so one of them has the bug."
    said = any(
        answer.verdict in (Verdict.WRONG, Verdict.WRONG_PART) and finding.calls[0] in answer.calls
        for _, answer in _answers(session, finding)
    )
    if stopped:
        was = "was " if stopped.startswith((STILL_RUNNING, INTERRUPTED)) else ""
        return f"{function} {was}{stopped}; {_callees(session, finding)}."
    wrong = "It is wrong" if said else "It is wrong, because the others of its group are right"
    return f"{wrong}, and {_callees(session, finding)}."


def _callees(session: Session, finding: Finding) -> str:
    """Say what is known about the calls that the buggy one made."""
    made = session.tree.made_by(session.tree.node(finding.calls[0]))
    if not len(made):
        return "it made no calls"
    counts = {
        said: int(np.count_nonzero(session.suspects.are(state, made)))
        for state, said in _SAID.items()
    }
    counts["not judged"] = len(made) - sum(counts.values())
    known = {said: count for said, count in counts.items() if count}
    if len(known) == 1:
        (said,) = known
        several = "both" if len(made) == 2 else f"all {len(made):,}"
        calls = "its only call" if len(made) == 1 else f"{several} calls it made"
        verb = "is " if len(made) == 1 else "are "
        if said == "not judged" and len(made) > 1:
            return f"none of the {len(made):,} calls it made was judged"
        return f"{calls} {'was ' if said == 'not judged' else verb}{said}"
    parts = ", ".join(f"{count:,} {said}" for said, count in known.items())
    return f"of the {len(made):,} calls it made, {parts}"
