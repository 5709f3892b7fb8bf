"""Text of the debugged program, made safe and short enough to show.

Invariants: `safe` returns printable characters only, whatever it is given: control characters,
escape sequences, line and paragraph separators, marks that change the direction of writing, lone
surrogates and unassigned characters come out as escapes. `fit`, `fit_left`, `fit_place` and `quoted` return
at most as many columns as asked; `shares` deals out no more columns than there are, and none stays unused while
a text needs more.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence

from wcwidth import wcswidth, wcwidth

ELLIPSIS = "…"
MAX_MARKS = 4
"""Accents on one character; more are escaped, since they take no columns and would never be cut."""
_MARKS = ("Mn", "Me", "Mc")
_LONGEST_OPENING = 30
_ESCAPES = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}


def safe(text: str) -> str:
    """Return text without anything that a terminal or browser would act upon."""
    if text.isascii() and text.isprintable():
        return text
    found, marks = [], 0
    for character in text:
        category = unicodedata.category(character)
        marks = marks + 1 if category in _MARKS else 0
        # Printable leaves out controls, separators, surrogates, unassigned; Cf are format characters.
        is_harmless = character.isprintable() and category != "Cf" and marks <= MAX_MARKS
        found.append(character if is_harmless else _escaped(character))
    return "".join(found)


def _escaped(character: str) -> str:
    code = ord(character)
    if character in _ESCAPES:
        return _ESCAPES[character]
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def columns(text: str) -> int:
    """Return how many columns of a terminal a text takes."""
    if text.isascii():
        return len(text)
    found = wcswidth(text)
    if found < 0:  # it has control characters, which `safe` would have escaped: one column each
        found = wcswidth("".join("?" if wcwidth(each) < 0 else each for each in text))
    return found


def fit(text: str, width: int) -> str:
    """Return a text of at most this many columns, cut with an ellipsis if need be."""
    if len(text) * 2 <= width or columns(text) <= width:
        return text
    if width <= 0:
        return ""
    end, used = 0, 1
    for character in text:
        used += columns(character)
        if used > width:
            break
        end += 1
    while columns(text[:end]) >= width:  # characters together can be wider than alone
        end -= 1
    return text[:end] + ELLIPSIS


def fit_left(text: str, width: int) -> str:
    """Cut a qualified name at its left to at most ``width`` columns: `…Handler.get`."""
    if columns(text) <= width:
        return text
    rest = text
    while "." in rest:
        rest = rest.partition(".")[2]
        if columns(rest) + 1 <= width:
            return ELLIPSIS + rest
    kept = text[max(len(text) - width + 1, 0) :] if width > 0 else ""
    while columns(kept) > width - 1:
        kept = kept[1:]
    return (ELLIPSIS + kept)[: max(width, 0)]


def fit_place(place: str, width: int) -> str:
    """Cut a file and line at the left to at most ``width`` columns: `…/shop/cart.py:12`.

    Whole folders are left out as long as the name of the file fits.
    """
    if columns(place) <= width:
        return place
    rest = place.lstrip("/")
    while "/" in rest:
        rest = rest.partition("/")[2]
        if columns(rest) + 2 <= width:
            return f"{ELLIPSIS}/{rest}"
    kept = rest
    while kept and columns(kept) > width - 1:
        kept = kept[1:]
    return (ELLIPSIS + kept)[: max(width, 0)]


def shares(needs: Sequence[int], room: int) -> list[int]:
    """Divide room among texts: the short ones get what they need, the long ones share the rest."""
    found = list(needs)
    left, waiting = room, sorted(range(len(needs)), key=lambda i: needs[i])
    while waiting:
        fair = max(left, 0) // len(waiting)
        smallest = waiting.pop(0)
        found[smallest] = min(needs[smallest], fair)
        left -= found[smallest]
    return found


def quoted(value: str | bytes, length: int, room: int) -> str:
    """Return text in quotes; a long one is cut in the middle, with its length: `'abc…xyz' (12,345)`.

    ``length``: its real length, if ``value`` is only the beginning; then its end is not known.
    """
    whole = len(value) == length
    if whole and length <= room and columns(text := safe(repr(value))) <= room:
        return text
    size = f" ({length:,})"
    mark = repr(value[: max(room, 0)])
    prefix, quote = ("b", mark[1]) if isinstance(value, bytes) else ("", mark[0])
    left = room - columns(size) - len(prefix) - 3
    if left < 1:
        return fit(f"{prefix}{quote}{ELLIPSIS}{quote}", room)
    back = left // 2 if whole else 0
    head = _taken((value[i : i + 1] for i in range(length)), left - back, quote)
    tail = _taken((value[i - 1 : i] for i in range(length, 0, -1)), back, quote) if whole else []
    return f"{prefix}{quote}{''.join(head)}{ELLIPSIS}{''.join(reversed(tail))}{quote}{size}"


def _taken(characters: Iterable[str | bytes], room: int, quote: str) -> list[str]:
    """Return as many characters, as source would have them, as there is room for."""
    found: list[str] = []
    for character in characters:
        shown = safe(repr(character)[2 if isinstance(character, bytes) else 1 : -1])
        shown = (
            f"\\{quote}" if shown == quote else shown.replace("\\'", "'") if quote != "'" else shown
        )
        room -= max(columns(shown), 1)
        if room < 0 or not character:
            break
        found.append(shown)
    return found


def cut_around(text: str, at: int, before: int, width: int) -> str:
    """Cut a text to at most ``width`` columns around the character at an index.

    ``before``: how many characters to keep in front of it. What opens and closes the text stays.
    """
    start = opening(text)
    begin = at - before if at - before > start else 0
    comma = ", " if text[:begin].endswith(", ") else ""
    head = text[:start] + ELLIPSIS + comma if begin else ""
    rest = text[begin:]
    closing = text[-1:]
    if columns(head) + columns(rest) <= width:
        return head + rest
    inner = fit(rest, width - columns(head) - columns(closing))
    return fit(head + inner + closing, width)


def opening(text: str) -> int:
    """Return the length of what opens a value: ``[`` or ``Point(``; 0 if there is none, or it is long."""
    at = min((i for c in "[({'\"" if (i := text.find(c)) >= 0), default=-1)
    return at + 1 if at < _LONGEST_OPENING else 0


def source_line(text: str) -> str:
    """Return a line of source: tabs as spaces, all else safe."""
    return safe(text.expandtabs(4))
