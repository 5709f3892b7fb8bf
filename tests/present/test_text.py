from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wrongcall.present.text import columns, fit, safe, source_line

anything = st.text(st.characters(exclude_categories=()))
"""Also lone surrogates, controls and characters that mean nothing."""


@given(anything)
def test_nothing_gets_through_that_a_terminal_would_act_upon(text: str) -> None:
    assert safe(text).isprintable()
    assert source_line(text).isprintable()
    assert "\u202e" not in safe(text)


@given(st.text(st.characters(categories=["L", "N", "P", "S"])))
def test_ordinary_text_is_left_alone(text: str) -> None:
    assert safe(text) == text


@pytest.mark.parametrize(
    "text, expected",
    [
        ("\x1b[31mred\x1b[0m", "\\x1b[31mred\\x1b[0m"),
        ("a\nb\tc\r", "a\\nb\\tc\\r"),
        ("\ud800", "\\ud800"),
        ("\u202egpj.exe", "\\u202egpj.exe"),
        ("\U000e0041", "\\U000e0041"),
        ("naïve 日本", "naïve 日本"),
    ],
)
def test_what_is_escaped_and_how(text: str, expected: str) -> None:
    assert safe(text) == expected


@given(anything, st.integers(0, 40))
def test_what_fits_is_never_wider_than_asked(text: str, width: int) -> None:
    fitted = fit(safe(text), width)
    assert columns(fitted) <= width
    if columns(safe(text)) <= width:
        assert fitted == safe(text)


def test_wide_characters_take_two_columns() -> None:
    assert columns("日本") == 4
    assert fit("日本語", 4) == "日…"
