"""Where screens are written to: a terminal, or a pipe.

Questions are written below what is there, so that the program's own output and the earlier answers
stay in sight. Views to move in take the whole screen of a terminal and restore it afterwards; in a pipe
they are written like anything else.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TextIO

from wrongcall.cli.ansi import Painter, can_colour, can_draw
from wrongcall.present.lines import Line
from wrongcall.present.screens.question import Size

_PIPE = (80, 24)
_SMALLEST = (20, 8)


class Terminal:
    """A terminal or a pipe to write to."""

    def __init__(self, stream: TextIO | None = None, size: tuple[int, int] | None = None) -> None:
        self._stream = sys.stdout if stream is None else stream
        self._size = size
        self.is_terminal = self._stream.isatty()
        self._can_draw = can_draw(self._stream)
        self.colour = can_colour(self._stream)
        self._full = False
        if hasattr(self._stream, "reconfigure"):
            self._stream.reconfigure(errors="backslashreplace")

    @property
    def size(self) -> Size:
        """How much room there is now."""
        if self._size is not None:
            return Size(*self._size)
        if self.is_terminal:
            found = shutil.get_terminal_size(_PIPE)
            return Size(max(found.columns, _SMALLEST[0]), max(found.lines, _SMALLEST[1]))
        return Size(_columns_wanted(), _PIPE[1])

    @property
    def _painter(self) -> Painter:
        return Painter(self.size.width, self.colour, self._stream.encoding or "ascii")

    def show(self, lines: Sequence[Line]) -> None:
        """Write lines."""
        painter = self._painter
        text = "".join(painter.text(line) + "\n" for line in lines)
        self.write(f"\x1b[H\x1b[J{text}" if self._full else text)

    def prompt_text(self, line: Line) -> str:
        """Return the text of a line that the answer follows."""
        return self._painter.text(line) + " "

    def write(self, text: str) -> None:
        """Write text as it is."""
        self._stream.write(text)
        self._stream.flush()

    @contextmanager
    def whole(self) -> Iterator[None]:
        """Draw on the whole screen of a terminal for a while."""
        if not self._can_draw or self._full:
            yield
            return
        self._full = True
        self.write("\x1b[?1049h")
        try:
            yield
        finally:
            self._full = False
            self.write("\x1b[?1049l")

    @property
    def is_whole(self) -> bool:
        """Return whether the whole screen is in use."""
        return self._full


def _columns_wanted() -> int:
    """Return the width of a pipe: $COLUMNS, or the default."""
    try:
        return max(int(os.environ.get("COLUMNS", "")), _SMALLEST[0])
    except ValueError:
        return _PIPE[0]
