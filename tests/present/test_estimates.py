"""How many questions are left, and why one is asked, in words."""

from __future__ import annotations

from dataclasses import replace

import pytest

from wrongcall.present.estimates import left_words, questions_left, why_text
from wrongcall.session import Why

WHY = Why(
    "top-down",
    suspects=1200,
    left_if_right=1,
    left_if_wrong=1199,
    left_if_unknown=1199.4,
    expected=10.4,
    is_exact=True,
)


@pytest.mark.parametrize(
    "expected,suspects,is_exact,words",
    [
        (10.4, 1200, True, "about 10 left"),
        (10.6, 1200, True, "about 11 left"),
        (10.4, 1200, False, "at least 10 left"),
        (1234.0, 5000, True, "about 1,234 left"),
        (0.2, 3, True, "about 1 left"),
        (1.0, 2, True, "the last one"),
    ],
)
def test_the_number_of_questions_left_is_put_into_words(
    expected: float, suspects: float, is_exact: bool, words: str
) -> None:
    why = replace(WHY, expected=expected, suspects=suspects, is_exact=is_exact)
    assert left_words(why) == words


@pytest.mark.parametrize(
    "expected,suspects,words",
    [
        (10.4, 1200, "about 10 questions left"),
        (0.2, 3, "about 1 question left"),
        (1.0, 2, "the last question"),
    ],
)
def test_what_is_counted_can_be_named(expected: float, suspects: float, words: str) -> None:
    assert questions_left(replace(WHY, expected=expected, suspects=suspects)) == words


def test_the_reason_counts_calls_in_words() -> None:
    text = why_text(WHY)
    assert "The bug can be in 1,200 calls. If this is right, 1 call remains;" in text
    assert "if it is wrong, 1,199 calls;" in text
    assert text.endswith("About 10 left, including this question. Strategy: top-down.")
