from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wrongcall.present.text import (
    MAX_MARKS,
    columns,
    fit,
    fit_left,
    fit_place,
    quoted,
    safe,
    shares,
    source_line,
)

anything = st.text(st.characters(exclude_categories=()))
"""Also lone surrogates, controls and characters that mean nothing."""


@given(anything)
def test_control_characters_are_escaped(text: str) -> None:
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
def test_unsafe_characters_are_escaped(text: str, expected: str) -> None:
    assert safe(text) == expected


@given(anything, st.integers(0, 40))
def test_fitted_text_is_never_wider_than_asked(text: str, width: int) -> None:
    fitted = fit(safe(text), width)
    assert columns(fitted) <= width
    if columns(safe(text)) <= width:
        assert fitted == safe(text)


def test_wide_characters_take_two_columns() -> None:
    assert columns("日本") == 4
    assert fit("日本語", 4) == "日…"


@pytest.mark.parametrize(
    "text, width",
    [
        ("e\u0301", 1),
        ("\u2764\ufe0f", 2),
        ("한국", 4),
        ("\u1112\u1161\u11ab", 2),
        ("ｱ", 1),
        ("→", 1),
    ],
)
def test_widths_are_those_of_a_terminal(text: str, width: int) -> None:
    assert columns(text) == width


def test_accents_that_pile_up_are_escaped() -> None:
    """They take no columns, so that nothing would ever cut them."""
    piled = "e" + "\u0301" * 100_000
    assert safe("e\u0301\u0302") == "e\u0301\u0302"
    assert safe(piled).count("\u0301") == MAX_MARKS
    assert len(fit(safe(piled), 40)) <= 40 + MAX_MARKS
    assert len(quoted(piled, len(piled), 40)) <= 80


@given(anything | st.binary(), st.integers(0, 60))
def test_quoted_text_is_never_wider_than_asked(value: str | bytes, room: int) -> None:
    shown = quoted(value, len(value), room)
    assert columns(shown) <= room
    assert shown.isprintable()
    if columns(safe(repr(value))) <= room:
        assert shown == safe(repr(value))
    elif room > 20:
        assert shown.endswith(f" ({len(value):,})")


@pytest.mark.parametrize(
    "value, room, expected",
    [
        ("a" * 500 + "z" * 500, 20, "'aaaaa…zzzz' (1,000)"),
        ("a" * 500 + "z" * 500, 21, "'aaaaa…zzzzz' (1,000)"),
        ("it's " * 100, 22, "\"it's it… it's \" (500)"),
        (b"ab" * 100, 20, "b'ababa…babab' (200)"),
        ("x" * 50, 3, "'…'"),
    ],
)
def test_strings_are_cut_in_the_middle(value: str | bytes, room: int, expected: str) -> None:
    assert quoted(value, len(value), room) == expected


def test_a_text_with_an_unknown_end_shows_its_beginning() -> None:
    assert quoted("abcdefgh" * 10, 50_000, 20) == "'abcdefgh…' (50,000)"


@pytest.mark.parametrize(
    "width, expected",
    [
        (30, "server.Application.Handler.get"),
        (29, "…Application.Handler.get"),
        (12, "…Handler.get"),
        (11, "…get"),
        (3, "…et"),
    ],
)
def test_qualified_names_are_cut_at_their_left(width: int, expected: str) -> None:
    assert fit_left("server.Application.Handler.get", width) == expected


LIBRARY = "/usr/lib/python3/site-packages/shop/cart.py:120"


@pytest.mark.parametrize(
    "width, expected",
    [
        (50, LIBRARY),
        (len(LIBRARY), LIBRARY),
        (len(LIBRARY) - 1, "…/lib/python3/site-packages/shop/cart.py:120"),
        (18, "…/shop/cart.py:120"),
        (17, "…/cart.py:120"),
        (13, "…/cart.py:120"),
        (12, "…cart.py:120"),
        (5, "…:120"),
        (1, "…"),
        (0, ""),
    ],
)
def test_places_lose_folders_and_keep_the_file_and_line(width: int, expected: str) -> None:
    assert fit_place(LIBRARY, width) == expected


@given(anything, st.integers(0, 40))
def test_a_place_is_never_wider_than_asked(text: str, width: int) -> None:
    place = safe(text)
    assert columns(fit_place(place, width)) <= width
    if columns(place) <= width:
        assert fit_place(place, width) == place


@given(st.lists(st.integers(0, 50), max_size=8), st.integers(0, 120))
def test_shares_use_all_the_room_that_is_needed(needs: list[int], room: int) -> None:
    dealt = shares(needs, room)
    assert all(got <= need for got, need in zip(dealt, needs, strict=True))
    assert sum(dealt) <= room
    if sum(needs) <= room:
        assert dealt == needs
    else:
        assert room - sum(dealt) < len(needs)
        # Who gets less than needed has no less than anybody else, but for what cannot be divided.
        short = [got for got, need in zip(dealt, needs, strict=True) if got < need]
        assert max(dealt) - min(short) <= 1
