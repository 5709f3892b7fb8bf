"""The order of sets, which is not recorded: where it would matter, the answer is not known.

`sorted`, `len`, `min`, `sum` of integers and the like give the same for every order. A list, text or iterator made of a
set would not.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from wrongcall.errors import NotKnownError
from wrongcall.languages.python.asked.recorded import plain


class Unordered:
    """Values that an expression generates from a set: in an order that is not known."""

    def __init__(self, values: Iterator[Any]) -> None:
        self._values = values

    def __iter__(self) -> Iterator[Any]:
        return self._values


def is_unordered(values: object) -> bool:
    """Return whether the order of some values is not known."""
    return isinstance(values, Unordered) or (
        isinstance(values, set | frozenset) and len(values) > 1
    )


def ordered(values: object) -> Iterable[Any]:
    """Return values to iterate over where their order matters."""
    opened = plain(values, "iteration")
    if is_unordered(opened):
        raise NotKnownError("the order of a set is not recorded; use sorted(...)")
    found: Iterable[Any] = opened
    return found


def check_text(value: object) -> None:
    """Refuse to write a set or an iterator, or what holds one, as text."""
    if isinstance(value, Iterator | Unordered):
        raise NotKnownError("the text of an iterator has its address, which is not known")
    if is_unordered(value):
        raise NotKnownError("the order of a set is not recorded; use sorted(...)")
    if isinstance(value, dict):
        for each in value.values():
            check_text(each)
    elif isinstance(value, list | tuple):
        for each in value:
            check_text(each)


def check_sum(values: object, elements: list[Any]) -> None:
    """Refuse a sum that depends on the order of a set: by rounding, or because it joins tuples."""
    if is_unordered(values) and not all(isinstance(each, int) for each in elements):
        raise NotKnownError("this sum depends on the order of a set; use sum(sorted(...))")


def check_ranking(values: object, elements: list[Any], has_key: bool) -> None:
    """Refuse an order or an extreme that depends on the order of a set, by ties or partial orders."""
    if not is_unordered(values):
        return
    partial = any(isinstance(each, set | frozenset) or each != each for each in elements)
    if has_key or partial:
        raise NotKnownError("this may depend on the order of a set, which is not recorded")
