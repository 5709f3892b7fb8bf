"""Parts of long texts: together they are the text, and what is found is where Python finds it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wrongcall.errors import UsageError
from wrongcall.present.long_text import MOST_FOUND, PART, is_long, text_part
from wrongcall.recording import Clipped


def test_parts_follow_each_other_until_the_end() -> None:
    text = "".join(f"{i} " for i in range(9000))
    first, parts = 0, []
    while first < len(text):
        part = text_part(text, first)
        parts.append("".join(span for span, _ in part["spans"]))
        assert part["last"] - part["first"] <= PART
        first = part["last"]
    assert "".join(parts) == text


@given(st.text("abA \n", max_size=60), st.sampled_from(["a", "ab", "A a", "\n"]))
def test_what_is_marked_is_what_was_searched(text: str, search: str) -> None:
    part = text_part(text, 0, search)
    assert "".join(span for span, _ in part["spans"]) == text
    marked = [span for span, is_marked in part["spans"] if is_marked]
    assert all(span.lower() == search.lower() for span in marked)
    assert len(marked) == part["count"] == text.lower().count(search.lower())
    assert all(text[at : at + len(search)].lower() == search.lower() for at in part["found"])


def test_matches_beyond_the_limit_are_counted() -> None:
    part = text_part("a" * (MOST_FOUND + 5), 0, "a")
    assert (len(part["found"]), part["count"]) == (MOST_FOUND, MOST_FOUND + 5)


def test_ends_of_lines_stay_and_control_characters_are_escaped() -> None:
    assert text_part("a\n\tb\x1b\u202e")["spans"] == [("a\n\tb\\x1b\\u202e", False)]


def test_a_text_that_was_cut_off_says_how_long_it_was() -> None:
    part = text_part(Clipped("abc", 5000, 1))
    assert (part["length"], part["known"]) == (5000, 3)


def test_bytes_are_written_as_in_source() -> None:
    assert text_part(b"a\x00")["spans"] == [("a\\x00", False)]
    with pytest.raises(UsageError, match="no text"):
        text_part(5)


def test_texts_with_more_to_show_are_long() -> None:
    assert is_long("a\nb", "'a\\nb'")
    assert is_long("a" * 500, "'aaa…aaa' (500)")
    assert is_long(Clipped("abc", 5000, 1), "'abc'")
    assert not is_long("short", "'short'")
    assert not is_long(12, "12")
