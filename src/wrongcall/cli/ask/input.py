"""Where answers come from: lines of a pipe here, keys of a terminal in `keyboard`."""

from __future__ import annotations

import io
import time
from contextlib import AbstractContextManager, nullcontext
from typing import Protocol, TextIO

from wrongcall.cli.ask.keys import Pressed, parsed
from wrongcall.present.key_map import Key


class Input(Protocol):
    """Something that answers."""

    interactive: bool

    def pressed(self, keys: tuple[Key, ...], *, resizing: bool = False) -> Pressed | None:
        """Return the next key; None: there are no more.

        ``resizing``: also return `wrongcall.cli.ask.keys.RESIZED` when a terminal gets another size.
        """

    def line(self, prompt: str) -> str | None:
        """Return a line of text; None: there is none, or it was cancelled."""

    def waits(self, seconds: float) -> bool:
        """Return whether there is something to read within this time."""

    def released(self) -> AbstractContextManager[bool]:
        """Lend the terminal to another program; False: there is none to lend."""


class PipedLines:
    """Answers as lines."""

    interactive = False

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")

    def pressed(self, keys: tuple[Key, ...], *, resizing: bool = False) -> Pressed | None:
        """Return the next line that is neither empty nor a comment."""
        for line in iter(self._stream.readline, ""):
            found = parsed(line, keys)
            if found is not None:
                return found
        return None

    def line(self, prompt: str) -> str | None:
        """Return the next line; a pipe needs no prompt."""
        line = self._stream.readline()
        return line.strip() if line else None

    def waits(self, seconds: float) -> bool:
        """Wait: the lines were written without knowing when they would be read."""
        time.sleep(seconds)
        return False

    def released(self) -> AbstractContextManager[bool]:
        """Have no terminal to lend."""
        return nullcontext(False)
