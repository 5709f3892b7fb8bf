"""A question on one screen: the call, its outcome, what it read; what is too long is folded.

Folding spends the room there is: a value is shown whole, or opened, as long as everything fits on the
screen. With `Size.detail` nothing is left out, however many lines that takes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from wrongcall.present.diffs import DiffLine, MeanwhileLine
from wrongcall.present.groups import Group, Member
from wrongcall.present.lines import (
    Line,
    Part,
    Section,
    broken,
    cut,
    folded,
    paragraph,
    text_of,
)
from wrongcall.present.question_parts import GROUP_PARTS, OUTCOME, QUESTION_PARTS, in_order
from wrongcall.present.questions import QuestionView, Where
from wrongcall.present.stopping import StoppedView
from wrongcall.present.text import ELLIPSIS, columns, fit, fit_left, fit_place, opening
from wrongcall.present.values import ValueNode
from wrongcall.recording import ChangeKind

COLUMN = 10
"""Columns for the names of sections."""
_TITLE_LINES = 4
_DOC_LINES = 2
_AROUND = 5
"""Lines of the screen that are not the question: header, prompt and the space around them."""
_ALL_LINES = 1_000_000
_ALL_COLUMNS = 20_000
_CAME_OUT = 3
"""Lines of what came out, for each of what went in, where there is no room for all."""
_VALUES = 6
"""Arguments, or variables that were read, that are shown."""
_LINES = 3
"""A value that fits on this many lines is shown as a whole."""
_TEXT_LINES = 12
"""A text of several lines is shown as a whole if it has no more than this many."""
_TEXT_PARTS = re.compile(r"(?:[^\\]|\\(?!n).)*(?:\\n|$)", re.DOTALL)
"""A line of a text as source writes it, which ends with ``\\n``."""
_FEW_ENDS, _SHORT_TEXT = 2, 40
"""A text with no more ends of lines, or columns, is not shown as the lines that it has."""
_FLAT_LINES = 30
"""The same for an opened value that holds plain values only."""
_SPREADS = ((0, True), (1, False), (1, True), (2, False), (2, True))
"""What is tried as long as there is room: levels that are opened, and whether parts are broken into lines."""
_OPENED_DEPTH = 8
_MAIN = "<module __main__>"
_CLOSING = {"[": "]", "(": ")", "{": "}"}
_QUOTES = ("'", '"')
HINT = " (+ shows all)"
_OTHERS = 3
"""Others whose changes meanwhile are shown."""
STATE_QUESTION = "right: it should be in this state, and not have ended yet"
"""What the answer is about, where a call has no outcome."""


@dataclass(frozen=True)
class Head:
    """What stands above a question."""

    number: int
    """Of the question; 0: it was not asked, the user is looking at it."""
    left: str
    """How many more questions there will be, in words."""
    again: bool = False
    note: str = ""
    opinions: tuple[str, ...] = ()
    """What oracles think of it, in words."""


@dataclass(frozen=True)
class Size:
    """How much there is room for."""

    width: int = 80
    height: int = 24
    detail: int = 0
    """1: everything is opened, and nothing is left out."""
    spread: int = 0
    """How many more levels of values are opened, since there is room."""
    wraps: bool = False
    """Parts of values may take several lines, since there is room."""

    @property
    def depth(self) -> int:
        """How many levels of values are opened."""
        return _OPENED_DEPTH if self.detail else 1 + self.spread

    @property
    def value_width(self) -> int:
        """Columns that all lines of a value have together."""
        return _ALL_COLUMNS if self.detail else self.line_width * _LINES

    @property
    def line_width(self) -> int:
        """Columns of one line beside the name of a section."""
        return max(self.width - COLUMN - 2, 16)

    @property
    def change_width(self) -> int:
        """Columns of a change: if there is room, two lines."""
        if self.detail:
            return _ALL_COLUMNS
        return self.line_width if not self.wraps else 2 * self.line_width - 8

    @property
    def text_lines(self) -> int:
        """Lines of a text that is shown as a whole."""
        return _ALL_COLUMNS // self.line_width if self.detail else _TEXT_LINES

    @property
    def room(self) -> int:
        """Lines for the sections of a question."""
        return _ALL_LINES if self.detail else max(self.height - _AROUND, 6)


def fitted(draw: Callable[[Size], list[Line]], size: Size) -> list[Line]:
    """Return what is drawn with as much opened as there is room for."""
    best = draw(size)
    folds = _folds(best)
    for spread, wraps in _SPREADS if not size.detail else ():
        if len(best) >= size.room or not any(ELLIPSIS in text_of(line) for line in best):
            break
        more = draw(replace(size, spread=spread, wraps=wraps))
        if _folds(more) <= folds and len(best) < len(more) <= size.room:
            best = more
    return best


def _folds(lines: list[Line]) -> int:
    """Return how often something is folded."""
    return sum(HINT in text_of(line) for line in lines)


def question_lines(asked: QuestionView, head: Head, size: Size) -> list[Line]:
    """Return a question about one call."""
    above = header_lines(head, f"{asked.where.file}:{asked.where.line}", size)
    title, given = _title(asked, size)
    title += doc_lines(asked.doc, size)
    sections = in_order(QUESTION_PARTS, {"given": given, **_sections(asked, head, size)})
    room = size.room - len(above) - len(title)
    return [*above, *title, *folded(sections, room, COLUMN, hint(size))]


def _sections(asked: QuestionView, head: Head, size: Size) -> dict[str, list[Section]]:
    """Return what is shown of each part of a question, besides what was given."""
    yielded = _joined(asked.yielded, size) or value_lines(asked.yielded, size)
    changed = [*change_lines(asked.changed, size), *_inside(asked, size)]
    return {
        OUTCOME: _outcome(asked, size),
        "variables": stopped_sections(asked, head, size),
        "yielded": sections_of("yielded", yielded),
        "defined": sections_of("defined", value_lines(asked.defined, size)),
        "changed": sections_of("changed", changed),
        "printed": sections_of("printed", text_lines(asked.printed)),
        "meanwhile": _meanwhile(asked.meanwhile, size),
        "started": started_sections(asked.started, size),
        "read": read_sections(asked.read, asked.constants, size),
        "constants": constant_sections(asked.read, asked.constants, size),
        "missing": unparsed_sections(asked.unparsed, size),
        "called": called_by(asked.where, size, asked.process),
    }


def _inside(asked: QuestionView, size: Size) -> list[Line]:
    """Return how much changed that is not shown."""
    if not asked.inside:
        return []
    places = "1 place" if asked.inside == 1 else f"{asked.inside:,} places"
    return [((f"{ELLIPSIS} and {places} inside library objects{hint(size)}", "quiet"),)]


def started_sections(started: str, size: Size) -> list[Section]:
    """Return which processes were started, if any were."""
    room = size.width - COLUMN - 2
    return sections_of("started", paragraph(started, room, "marked") if started else [])


def unparsed_sections(why: str, size: Size) -> list[Section]:
    """Return why what was read is not known, if it is not."""
    text = f"What it read and its docstring are not known: {why}" if why else ""
    room = size.width - COLUMN - 2
    return sections_of("missing", paragraph(text, room, "marked") if text else [])


def doc_lines(doc: str, size: Size) -> list[Line]:
    """Return what a function is meant to do: the first line of its docstring, or opened all of it."""
    lines = doc.strip().split("\n") if doc.strip() else []
    if not size.detail:
        first = broken(lines[0].split(), size.width - 2) if lines else []
        lines = [*first[: _DOC_LINES - 1], " ".join(first[_DOC_LINES - 1 :])] if first else []
    return [cut(("  ", (line, "quiet")), size.width) for line in lines if line or size.detail]


def read_sections(nodes: tuple[ValueNode, ...], constants: int, size: Size) -> list[Section]:
    """Return what was read and can change, value by value."""
    return _values("read", nodes[: len(nodes) - constants], size)


def constant_sections(nodes: tuple[ValueNode, ...], constants: int, size: Size) -> list[Section]:
    """Return the constants that were read, side by side."""
    words = [f"{node.label} = {node.summary}" for node in nodes[len(nodes) - constants :]]
    return sections_of("constants", _constants(words, size))


def _constants(words: list[str], size: Size) -> list[Line]:
    """Return constants side by side: those that fit on a line, or all if there is room."""
    listed = [*(f"{word}," for word in words[:-1]), *words[-1:]]
    lines = broken(listed, size.line_width) if words else []
    if size.detail or size.wraps or len(lines) < 2:
        return [((line, "quiet"),) for line in lines]
    for count in range(len(words) - 1, 0, -1):
        more = f"{ELLIPSIS} {len(words) - count:,} more{hint(size)}"
        text = " ".join([*listed[:count], more])
        if columns(text) <= size.line_width:
            return [((text, "quiet"),)]
    return [((f"{ELLIPSIS} {len(words):,}{hint(size)}", "quiet"),)]


def called_by(where: Where, size: Size, process: str = "") -> list[Section]:
    """Return which call made it and where, if that is known, and in which process it ran."""
    process = f"in {process}" if process else ""
    if not where.caller:
        return sections_of("called", [((process, "quiet"),)]) if process else []
    by = "the program" if where.caller_title == _MAIN else where.caller_title
    at = f" at line {where.caller_line}{_elsewhere(where)}" if where.caller_line else ""
    at += f", {process}" if process else ""
    lines: list[Line] = [((f"by {fit(by, size.line_width - len(at) - len('by '))}{at}", "quiet"),)]
    if size.detail:
        pieces = _pieces((f"by #{where.caller} {by}{at}",), size.line_width)
        lines = [((text_of(line), "quiet"),) for line in pieces]
    return sections_of("called", lines)


def _elsewhere(where: Where) -> str:
    """Say in which function a call is written, if that is not the caller's own."""
    written, title = where.caller_function, where.caller_title
    own = title.startswith((f"{written}(", "<")) or not written
    return "" if own else f" of {written}"


