"""Facts about the run as a whole, checked so that their types and ranges are certain.

A fact with an unknown name may be any JSON. A known one is refused if it is not what a recorder writes: a time must be
one that a clock can show, a duration must be finite.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any

from wrongcall.errors import TraceError
from wrongcall.trace.format.run_facts import parsed

_LATEST = 253_402_300_799
"""The last second of the year 9999."""
_LONGEST = 1e12
"""Seconds; no run takes longer."""
_MOST = (1 << 63) - 1


def _text(value: Any) -> bool:
    return isinstance(value, str)


def _texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(word, str) for word in value)


def _count(value: Any) -> bool:
    return type(value) is int and 0 <= value <= _MOST


def _seconds(most: float) -> Callable[[Any], bool]:
    def check(value: Any) -> bool:
        return type(value) in (int, float) and math.isfinite(value) and 0 <= value <= most

    return check


def _status(value: Any) -> bool:
    return type(value) is int and -(1 << 31) <= value < 1 << 32


_FACTS: dict[str, Callable[[Any], bool]] = {
    "kind": _text,
    "program": _texts,
    "root": _text,
    "folder": _text,
    "python": _text,
    "python_path": _text,
    "python_why": _text,
    "started": _seconds(_LATEST),
    "recorder": _count,
    "ended": _text,
    "status": _status,
    "seconds": _seconds(_LONGEST),
    "calls": _count,
}


def facts_of(rows: Iterable[tuple[str, str]]) -> dict[str, Any]:
    """Return the facts in the table, by name."""
    facts = {key: parsed(value) for key, value in rows}
    for key, value in facts.items():
        if key in _FACTS and not _FACTS[key](value):
            raise TraceError(f"damaged trace: {key} is {str(value)[:40]!r}")
    return facts
