"""A question on one screen: what went in, what came out, what changed; the rest is folded."""

from __future__ import annotations

from dataclasses import dataclass

from wrongcall.present import DiffLine, Question, ValueNode
from wrongcall.present.groups import Group, Member
from wrongcall.present.lines import Line, Part, Section, broken, cut, folded, text_of
from wrongcall.present.text import ELLIPSIS, columns
from wrongcall.trace import ChangeKind

COLUMN = 10
"""Columns for the names of sections."""
_TITLE_LINES = 4
_AROUND = 5
"""Lines of the screen that are not the question: header, prompt and the space around them."""
_EVERYTHING = 400
_CAME_OUT = 3
"""Lines of what came out, for each of what went in, where there is no room for all."""
_VALUES = 6
"""So many arguments, or variables that were read, are shown."""
_LINES = 3
"""A value that fits on so many lines is shown as a whole."""
_OPENED = 8
"""So much more of a value is shown each time it is opened."""


@dataclass(frozen=True)
class Head:
    """What stands above a question."""

    number: int
    """Of the question; 0: it was not asked, somebody looks at it."""
    left: str
    """How many more questions there will be, in words."""
    called: str
    """Who made the call, and where."""
    again: bool = False
    note: str = ""


@dataclass(frozen=True)
class Size:
    """How much there is room for."""

    width: int = 80
    height: int = 24
    detail: int = 0
    """How many levels of values are opened beyond the first; then nothing is left out."""

    @property
    def value_width(self) -> int:
        """Columns that all lines of a value have together."""
        return self.line_width * _LINES * int(_OPENED**self.detail)

    @property
    def line_width(self) -> int:
        """Columns of one line beside the name of a section and of a value."""
        return max(self.width - COLUMN - 14, 16)

    @property
    def room(self) -> int:
        """Lines for the sections of a question."""
        return _EVERYTHING if self.detail else max(self.height - _AROUND, 6)


def question_lines(asked: Question, head: Head, size: Size) -> list[Line]:
    """Return a question about one call."""
    above = header_lines(head, f"{asked.where.file}:{asked.where.line}", size)
    title, given = _title(asked, size)
    sections = [
        *given,
        *_values("read", asked.read, size),
        *sections_of(*_outcome(asked, size)),
        *sections_of("yielded", _joined(asked.yielded, size) or value_lines(asked.yielded, size)),
        *sections_of("defined", value_lines(asked.defined, size)),
        *sections_of("changed", [*change_lines(asked.changed), *_inside(asked)]),
        *sections_of("printed", text_lines(asked.printed)),
        *called_by(head),
    ]
    room = size.room - len(above) - len(title)
    return [*above, *title, *folded(sections, room, COLUMN, _hint(size))]


def _inside(asked: Question) -> list[Line]:
    """Return how much changed that is not shown."""
    if not asked.inside:
        return []
    places = "1 place" if asked.inside == 1 else f"{asked.inside:,} places"
    return [((f"{ELLIPSIS} and {places} inside library objects (+ opens)", "quiet"),)]


def called_by(head: Head) -> list[Section]:
    """Return who made the call, if that is known."""
    return sections_of("called", [((head.called, "quiet"),)] if head.called else [])


def group_lines(asked: Group, name: str, head: Head, size: Size) -> list[Line]:
    """Return a question about several calls in a row."""
    above = header_lines(head, f"{asked.where.file}:{asked.where.line}", size)
    title: list[Line] = [("  ", (f"{asked.count:,} calls in a row", "heading"), f" of {name}")]
    sections = [
        *sections_of("calls", member_lines(asked.members, asked.left_out, size)),
        *sections_of("changed", change_lines(asked.changed)),
        *sections_of("printed", text_lines(asked.printed)),
    ]
    if not asked.changed and not asked.printed:
        sections += sections_of("changed", [("nothing",)])
    sections += called_by(head)
    room = size.room - len(above) - len(title)
    return [*above, *title, *folded(sections, room, COLUMN, _hint(size))]


def _hint(size: Size) -> str:
    return " (+ opens)" if not size.detail else ""


def sections_of(name: str, lines: list[Line]) -> list[Section]:
    """Return a section of these lines; without any, there is none."""
    return [Section(name, tuple(lines), _CAME_OUT)] if lines else []


def _values(name: str, nodes: tuple[ValueNode, ...], size: Size) -> list[Section]:
    """Return a section for each value, so that a large one does not hide the others."""
    most = len(nodes) if size.detail else _VALUES
    found = [
        Section("" if i else name, tuple(value_lines((node,), size)), says_it_all=True)
        for i, node in enumerate(nodes[:most])
    ]
    if len(nodes) > most:
        found += sections_of("", [((f"… {len(nodes) - most:,} more{_hint(size)}", "quiet"),)])
    return found


def header_lines(head: Head, place: str, size: Size) -> list[Line]:
    """Return the line above a question, with the place at its right end."""
    name = f"Question {head.number}" if head.number else "Looking at a call"
    left = f" ({head.left})" if head.left else ""
    gap = size.width - columns(name) - columns(left) - columns(place) - 1
    where: Line = ((" " * max(gap, 1) + place, "quiet"),) if gap > 0 else ()
    lines: list[Line] = [((name, "heading"), (left, "quiet"), *where)]
    if gap <= 0:
        lines.append(((f"  {place}", "quiet"),))
    if head.again:
        lines.append((("  You answered this before; look again.", "marked"),))
    if head.note:
        lines.append(((f"  {head.note}", "quiet"),))
    return lines


