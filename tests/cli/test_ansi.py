"""Lines as text: colours, widths and characters of the terminal."""

from __future__ import annotations

import io

import pytest

from wrongcall.cli.ansi import Painter, can_colour, can_draw
from wrongcall.present import columns
from wrongcall.present.styles import STYLES


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_without_colours_styles_are_ignored() -> None:
    line = ("a ", ("b", "wrong"), "  ")
    assert Painter().text(line) == "a b"


def test_with_colours_each_styled_part_is_reset() -> None:
    text = Painter(colour=True).text(("a ", ("b", "wrong")))
    assert text.startswith("a \x1b[")
    assert text.endswith("mb\x1b[0m")


@pytest.mark.parametrize("style", STYLES)
def test_every_style_has_a_code_or_none(style: str) -> None:
    shown = Painter(colour=True).text((("x", style),))
    assert shown.replace("\x1b[0m", "").rpartition("m")[2] == "x"


def test_long_lines_are_cut_and_say_so() -> None:
    assert Painter(width=5).text(("abcdefgh",)) == "abcd…"
    assert Painter(width=None).text(("abcdefgh",)) == "abcdefgh"


def test_characters_missing_in_the_encoding_are_replaced() -> None:
    assert Painter(encoding="ascii").text(("✓ → é",)) == "+ -> \\xe9"


def test_dumb_terminals_and_pipes_get_no_escape_sequences(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert can_draw(Terminal())
    assert can_colour(Terminal())
    assert not can_draw(io.StringIO())
    monkeypatch.setenv("NO_COLOR", "1")
    assert not can_colour(Terminal())
    monkeypatch.setenv("TERM", "dumb")
    assert not can_draw(Terminal())


def test_colours_are_written_only_if_wanted() -> None:
    line = (("left", "name"), " = ", ("[1]", "new"))
    assert Painter(80).text(line) == "left = [1]"
    assert Painter(80, colour=True).text(line) == "\x1b[36mleft\x1b[0m = \x1b[32m[1]\x1b[0m"


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1252", "utf-8"])
def test_text_is_escaped_for_every_encoding(encoding: str) -> None:
    line = ("12 · x… → ✓ ", ("日本 é", "new"))
    text = Painter(30, encoding=encoding).text(line)
    text.encode(encoding)
    assert columns(text) <= 30
    if encoding == "ascii":
        assert text == "12 . x... -> + \\u65e5\\u672c \\."
