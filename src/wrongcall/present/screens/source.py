"""Source with what was executed, and values beside it."""

from __future__ import annotations

from dataclasses import replace

from wrongcall.present.excerpts import Excerpt, ExcerptLine
from wrongcall.present.lines import Line, Part, broken
from wrongcall.present.text import columns, fit

_NUMBERS = 8
"""Columns for the number of a line and its mark."""
_NARROW = 60
"""Below this width, values stand right behind the code, where there is room."""
_SMALLEST = 12
"""Columns that values must have, or they are left out."""


def source_lines(
    source: Excerpt, width: int, room: int = 400, hint: str = "", *, wraps: bool = False
) -> list[Line]:
    """Return source: executed lines with a dot, the marked one with an arrow, values at the side.

    If there are more lines than room, those that were executed, and the marked one, come first.
    ``wraps``: nothing is cut; values that don't fit beside a line go to the next ones.
    """
    chosen, left_out = _chosen(source.lines, room)
    if width < _NARROW:
        chosen = _moved_left(chosen)
    edge = min(max((columns(line.text) for line in chosen), default=0), (width - _NUMBERS) * 2 // 3)
    found: list[Line] = []
    before = chosen[0].number - 1 if chosen else 0
    for line in chosen:
        if line.number != before + 1:
            found.append(((f"{'…':>5}", "quiet"),))
        before = line.number
        at = edge if width >= _NARROW else columns(line.text)
        if wraps:
            found += _wrapped(line, at, width - _NUMBERS)
        else:
            found.append(_line(line, at, width - _NUMBERS))
    if left_out:
        found.append(((f"{'…':>5}   {left_out:,} more lines{hint}", "quiet"),))
    return found


def _moved_left(lines: list[ExcerptLine]) -> list[ExcerptLine]:
    """Return lines without the indentation that all of them have."""
    widths = [len(line.text) - len(line.text.lstrip()) for line in lines if line.text.strip()]
    by = min(widths, default=0)
    return [replace(line, text=line.text[by:]) for line in lines]


def _chosen(lines: tuple[ExcerptLine, ...], room: int) -> tuple[list[ExcerptLine], int]:
    if len(lines) <= room:
        return list(lines), 0
    wanted = [line for line in lines if line.executed or line.marked or line is lines[0]]
    first = sorted(wanted, key=lambda line: not line.marked)[
        :room
    ]  # marked ones are never left out
    return sorted(first, key=lambda line: line.number), len(lines) - len(first)


def _mark(line: ExcerptLine) -> Part:
    return ("> ", "marked") if line.marked else ("· ", "executed") if line.executed else "  "


def _wrapped(line: ExcerptLine, edge: int, room: int) -> list[Line]:
    """Return a line that is not cut, with all of its values, on as many lines as they need."""
    edge = max(edge, columns(line.text))
    beside = broken(_listed(line.values), max(room - edge - 4, _SMALLEST)) if line.values else []
    notes = [f"  # {text.removesuffix(',')}" for text in beside]
    gap = " " * (edge - columns(line.text)) if notes else ""
    code = (line.text, "marked" if line.marked else "")
    first = (f"{line.number:5} ", "number"), _mark(line), code, gap, ("".join(notes[:1]), "quiet")
    return [first, *((" " * (_NUMBERS + edge), (note, "quiet")) for note in notes[1:])]


def _listed(values: tuple[str, ...]) -> list[str]:
    return [*(f"{value}," for value in values[:-1]), *values[-1:]]


def _line(line: ExcerptLine, edge: int, room: int) -> Line:
    values = ", ".join(line.values) if room - edge >= _SMALLEST else ""
    code = fit(line.text, edge if values else room)
    gap = " " * max(edge - columns(code), 0) if values else ""
    beside = fit(f"  # {values}", room - edge) if values else ""
    style = "marked" if line.marked else ""
    return (f"{line.number:5} ", "number"), _mark(line), (code, style), gap, (beside, "quiet")
