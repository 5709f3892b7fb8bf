"""How many questions are left, and why one is asked, in words: the same for every interface."""

from __future__ import annotations

from wrongcall.session.steps import Why


def left_words(why: Why) -> str:
    """Return how many questions are left, this one included: ``about 3 left``."""
    count = max(round(why.expected), 1)
    about = "about" if why.is_exact else "at least"
    return "the last one" if count == 1 and why.suspects <= 2 else f"{about} {count:,} left"


def why_text(why: Why) -> str:
    """Return why a question is asked, in a few sentences."""
    return (
        f"The bug can be in {_calls(why.suspects)}. If this is right, {_calls(why.left_if_right)} "
        f"{_remain(why.left_if_right)}; if it is wrong, {_calls(why.left_if_wrong)}; if you don't "
        f"know, {_calls(why.left_if_unknown)}. {left_words(why).capitalize()}, including this "
        f"question. Strategy: {why.strategy}."
    )


def _calls(count: float) -> str:
    return "1 call" if round(count) == 1 else f"{round(count):,} calls"


def _remain(count: float) -> str:
    return "remains" if round(count) == 1 else "remain"
