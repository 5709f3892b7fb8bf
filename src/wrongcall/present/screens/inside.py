"""What happened inside a call on one screen: the state at a boundary, and the statement that was found."""

from __future__ import annotations

from wrongcall.present.inside_questions import FEW_VARIABLES, InsideView, StatementView
from wrongcall.present.lines import EMPTY, Line, Section, folded, paragraph
from wrongcall.present.screens.question import (
    COLUMN,
    Head,
    Size,
    change_lines,
    header_lines,
    hint,
    member_lines,
    sections_of,
    text_lines,
    value_lines,
)
from wrongcall.present.text import fit


def inside_lines(asked: InsideView, head: Head, size: Size) -> list[Line]:
    """Return a question about a boundary inside a call."""
    above = header_lines(head, f"{asked.file}:{asked.line}", size)
    title = paragraph(asked.heading, size.width, "name")
    title += [((f"  in {fit(text, size.width - 5)}", "quiet"),) for text in asked.rounds]
    title.append(((f"  in {fit(asked.title, size.width - 5)}", "quiet"),))
    sections = [
        *sections_of("bound", [(text,) for text in asked.bound]),
        *sections_of("called", member_lines(asked.calls, 0, size)),
        *sections_of("changed", change_lines(asked.changed, size)),
        *sections_of("printed", text_lines(asked.printed)),
        *sections_of("ended", [(asked.outcome,)] if asked.outcome else []),
        *_variables(asked, size),
    ]
    if not asked.changed and not asked.printed and not asked.bound:
        sections.insert(0, Section("changed", ((("nothing", "quiet"),),)))
    room = size.room - len(above) - len(title)
    return [*above, *title, *folded(sections, room, COLUMN, hint(size))]


def _variables(asked: InsideView, size: Size) -> list[Section]:
    shown = asked.variables if size.detail else asked.variables[:FEW_VARIABLES]
    lines = value_lines(shown, size)
    left = len(asked.variables) - len(shown)
    if left:
        lines.append(((f"{left:,} more{hint(size)}", "quiet"),))
    return sections_of("state", lines)


def statement_lines(found: StatementView, size: Size) -> list[Line]:
    """Return the statement that was found, without its headline."""
    lines: list[Line] = []
    lines += [((f"  in {fit(text, size.width - 5)}", "quiet"),) for text in found.rounds]
    sections = [
        *sections_of("read", value_lines(found.read, size)),
        *sections_of("wrote", change_lines(found.changed, size)),
        *sections_of("ended", [(found.outcome,)] if found.outcome else []),
    ]
    lines += folded(sections, size.room, COLUMN, hint(size))
    lines.append(EMPTY)
    if found.what:
        lines += paragraph(found.what, size.width)
    lines += paragraph(found.why, size.width)
    lines += [(f"  {fit(reason, size.width - 2)}",) for reason in found.reasons]
    if found.undecided:
        lines += paragraph("These places are undecided; the bug may be there:", size.width)
        lines += [(f"  {fit(text, size.width - 2)}",) for text in found.undecided]
    return lines
