"""A call with everything that is known about it, and its variables at a time: ``wrongcall show``."""

from __future__ import annotations

from wrongcall.present.excerpts import Excerpt
from wrongcall.present.lines import EMPTY, Line, Section, folded
from wrongcall.present.questions import QuestionView
from wrongcall.present.screens.question import (
    COLUMN,
    Head,
    Size,
    change_lines,
    question_lines,
    sections_of,
    value_lines,
)
from wrongcall.present.screens.source import source_lines
from wrongcall.present.values import ValueNode


def call_lines(asked: QuestionView, source: Excerpt, width: int) -> list[Line]:
    """Return a call as a question shows it, opened, with its own variables and its source."""
    size = Size(width, detail=1)
    where = asked.where
    until = f" to {asked.exit}" if asked.exit >= 0 else ", not completed"
    ran = f"  {where.file}:{where.line}, time {asked.entry}{until}"
    shown = question_lines(asked, Head(0, ""), size)[1:]
    own = sections_of("variables", change_lines(asked.variables, size))
    return [_heading(asked.call, ran), *shown, *_sections(own), EMPTY, *_source(source, width)]


def variables_lines(
    call: int,
    title: str,
    when: str,
    variables: tuple[ValueNode, ...],
    source: Excerpt,
    width: int,
) -> list[Line]:
    """Return the variables of a call at a time, and the line it was at."""
    shown = sections_of("variables", value_lines(variables, Size(width, detail=1)))
    heading = [_heading(call, f"  {when}"), ("  ", (title, "heading"))]
    return [*heading, *_sections(shown), EMPTY, *_source(source, width)]


def _heading(call: int, more: str) -> Line:
    return (f"Call #{call}", "heading"), (more, "quiet")


def _sections(sections: list[Section]) -> list[Line]:
    lines = sum(len(section.lines) for section in sections)
    return folded(sections, lines, COLUMN, "")


def _source(source: Excerpt, width: int) -> list[Line]:
    return source_lines(source, width, room=len(source.lines), wraps=True)
