"""Lines as text for a terminal or a pipe: with colours or without, in the characters it can show.

Plain escape sequences, not `rich`: what is written must be exactly as wide as asked, since views are drawn
over what was there.
"""

from __future__ import annotations

from dataclasses import dataclass

from wrongcall.present.lines import Line, cut
from wrongcall.present.text import ELLIPSIS

_CODES = {
    "heading": "1",
    "name": "36",
    "number": "2",
    "quiet": "2",
    "old": "31",
    "new": "32",
    "wrong": "1;31",
    "right": "1;32",
    "marked": "1;33",
    "executed": "32",
    "key": "1;36",
    "chosen": "7",
}
_PLAIN = {"…": "...", "·": ".", "─": "-", "→": "->", "✓": "+", "✗": "x"}


@dataclass(frozen=True)
class Painter:
    """Turns lines into text."""

    width: int = 80
    colour: bool = False
    encoding: str = "utf-8"

    def text(self, line: Line) -> str:
        """Return a line of at most as many columns as there are."""
        parts = [part if isinstance(part, tuple) else (part, "") for part in line]
        shown = cut(tuple((self._shown(text), style) for text, style in parts), self.width)
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
        code = _CODES.get(style) if self.colour else None
        return f"\x1b[{code}m{text}\x1b[0m" if code and text else text
