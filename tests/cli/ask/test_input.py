"""Keys of a terminal, lines of a pipe."""

from __future__ import annotations

import io
import os
import pty
import termios
from collections.abc import Iterator

import pytest

from wrongcall.cli.ask.input import PipedLines, TerminalKeys
from wrongcall.cli.ask.keys import QUESTION, Command


class Keyboard:
    """A terminal with somebody at it."""

    def __init__(self) -> None:
        self.master, self.slave = pty.openpty()
        self.before = termios.tcgetattr(self.slave)
        self.written = ""
        self.source = TerminalKeys(self.slave, self._write)

    def _write(self, text: str) -> None:
        self.written += text

    def press(self, keys: str) -> None:
        self.source._set(interrupts=False)  # as while a key is waited for
        os.write(self.master, keys.encode())

    def keys(self, text: str) -> list[str | None]:
        """The keys that are read when this is typed."""
        self.press(text + "\x01")
        return list(iter(self.source.key, "\x01"))


@pytest.fixture
def keyboard() -> Iterator[Keyboard]:
    found = Keyboard()
    yield found
    found.source.end()
    os.close(found.master)
    os.close(found.slave)


def test_keys(keyboard: Keyboard) -> None:
    assert keyboard.keys("yT?+") == ["y", "T", "?", "+"]
    assert keyboard.keys("\x1b[A\x1b[B\x1bOC\x1b[D") == ["up", "down", "right", "left"]
    assert keyboard.keys("\x1b[5~\x1b[6~\x1b[H\x1b[F") == ["page-up", "page-down", "home", "end"]
    assert keyboard.keys("\r\x7f\x03\x0c\x1b[99~x") == [
        "enter", "backspace", "quit", "redraw", "unknown", "x",
    ]  # fmt: skip
    assert keyboard.keys("é日") == ["é", "日"]


def test_escape_alone(keyboard: Keyboard) -> None:
    keyboard.press("\x1b")
    assert keyboard.source.key() == "escape"


def test_commands(keyboard: Keyboard) -> None:
    keyboard.press("n\x04")
    assert keyboard.source.command(QUESTION) == Command("n")
    assert keyboard.source.command(QUESTION) is None


@pytest.mark.parametrize(
    "typed, line",
    [
        ("c[2]\r", "c[2]"),
        ("cx\x7f[2]\r", "c[2]"),
        ("wrong\x15right\r", "right"),
        ("\x7f\x7fa\r", "a"),
        ("  a b \r", "a b"),
        ("abc\x03", None),
        ("abc\x04", None),
        ("a\x1b[Ab\r", "ab"),
    ],
)
def test_lines(keyboard: Keyboard, typed: str, line: str | None) -> None:
    keyboard.press(typed)
    assert keyboard.source.line() == line


def test_what_is_typed_shows(keyboard: Keyboard) -> None:
    keyboard.press("ab\x7fc\r")
    keyboard.source.line()
    assert keyboard.written == "ab\b \bc\n"


def test_modes(keyboard: Keyboard) -> None:
    lflag = termios.tcgetattr(keyboard.slave)[3]
    assert not lflag & (termios.ICANON | termios.ECHO)
    assert lflag & termios.ISIG
    keyboard.source.end()
    assert termios.tcgetattr(keyboard.slave) == keyboard.before


def test_waiting(keyboard: Keyboard) -> None:
    assert not keyboard.source.waits(0)
    keyboard.press("a")
    assert keyboard.source.waits(5)
    assert keyboard.source.key() == "a"


def test_piped_lines() -> None:
    source = PipedLines(io.StringIO("y\n\n# no\nyes\r\np result[2]\ne [1, 2]\nT\nrest\n"))
    commands = [source.command(QUESTION) for _ in range(5)]
    assert commands == [
        Command("y"), Command("y"), Command("p", "result[2]"), Command("e", "[1, 2]"), Command("T"),
    ]  # fmt: skip
    assert source.line() == "rest"
    assert source.line() is None
    assert source.command(QUESTION) is None
    assert not source.waits(0)
