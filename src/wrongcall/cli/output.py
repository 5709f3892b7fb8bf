"""What commands show: coloured on a terminal, plain in a pipe, JSON when asked for.

A line is made of parts (`present.lines`). All text is safe by the time it comes here
(`present.text`). Lines are not cut: a terminal wraps them.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import sys
from collections.abc import Callable, Iterable
from typing import Any, TextIO

from wrongcall.cli.ansi import Painter, can_colour
from wrongcall.present.lines import Line, Part
from wrongcall.present.models import as_json

_PIPE = (80, 24)


class Output:
    """Where a command writes to."""

    def __init__(self, stream: TextIO | None = None) -> None:
        self._stream = sys.stdout if stream is None else stream
        # What the terminal's encoding lacks must not end the command.
        if hasattr(self._stream, "reconfigure"):
            self._stream.reconfigure(errors="backslashreplace")
        encoding = self._stream.encoding or "ascii"
        self._painter = Painter(None, can_colour(self._stream), encoding)

    @property
    def width(self) -> int:
        """How many columns there are: ``COLUMNS``, else those of the terminal, in a pipe 80."""
        return shutil.get_terminal_size(_PIPE).columns

    def line(self, *parts: Part) -> None:
        """Write one line."""
        print(self._painter.text(parts), file=self._stream)

    def lines(self, lines: Iterable[Line]) -> None:
        """Write lines."""
        for line in lines:
            self.line(*line)

    def json(self, data: Any) -> None:
        """Write data as JSON; only ASCII, so nothing in it can act upon a terminal."""
        print(json.dumps(data, indent=2, default=as_json), file=self._stream)


def shown(show: Callable[[Output], None]) -> int:
    """Let a command show something; a reader that goes away early is no error."""
    output = Output()
    try:
        show(output)
        sys.stdout.flush()
    except BrokenPipeError:
        # Or the interpreter would complain when it flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 128 + signal.SIGPIPE
    return 0
