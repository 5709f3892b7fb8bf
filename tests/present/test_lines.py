"""Lines of a screen: cut, broken and folded to the room there is."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from wrongcall.present import columns
from wrongcall.present.lines import EMPTY, Section, broken, cut, folded, paragraph, text_of

CHARACTERS = st.one_of(
    st.characters(codec="utf-8"), st.sampled_from("ab❤\ufe0f🐀🏻👩\u200de\u0301\x1f…")
)
"""Among them some whose width depends on what stands before them."""


@example(["\x1f", "🐀🏻"], 3)
@example(["❤", "\ufe0f"], 1)
@given(st.lists(st.text(CHARACTERS, max_size=20), max_size=6), st.integers(1, 40))
def test_cut_lines_fit_the_width(parts: list[str], width: int) -> None:
    line = tuple((part, "name") if i % 2 else part for i, part in enumerate(parts))
    assert columns(text_of(cut(line, width))) <= width
    if columns(text_of(line)) <= width:
        assert text_of(cut(line, width)) == text_of(line)


@given(st.lists(st.integers(0, 30), max_size=8), st.integers(1, 40))
def test_sections_share_the_room(sizes: list[int], room: int) -> None:
    sections = [
        Section(f"s{i}", tuple((str(n),) for n in range(size))) for i, size in enumerate(sizes)
    ]
    shown = folded(sections, room, 5, "")
    wanted = sum(sizes)
    at_least = sum(size > 0 for size in sizes)
    assert len(shown) <= max(min(wanted, room), at_least)
    if wanted <= room:
        assert len(shown) == wanted


def test_words_are_broken_to_a_width() -> None:
    assert broken(["f(a=1,", "b=2,", "c=3)"], 10, 4) == ["f(a=1,", "    b=2,", "    c=3)"]
    assert broken([], 10) == [""]


@given(st.lists(st.text("ab日", min_size=1, max_size=12), max_size=12), st.integers(1, 30))
def test_broken_words_are_all_there_and_only_a_long_word_is_wider(
    words: list[str], width: int
) -> None:
    lines = broken(words, width)
    assert " ".join(lines).split() == words
    for line in lines:
        assert columns(line) <= width or " " not in line


def test_prose_is_broken_into_lines_of_one_style() -> None:
    assert paragraph("one  two\nthree", 8, "quiet") == [
        (("one two", "quiet"),),
        (("three", "quiet"),),
    ]
    assert paragraph("", 8) == [(("", ""),)]


def test_a_line_without_parts_is_empty() -> None:
    assert text_of(EMPTY) == ""
    assert cut(EMPTY, 0) == EMPTY


def section(name: str, count: int, weight: int = 1) -> Section:
    return Section(name, tuple((f"{name}{i}",) for i in range(count)), weight)


def shown(sections: list[Section], room: int) -> list[str]:
    return [text_of(line) for line in folded(sections, room, 3, " (+)")]


def test_what_is_left_out_is_counted_with_how_to_see_it() -> None:
    assert shown([section("a", 1000)], 3) == ["  a  a0", "     a1", "     … 998 more (+)"]


def test_heavier_sections_get_more_of_the_room() -> None:
    lines = shown([section("a", 9), section("b", 9, weight=3)], 10)
    assert sum("b" in line for line in lines) > sum("a" in line for line in lines)


@pytest.mark.parametrize("room,expected", [(1, ["  v  all"]), (2, ["  v  all"])])
def test_a_section_with_a_one_line_form_uses_it_when_room_is_short(
    room: int, expected: list[str]
) -> None:
    lines = tuple((str(i),) for i in range(5))
    assert shown([Section("v", lines, alone=("all",))], room) == expected
    assert "more (+)" in shown([Section("v", lines, alone=("all",))], 3)[-1]