def _title(asked: Question, size: Size) -> tuple[list[Line], list[Section]]:
    """Return the call; with its arguments if they are short, else those in a section."""
    if not asked.given:
        name = asked.title if asked.title.startswith("<") else f"{asked.where.function}()"
        return [("  ", (_named(name), "heading"))], []
    words = [f"{node.label}={node.summary}" for node in asked.given]
    words = [f"{word}," for word in words[:-1]] + [f"{words[-1]})"]
    words[0] = f"{asked.where.function}({words[0]}"
    title = broken(words, size.width - 2, min(len(asked.where.function) + 1, 4))
    whole = not any(ELLIPSIS in word or columns(word) > size.width - 6 for word in words)
    if whole and len(title) <= _TITLE_LINES and not size.detail:
        return [("  ", (line, "heading")) for line in title], []
    named: list[Line] = [("  ", (f"{asked.where.function}({ELLIPSIS})", "heading"))]
    return named, _values("given", asked.given, size)


def _named(title: str) -> str:
    return "the whole program" if title == "<module __main__>" else title


def _outcome(asked: Question, size: Size) -> tuple[str, list[Line]]:
    if asked.produced is None:
        return "ended", [((asked.outcome, "marked"),)]
    style = "wrong" if asked.outcome == "raised" else ""
    lines = value_lines((asked.produced,), size)
    return asked.outcome, [tuple((_text(part), style) for part in lines[0]), *lines[1:]]


def _text(part: Part) -> str:
    return part if isinstance(part, str) else part[0]


def value_lines(nodes: tuple[ValueNode, ...], size: Size, level: int = 0) -> list[Line]:
    """Return values, and what is in them where their own line does not say it all."""
    found: list[Line] = []
    for node in nodes:
        label = f"{node.label} = " if node.label else ""
        again = f"  (#{node.object}, shown above)" if node.repeated else ""
        again += "  (bookkeeping)" if node.bookkeeping else ""
        found += _value(level, label, node.summary, again, size)
        if ELLIPSIS in node.summary:
            found += value_lines(node.parts, size, level + 1)
            if node.parts and node.size > len(node.parts):
                more = f"{'  ' * (level + 1)}{ELLIPSIS} {node.size - len(node.parts):,} more"
                found.append(((more, "quiet"),))
    return found


def _joined(nodes: tuple[ValueNode, ...], size: Size) -> list[Line]:
    """Return short values side by side; nothing if they are not short."""
    words = [f"{node.summary}," for node in nodes]
    lines = broken(words, size.width - COLUMN - 4)
    if len(nodes) < 2 or len(lines) > _LINES or any(ELLIPSIS in word for word in words):
        return []
    return [(line.removesuffix(",") if line is lines[-1] else line,) for line in lines]


def _value(level: int, label: str, text: str, again: str, size: Size) -> list[Line]:
    """Return a value on one line; if it is whole on a few, or opened, on as many as it takes."""
    indent = "  " * level
    room = size.width - COLUMN - 2
    line: Line = (indent, (label, "name"), text, (again, "quiet"))
    is_short = columns(text_of(line)) <= room
    if is_short or not (size.detail or (level == 0 and ELLIPSIS not in text)):
        return [cut(line, room)]
    words = (label + text).replace(", ", ",\0").split("\0")
    lines = [part for each in broken(words, room - 4) for part in chunks(each, room - 4)]
    first = lines[0].removeprefix(label)
    return [(indent, (label, "name"), first), *((f"{indent}  ", each) for each in lines[1:])]


def chunks(text: str, width: int) -> list[str]:
    """Break a text that has no place to be broken at."""
    return [text[i : i + width] for i in range(0, max(len(text), 1), max(width, 8))]


def change_lines(changes: tuple[DiffLine, ...]) -> list[Line]:
    """Return what was changed: old -> new."""
    return [_change(change) for change in changes]


def _change(line: DiffLine) -> Line:
    if line.kind is ChangeKind.MOVED:
        return (line.place, "name"), f" = {line.new}", (f"  moved from {line.origin}", "quiet")
    if line.kind is ChangeKind.ADDED:
        return (line.place, "name"), " = ", (line.new, "new"), ("  added", "quiet")
    if line.kind is ChangeKind.REMOVED:
        return (line.place, "name"), " was ", (line.old, "old"), ("  removed", "quiet")
    return (line.place, "name"), ": ", (line.old, "old"), " -> ", (line.new, "new")


def text_lines(text: str) -> list[Line]:
    """Return printed text line by line."""
    return [(line,) for line in text.rstrip("\n").split("\n")] if text else []


def member_lines(members: tuple[Member, ...], left_out: int, size: Size) -> list[Line]:
    """Return calls line by line, with a gap in the middle."""
    lines = [member_line(member) for member in members]
    if left_out:
        gap: Line = ((f"… {left_out:,} more like these …", "quiet"),)
        lines.insert(len(lines) // 2, gap)
    return [cut(line, size.width - COLUMN - 2) for line in lines]


def member_line(member: Member) -> Line:
    """Return a call on one line."""
    style = "wrong" if member.outcome.startswith("raised") else ""
    return (f"#{member.call} ", "number"), member.title, " ", (member.outcome, style)
