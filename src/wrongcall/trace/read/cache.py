"""One bounded cache for whatever was unpacked from a trace.

Invariants: what is kept costs at most the budget in bytes, except that the latest thing is always
kept; what was used longest ago goes first.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Protocol, TypeVar, cast

DEFAULT_BUDGET = 256 << 20


class Sized(Protocol):
    """Something that knows what it costs to keep."""

    @property
    def nbytes(self) -> int:
        """Its size in bytes, now."""


T = TypeVar("T", bound=Sized)


class ByteCache:
    """Things by key, the least recently used ones dropped."""

    def __init__(self, budget: int = DEFAULT_BUDGET) -> None:
        self.budget = budget
        self.used = 0
        self._kept: OrderedDict[Hashable, tuple[Sized, int]] = OrderedDict()

    def get(self, key: Hashable, make: Callable[[], T]) -> T:
        """Return the thing with this key, made anew if it is not kept."""
        if key in self._kept:
            self._kept.move_to_end(key)
            return cast(T, self._kept[key][0])
        thing = make()
        self._keep(key, thing)
        return thing

    def peek(self, key: Hashable) -> Sized | None:
        """Return a thing if it is kept."""
        return self._kept[key][0] if key in self._kept else None

    def drop(self, key: Hashable) -> None:
        """Forget a thing, if it is kept."""
        if key in self._kept:
            self.used -= self._kept.pop(key)[1]

    def _keep(self, key: Hashable, thing: Sized) -> None:
        size = thing.nbytes
        self._kept[key] = (thing, size)
        self.used += size
        while self.used > self.budget and len(self._kept) > 1:
            _, (_, freed) = self._kept.popitem(last=False)
            self.used -= freed
