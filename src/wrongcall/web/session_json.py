"""The session for the page: questions, findings, answers (docs/reference/api.md)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Literal

from wrongcall.errors import UsageError, WrongcallError
from wrongcall.present.authors import author_suffix, author_words, opinion_text
from wrongcall.present.estimates import questions_left, why_text
from wrongcall.present.findings import (
    finding_view,
    found_call,
    function_name,
    headline,
    marked_lines,
    summary_of,
)
from wrongcall.present.groups import Member, group
from wrongcall.present.inside_questions import StatementView, inside_view, statement_view
from wrongcall.present.inside_reports import place_reports
from wrongcall.present.lists import equal_calls
from wrongcall.present.lookup import find_call
from wrongcall.present.processes import processes_sentence
from wrongcall.present.questions import question
from wrongcall.present.reports import SIZE, as_html, report_of, report_text
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
    Session,
)
from wrongcall.session import Why as SessionWhy
from wrongcall.session.answers import standing
from wrongcall.session.strategies import descriptions
from wrongcall.tree.suspects import Weighed
from wrongcall.tree.tree import NOBODY
from wrongcall.web import contract
from wrongcall.web.call_json import (
    CHANGE_WIDTH,
    LINE_WIDTH,
    MAX_ITEMS,
    VALUE_WIDTH,
    call_data,
    line_data,
)
from wrongcall.web.workspace import Workspace

MAX_MEMBERS = 60
"""The most calls of a group, or of a finding's lists, in one answer."""
MAX_LISTED_CHANGES = 10
"""The most changes of each call of a list."""
GROUP_WIDTH = 200
"""Columns of a call of a group."""


def session_data(workspace: Workspace) -> contract.Session:
    """Return everything the page needs to know about the session."""
    step = workspace.step()
    recording = workspace.recording
    program = [str(word) for word in recording.meta.get("program", [])]
    return {
        "version": workspace.version,
        "server": workspace.server,
        "name": safe(Path(program[0]).name if program else recording.path.stem),
        "program": safe(" ".join(program)),
        "growing": workspace.growing,
        "ended": recording.ended,
        "status": recording.meta.get("status"),
        "calls": recording.calls.count,
        "events": recording.event_count,
        "suspects": round(_counted(workspace.session).total),
        "root": _key(workspace, workspace.snapshot().statuses.root),
        "strategy": workspace.session.strategy.name,
        "strategies": [{"name": name, "about": about} for name, about in descriptions().items()],
        "entries": [_entry(workspace, n, e) for n, e in enumerate(workspace.session.entries, 1)],
        "can_undo": workspace.search.can_undo,
        "unsaved": workspace.search.unsaved,
        "trouble": workspace.trouble,
        "oracles": _oracles(workspace.session),
        "oracle_troubles": _troubles(workspace),
        "step": workspace.once(lambda: step_data(workspace, step)),
    }


def _oracles(session: Session) -> list[contract.OracleUse]:
    """Return the oracles, in the order in which they are asked."""
    silent = session.dismissed() | session.panel.excused.keys()
    said = Counter(answer.by for _, answer in standing(session.entries))
    names = [oracle.name for oracle in session.panel.oracles]
    return [{"name": n, "answers": said[n], "silent": n in silent} for n in names]


def _troubles(workspace: Workspace) -> list[str]:
    """Say what is the matter with oracles."""
    return [safe(f"{name}: {why}") for name, why in workspace.search.troubles.items()]


def _counted(session: Session) -> Weighed:
    """Return how many calls can be the bug, whatever oracles think of them."""
    return session.suspects.weigh(session.suspects.base_weights)


def _key(workspace: Workspace, node: int) -> str:
    return "" if node == NOBODY else workspace.snapshot().key(node)


def step_data(workspace: Workspace, step: Next) -> contract.Step:
    """Return a question, or how the search ended."""
    if isinstance(step, Question):
        return _question(workspace, step)
    if isinstance(step, Finding):
        return _finding(workspace, step)
    if isinstance(step, Contradiction):
        pairs = zip(step.numbers, step.answers, strict=True)
        return {"kind": "contradiction", "answers": [_given(workspace, n, a) for n, a in pairs]}
    return {"kind": _nothing(step), "undecided": _lines(workspace, step.undecided)}


def _nothing(step: NoBug | NeedsMoreTree) -> Literal["no_bug", "needs_more_tree"]:
    return "no_bug" if isinstance(step, NoBug) else "needs_more_tree"


