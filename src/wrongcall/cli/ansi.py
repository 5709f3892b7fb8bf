"""Lines as text for a terminal or a pipe: with colours or without, in the characters it can show."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TextIO

from wrongcall.present.lines import Line, cut
from wrongcall.present.styles import STYLES, Style
from wrongcall.present.text import ELLIPSIS

_COLOURS = {"red": "31", "green": "32", "yellow": "33", "cyan": "36"}
_PLAIN = {"…": "...", "·": ".", "─": "-", "→": "->", "✓": "+", "✗": "x"}


def can_draw(stream: TextIO) -> bool:
    """Return whether a stream understands escape sequences."""
    return stream.isatty() and os.environ.get("TERM", "dumb") != "dumb"


def can_colour(stream: TextIO) -> bool:
    """Return whether a stream can show colours, and the user wants them."""
    return can_draw(stream) and not os.environ.get("NO_COLOR")


@dataclass(frozen=True)
class Painter:
    """Turns lines into text."""

    width: int | None = 80
    """Lines are cut to this many columns; None: they are not cut."""
    colour: bool = False
    encoding: str = "utf-8"

    def text(self, line: Line) -> str:
        """Return the text of a line."""
        parts = [part if isinstance(part, tuple) else (part, "") for part in line]
        shown: Line = tuple((self._shown(text), style) for text, style in parts)
        if self.width is not None:
            shown = cut(shown, self.width)
        found = "".join(self._styled(*part) for part in shown if isinstance(part, tuple))
        # Where it was cut there is an ellipsis, which must not get any wider.
        found = found.replace(ELLIPSIS, self._shown(ELLIPSIS)[0])
        return found if self.colour else found.rstrip()

    def _shown(self, text: str) -> str:
        """Return text in the characters of the encoding."""
        try:
            text.encode(self.encoding)
        except UnicodeEncodeError:
            for character, plain in _PLAIN.items():
                text = text.replace(character, plain)
            return text.encode(self.encoding, "backslashreplace").decode(self.encoding)
        return text

    def _styled(self, text: str, style: str) -> str:
        code = _code(STYLES[style]) if self.colour and style and text else ""
        return f"\x1b[{code}m{text}\x1b[0m" if code else text


def _code(style: Style) -> str:
    codes = ["1"] * style.bold + ["2"] * style.dim + ["7"] * style.reverse
    return ";".join([*codes, *([_COLOURS[style.colour]] if style.colour else [])])
