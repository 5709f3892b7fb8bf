"""Lines of a screen: parts of text with styles by their role, cut or broken to a width."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from wrongcall.present.text import columns, fit

Part: TypeAlias = str | tuple[str, str]
"""Text, or text with a style by its role."""
Line: TypeAlias = tuple[Part, ...]
EMPTY: Line = ()


def text_of(line: Line) -> str:
    """Return a line without its styles."""
    return "".join(part if isinstance(part, str) else part[0] for part in line)


def cut(line: Line, width: int) -> Line:
    """Cut a line to at most ``width`` columns.

    What a part takes depends on the part before it: a mark can widen its character, or join it to another.
    """
    if columns(text_of(line)) <= width:
        return line
    kept: list[Part] = []
    before = ""
    for part in line:
        text = part if isinstance(part, str) else part[0]
        room = width - columns(before)
        shown = fit(text, room)
        while columns(before + shown) > width:
            room -= 1
            shown = fit(text, room)
        kept.append(shown if isinstance(part, str) else (shown, part[1]))
        before += shown
        if shown != text:
            break
    return tuple(kept)


def broken(words: Iterable[str], width: int, indent: int = 0) -> list[str]:
    """Wrap words into lines of at most ``width`` columns; those after the first are indented."""
    found: list[str] = []
    now = ""
    for word in words:
        room = width - (indent if found else 0)
        if now and columns(now) + 1 + columns(word) > room:
            found.append(now)
            now = word
        else:
            now = f"{now} {word}" if now else word
    found.append(now)
    return [found[0], *(" " * indent + line for line in found[1:])]


def paragraph(text: str, width: int, style: str = "", indent: int = 0) -> list[Line]:
    """Return prose as lines of a style."""
    return [((line, style),) for line in broken(text.split(), width, indent)]


@dataclass(frozen=True)
class Section:
    """Lines under a name, of which as many are shown as there is room for."""

    name: str
    lines: tuple[Line, ...]
    weight: int = 1
    """Lines it gets per turn where there are too few for all; larger weights come first."""
    alone: Line = EMPTY
    """Stands for all lines, if there is room for one or two only: the others need not be counted then."""


def folded(sections: Sequence[Section], room: int, column: int, hint: str) -> list[Line]:
    """Return sections beside their names, at most ``room`` lines in all.

    Every section gets a line, then all get more in turns; what is left out is counted.
    """
    shares = _shares(sections, room)
    found: list[Line] = []
    for section, share in zip(sections, shares, strict=True):
        for i, line in enumerate(_shown(section, share, hint)):
            name = section.name if not i else ""
            found.append(("  ", (f"{name:{column}}", "quiet"), *line))
    return found


def _shown(section: Section, share: int, hint: str) -> list[Line]:
    more = len(section.lines) - share
    if more <= 0:
        return list(section.lines)
    if section.alone and share <= 2:
        return [section.alone]
    counted: Line = ((f"… {more + 1:,} more{hint}", "quiet"),)
    return [*section.lines[: max(share - 1, 0)], counted]


def _shares(sections: Sequence[Section], room: int) -> list[int]:
    """Deal out lines: to each what it needs, as long as there are any, one to begin with."""
    sizes = [len(section.lines) for section in sections]
    shares = [min(size, 1) for size in sizes]
    left = room - sum(shares)
    order = sorted(range(len(sections)), key=lambda i: -sections[i].weight)
    while left > 0 and shares != sizes:
        for i in order:
            more = min(sections[i].weight, sizes[i] - shares[i], left)
            shares[i] += more
            left -= more
    return shares