def _question(workspace: Workspace, asked: Question) -> contract.Question:
    tree = workspace.session.tree
    # A question about what happened inside a call is at the call's node.
    call = asked.inside or asked.calls[0]
    node = tree.node(call) if asked.inside else asked.node
    parts = [(each, int(tree.end[each])) for each in asked.nodes or (node,)]
    row = workspace.snapshot().key(node)
    return {
        "kind": "question",
        # Calls that are confirmed together have no node of their own.
        "key": _named((asked.calls[0], asked.calls[-1])) if asked.nodes else row,
        "row": row,
        "calls": len(asked.calls),
        "node": node,
        "end": max(end for _, end in parts),
        "parts": parts,
        "again": asked.again,
        "list": asked.is_list,
        "confirms": bool(asked.nodes),
        "opinions": list(dict.fromkeys(map(opinion_text, asked.opinions))),
        "why": _why(workspace, asked),
        "call": call_data(workspace, call),
        "inside": _inside(workspace, asked) if asked.inside else None,
        **_group(workspace, asked),
    }


def _inside(workspace: Workspace, asked: Question) -> contract.InsideQuestion | None:
    """Return the question about a boundary inside a call."""
    inside = workspace.search.inside
    if inside is None or inside.call != asked.inside:
        return None
    view = inside_view(
        workspace.recording,
        inside,
        asked.calls[0],
        depth=0,
        width=VALUE_WIDTH,
        change_width=CHANGE_WIDTH,
    )
    return contract.InsideQuestion(
        **{**vars(view), "changed": view.changed[:MAX_ITEMS]},
        found=found_call(workspace.recording, workspace.session, asked.inside),
        changed_count=len(view.changed),
        boundaries=len(inside.boundaries),
    )


def _group(workspace: Workspace, asked: Question) -> contract.GroupFields:
    """Return the calls of a group, and what they did together unless it is a list."""
    if not asked.is_group:
        return _group_fields([])
    recording = workspace.recording
    if asked.is_list:  # what each of them did takes long: it is requested separately
        counts = equal_calls(recording, asked.calls)
        return _group_fields([_listed(line_data(recording, c), n) for c, n in counts.items()])
    shown = group(
        recording, asked.calls, width=GROUP_WIDTH, change_width=CHANGE_WIDTH, shown=MAX_MEMBERS
    )
    return {
        "members": [_listed(member) for member in shown.members],
        "left_out": shown.left_out,
        "after": shown.after,
        "changed": shown.changed[:MAX_ITEMS],
        "changed_count": len(shown.changed),
        "meanwhile": shown.meanwhile,
        "printed": shown.printed,
        "started": shown.started,
    }


def _group_fields(members: Sequence[contract.ListedCall]) -> contract.GroupFields:
    """Return the fields of a question whose calls did nothing together."""
    return {
        "members": members,
        "left_out": 0,
        "after": 0,
        "changed": [],
        "changed_count": 0,
        "meanwhile": [],
        "printed": "",
        "started": "",
    }


def _listed(line: Member, count: int = 1) -> contract.ListedCall:
    return contract.ListedCall(line.call, line.title, line.outcome, count=count)


def _why(workspace: Workspace, shown: Question) -> contract.Why | None:
    """Explain a question, also one that was kept while the tree grew."""
    inside = workspace.search.inside if shown.inside else None
    session = inside or workspace.session
    asked = session.step()
    if not isinstance(asked, Question):
        return None
    why = session.why()
    if inside is not None:
        return contract.Why(**vars(why), left=questions_left(why), text=why_text(why, "place"))
    if asked.node != shown.node:
        why = _why_kept(session, why, shown)
    return contract.Why(**vars(why), left=questions_left(why), text=why_text(why))


def _why_kept(session: Session, why: SessionWhy, shown: Question) -> SessionWhy:
    """Return what an answer to a question that was kept would leave."""
    suspects = session.suspects
    weighed = _counted(session)
    inside = weighed.of(shown.node)
    own = suspects.base_weights.of(shown.node, suspects.state)
    return replace(
        why,
        suspects=weighed.total,
        left_if_right=weighed.total - inside,
        left_if_wrong=inside,
        left_if_unknown=weighed.total - own,
    )


def report(workspace: Workspace, ending: str) -> str:
    """Return the finding as a report in the format of this file name extension."""
    found = workspace.step()
    if not isinstance(found, Finding) or not found.calls:
        raise UsageError("nothing was found yet: answer the questions first")
    inside = workspace.search.inside
    view = finding_view(workspace.recording, workspace.session, found, inside=inside)
    written = report_of(workspace.recording, workspace.session, view, inside)
    if ending == ".html":
        return as_html(written, place_reports(workspace.recording, view, SIZE))
    return report_text(written, ending)


