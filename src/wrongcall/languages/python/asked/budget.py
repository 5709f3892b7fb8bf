"""Limits of the work that an expression may cause: steps, sizes and digits."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sized

from wrongcall.errors import NotKnownError

MAX_STEPS = 2_000_000
"""Parts of an expression to evaluate, and elements to look at, for one answer."""
MAX_SIZE = 1_000_000
"""Elements or characters of one value that an expression makes."""
MAX_BITS = 65_536
"""Bits of an integer that an expression makes."""
MAX_WIDTH = 10_000
"""Columns that a format may pad a value to."""


class Budget:
    """Counts the steps of one evaluation."""

    __slots__ = ("left",)

    def __init__(self, steps: int = MAX_STEPS) -> None:
        self.left = steps

    def spend(self, steps: int = 1) -> None:
        """Count steps; too many raise an error."""
        self.left -= steps
        if self.left < 0:
            raise NotKnownError(f"not evaluated: it takes more than {MAX_STEPS:,} steps")

    def elements(self, values: Iterable[object]) -> Iterable[object]:
        """Return values to iterate over, counting them; those of a sequence all at once."""
        if isinstance(values, Sized):
            self.spend(len(values))
            return values
        return self._counted(iter(values))

    def _counted(self, values: Iterator[object]) -> Iterator[object]:
        for value in values:
            self.spend()
            yield value


def check_size(size: int) -> None:
    """Refuse to make a value of this many elements or characters."""
    if size > MAX_SIZE:
        raise NotKnownError(
            f"not evaluated: it has {size:,} elements, more than the limit of {MAX_SIZE:,}"
        )


def check_bits(bits: int) -> None:
    """Refuse to make an integer of this many bits."""
    if bits > MAX_BITS:
        raise NotKnownError(
            f"not evaluated: an integer of about {bits:,} bits, more than the limit of {MAX_BITS:,}"
        )