def group_lines(asked: Group, name: str, head: Head, size: Size) -> list[Line]:
    """Return a question about several calls in a row."""
    above = header_lines(head, f"{asked.where.file}:{asked.where.line}", size)
    title: list[Line] = [("  ", (f"{asked.count:,} calls in a row", "heading"), f" to {name}")]
    changed = change_lines(asked.changed, size)
    if not asked.changed and not asked.printed:
        changed = [("nothing",)]
    shown = {
        "calls": sections_of("calls", member_lines(asked.members, asked.left_out, size)),
        "changed": sections_of("changed", changed),
        "printed": sections_of("printed", text_lines(asked.printed)),
        "started": started_sections(asked.started, size),
        "meanwhile": _meanwhile(asked.meanwhile, size),
        "called": called_by(asked.where, size),
    }
    sections = in_order(GROUP_PARTS, shown)
    room = size.room - len(above) - len(title)
    return [*above, *title, *folded(sections, room, COLUMN, hint(size))]


def hint(size: Size) -> str:
    """Say how to see what is folded."""
    return "" if size.detail else HINT


def sections_of(name: str, lines: list[Line]) -> list[Section]:
    """Return a section of these lines; without any, there is none."""
    return [Section(name, tuple(lines), _CAME_OUT)] if lines else []


