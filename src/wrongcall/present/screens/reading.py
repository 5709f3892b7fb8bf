"""How much there is to read: the lines of a question, as it is shown on a screen of 80 columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from wrongcall.present.groups import group
from wrongcall.present.lines import Line
from wrongcall.present.lists import CallList, call_list
from wrongcall.present.questions import QuestionView, question
from wrongcall.present.screens.lists import list_lines
from wrongcall.present.screens.question import Head, Size, group_lines, question_lines
from wrongcall.recording import Recording
from wrongcall.tree.balance import LONG_LIST_MOST
from wrongcall.tree.costs import MOST_LINES

SCREEN = Size(80, 24)
_HEAD = Head(1, "about 9 left")
_NAME = "f"


def lines_to_read(recording: Recording, calls: Sequence[int], is_list: bool) -> int:
    """Return the lines of a question about one call, a group or a list.

    A list of more than a few calls that are not a line each is too long to be asked about.
    """
    if is_list:
        shown = _listed(recording, calls)
        return MOST_LINES if is_too_long(shown) else len(_lines(shown))
    return len(shown_lines(recording, calls, is_list))


def shown_lines(recording: Recording, calls: Sequence[int], is_list: bool) -> list[Line]:
    """Return the lines of a question."""
    if is_list:
        return _lines(_listed(recording, calls))
    if len(calls) > 1:
        return group_lines(
            group(recording, calls, width=SCREEN.line_width + 10), _NAME, _HEAD, SCREEN
        )
    return question_lines(_asked(recording, calls[0]), _HEAD, SCREEN)


def is_too_long(shown: CallList) -> bool:
    """Return whether a list has more than a few calls, and one of them takes more than a line."""
    around = len(_lines(replace(shown, members=(), counts=())))
    is_long = len(shown.members) > LONG_LIST_MOST
    return is_long and len(_lines(shown)) - around > len(shown.members)


def _asked(recording: Recording, call: int) -> QuestionView:
    return question(recording, call, width=SCREEN.value_width, line_width=SCREEN.line_width)


def _listed(recording: Recording, calls: Sequence[int]) -> CallList:
    width, line_width = SCREEN.value_width, SCREEN.line_width
    return call_list(recording, calls, depth=0, width=width, line_width=line_width)


def _lines(shown: CallList) -> list[Line]:
    return list_lines(shown, _NAME, _HEAD, SCREEN)
