"""A question about a list of calls: every one of them is shown, for every one is judged."""

from __future__ import annotations

from wrongcall.present import Question, ValueNode
from wrongcall.present.lines import Line, broken, cut, folded, text_of
from wrongcall.present.lists import CallList
from wrongcall.present.screens.question import (
    COLUMN,
    Head,
    Size,
    called_by,
    change_lines,
    chunks,
    header_lines,
    sections_of,
    text_lines,
    value_lines,
)
from wrongcall.present.text import columns, fit

_INDENT = "  "
_INSIDE = " " * 6
_DETAILS = 3
"""So many lines of what a call of a list changed, say, are shown unless it is opened."""
_TITLE = 2
"""So many lines for a call and its arguments, unless it is opened."""
_LEAST = 12
"""Columns of an argument, where there is no room for all."""


def list_lines(asked: CallList, name: str, head: Head, size: Size) -> list[Line]:
    """Return a question about calls that are judged each by itself."""
    above = header_lines(head, f"{asked.where.file}:{asked.where.line}", size)
    title = f"{asked.count:,} calls of {name}, each to be judged by itself"
    above += [(_INDENT, (line, "heading")) for line in broken(title.split(), size.width - 2)]
    for index, member in enumerate(asked.members):
        above += _member(member, size, asked.times(index))
    below = [*sections_of("read", value_lines(asked.read, size)), *called_by(head)]
    return [*above, *folded(below, size.room, COLUMN, _more(size))]


def _more(size: Size) -> str:
    return "" if size.detail else " (+ opens)"


def _member(asked: Question, size: Size, times: int = 1) -> list[Line]:
    """Return a call, what came of it, and shortly what else it did; ``times``: so many are equal."""
    many = f"{times:,}x " if times > 1 else ""
    number, outcome = f"#{asked.call} {many}", _outcome(asked)
    room = size.width - max(len(_INDENT + number), len(_INSIDE))
    title = _title(asked, room, size)
    lines: list[Line] = [(_INDENT, (number, "number"), title[0])]
    lines += [(_INSIDE, more) for more in title[1:]]
    one = (*lines[-1], " ", outcome)
    if columns(text_of(one)) <= size.width:
        lines[-1] = one
    else:
        text, style = outcome
        parts = _opened(text, room) if size.detail else [fit(text, room)]
        lines += [(_INSIDE, (part, style)) for part in parts]
    return [*lines, *_details(asked, size)]


def _opened(text: str, room: int) -> list[str]:
    """Return a text on as many lines as it takes."""
    words = text.replace(", ", ",\0").split("\0")
    return [part for line in broken(words, room, 2) for part in chunks(line, room)]


def _title(asked: Question, room: int, size: Size) -> list[str]:
    """Return a call with its arguments: on a few lines, or if it is opened on as many as it takes."""
    if not asked.given:
        return [fit(asked.title, room)]
    name = asked.where.function
    if size.detail:
        return _opened(" ".join(_words(name, asked.given)), room)
    lines = broken(_words(name, asked.given), room, 2)
    if len(lines) > _TITLE or max(map(columns, lines)) > room:
        share = max((room * _TITLE - columns(name)) // len(asked.given) - 4, _LEAST)
        lines = broken(_words(name, asked.given, share), room, 2)
        lines = [*lines[: _TITLE - 1], " ".join(lines[_TITLE - 1 :])][: len(lines)]
    return [fit(line, room) for line in lines]


def _words(function: str, given: tuple[ValueNode, ...], width: int | None = None) -> list[str]:
    """Return what stands between the spaces of a call; arguments have at most so many columns."""
    words = [f"{node.label}={node.summary}" for node in given]
    if width is not None:
        words = [fit(word, width) for word in words]
    words = [*(f"{word}," for word in words[:-1]), f"{words[-1]})"]
    return [f"{function}({words[0]}", *words[1:]]


def _outcome(asked: Question) -> tuple[str, str]:
    if asked.produced is None:
        return asked.outcome, "marked"
    if asked.outcome == "raised":
        return f"raised {asked.produced.summary}", "wrong"
    return f"-> {asked.produced.summary}", ""


def _details(asked: Question, size: Size) -> list[Line]:
    """Return what a call read, yielded, changed and printed, each shortly."""
    yielded: list[Line] = []
    if asked.yielded:
        yielded = [(", ".join(node.summary for node in asked.yielded),)]
    found: list[Line] = []
    for name, lines in (
        ("read", value_lines(asked.read, size)),
        ("yielded", yielded),
        ("changed", change_lines(asked.changed)),
        ("printed", text_lines(asked.printed)),
    ):
        most = len(lines) if size.detail or len(lines) <= _DETAILS else _DETAILS - 1
        shown = [(_INSIDE, (f"{name} ", "quiet"), *line) for line in lines[:most]]
        if most < len(lines):
            shown.append((_INSIDE, (f"{name} … {len(lines) - most:,} more (+ opens)", "quiet")))
        found += [cut(line, size.width) for line in shown]
    return found
