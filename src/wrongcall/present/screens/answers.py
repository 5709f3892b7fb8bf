"""Expressions at every execution of a line, as a table."""

from __future__ import annotations

from wrongcall.present.answers import answer_word, style_of
from wrongcall.present.lines import EMPTY, Line, Part, paragraph
from wrongcall.present.questions import short_path
from wrongcall.present.text import columns, fit, safe, shares, source_line
from wrongcall.recording import PrintedLine, Recording

_GAP = "  "
_HEADS = ("call", "round", "time")
_MOST_REASONS = 10
_LONGEST = 60
"""Columns that a value gets at first; what is left over goes to the longest ones."""


def printed_lines(recording: Recording, printed: PrintedLine, width: int) -> list[Line]:
    """Return a table of what the expressions were."""
    place = printed.location
    path = short_path(recording, place.file.path)
    source = source_line(recording.sources.of_file(place.file.id).line(place.line)).strip()
    runs = "1 execution" if printed.total == 1 else f"{printed.total:,} executions"
    head = f"{path}:{place.line}"
    lines: list[Line] = [((head, "heading"), (f"  {runs}  ", "quiet"), source), EMPTY]
    if printed.rows:
        lines += _table(recording, printed, width)
        lines += _reasons(printed, width)
    lines += [((text, "quiet"),) for text in _notes(printed)]
    return lines if lines[-1] is not EMPTY else lines[:-1]


def _table(recording: Recording, printed: PrintedLine, width: int) -> list[Line]:
    has_rounds = any(row.round for row in printed.rows)
    facts = [
        [f"#{row.call}", *([f"{row.round:,}"] if has_rounds else []), str(row.time)]
        for row in printed.rows
    ]
    heads = [head for head in _HEADS if has_rounds or head != "round"]
    widths = [max(columns(text) for text in column) for column in zip(heads, *facts, strict=True)]
    room = width - sum(widths) - len(_GAP) * (len(widths) + len(printed.expressions) - 1)
    most = max(room // max(len(printed.expressions), 1), _LONGEST)
    texts = [
        [answer_word(recording, answer, row.state, most) for answer in row.answers]
        for row in printed.rows
    ]
    names = [safe(text) for text in printed.expressions]
    needs = [max(map(columns, column)) for column in zip(names, *texts, strict=True)]
    given = shares(needs, max(room, 8 * len(needs)))
    lines = [_row(heads, names, widths, given, ["quiet"] * len(names))]
    for row, fact, text in zip(printed.rows, facts, texts, strict=True):
        lines.append(_row(fact, text, widths, given, [style_of(each) for each in row.answers]))
    return lines


def _row(
    facts: list[str], texts: list[str], widths: list[int], given: list[int], styles: list[str]
) -> Line:
    left = _GAP.join(f"{fact:>{width}}" for fact, width in zip(facts, widths, strict=True))
    parts: list[Part] = [(left, "number")]
    for number, (text, room, style) in enumerate(zip(texts, given, styles, strict=True)):
        shown = fit(text, room)
        is_last = number == len(texts) - 1
        padding = "" if is_last else " " * (room - columns(shown))
        parts += [_GAP, (shown, style), padding]
    return tuple(parts)


def _reasons(printed: PrintedLine, width: int) -> list[Line]:
    """Say why expressions have no value, each reason once."""
    found: dict[tuple[str, str], int] = {}
    for row in printed.rows:
        for text, answer in zip(printed.expressions, row.answers, strict=True):
            if not answer.is_known:
                key = (text, answer.error or f"not known: {answer.unknown}")
                found[key] = found.get(key, 0) + 1
    lines: list[Line] = [EMPTY] if found else []
    for (text, reason), count in list(found.items())[:_MOST_REASONS]:
        times = f" ({count:,} times)" if count > 1 else ""
        lines += paragraph(f"{safe(text)}: {safe(reason)}{times}", width, "quiet", 2)
    more = len(found) - _MOST_REASONS
    return [*lines, ((f"… {more:,} more reasons", "quiet"),)] if more > 0 else lines


def _notes(printed: PrintedLine) -> list[str]:
    notes = []
    if printed.left_out:
        notes.append(f"… {printed.left_out:,} more")
    if printed.left_out is None:
        notes.append("… there may be more")
    if printed.undecided:
        times = "once" if printed.undecided == 1 else f"{printed.undecided:,} times"
        notes.append(f"left out {times}: the condition can't be evaluated there")
    if not printed.rows and printed.total:
        notes.insert(0, "the condition was never true")
    if not printed.total:
        notes.insert(0, "the line never ran")
    return notes
