"""Who gave an answer, in words: the user, an oracle, or what the debugger assumes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from wrongcall.present.text import safe
from wrongcall.session.answers import ASSUMED, BY_TEST, USER, Answer, Entry

_WORDS = {USER: "you said so", ASSUMED: "assumed, since you are debugging the run"}


def author_words(answer: Answer) -> str:
    """Say who gave an answer, and why if it was an oracle."""
    known = _WORDS.get(answer.by)
    return known or safe(f"{answer.by}: {answer.reason}" if answer.reason else answer.by)


def author_suffix(answer: Answer) -> str:
    """Return the author of an answer in the shortest form, to stand behind the verdict; empty: the user."""
    if answer.by == BY_TEST:
        return f", {BY_TEST}"
    return f", by {safe(answer.by)}" if answer.reason else ""


def opinion_text(answer: Answer) -> str:
    """Say what an oracle thinks of a question: ``contracts: likely wrong: returned a str, not an int``."""
    why = f": {answer.reason}" if answer.reason else ""
    return safe(f"{answer.by}: likely {answer.verdict.value}{why}")


def answered_text(entries: Iterable[Entry]) -> str:
    """Say what oracles have answered: ``memory answered 3 questions: 2 right, 1 wrong``; empty: nothing."""
    said = [e for e in entries if isinstance(e, Answer) and e.reason and not e.is_likely]
    parts = []
    for name in dict.fromkeys(answer.by for answer in said):
        counts = Counter(answer.verdict.value for answer in said if answer.by == name)
        total = counts.total()
        what = "1 question" if total == 1 else f"{total:,} questions"
        verdicts = ", ".join(f"{count:,} {verdict}" for verdict, count in counts.items())
        parts.append(safe(f"{name} answered {what}: {verdicts}"))
    return "; ".join(parts)