def _values(name: str, nodes: tuple[ValueNode, ...], size: Size) -> list[Section]:
    """Return a section for each value, so that a large one does not hide the others."""
    most = len(nodes) if size.detail or size.wraps else _VALUES
    found = [
        Section("" if i else name, tuple(value_lines((node,), size)), alone=_alone(node, size))
        for i, node in enumerate(nodes[:most])
    ]
    if len(nodes) > most:
        names = ", ".join(node.label for node in nodes[most:])
        more = f"{ELLIPSIS} {len(nodes) - most:,} more{hint(size)}: {names}"
        found += sections_of("", [cut(((more, "quiet"),), size.line_width)])
    return found


def header_lines(head: Head, place: str, size: Size) -> list[Line]:
    """Return the line above a question, with the place at its right end."""
    name = f"Question {head.number}" if head.number else "Call"
    left = f" ({head.left})" if head.left else ""
    gap = size.width - columns(name) - columns(left) - columns(place) - 1
    where: Line = ((" " * max(gap, 1) + place, "quiet"),) if gap > 0 else ()
    lines: list[Line] = [((name, "heading"), (left, "quiet"), *where)]
    if gap <= 0:
        lines.append(((f"  {fit_place(place, size.width - 2)}", "quiet"),))
    if head.again:
        lines.append((("  You answered this before; please check again.", "marked"),))
    if head.note:
        lines.append(((f"  {head.note}", "quiet"),))
    for opinion in head.opinions:
        lines += [("  ", *line) for line in paragraph(opinion, size.width - 2, "marked")]
    return lines


