"""What commands show: coloured on a terminal, plain in a pipe, JSON when asked for.

A line is made of parts (`present.lines`). All text is safe by the time it comes here
(`present.text`). On a terminal `rich` does the colours; in a pipe it is not even loaded.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TextIO

from wrongcall.present.lines import Part
from wrongcall.present.models import as_json

if TYPE_CHECKING:
    from rich.console import Console

STYLES = {
    "heading": "bold",
    "name": "cyan",
    "number": "dim",
    "quiet": "dim",
    "old": "red",
    "new": "green",
    "wrong": "bold red",
    "marked": "bold yellow",
    "executed": "green",
}
_PIPE = (80, 24)


class Output:
    """Where a command writes to."""

    def __init__(self, stream: TextIO | None = None) -> None:
        self._stream = sys.stdout if stream is None else stream
        # What the terminal's encoding lacks must not end the command.
        if hasattr(self._stream, "reconfigure"):
            self._stream.reconfigure(errors="backslashreplace")
        self.terminal = self._stream.isatty()
        self._console: Console | None = None

    @property
    def width(self) -> int:
        """How many columns there are: ``COLUMNS``, else those of the terminal, in a pipe 80."""
        return shutil.get_terminal_size(_PIPE).columns

    def line(self, *parts: Part) -> None:
        """Write one line."""
        if self.terminal:
            self._coloured(parts)
        else:
            texts = [part if isinstance(part, str) else part[0] for part in parts]
            print("".join(texts).rstrip(), file=self._stream)

    def json(self, data: Any) -> None:
        """Write data as JSON; only ASCII, so nothing in it can act upon a terminal."""
        print(json.dumps(data, indent=2, default=as_json), file=self._stream)

    def _coloured(self, parts: tuple[Part, ...]) -> None:
        # Loaded for people only: scripts need not wait for it.
        from rich.console import Console  # noqa: PLC0415
        from rich.text import Text  # noqa: PLC0415

        if self._console is None:
            self._console = Console(file=self._stream, highlight=False)
        text = Text()
        for part in parts:
            words, style = (part, "") if isinstance(part, str) else part
            text.append(words, STYLES.get(style, ""))
        self._console.print(text, soft_wrap=True)


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
