"""Keys of a terminal, and lines that are edited in it."""

from __future__ import annotations

import os
import pty
import sys
import termios
from collections.abc import Iterator
from pathlib import Path

import pytest
from prompt_toolkit.output import DummyOutput

from tests.cli.ask.talking import Terminal
from tests.recorder.bothways import run
from wrongcall.cli.ask.keyboard import Keyboard
from wrongcall.cli.ask.keys import Pressed
from wrongcall.present import key_map
from wrongcall.present.key_map import keys_at


class Typist:
    """A terminal with somebody at it."""

    def __init__(self) -> None:
        self.master, slave = pty.openpty()
        self.stdin = os.fdopen(slave, encoding="utf-8")
        self.before = termios.tcgetattr(slave)
        self.keyboard = Keyboard(self.stdin, DummyOutput())

    def press(self, keys: str | bytes) -> None:
        # As while a key is awaited: Ctrl-C and the like are characters.
        with self.keyboard._input.raw_mode():
            os.write(self.master, keys.encode() if isinstance(keys, str) else keys)
            self.keyboard.waits(5)

    def keys(self, text: str) -> list[str | None]:
        """The keys that are read when this is typed."""
        self.press(text + "|")
        return list(iter(self.keyboard.key, "|"))


@pytest.fixture
def typist() -> Iterator[Typist]:
    found = Typist()
    yield found
    found.keyboard.end()
    found.stdin.close()
    os.close(found.master)


def test_keys_and_escape_sequences_are_recognised(typist: Typist) -> None:
    assert typist.keys("yT?+ ") == ["y", "T", "?", "+", " "]
    assert typist.keys("\x1b[A\x1b[B\x1bOC\x1b[D") == ["up", "down", "right", "left"]
    assert typist.keys("\x1b[5~\x1b[6~\x1b[H\x1b[F") == ["page-up", "page-down", "home", "end"]
    assert typist.keys("\x1b[1~\x1b[4~\x1bOH\x1bOF") == ["home", "end", "home", "end"]
    assert typist.keys("\r\x7f\x03\x0c\t") == ["enter", "backspace", "quit", "redraw", "tab"]
    assert typist.keys("é日") == ["é", "日"]


@pytest.mark.parametrize("sequence", ["\x1b[99~", "\x1by", "\x1b[?1;9c", "\x1bOy"])
def test_an_unknown_sequence_is_no_answer(typist: Typist, sequence: str) -> None:
    assert typist.keys(sequence + "x") == ["unknown", "x"]


def test_escape_is_recognised_without_a_following_key(typist: Typist) -> None:
    typist.press("\x1b")
    assert typist.keyboard.key() == "escape"


def test_keys_become_commands_and_ctrl_d_ends_the_input(typist: Typist) -> None:
    typist.press("n\x04")
    assert typist.keyboard.pressed(keys_at(key_map.QUESTION)) == Pressed("n")
    assert typist.keyboard.pressed(keys_at(key_map.QUESTION)) is None


@pytest.mark.parametrize(
    "typed, line",
    [
        ("c[2]\r", "c[2]"),
        ("cx\x7f[2]\r", "c[2]"),
        ("wrong\x15right\r", "right"),
        ("\x7f\x7fa\r", "a"),
        ("  a b \r", "a b"),
        ("abc\x03", None),
        ("\x04", None),
        ("abc\x1b", None),
        ("a\x1b[Ab\r", "ab"),
        ("ac\x1b[Db\r", "abc"),
        ("\x1b[200~[1,\r2]\x1b[201~\r", "[1,\n2]"),
    ],
    ids=repr,
)
def test_lines_can_be_edited(typist: Typist, typed: str, line: str | None) -> None:
    typist.press(typed)
    assert typist.keyboard.line("> ") == line


def test_typed_bytes_that_are_not_utf8_can_be_saved(typist: Typist) -> None:
    typist.press(b"a\xff\r")
    assert typist.keyboard.line("> ") == "a?"


def test_keys_and_lines_can_be_typed_ahead(typist: Typist) -> None:
    typist.press("eab\ryn")
    assert typist.keyboard.key() == "e"
    assert typist.keyboard.line("> ") == "ab"
    assert [typist.keyboard.key(), typist.keyboard.key()] == ["y", "n"]


def test_terminal_modes_are_set_and_restored(typist: Typist) -> None:
    lflag = termios.tcgetattr(typist.stdin)[3]
    assert not lflag & (termios.ICANON | termios.ECHO)
    assert lflag & termios.ISIG
    with typist.keyboard.released():
        assert termios.tcgetattr(typist.stdin) == typist.before
    assert not termios.tcgetattr(typist.stdin)[3] & termios.ECHO
    typist.keyboard.end()
    assert termios.tcgetattr(typist.stdin) == typist.before


def test_waits_tells_whether_a_key_was_pressed(typist: Typist) -> None:
    assert not typist.keyboard.waits(0)
    typist.press("a")
    assert typist.keyboard.waits(5)
    assert typist.keyboard.key() == "a"


def test_a_closed_terminal_ends_the_input() -> None:
    master, slave = pty.openpty()
    with os.fdopen(slave, encoding="utf-8") as stdin:
        keyboard = Keyboard(stdin, DummyOutput())
        os.close(master)
        assert keyboard.key() is None


LINE = """
import sys
from wrongcall.cli.ask.keyboard import Keyboard
keyboard = Keyboard(sys.stdin)
print("ready", flush=True)
print(repr(keyboard.line("place? ")), flush=True)
keyboard.end()
"""


@pytest.mark.parametrize("term", ["xterm", "dumb"])
def test_a_line_is_shown_as_it_is_typed(tmp_path: Path, term: str) -> None:
    env = {"TERM": term, "NO_COLOR": "1"}
    screen = Terminal(tmp_path, LINE, env=env, module=("-c",))
    try:
        screen.expect("place?")
        screen.send("c[2]\r")
        screen.expect("'c[2]'")
        assert screen.end() == 0
        assert "c[2]" in screen.text.partition("place?")[2].partition("'c[2]'")[0]
        assert "\x1b[6n" not in screen.raw  # nobody would answer
        assert term != "dumb" or "\x1b" not in screen.raw
    finally:
        screen.close()


def test_nothing_but_a_terminal_dialogue_loads_prompt_toolkit(tmp_path: Path) -> None:
    code = "import sys, wrongcall.cli.main, wrongcall.cli.record, wrongcall.cli.run, wrongcall.cli.debug\n"
    loaded = run(["-c", f"{code}print('prompt_toolkit' in sys.modules)"], tmp_path)
    assert loaded.stdout == "False\n", (sys.executable, loaded)
