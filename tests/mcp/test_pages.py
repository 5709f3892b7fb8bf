"""Answers fit their budget, and pages together are the whole text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wrongcall.errors import UsageError
from wrongcall.mcp.pages import BYTES_PER_TOKEN, MAX_TOKENS, MIN_TOKENS, page_of, tokens_of

pytestmark = pytest.mark.once


def all_pages(lines: list[str], budget: int) -> list[str]:
    pages, cursor = [], ""
    while True:
        page = page_of(lines, budget, cursor)
        pages.append(page.text)
        if not page.cursor:
            return pages
        assert page.cursor != cursor, "no progress"
        cursor = page.cursor


@given(
    st.lists(st.text(st.characters(codec="utf-8"), max_size=700), max_size=12), st.integers(1, 400)
)
def test_pages_fit_and_lose_nothing(lines: list[str], budget: int) -> None:
    pages = all_pages(lines, budget)
    assert all(tokens_of(page) <= max(budget, MIN_TOKENS) for page in pages)
    blank = str.maketrans("", "", "\n")
    whole = "\n".join(line.rstrip() for line in lines).translate(blank)
    together = "".join(pages).translate(blank)
    # What is blank at the end is not worth a page.
    assert whole.startswith(together)
    assert not whole[len(together) :].strip()


def test_lines_stay_whole_where_they_fit() -> None:
    lines = ["a" * 200, "b" * 200]
    assert all_pages(lines, MIN_TOKENS) == lines


def test_a_line_that_is_too_long_for_any_page_is_split() -> None:
    pages = all_pages(["x" * 1000], MIN_TOKENS)
    assert [len(page) for page in pages] == [300, 300, 300, 100]


def test_no_budget_is_above_the_limit() -> None:
    page = page_of(["y" * 100] * 5000, 10**9)
    assert tokens_of(page.text) <= MAX_TOKENS
    assert page.cursor


@pytest.mark.parametrize("cursor", ["x", "-1", "99999"])
def test_a_cursor_from_elsewhere_is_refused(cursor: str) -> None:
    with pytest.raises(UsageError, match="unknown cursor"):
        page_of(["short"], cursor=cursor)


def test_tokens_are_estimated_from_bytes() -> None:
    assert tokens_of("é" * BYTES_PER_TOKEN) == 2
