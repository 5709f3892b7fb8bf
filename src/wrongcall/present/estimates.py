"""How many questions are left, and why one is asked, in words: the same for every interface."""

from __future__ import annotations

from wrongcall.session.steps import Why


def left_words(why: Why) -> str:
    """Return how many questions are left, this one included: ``about 3 left``."""
    about, count = _left(why)
    return f"{about} {count:,} left" if about else "the last one"


def questions_left(why: Why) -> str:
    """Return the same for where nothing else says what is counted: ``about 3 questions left``."""
    about, count = _left(why)
    return f"{about} {_counted(count, 'question')} left" if about else "the last question"


def _left(why: Why) -> tuple[str, int]:
    """Return how exact a number of questions is, in a word, and the number; no word if this is the last one."""
    count = max(round(why.expected), 1)
    if count == 1 and why.suspects <= 2:
        return "", 1
    return "about" if why.is_exact else "at least", count


def why_text(why: Why, word: str = "call") -> str:
    """Return why a question is asked, in a few sentences; ``word``: what is suspected."""
    suspects, right, wrong, unknown = (
        _counted(count, word)
        for count in (why.suspects, why.left_if_right, why.left_if_wrong, why.left_if_unknown)
    )
    return (
        f"The bug can be in {suspects}. If this is right, {right} "
        f"{_remain(why.left_if_right)}; if it is wrong, {wrong}; if you don't "
        f"know, {unknown}. {left_words(why).capitalize()}, including this "
        f"question. Strategy: {why.strategy}."
    )


def _counted(count: float, word: str) -> str:
    return f"1 {word}" if round(count) == 1 else f"{round(count):,} {word}s"


def _remain(count: float) -> str:
    return "remains" if round(count) == 1 else "remain"
