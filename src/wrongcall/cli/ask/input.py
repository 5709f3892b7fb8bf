"""Where answers come from: the keys of a terminal, or the lines of a pipe.

A terminal is read key by key. While a key is waited for, Ctrl-C is a key as well (it means: save and
quit), so that it does not hit a program that runs in the same terminal.
"""

from __future__ import annotations

import codecs
import io
import os
import select
import signal
import termios
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Protocol, TextIO

from wrongcall.cli.ask.keys import Command, Key, parsed

_ESCAPES = {
    "[A": "up", "[B": "down", "[C": "right", "[D": "left",
    "OA": "up", "OB": "down", "OC": "right", "OD": "left",
    "[5~": "page-up", "[6~": "page-down", "[H": "home", "[F": "end",
    "OH": "home", "OF": "end", "[1~": "home", "[4~": "end",
}  # fmt: skip
_CONTROLS = {
    "\r": "enter", "\n": "enter", "\x7f": "backspace", "\x08": "backspace", "\x03": "quit",
    "\x04": "end-of-input", "\x0c": "redraw", "\x15": "clear", "\x1a": "suspend", "\t": "tab",
}  # fmt: skip
_LFLAG, _CC = 3, 6
_ESCAPE_TIME = 0.05
"""Seconds in which the rest of an escape sequence must come; else it was the key Escape."""


class Input(Protocol):
    """Something that answers."""

    interactive: bool

    def command(self, keys: tuple[Key, ...]) -> Command | None:
        """Return the next command; None: there are no more."""

    def line(self) -> str | None:
        """Return a line of text; None: there is none, or it was cancelled."""

    def waits(self, seconds: float) -> bool:
        """Tell whether there is something to read, within so many seconds."""


class PipedLines:
    """Answers as lines."""

    interactive = False

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")

    def command(self, keys: tuple[Key, ...]) -> Command | None:
        """Return the next line that says anything."""
        for line in iter(self._stream.readline, ""):
            found = parsed(line, keys)
            if found is not None:
                return found
        return None

    def line(self) -> str | None:
        """Return the next line."""
        line = self._stream.readline()
        return line.strip() if line else None

    def waits(self, seconds: float) -> bool:
        """Wait: whoever writes the lines does not know when they are read."""
        select.select([], [], [], seconds)
        return False


class TerminalKeys:
    """Answers as keys."""

    interactive = True

    def __init__(self, descriptor: int, write: Callable[[str], None]) -> None:
        """Read from a terminal; what is typed as text is written back."""
        self._descriptor = descriptor
        self._write = write
        self._decode = codecs.getincrementaldecoder("utf-8")("replace").decode
        self._read: list[str] = []
        self._before = termios.tcgetattr(descriptor)
        self.begin()

    # -- the terminal's modes ----------------------------------------------------------------------

    def begin(self) -> None:
        """Take the terminal: keys come one by one and do not show."""
        self._set(interrupts=True)

    def end(self) -> None:
        """Leave the terminal as it was."""
        with suppress(termios.error):  # it is gone, and so are its modes
            termios.tcsetattr(self._descriptor, termios.TCSADRAIN, self._before)

    def _set(self, *, interrupts: bool) -> None:
        mode: list[Any] = list(self._before)
        mode[_LFLAG] &= ~(termios.ICANON | termios.ECHO)
        if not interrupts:
            mode[_LFLAG] &= ~termios.ISIG
        mode[_CC] = list(mode[_CC])
        mode[_CC][termios.VMIN], mode[_CC][termios.VTIME] = 1, 0
        with suppress(termios.error):
            termios.tcsetattr(self._descriptor, termios.TCSADRAIN, mode)

    def _suspend(self) -> None:
        """Do what the shell expects of Ctrl-Z."""
        self.end()
        os.kill(os.getpid(), signal.SIGTSTP)
        self.begin()

    # -- keys --------------------------------------------------------------------------------------

    def command(self, keys: tuple[Key, ...]) -> Command | None:
        """Return the next key."""
        key = self.key()
        return None if key is None or key == "end-of-input" else Command(key)

    def key(self) -> str | None:
        """Return a character, or the name of a key; None: the terminal is gone."""
        while True:
            self._set(interrupts=False)
            try:
                character = self._character()
            finally:
                self._set(interrupts=True)
            if character is None:
                return None
            found = self._escape() if character == "\x1b" else _CONTROLS.get(character, character)
            if found == "suspend":
                self._suspend()
                return "redraw"
            return found

    def _character(self) -> str | None:
        while not self._read:
            try:
                data = os.read(self._descriptor, 1024)
            except OSError:
                return None
            if not data:
                return None
            self._read += self._decode(data)
        return self._read.pop(0)

    def _escape(self) -> str:
        if not self.waits(_ESCAPE_TIME):
            return "escape"
        text = ""
        while len(text) < 8 and (self._read or self.waits(_ESCAPE_TIME)):
            text += self._character() or ""
            if text in _ESCAPES:
                return _ESCAPES[text]
            if len(text) > 1 and (text[-1].isalpha() or text[-1] == "~"):
                break
        return "unknown"

    def waits(self, seconds: float) -> bool:
        """Tell whether a key was pressed."""
        return bool(self._read) or bool(select.select([self._descriptor], [], [], seconds)[0])

    # -- text --------------------------------------------------------------------------------------

    def line(self) -> str | None:
        """Return what is typed up to Enter; None: Escape or Ctrl-C."""
        typed = ""
        while True:
            key = self.key()
            if key is None or key in ("quit", "escape", "end-of-input"):
                self._write("\n")
                return None
            if key == "enter":
                self._write("\n")
                return typed.strip()
            if key == "backspace" and typed:
                typed = typed[:-1]
                self._write("\b \b")
            elif key == "clear":
                self._write("\b \b" * len(typed))
                typed = ""
            elif len(key) == 1 and key.isprintable():
                typed += key
                self._write(key)
