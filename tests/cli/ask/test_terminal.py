"""Where screens are written to: a terminal, or a pipe."""

from __future__ import annotations

import io
import os

import pytest

from wrongcall.cli.ask.terminal import Terminal
from wrongcall.present.screens.question import Size


class Stream(io.StringIO):
    """Claims to be a terminal."""

    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def _environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.delenv("COLUMNS", raising=False)


def pipe(encoding: str = "utf-8") -> io.TextIOWrapper:
    return io.TextIOWrapper(io.BytesIO(), encoding)


@pytest.mark.parametrize(
    "columns,width", [(None, 80), ("120", 120), ("3", 20), ("wide", 80), ("", 80)]
)
def test_a_pipe_is_as_wide_as_columns_says(
    monkeypatch: pytest.MonkeyPatch, columns: str | None, width: int
) -> None:
    if columns is not None:
        monkeypatch.setenv("COLUMNS", columns)
    assert Terminal(pipe()).size == Size(width, 24)


def test_a_terminal_has_a_smallest_size(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for real, size in (((100, 40), Size(100, 40)), ((5, 2), Size(20, 8))):
        found = os.terminal_size(real)
        monkeypatch.setattr("shutil.get_terminal_size", lambda default, found=found: found)
        assert Terminal(Stream()).size == size
    assert Terminal(Stream(), (33, 9)).size == Size(33, 9)


def test_lines_are_cut_to_the_width_and_coloured_on_a_terminal_only() -> None:
    line = (("x" * 50, "wrong"),)
    screen, plain = Stream(), Stream()
    Terminal(screen, (20, 10)).show([line])
    plain.isatty = lambda: False  # type: ignore[method-assign]
    Terminal(plain, (20, 10)).show([line])
    assert plain.getvalue() == "x" * 19 + "…\n"
    assert screen.getvalue().startswith("\x1b[")
    assert "x" * 19 + "…" in screen.getvalue()


def test_what_the_encoding_lacks_is_escaped() -> None:
    stream = pipe("ascii")
    terminal = Terminal(stream)
    terminal.show([("é ✓",)])
    terminal.write("日\n")
    stream.seek(0)
    assert stream.read() == "\\xe9 +\n\\u65e5\n"


def test_a_prompt_is_followed_by_a_space_and_not_by_a_new_line() -> None:
    stream = pipe()
    assert Terminal(stream).prompt_text((("y n", "key"), (" >", "quiet"))) == "y n > "


def test_the_whole_screen_is_taken_and_given_back() -> None:
    stream = Stream()
    terminal = Terminal(stream, (20, 10))
    whole = []
    with terminal.whole():
        whole.append(terminal.is_whole)
        with terminal.whole():  # a view in a view
            terminal.show([("a",)])
        whole.append(terminal.is_whole)
    assert [*whole, terminal.is_whole] == [True, True, False]
    assert stream.getvalue() == "\x1b[?1049h\x1b[H\x1b[Ja\n\x1b[?1049l"


def test_the_screen_is_given_back_after_an_error() -> None:
    stream = Stream()
    terminal = Terminal(stream, (20, 10))
    with pytest.raises(ValueError, match="odd"), terminal.whole():
        raise ValueError("odd")
    assert stream.getvalue().endswith("\x1b[?1049l")
    assert not terminal.is_whole


@pytest.mark.parametrize("term", ["dumb", "xterm"])
def test_a_pipe_and_a_dumb_terminal_have_no_whole_screen(
    monkeypatch: pytest.MonkeyPatch, term: str
) -> None:
    monkeypatch.setenv("TERM", term)
    stream = Stream()
    if term == "xterm":
        stream.isatty = lambda: False  # type: ignore[method-assign]
    terminal = Terminal(stream, (20, 10))
    with terminal.whole():
        assert not terminal.is_whole
        terminal.show([("a",)])
    assert stream.getvalue() == "a\n"