def _title(asked: QuestionView, size: Size) -> tuple[list[Line], list[Section]]:
    """Return the call with its arguments; those that are long stand in a section below it."""
    name = fit_left(asked.where.function, size.width - 4)
    if not asked.given:
        named = asked.title if asked.title.startswith("<") else f"{name}()"
        return [("  ", (_named(named), "heading"))], []
    long = [node for node in asked.given if _is_long(node, size)]
    title = _call_lines(name, asked.given, long, size)
    if len(title) > _TITLE_LINES:
        long = sorted(asked.given, key=lambda node: -columns(node.summary))
        while (
            len(long) > 1 and len(_call_lines(name, asked.given, long[:-1], size)) <= _TITLE_LINES
        ):
            long.pop()
        long = [node for node in asked.given if node in long]
        title = _call_lines(name, asked.given, long, size)
    if len(title) > _TITLE_LINES:  # even the names are too many
        title = [f"{name}({ELLIPSIS})"]
    lines: list[Line] = [("  ", (line, "heading")) for line in title]
    return lines, _values("given", tuple(long), size)


def _is_long(node: ValueNode, size: Size) -> bool:
    """Return whether an argument is cut, or would not fit on a line of the title."""
    return ELLIPSIS in node.summary or columns(node.label) + columns(node.summary) > size.width - 8


def _call_lines(
    name: str, given: tuple[ValueNode, ...], bare: list[ValueNode], size: Size
) -> list[str]:
    """Return a call with the values of its arguments, but for those that are shown elsewhere."""
    words = [n.label if n in bare else f"{n.label}={n.summary}" for n in given]
    words = [f"{word}," for word in words[:-1]] + [f"{words[-1]})"]
    words[0] = f"{name}({words[0]}"
    return broken(words, size.width - 2, min(len(name) + 1, 4))


def _named(title: str) -> str:
    return "the whole program" if title == _MAIN else title


def stopped_sections(asked: QuestionView, head: Head, size: Size) -> list[Section]:
    """Return the variables of a call that had not ended when the run stopped, and what to judge."""
    if asked.stopped is None:
        return []
    to_judge = sections_of("", [((STATE_QUESTION, "quiet"),)] if head.number else [])
    return [*to_judge, *_values("variables", asked.stopped.variables, size)]


def _stopped(stopped: StoppedView) -> list[Line]:
    lines: list[Line] = [((stopped.text, "marked"),)]
    if stopped.inner:
        lines.append(("waiting for ", (f"#{stopped.inner} ", "number"), stopped.inner_title))
    return lines


def _outcome(asked: QuestionView, size: Size) -> list[Section]:
    if asked.stopped is not None:
        return sections_of("stopped", _stopped(asked.stopped))
    if asked.produced is None:
        return sections_of("ended", [((asked.outcome, "marked"),)])
    style = "wrong" if asked.outcome == "raised" else ""
    same = [n.label for n in asked.given if n.object and n.object == asked.produced.object]
    if same and asked.produced.parts and not size.detail:
        return sections_of(asked.outcome, [(same[0], ("  the same object", "quiet"))])
    first, *more = value_lines((asked.produced,), size)
    lines: list[Line] = [_styled(first, style), *more]
    alone = _styled(_alone(asked.produced, size), style)
    return [Section(asked.outcome, tuple(lines), _CAME_OUT, alone)]


def _styled(line: Line, style: str) -> Line:
    return ((text_of(line), style),)


def _alone(node: ValueNode, size: Size) -> Line:
    """Return a value on one line."""
    label = f"{node.label} = " if node.label else ""
    return (label, "name"), fit(node.summary, max(size.line_width - columns(label), 4))


