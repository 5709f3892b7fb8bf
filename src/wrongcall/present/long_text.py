"""Texts of any length: a part of one, and where something occurs in it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TypedDict

from wrongcall.errors import UsageError
from wrongcall.present.text import safe
from wrongcall.present.text_diff import Span
from wrongcall.recording import Clipped, Value

PART = 20_000
"""Characters of a part."""
MOST_FOUND = 1_000
_KEPT = "\n\t"
_ENDS = re.compile("([\n\t])")


class LongText(TypedDict):
    """A part of a text."""

    length: int
    known: int
    """How many characters were recorded, from the first on."""
    first: int
    last: int
    """Where the part ends."""
    spans: list[Span]
    """The part from `first` to `last`; what is searched for is marked. Characters that a browser would act upon are
    escaped, except for the ends of lines and tabs."""
    found: list[int]
    """Where the searched text begins, in the whole text: the first ones."""
    count: int
    """How often it occurs."""


def is_long(value: Value, shown: str) -> bool:
    """Return whether a text has more to show than its line, which leaves something out or has ends of lines in it."""
    if isinstance(value, Clipped):
        return True
    if not isinstance(value, str | bytes):
        return False
    return "…" in shown or (isinstance(value, str) and "\n" in value)


def text_part(value: Value, first: int = 0, search: str = "") -> LongText:
    """Return a part of a text; bytes are written as in source."""
    length = value.length if isinstance(value, Clipped) else None
    whole = value.beginning if isinstance(value, Clipped) else value
    if isinstance(whole, bytes):
        whole = repr(whole)[2:-1]
    if not isinstance(whole, str):
        raise UsageError("it is no text")
    part = whole[first : first + PART]
    found = _occurrences(whole, search) if search else []
    inside = [at for at in found if first <= at and at + len(search) <= first + PART]
    return {
        "length": len(whole) if length is None else length,
        "known": len(whole),
        "first": first,
        "last": first + len(part),
        "spans": list(_spans(part, [at - first for at in inside], len(search))),
        "found": found[:MOST_FOUND],
        "count": len(found),
    }


def _occurrences(text: str, search: str) -> list[int]:
    """Find a text; upper and lower case count as the same, unless that changes lengths."""
    low, wanted = text.lower(), search.lower()
    if len(low) != len(text) or len(wanted) != len(search):
        low, wanted = text, search
    found = []
    at = low.find(wanted)
    while at >= 0:
        found.append(at)
        at = low.find(wanted, at + len(wanted))
    return found


def _spans(part: str, found: list[int], size: int) -> Iterator[Span]:
    """Cut a text at what was found in it."""
    done = 0
    for at in found:
        if at > done:
            yield _shown(part[done:at]), False
        yield _shown(part[at : at + size]), True
        done = at + size
    if done < len(part):
        yield _shown(part[done:]), False


def _shown(text: str) -> str:
    """Return a text made safe, line by line; ends of lines and tabs stay."""
    return "".join(part if part in _KEPT else safe(part) for part in _ENDS.split(text) if part)
