"""Draws what a search asks or has found, with as much opened as there is room for."""

from __future__ import annotations

from dataclasses import replace

from wrongcall.errors import UsageError
from wrongcall.present.findings import FindingView, finding_view
from wrongcall.present.groups import SHOWN, group
from wrongcall.present.inside_questions import InsideView, inside_view
from wrongcall.present.lines import Line
from wrongcall.present.lists import call_list
from wrongcall.present.opened import opened
from wrongcall.present.questions import question
from wrongcall.present.screens.finding import finding_lines
from wrongcall.present.screens.inside import inside_lines
from wrongcall.present.screens.lists import list_lines
from wrongcall.present.screens.question import (
    Head,
    Size,
    fitted,
    group_lines,
    question_lines,
)
from wrongcall.present.text import safe
from wrongcall.session import Finding, Question
from wrongcall.session.search import Search

_MEMBERS_OPENED = 1000
_NUMBER = 6
"""Columns for the number of a call in a group."""


class Drawing:
    """Draws questions and findings of a search."""

    def __init__(self, search: Search) -> None:
        self._search = search

    def question(self, asked: Question, head: Head, size: Size) -> list[Line]:
        """Return a question of any kind."""
        if asked.inside:
            return fitted(lambda size: self._inside(asked, head, size), size)
        if asked.is_list:
            return fitted(lambda size: self._list(asked, head, size), size)
        if asked.is_group:
            return fitted(lambda size: self._group(asked, head, size), size)
        return self._call(asked.calls[0], head, size)

    def _inside(self, asked: Question, head: Head, size: Size) -> list[Line]:
        return inside_lines(self.inside_view(asked, size), head, size)

    def inside_view(self, asked: Question, size: Size) -> InsideView:
        """Return the view of a question about what happened inside a call."""
        inside = self._search.inside
        if inside is None:
            raise UsageError("the search is not inside a call")
        return inside_view(
            self._search.recording,
            inside,
            asked.calls[0],
            depth=size.depth,
            width=size.value_width,
            change_width=size.change_width,
        )

    def _call(self, call: int, head: Head, size: Size) -> list[Line]:
        recording = self._search.recording
        given = recording.questions.input(call)
        effect = recording.questions.effect(call, given)

        def draw(size: Size) -> list[Line]:
            view = question(
                recording,
                call,
                depth=size.depth,
                width=size.value_width,
                line_width=size.line_width,
                change_width=size.change_width,
                text_lines=size.text_lines,
                given=given,
                effect=effect,
                variables=False,
            )
            return question_lines(opened(recording, view) if size.detail else view, head, size)

        return fitted(draw, size)

    def _list(self, asked: Question, head: Head, size: Size) -> list[Line]:
        view = call_list(
            self._search.recording,
            asked.calls,
            depth=size.depth - 1,
            width=size.value_width * (2 if size.wraps else 1),
            line_width=size.line_width,
        )
        return list_lines(view, self.names(asked), head, size)

    def _group(self, asked: Question, head: Head, size: Size) -> list[Line]:
        width = size.line_width - _NUMBER if not size.detail else size.change_width
        shown = _MEMBERS_OPENED if size.detail else SHOWN
        view = group(
            self._search.recording,
            asked.calls,
            width=width,
            change_width=size.change_width,
            shown=shown,
        )
        return group_lines(view, self.names(asked), head, size)

    def names(self, asked: Question) -> str:
        """Return which functions a question is about."""
        functions = self._search.recording.program.functions
        names = {safe(functions[number].qualname) for number, _ in asked.counts}
        return " and ".join(sorted(names)) if len(names) < 3 else f"{len(names)} functions"

    def finding(self, found: Finding, size: Size) -> list[Line]:
        """Return what was found."""
        return fitted(lambda size: finding_lines(self.view(found, size), size), size)

    def view(self, found: Finding, size: Size) -> FindingView:
        """Return the view of a finding."""
        view = finding_view(
            self._search.recording,
            self._search.session,
            found,
            width=size.value_width,
            line_width=size.line_width,
            change_width=size.change_width,
            text_lines=size.text_lines,
            depth=size.depth,
            inside=self._search.inside,
        )
        if not size.detail or view.question is None:
            return view
        return replace(view, question=opened(self._search.recording, view.question))
