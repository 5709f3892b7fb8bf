"""What a search found, as text and as data."""

from __future__ import annotations

from typing import TypedDict

from wrongcall.present.pairs import value_line
from wrongcall.present.text import safe
from wrongcall.present.values import Viewer
from wrongcall.recording import UNSET, Match, Recording

WIDTH = 200
"""Columns of a value in data."""


class MatchData(TypedDict):
    """Something that was found."""

    kind: str
    time: int
    call: int
    function: str
    line: int
    place: str
    value: str | None
    text: str


def match_value(recording: Recording, match: Match, width: int) -> str:
    """Return the value that was found, on one line; empty if there is none."""
    if match.value is UNSET:
        return ""
    return value_line(Viewer(recording, match.time), match.value, width)


def match_data(recording: Recording, match: Match) -> MatchData:
    """Return a match for JSON."""
    return {
        "kind": match.kind,
        "time": match.time,
        "call": match.call,
        "function": function_name(recording, match.call),
        "line": match.line,
        "place": safe(match.place),
        "value": match_value(recording, match, WIDTH) or None,
        "text": safe(match.text),
    }


def function_name(recording: Recording, call: int) -> str:
    """Return the name of the function that was called."""
    return safe(recording.call(call).function.qualname) if call else "?"