def _finding(workspace: Workspace, finding: Finding) -> contract.Finding:
    entries = workspace.session.entries
    evidence = [(n, entries[n - 1]) for n in finding.evidence]
    call = call_data(workspace, finding.calls[0]) if finding.calls else None
    function = function_name(workspace.recording, finding)
    stopped = call.stopped.text if call is not None and call.stopped else ""
    summary = summary_of(workspace.session, finding, function, stopped)
    statement = _statement(workspace, finding)
    if call is not None and call.unrecorded:
        summary += f" {processes_sentence(call.unrecorded)}"
    return {
        "kind": "finding",
        "key": workspace.snapshot().key(finding.node),
        "calls": len(finding.calls),
        "confirmed": finding.confirmed,
        "headline": headline(finding, function) if statement is None else statement.headline,
        "summary": summary,
        "evidence": [_given(workspace, n, a) for n, a in evidence if isinstance(a, Answer)],
        "undecided": _lines(workspace, finding.undecided),
        "inadmissible": _lines(workspace, finding.inadmissible),
        "call": call,
        "lines": _marked(workspace, call, statement),
        "members": _lines(workspace, finding.calls) if len(finding.calls) > 1 else [],
        "statement": statement,
        "can_go_inside": _can_go_inside(workspace, finding),
    }


def _statement(workspace: Workspace, finding: Finding) -> StatementView | None:
    """Return where in the call the bug is, if that was found."""
    inside = workspace.search.inside
    if inside is None or finding.inside is None:
        return None
    return statement_view(workspace.recording, inside, finding.inside, width=CHANGE_WIDTH)


def _marked(
    workspace: Workspace, call: contract.Call | None, statement: StatementView | None
) -> list[int]:
    """Return the lines of the buggy call that matter."""
    if statement is not None:
        return [statement.line]
    if call is None:
        return []
    return sorted(marked_lines(workspace.recording, workspace.session, call.call, call))


def _can_go_inside(workspace: Workspace, finding: Finding) -> bool:
    search = workspace.search
    is_one = len(finding.calls) == 1 and not finding.undecided and finding.inside is None
    return is_one and search.stops_at_call and search.has_inside(finding.calls[0])


def _lines(workspace: Workspace, calls: tuple[int, ...]) -> list[Member]:
    return [line_data(workspace.recording, call) for call in calls[:MAX_MEMBERS]]


def member_data(workspace: Workspace, call: int) -> contract.MemberDetails:
    """Return what a call of a list is judged by, besides its arguments and its outcome."""
    recording = workspace.recording
    last = find_call(recording, call).last
    asked = question(
        recording,
        call,
        depth=0,
        width=VALUE_WIDTH,
        line_width=LINE_WIDTH,
        change_width=CHANGE_WIDTH,
        variables=False,
    )
    return {
        "call": call,
        "before": asked.time,
        "after": last,
        "given": asked.given,
        "produced": asked.produced,
        "result_name": asked.result_name,
        "read": asked.read,
        "constants": asked.constants,
        "yielded": asked.yielded,
        "changed": asked.changed[:MAX_LISTED_CHANGES],
        "changed_count": len(asked.changed),
        "meanwhile": asked.meanwhile,
        "printed": asked.printed,
    }


def _given(workspace: Workspace, number: int, answer: Answer) -> contract.GivenAnswer:
    line = line_data(workspace.recording, answer.calls[0])
    return contract.GivenAnswer(
        **asdict(line),
        number=number,
        verdict=answer.verdict,
        by=author_words(answer) if answer.reason else answer.by,
        author=author_suffix(answer),
        part=answer.part,
        expected=answer.expected,
    )


def _entry(workspace: Workspace, number: int, entry: Entry) -> contract.Entry:
    call = workspace.recording.call(entry.calls[0])
    return {
        "number": number,
        "said": entry.verdict if isinstance(entry, Answer) else entry.choice,
        "by": entry.by,
        "key": _named(entry.calls),
        "function": safe(call.function.qualname),
    }


def _named(calls: tuple[int, int]) -> str:
    return str(calls[0]) if calls[0] == calls[1] else f"{calls[0]}-{calls[1]}"


def failure_data(error: WrongcallError) -> contract.Failure:
    """Return an error for the page to show."""
    numbers = getattr(error, "numbers", ())
    return {"error": str(error), "contradicts": list(numbers)}
