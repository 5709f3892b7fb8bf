"""Text of the debugged program, made safe and short enough to show.

Invariants: `safe` returns printable characters only, whatever it is given: control characters,
escape sequences, line and paragraph separators, marks that change the direction of writing, lone
surrogates and unassigned characters come out as escapes. `fit` returns at most as many columns as
asked.
"""

from __future__ import annotations

import unicodedata

ELLIPSIS = "…"
_ESCAPES = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}


def safe(text: str) -> str:
    """Return text without anything that a terminal or browser would act upon."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(c if _harmless(c) else _escaped(c) for c in text)


def _harmless(character: str) -> bool:
    # Printable leaves out controls, separators, surrogates, unassigned; Cf are format characters.
    return character.isprintable() and unicodedata.category(character) != "Cf"


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
    return sum(_columns_of(character) for character in text)


def _columns_of(character: str) -> int:
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def fit(text: str, width: int) -> str:
    """Return a text that takes at most so many columns, cut with an ellipsis if need be."""
    if len(text) * 2 <= width or columns(text) <= width:
        return text
    if width <= 0:
        return ""
    kept, used = [], 1
    for character in text:
        used += _columns_of(character)
        if used > width:
            break
        kept.append(character)
    return "".join(kept) + ELLIPSIS


def source_line(text: str) -> str:
    """Return a line of source: tabs as spaces, all else safe."""
    return safe(text.expandtabs(4))
