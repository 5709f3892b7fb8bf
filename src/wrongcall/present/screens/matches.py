"""What a search found, as a list: when, what, where."""

from __future__ import annotations

from collections.abc import Sequence

from wrongcall.present.lines import EMPTY, Line
from wrongcall.present.matches import function_name, match_value
from wrongcall.present.text import columns, fit, safe, source_line
from wrongcall.recording import Match, Recording

_TIME = 9
_VALUE = 24
"""Columns that a value is padded to."""


def matches_lines(
    recording: Recording, search: str, matches: Sequence[Match], more: bool, width: int
) -> list[Line]:
    """Return a line for each match."""
    if not matches:
        return [((safe(search), "heading"), ("  nothing found", "quiet"))]
    count = f"{len(matches):,} matches" if len(matches) > 1 else "1 match"
    first = f"  the first {count}" if more else f"  {count}"
    lines: list[Line] = [((safe(search), "heading"), (first, "quiet")), EMPTY]
    lines += [_line(recording, match, width) for match in matches]
    hint = f"… there are more (--first {2 * len(matches)})"
    return [*lines, ((hint, "quiet"),)] if more else lines


def _line(recording: Recording, match: Match, width: int) -> Line:
    what = _what(recording, match, width)
    padding = " " * max(_VALUE - columns(what), 0)
    where = f"line {match.line:<4}" if match.line else "at the end"
    if match.kind == "printed" and not match.line:
        where = "         "
    name = f"  {where} {function_name(recording, match.call)} #{match.call}"
    used = _TIME + max(columns(what), _VALUE) + columns(name) + 2
    source = fit(_source(recording, match), max(width - used, 0)) if width > used + 4 else ""
    return (
        (f"{match.time:>{_TIME - 1}} ", "number"),
        (what, "new"),
        padding,
        (name, "name"),
        (f"  {source}" if source else "", "quiet"),
    )


def _what(recording: Recording, match: Match, width: int) -> str:
    room = max(width // 3, 12)
    if match.kind == "printed":
        return fit(f"printed {safe(match.text)}", room)
    if match.kind == "became true":
        return "became true"
    place = f"{safe(match.place)} = " if match.kind == "wrote" else f"{match.kind} "
    return fit(place + match_value(recording, match, room), room)


def _source(recording: Recording, match: Match) -> str:
    if not match.call or not match.line:
        return ""
    function = recording.call(match.call).function
    return source_line(recording.sources.of_function(function).line(match.line)).strip()
