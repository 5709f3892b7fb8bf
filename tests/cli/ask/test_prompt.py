"""One command at a time: prompt, key, and what its command needs."""

from __future__ import annotations

import io
from collections.abc import Iterable
from contextlib import AbstractContextManager, nullcontext

import pytest

from wrongcall.cli.ask.input import PipedLines
from wrongcall.cli.ask.keys import Command, Pressed
from wrongcall.cli.ask.prompt import QUIT, REDRAW, Prompter
from wrongcall.cli.ask.terminal import Terminal
from wrongcall.present import key_map
from wrongcall.present.key_map import Key, keys_at

KEYS = keys_at(key_map.QUESTION)
WANTING = next(key for key in KEYS if key.wants)


class Typist:
    """A user at a terminal: keys, and lines when asked."""

    interactive = True

    def __init__(self, keys: Iterable[str], lines: Iterable[str | None] = ()) -> None:
        self._keys = iter(keys)
        self._lines = iter(lines)
        self.asked: list[str] = []

    def pressed(self, keys: tuple[Key, ...], *, resizing: bool = False) -> Pressed | None:
        key = next(self._keys, None)
        return None if key is None else Pressed(key)

    def line(self, prompt: str) -> str | None:
        self.asked.append(prompt)
        return next(self._lines, None)

    def waits(self, seconds: float) -> bool:
        return False

    def released(self) -> AbstractContextManager[bool]:
        return nullcontext(False)


def piped(text: str) -> tuple[Prompter, io.TextIOWrapper]:
    out = io.TextIOWrapper(io.BytesIO(), "utf-8", newline="")
    return Prompter(Terminal(out, (80, 24)), PipedLines(io.StringIO(text))), out


def typing(*keys: str, lines: Iterable[str | None] = ()) -> tuple[Prompter, io.TextIOWrapper]:
    out = io.TextIOWrapper(io.BytesIO(), "utf-8", newline="")
    return Prompter(Terminal(out, (80, 24)), Typist(keys, lines)), out


def written(out: io.TextIOWrapper) -> str:
    out.seek(0)
    return out.read()


def test_a_key_is_its_command_and_is_echoed() -> None:
    prompter, out = typing("y")
    assert prompter.read("y n", KEYS) == Command("yes")
    assert written(out) == "y n > y\n"


@pytest.mark.parametrize("keys", [(), ("escape",), ("quit",)])
def test_the_end_of_the_input_and_escape_quit(keys: tuple[str, ...]) -> None:
    prompter, out = typing(*keys)
    assert prompter.read("y n", KEYS) == QUIT
    assert written(out) == "y n > \n"


def test_keys_without_a_letter_move_where_there_is_something_to_move_in() -> None:
    prompter, _ = typing("page-down", " ")
    assert prompter.read("", KEYS, moving=True) == Command("page-down")
    assert prompter.read("", KEYS, moving=True) == Command("page")
    prompter, out = typing("page-down", "y")
    assert prompter.read("", KEYS) == Command("yes")
    assert "'page-down' does nothing here; press ? for the keys." in written(out)


@pytest.mark.parametrize("key", ["enter", "redraw"])
def test_enter_and_another_size_draw_again(key: str) -> None:
    prompter, _ = typing(key)
    assert prompter.read("", KEYS) == REDRAW


def test_an_unknown_key_is_reported_and_the_next_one_read() -> None:
    prompter, out = piped("\x1b[2J\ny\n")
    assert prompter.read("y n", KEYS) == Command("yes")
    text = written(out)
    assert "does nothing here" in text
    assert "\x1b" not in text


def test_what_a_command_needs_is_asked_for_on_a_terminal() -> None:
    prompter, _ = typing(WANTING.key, lines=["result[2]"])
    assert prompter.read("", KEYS) == Command(WANTING.command, "result[2]")
    assert isinstance(prompter.source, Typist)
    (prompt,) = prompter.source.asked
    assert WANTING.wants in prompt


def test_without_what_it_needs_a_command_is_not_done() -> None:
    prompter, _ = typing(WANTING.key, "y", lines=[None])
    assert prompter.read("", KEYS) == Command("yes")


def test_in_a_pipe_what_a_command_needs_follows_the_key() -> None:
    prompter, out = piped(f"{WANTING.key}\n{WANTING.command} result[2]\n")
    assert prompter.read("", KEYS) == Command(WANTING.command, "result[2]")
    assert f"Missing argument: {WANTING.wants}" in written(out)


def test_a_choice_from_a_list_is_shown_with_its_answer_in_a_pipe() -> None:
    prompter, out = piped("2\n")
    assert prompter.pick([("1 a",), ("2 b",)], "which one") == "2"
    assert written(out) == "1 a\n2 b\nwhich one > 2\n"
    prompter, out = piped("")
    assert prompter.pick([], "which one") == ""


def test_sentences_are_broken_to_the_width() -> None:
    out = io.TextIOWrapper(io.BytesIO(), "utf-8", newline="")
    Prompter(Terminal(out, (20, 24)), PipedLines(io.StringIO())).say("one two three four five six")
    assert written(out) == "one two three four\nfive six\n"
