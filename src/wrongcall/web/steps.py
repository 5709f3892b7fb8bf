"""What a session says and was told, as plain data for JSON (docs/reference/api.md)."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from wrongcall.errors import UsageError, WrongcallError
from wrongcall.present.estimates import left_words, why_text
from wrongcall.present.findings import finding_view, function_name, headline, summary_of
from wrongcall.present.groups import group
from wrongcall.present.lookup import find_call
from wrongcall.present.models import as_json
from wrongcall.present.processes import processes_sentence
from wrongcall.present.questions import question
from wrongcall.present.reports import report_of, report_text
from wrongcall.present.text import safe
from wrongcall.session import (
    Answer,
    Contradiction,
    Entry,
    Finding,
    NeedsMoreTree,
    Next,
    NoBug,
    Question,
)
from wrongcall.session.answers import to_plain
from wrongcall.session.strategies import descriptions
from wrongcall.tree.tree import NOBODY
from wrongcall.web.calls import MOST, VALUE, WIDE, call_data, line_data
from wrongcall.web.desk import Desk

MEMBERS = 60
"""So many calls of a group, or of a list of calls, are told."""
CHANGES = 10
"""So many changes are told of each call of a list."""
WIDTH = 100
"""Columns of a call or of a value of a group."""


def session_data(desk: Desk) -> dict[str, Any]:
    """Return all that the page needs to know about the session."""
    step = desk.step()
    trace = desk.trace
    program = [str(word) for word in trace.meta.get("program", [])]
    return {
        "version": desk.version,
        "name": safe(Path(program[0]).name if program else trace.path.stem),
        "program": safe(" ".join(program)),
        "growing": desk.growing,
        "ended": trace.ended,
        "status": trace.meta.get("status"),
        "calls": trace.calls.count,
        "events": trace.event_count,
        "suspects": round(desk.session.suspects.weigh().total),
        "root": _key(desk, desk.glance().shading.root),
        "strategy": desk.session.strategy.name,
        "strategies": [{"name": name, "about": about} for name, about in descriptions().items()],
        "entries": [_entry(desk, n, e) for n, e in enumerate(desk.session.entries, 1)],
        "can_undo": desk.session.can_undo,
        "unsaved": desk.search.unsaved,
        "trouble": desk.trouble,
        "step": desk.once(lambda: step_data(desk, step)),
    }


def _key(desk: Desk, node: int) -> str:
    return "" if node == NOBODY else desk.glance().key(node)


def step_data(desk: Desk, step: Next) -> dict[str, Any]:
    """Return a question, or what came of the search."""
    if isinstance(step, Question):
        return _question(desk, step)
    if isinstance(step, Finding):
        return _finding(desk, step)
    if isinstance(step, Contradiction):
        told = [_told(desk, n, a) for n, a in zip(step.numbers, step.answers, strict=True)]
        return {"kind": "contradiction", "answers": told}
    kind = {NoBug: "no bug", NeedsMoreTree: "needs more"}[type(step)]
    return {"kind": kind, "undecided": _lines(desk, step.undecided)}


def _question(desk: Desk, asked: Question) -> dict[str, Any]:
    tree = desk.session.tree
    return {
        "kind": "question",
        "key": desk.glance().key(asked.node),
        "calls": len(asked.calls),
        "node": asked.node,
        "end": int(tree.end[asked.node]),
        "again": asked.again,
        "list": asked.is_list,
        "why": _why(desk, asked),
        "call": call_data(desk, asked.calls[0]),
        **(_together(desk, asked) if asked.is_group else _ALONE),
    }


_ALONE: dict[str, Any] = {
    "members": [], "left_out": 0, "after": 0, "changed": [], "changed_count": 0, "printed": "",
    "meanwhile": [],
}  # fmt: skip


def _together(desk: Desk, asked: Question) -> dict[str, Any]:
    """Return the calls of a group, and what they did together, unless it is a list."""
    if asked.is_list:  # what each of them did is asked for apart: it takes long
        members = [line_data(desk.trace, call) for call in asked.calls]
        return {**_ALONE, "members": members}
    shown = group(desk.trace, asked.calls, width=2 * WIDTH, shown=MEMBERS)
    return {
        "members": as_json(shown.members),
        "left_out": shown.left_out,
        "after": shown.after,
        "changed": as_json(shown.changed[:MOST]),
        "changed_count": len(shown.changed),
        "meanwhile": as_json(shown.meanwhile),
        "printed": shown.printed,
    }


def _why(desk: Desk, shown: Question) -> dict[str, Any]:
    """Explain a question: also one that was kept while the tree grew."""
    session = desk.session
    asked = session.step()
    if not isinstance(asked, Question):
        return {}
    why = session.why()
    if asked.node != shown.node:
        suspects = session.suspects
        weighed = suspects.weigh()
        inside = weighed.of(shown.node)
        own = suspects.weights.of(shown.node, suspects.state)
        why = replace(
            why,
            suspects=weighed.total,
            left_if_right=weighed.total - inside,
            left_if_wrong=inside,
            left_if_unknown=weighed.total - own,
        )
    return {**as_json(why), "left": left_words(why), "text": why_text(why)}


def report(desk: Desk, ending: str) -> str:
    """Return the finding as a text to keep, in the format of this ending."""
    found = desk.step()
    if not isinstance(found, Finding) or not found.calls:
        raise UsageError("nothing was found yet: answer the questions first")
    view = finding_view(desk.trace, desk.session, found)
    return report_text(report_of(desk.trace, desk.session, view), ending)


def _finding(desk: Desk, finding: Finding) -> dict[str, Any]:
    entries = desk.session.entries
    evidence = [(n, entries[n - 1]) for n in finding.evidence]
    first = finding.calls[0] if finding.calls else None
    call = None if first is None else call_data(desk, first)
    stopped = call["stopped"]["text"] if call is not None and call["stopped"] else ""
    started = call["started"] if call is not None else ""
    function = function_name(desk.trace, finding)
    summary = summary_of(desk.session, finding, function, stopped)
    return {
        "kind": "finding",
        "key": desk.glance().key(finding.node),
        "calls": len(finding.calls),
        "confirmed": finding.confirmed,
        "headline": headline(finding, function),
        "summary": " ".join([summary, processes_sentence(started)] if started else [summary]),
        "evidence": [_told(desk, n, a) for n, a in evidence if isinstance(a, Answer)],
        "undecided": _lines(desk, finding.undecided),
        "inadmissible": _lines(desk, finding.inadmissible),
        "call": call,
        "members": _lines(desk, finding.calls) if len(finding.calls) > 1 else [],
    }


def _lines(desk: Desk, calls: tuple[int, ...]) -> list[dict[str, Any]]:
    return [line_data(desk.trace, call) for call in calls[:MEMBERS]]


def member_data(desk: Desk, call: int) -> dict[str, Any]:
    """Return what a call of a list is judged by, besides its arguments and its outcome."""
    last = find_call(desk.trace, call).last
    asked = question(desk.trace, call, depth=0, width=VALUE, line_width=WIDE, variables=False)
    return {
        "call": call,
        "after": last,
        "read": as_json(asked.read),
        "constants": asked.constants,
        "yielded": as_json(asked.yielded),
        "changed": as_json(asked.changed[:CHANGES]),
        "changed_count": len(asked.changed),
        "meanwhile": as_json(asked.meanwhile),
        "printed": asked.printed,
    }


def _told(desk: Desk, number: int, answer: Answer) -> dict[str, Any]:
    return {"number": number, **to_plain(answer), **line_data(desk.trace, answer.calls[0])}


def _entry(desk: Desk, number: int, entry: Entry) -> dict[str, Any]:
    call = desk.trace.call(entry.calls[0])
    said = entry.verdict.value if isinstance(entry, Answer) else entry.choice.value
    return {
        "number": number,
        "said": said,
        "by": entry.by,
        "key": _named(entry.calls),
        "function": safe(call.function.qualname),
    }


def _named(calls: tuple[int, int]) -> str:
    return str(calls[0]) if calls[0] == calls[1] else f"{calls[0]}-{calls[1]}"


def wrong_request(error: WrongcallError) -> dict[str, Any]:
    """Return an error as it is told to the page."""
    numbers = getattr(error, "numbers", ())
    return {"error": str(error), "contradicts": list(numbers)}
