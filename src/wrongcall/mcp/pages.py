"""Answers that fit a budget of tokens: a page of text, and a cursor for what follows.

Tokens are estimated from the number of bytes, on the safe side: models differ. A trace that has ended never changes, so
a cursor is only the place in the text at which the next page begins; the server keeps nothing between two calls.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from wrongcall.errors import UsageError

DEFAULT_TOKENS = 1_000
MAX_TOKENS = 20_000
"""Clients refuse answers above 25,000 tokens."""
MIN_TOKENS = 100
BYTES_PER_TOKEN = 3
"""English prose has about 4, source code about 3."""


@dataclass(frozen=True)
class Page:
    """A part of a text that fits the budget."""

    text: str
    cursor: str
    """Where the next page begins; empty: this is the last one."""


def tokens_of(text: str) -> int:
    """Return about how many tokens a text takes, rather too many than too few."""
    return -(-len(text.encode("utf-8", "backslashreplace")) // BYTES_PER_TOKEN)


def page_of(lines: Iterable[str], budget: int = DEFAULT_TOKENS, cursor: str = "") -> Page:
    """Return as many lines as fit the budget, from the cursor on."""
    text = "\n".join(line.rstrip() for line in lines)
    begin = _offset(cursor, text)
    end = _end(text, begin, min(max(budget, MIN_TOKENS), MAX_TOKENS))
    more = text[end:].strip()
    return Page(text[begin:end].strip("\n"), str(end) if more else "")


def _offset(cursor: str, text: str) -> int:
    if not cursor:
        return 0
    if not cursor.isdecimal() or int(cursor) > len(text):
        raise UsageError(f"unknown cursor {cursor!r}; use the one of the previous page")
    return int(cursor)


def _end(text: str, begin: int, budget: int) -> int:
    """Return where a page ends: after a line, or inside a line that is too long for any page."""
    room = budget * BYTES_PER_TOKEN
    end = begin
    while end < len(text):
        stop = text.find("\n", end) + 1 or len(text)
        size = len(text[end:stop].encode("utf-8", "backslashreplace"))
        if size > room:
            break
        room -= size
        end = stop
    if end > begin or begin == len(text):
        return end
    while room > 0 and end < len(text):
        room -= len(text[end].encode("utf-8", "backslashreplace"))
        end += 1
    return end
