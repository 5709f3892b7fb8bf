"""What was found: the buggy call, why it must be this one, its source."""

from __future__ import annotations

from dataclasses import replace

from wrongcall.present.findings import FindingView, Reason
from wrongcall.present.groups import Member
from wrongcall.present.lines import EMPTY, Line, Section, folded, paragraph
from wrongcall.present.screens.inside import statement_lines
from wrongcall.present.screens.question import (
    COLUMN,
    Head,
    Size,
    group_lines,
    member_lines,
    question_lines,
)
from wrongcall.present.screens.source import source_lines
from wrongcall.present.text import columns, fit_place

_REASONS = 4
_SOURCE_LINES = 150
"""Lines of source: nearly every function as a whole, since any of its lines can be the bug."""
_EVERYTHING = 400
_OTHERS = 4
"""Lines of a screen that are not for the call: why it must be this one."""


def finding_lines(found: FindingView, size: Size) -> list[Line]:
    """Return a finding."""
    lines = [*_headline(found, size), EMPTY]
    if found.statement is not None:
        lines += [*statement_lines(found.statement, size), EMPTY, (("The call", "heading"),)]
    lines += _shown(found, size)
    if found.expected:
        lines.append(("  ", (f"{'expected':{COLUMN}}", "quiet"), (found.expected, "new")))
    lines.append(EMPTY)
    hint = " (press b to judge one)" if found.group is not None else ""
    lines += paragraph(found.summary + hint, size.width)
    lines += _reasons(found.reasons)
    lines += _others("Invalid calls:", found.inadmissible, size)
    if found.undecided:
        count = found.undecided_count
        it = "This call is" if count == 1 else f"These {count:,} calls are"
        judge = "it" if count == 1 else "one"
        text = f"{it} undecided; the bug may be there (press b to judge {judge}):"
        lines += _others(text, found.undecided, size)
    if found.source is not None:
        room = _EVERYTHING if size.detail else _SOURCE_LINES
        lines += [EMPTY, *source_lines(found.source, size.width, room, " (v shows all)")]
    return lines


def _headline(found: FindingView, size: Size) -> list[Line]:
    text = found.headline + (" (confirmed)" if found.confirmed else "")
    name = found.place.rpartition("/")[2]
    room = size.width - columns(text) - 2
    if columns(found.place) <= room or (len(name) < len(found.place) and columns(name) + 2 <= room):
        return [((text, "wrong"), (f"  {fit_place(found.place, room)}", "quiet"))]
    return [*paragraph(text, size.width, "wrong"), ((fit_place(found.place, size.width), "quiet"),)]


def _shown(found: FindingView, size: Size) -> list[Line]:
    head = Head(0, "")
    size = replace(size, height=size.height - _OTHERS)
    if found.question is not None:
        return question_lines(found.question, head, size)[1:]
    if found.group is not None:
        return group_lines(found.group, found.function, head, size)[1:]
    return []


def _reasons(reasons: tuple[Reason, ...]) -> list[Line]:
    lines = tuple(reason_line(reason) for reason in reasons)
    return folded([Section("", lines)], _REASONS, 0, "") if lines else []


def reason_line(reason: Reason) -> Line:
    """Return an answer that a finding rests on."""
    style = "wrong" if reason.verdict.startswith(("wrong", "this part")) else "right"
    call = (f"#{reason.call} ", "number")
    outcome = f" {reason.outcome}" if reason.outcome else ""
    return call, reason.title, f"{outcome}: ", (reason.verdict, style)


def _others(text: str, members: tuple[Member, ...], size: Size) -> list[Line]:
    if not members:
        return []
    lines = member_lines(members, 0, size)
    return [*paragraph(text, size.width, "marked"), *(("  ", *line) for line in lines)]