def value_lines(nodes: tuple[ValueNode, ...], size: Size, level: int = 0) -> list[Line]:
    """Return values, and what is in them where their own line does not say it all."""
    found: list[Line] = []
    for node in nodes:
        label = f"{node.label} = " if node.label else ""
        again = f"  (#{node.object}, shown above)" if node.repeated else ""
        again += "  (bookkeeping)" if node.bookkeeping else ""
        whole = _is_whole(node, label, size, level)
        text = node.summary if whole or not node.parts else _header(node)
        found += _value(level, label, text, again, size, whole=whole)
        if not whole:
            found += value_lines(node.parts, size, level + 1)
            if node.parts and node.size > len(node.parts):
                more = f"{'  ' * (level + 1)}{ELLIPSIS} {node.size - len(node.parts):,} more"
                found.append(((more, "quiet"),))
    return found


def _header(node: ValueNode) -> str:
    """Return what stands above the parts of a value: its kind, and how many there are of them."""
    opens = node.summary[: opening(node.summary)]
    closes = _CLOSING.get(opens[-1:], "")
    if not closes:
        return node.summary
    count = f" ({node.size:,})" if opens in _CLOSING else ""
    return f"{opens}{ELLIPSIS}{closes}{count}"


def _is_whole(node: ValueNode, label: str, size: Size, level: int) -> bool:
    """Return whether a value is shown by its own text, on one line or several."""
    if size.detail and not node.parts:
        return True
    if ELLIPSIS in node.summary:
        return False
    lines = -(-columns(label + node.summary) // max(size.line_width - 4 - 2 * level, 1))
    if size.detail:
        flat = all(part.object == 0 for part in node.parts)
        return lines <= (_FLAT_LINES if flat else _LINES)
    return lines <= 1 or level == 0 or size.wraps


def _joined(nodes: tuple[ValueNode, ...], size: Size) -> list[Line]:
    """Return short values side by side; nothing if they are not short."""
    words = [f"{node.summary}," for node in nodes]
    lines = broken(words, size.line_width - 2)
    if len(nodes) < 2 or len(lines) > _LINES or any(ELLIPSIS in word for word in words):
        return []
    return [(line.removesuffix(",") if line is lines[-1] else line,) for line in lines]


def _value(level: int, label: str, text: str, again: str, size: Size, *, whole: bool) -> list[Line]:
    """Return a value on one line; ``whole``: on as many lines as it needs."""
    indent = "  " * level
    room = size.line_width
    line: Line = (indent, (label, "name"), text, (again, "quiet"))
    ends = _TEXT_PARTS.findall(text)[:-1] if whole and text.startswith(_QUOTES) else []
    if len(ends) > _FEW_ENDS and columns(text) > _SHORT_TEXT:
        return _text(indent, label, ends, room)
    if not whole or columns(text_of(line)) <= room:
        used = columns(indent) + columns(label) + columns(again)
        return [cut((indent, (label, "name"), fit(text, room - used), (again, "quiet")), room)]
    room = max(room - 4 - len(indent), 8)
    words = (label + text).replace(", ", ",\0").split("\0")
    lines = [part for each in broken(words, room) for part in chunks(each, room)]
    first = lines[0].removeprefix(label)
    return [(indent, (label, "name"), first), *((f"{indent}  ", each) for each in lines[1:])]


def _text(indent: str, label: str, lines: list[str], room: int) -> list[Line]:
    """Return a text below each other, line by line."""
    margin = indent + " " * (columns(label) + 1)
    if columns(margin) > room // 3:
        margin = f"{indent}  "
    if len(lines[-1]) == 1:  # the closing quote
        lines[-2:] = ["".join(lines[-2:])]
    first, *more = (piece for each in lines for piece in chunks(each, room - columns(margin)))
    return [(indent, (label, "name"), first), *((margin, each) for each in more)]


def chunks(text: str, width: int) -> list[str]:
    """Break a text that has no place to be broken at."""
    return [text[i : i + width] for i in range(0, max(len(text), 1), max(width, 8))]


def change_lines(changes: tuple[DiffLine, ...], size: Size) -> list[Line]:
    """Return what was changed: old -> new, on a line each if one is not enough for both."""
    return [line for change in changes for line in _wrapped(change_line(change), size)]


def _wrapped(line: Line, size: Size) -> list[Line]:
    """Return a change on one line, or with what is there now on the next one."""
    room = size.line_width
    if columns(text_of(line)) <= room or not (size.wraps or size.detail):
        return [cut(line, room)]
    at = next((i for i, part in enumerate(line) if part == " -> "), len(line))
    rows = [line[:at], ("  -> ", *line[at + 1 :])] if at < len(line) else [line]
    return [piece for row in rows for piece in _pieces(row, room)]


def _pieces(line: Line, room: int) -> list[Line]:
    """Return a line on as many lines as it takes."""
    if columns(text_of(line)) <= room:
        return [line]
    words = text_of(line).replace(", ", ",\0").split("\0")
    first, *more = (p for each in broken(words, room - 2) for p in chunks(each, room - 2))
    name = line[0]
    label = text_of((name,))
    head: Line = (name, first.removeprefix(label)) if first.startswith(label) else (first,)
    return [head, *((f"  {piece}",) for piece in more)]


def change_line(line: DiffLine) -> Line:
    """Return one change, or how many are not listed."""
    if line.more:
        return (line.place, "name"), (f": {line.more:,} more changes, not listed", "quiet")
    if line.kind is ChangeKind.MOVED:
        return (line.place, "name"), f" = {line.new}", (f"  moved from {line.origin}", "quiet")
    if line.kind is ChangeKind.ADDED:
        return (line.place, "name"), " = ", (line.new, "new"), ("  added", "quiet")
    if line.kind is ChangeKind.REMOVED:
        return (line.place, "name"), " was ", (line.old, "old"), ("  removed", "quiet")
    return (line.place, "name"), ": ", *_arrows(line)


def _arrows(line: DiffLine) -> Iterator[Part]:
    """Go through what was there and what came; each time, if others wrote there in between."""
    runs = line.runs or ((line.old, line.new),)
    left_out = line.times - len(runs)
    for i, (old, new) in enumerate(runs):
        if i:
            gap = i == len(runs) - 1 and left_out > 0
            yield (f", {ELLIPSIS} {left_out:,} more {ELLIPSIS}, ", "quiet") if gap else ", "
        yield from ((old, "old"), " -> ", (new, "new"))


def _meanwhile(parts: tuple[MeanwhileLine, ...], size: Size) -> list[Section]:
    """Return what others changed; it is no part of the question, so it gets no room of the rest."""
    lines = meanwhile_lines(parts, size)
    return [Section("meanwhile", tuple(lines))] if lines else []


def meanwhile_lines(parts: tuple[MeanwhileLine, ...], size: Size) -> list[Line]:
    """Return what others changed, shortly: a line for each of them, or each change if it is opened."""
    lines: list[Line] = []
    for part in parts if size.detail else parts[:_OTHERS]:
        shown = part.changed if size.detail else part.changed[:1]
        for i, change in enumerate(shown):
            more = part.count - len(shown) if i == len(shown) - 1 else 0
            rest = ((f", {more:,} more", "quiet"),) if more else ()
            lines.append(((f"by {part.by}: ", "quiet"), *change_line(change), *rest))
    if not size.detail and len(parts) > _OTHERS:
        lines.append(((f"{ELLIPSIS} by {len(parts) - _OTHERS:,} more{hint(size)}", "quiet"),))
    return lines


def text_lines(text: str) -> list[Line]:
    """Return printed text line by line."""
    return [(line,) for line in text.rstrip("\n").split("\n")] if text else []


def member_lines(members: tuple[Member, ...], left_out: int, size: Size) -> list[Line]:
    """Return calls line by line, with a gap in the middle."""
    lines = [member_line(member) for member in members]
    if left_out:
        gap: Line = ((f"… {left_out:,} more like these …", "quiet"),)
        lines.insert(len(lines) // 2, gap)
    return [cut(line, size.line_width) for line in lines]


def member_line(member: Member) -> Line:
    """Return a call on one line."""
    style = "wrong" if member.outcome.startswith("raised") else ""
    return (f"#{member.call} ", "number"), member.title, " ", (member.outcome, style)
