"""A question about a list of calls: every one of them is shown, for every one is judged."""

from __future__ import annotations

from dataclasses import replace

from wrongcall.present.lines import Line, broken, cut, folded, text_of
from wrongcall.present.lists import CallList
from wrongcall.present.question_parts import QUESTION_PARTS, in_order
from wrongcall.present.questions import QuestionView
from wrongcall.present.screens.question import (
    COLUMN,
    Head,
    Size,
    called_by,
    change_lines,
    chunks,
    constant_sections,
    doc_lines,
    header_lines,
    hint,
    meanwhile_lines,
    read_sections,
    text_lines,
    unparsed_sections,
    value_lines,
)
from wrongcall.present.text import columns, fit, fit_left, shares
from wrongcall.present.values import ValueNode

_INDENT = "  "
_INSIDE = " " * 6
_DETAILS = 3
"""Lines of each kind of detail (such as changes) shown of a call in a list, unless opened."""
_TITLE_OPENED = 6
"""Lines for a call and its arguments, if there is room."""
_LEAST = 12
"""Columns of an argument, where there is no room for all."""


def list_lines(asked: CallList, name: str, head: Head, size: Size) -> list[Line]:
    """Return a question about calls that are judged each by itself."""
    above = header_lines(head, f"{asked.where.file}:{asked.where.line}", size)
    title = f"{asked.count:,} calls to {name}; judge each one"
    above += [(_INDENT, (line, "heading")) for line in broken(title.split(), size.width - 2)]
    docs = {member.doc for member in asked.members}
    above += doc_lines(docs.pop(), size) if len(docs) == 1 else []
    for index, member in enumerate(asked.members):
        above += _member(member, size, asked.times(index))
    missing = {member.unparsed: None for member in asked.members if member.unparsed}
    below = [
        *read_sections(asked.read, asked.constants, size),
        *constant_sections(asked.read, asked.constants, size),
        *(section for why in missing for section in unparsed_sections(why, size)),
        *called_by(asked.where, size),
    ]
    return [*above, *folded(below, size.room, COLUMN, hint(size))]


def _member(asked: QuestionView, size: Size, times: int = 1) -> list[Line]:
    """Return a call, its outcome, and briefly what else it did; ``times``: how many are equal."""
    many = f"{times:,}x " if times > 1 else ""
    number, (text, style) = f"#{asked.call} {many}", _outcome(asked)
    room = size.width - max(len(_INDENT + number), len(_INSIDE))
    if not size.detail and not size.wraps:
        (head,) = _title(asked, room * 2, size)
        widths = shares((columns(head), columns(text)), size.width - len(_INDENT + number) - 1)
        title, outcome = fit(head, widths[0]), fit(text, widths[1])
        line: Line = (_INDENT, (number, "number"), title, " ", (outcome, style))
        return [line, *_details(asked, size)]
    first, *more = _title(asked, room, size)
    lines: list[Line] = [(_INDENT, (number, "number"), first), *((_INSIDE, each) for each in more)]
    one = (*lines[-1], " ", (text, style))
    if columns(text_of(one)) <= size.width:
        lines[-1] = one
    else:
        lines += [(_INSIDE, (part, style)) for part in _opened(text, room)]
    return [*lines, *_details(asked, size)]


def _opened(text: str, room: int) -> list[str]:
    """Return a text on as many lines as it takes."""
    words = text.replace(", ", ",\0").split("\0")
    return [part for line in broken(words, room, 2) for part in chunks(line, room)]


def _title(asked: QuestionView, room: int, size: Size) -> list[str]:
    """Return a call with its arguments: on one line, or on several if there is room."""
    if not asked.given:
        return [fit(asked.title, room)]
    name = fit_left(asked.where.function, room // 2)
    words = _words(name, asked.given)
    if size.detail or size.wraps:
        lines = _opened(" ".join(words), room)
        most = len(lines) if size.detail else _TITLE_OPENED
        return (
            lines
            if len(lines) <= most
            else [*lines[: most - 1], fit(" ".join(lines[most - 1 :]), room)]
        )
    left = (room - 2) - columns(name) - 3 * len(asked.given)
    return [
        " ".join(words if columns(" ".join(words)) <= room else _words(name, asked.given, left))
    ]


def _words(function: str, given: tuple[ValueNode, ...], room: int | None = None) -> list[str]:
    """Return the words of a call; ``room``: columns of all arguments together."""
    words = [f"{node.label}={node.summary}" for node in given]
    if room is not None:
        widths = shares([columns(word) for word in words], room)
        words = [fit(word, max(width, _LEAST)) for word, width in zip(words, widths, strict=True)]
    words = [*(f"{word}," for word in words[:-1]), f"{words[-1]})"]
    return [f"{function}({words[0]}", *words[1:]]


def _outcome(asked: QuestionView) -> tuple[str, str]:
    if asked.produced is None:
        return asked.outcome, "marked"
    if asked.outcome == "raised":
        return f"raised {asked.produced.summary}", "wrong"
    return f"-> {asked.produced.summary}", ""


def _details(asked: QuestionView, size: Size) -> list[Line]:
    """Return what a call yielded, changed, printed and read, each shortly."""
    yielded: list[Line] = []
    if asked.yielded:
        yielded = [(", ".join(node.summary for node in asked.yielded),)]
    inside = replace(size, width=size.width - len(_INSIDE))
    details = {
        "yielded": yielded,
        "changed": change_lines(asked.changed, inside),
        "printed": text_lines(asked.printed),
        "meanwhile": meanwhile_lines(asked.meanwhile, inside),
        "read": value_lines(asked.read, inside),
    }
    return in_order(QUESTION_PARTS, {name: _detail(name, details[name], size) for name in details})


def _detail(name: str, lines: list[Line], size: Size) -> list[Line]:
    """Return some lines of a detail, each with its name."""
    whole = size.detail or size.wraps or len(lines) <= _DETAILS
    most = len(lines) if whole else _DETAILS - 1
    shown: list[Line] = [(_INSIDE, (f"{name} ", "quiet"), *line) for line in lines[:most]]
    if most < len(lines):
        shown.append((_INSIDE, (f"{name} … {len(lines) - most:,} more{hint(size)}", "quiet")))
    return [cut(line, size.width) for line in shown]
