"""Who gave an answer, in words."""

from __future__ import annotations

from wrongcall.present.authors import answered_text, author_suffix, author_words, opinion_text
from wrongcall.session.answers import (
    ASSUMED,
    BY_TEST,
    Answer,
    Choice,
    Confidence,
    Decision,
    Entry,
    Verdict,
)


def an_answer(verdict: Verdict, by: str, reason: str = "", likely: bool = False) -> Answer:
    confidence = Confidence.LIKELY if likely else Confidence.CERTAIN
    return Answer((1, 1), verdict, by, reason=reason, confidence=confidence)


def test_everybody_is_named() -> None:
    assert author_words(Answer((1, 1), Verdict.RIGHT)) == "you said so"
    assert author_words(an_answer(Verdict.WRONG, ASSUMED)).startswith("assumed")
    remembered = an_answer(Verdict.RIGHT, "memory", "ann said so\x1b[31m")
    assert author_words(remembered).startswith("memory: ann said so")
    assert "\x1b" not in author_words(remembered)
    assert author_suffix(remembered) == ", by memory"
    assert author_suffix(an_answer(Verdict.WRONG, BY_TEST)) == ", by the test"
    assert author_suffix(Answer((1, 1), Verdict.RIGHT)) == ""


def test_opinions_are_likely() -> None:
    opinion = an_answer(Verdict.WRONG, "contracts", "returned a str", likely=True)
    assert opinion_text(opinion) == "contracts: likely wrong: returned a str"


def test_answers_are_counted_by_oracle_and_verdict() -> None:
    entries: list[Entry] = [
        an_answer(Verdict.RIGHT, "memory", "so"),
        an_answer(Verdict.WRONG, "memory", "so"),
        an_answer(Verdict.RIGHT, "memory", "so"),
        an_answer(Verdict.WRONG, "contracts", "so"),
        an_answer(Verdict.WRONG, "tests", "so", likely=True),
        Answer((2, 2), Verdict.RIGHT),
        Decision(Choice.CONFIRM, (1, 1)),
    ]
    assert answered_text(entries) == (
        "memory answered 3 questions: 2 right, 1 wrong; contracts answered 1 question: 1 wrong"
    )
    assert answered_text(entries[5:]) == ""
