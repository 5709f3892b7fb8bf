"""Functions with annotations that an import hook enforces."""

from __future__ import annotations


def total(numbers: list[int]) -> int:
    result: int = 0
    for number in numbers:
        result += number
    return result


def label(count: int) -> str:
    return count if count < 0 else f"{count} things"


class Box:
    """A class whose methods are checked, too."""

    def __init__(self, size: int) -> None:
        self.size = size

    def grow(self, by: int) -> "Box":
        return Box(self.size + by)


def evens(limit: int):
    for n in range(0, limit, 2):
        yield n
