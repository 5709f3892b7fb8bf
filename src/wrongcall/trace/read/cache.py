"""One bounded cache for everything unpacked from a trace.

Invariants: the cached things take at most the budget in bytes, except that the latest one is always kept; the least
recently used is dropped first.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Protocol, TypeVar, cast

DEFAULT_BUDGET = 160 << 20


class Sized(Protocol):
    """Something that knows its size in memory."""

    @property
    def nbytes(self) -> int:
        """Its size in bytes, now."""


T = TypeVar("T", bound=Sized)


class ByteCache:
    """Things by key; the least recently used ones are dropped."""

    def __init__(self, budget: int = DEFAULT_BUDGET) -> None:
        self.budget = budget
        self.used = 0
        self._kept: OrderedDict[Hashable, tuple[Sized, int]] = OrderedDict()

    def get(self, key: Hashable, make: Callable[[], T]) -> T:
        """Return the thing with this key, making it if it is not cached."""
        if key in self._kept:
            self._kept.move_to_end(key)
            return cast(T, self._kept[key][0])
        thing = make()
        self._keep(key, thing)
        return thing

    def peek(self, key: Hashable) -> Sized | None:
        """Return a thing if it is cached."""
        return self._kept[key][0] if key in self._kept else None

    def find(self, key: Hashable) -> Sized | None:
        """Return a thing if it is cached; that counts as using it."""
        if key not in self._kept:
            return None
        self._kept.move_to_end(key)
        return self._kept[key][0]

    def drop(self, key: Hashable) -> None:
        """Drop a thing, if it is cached."""
        if key in self._kept:
            self.used -= self._kept.pop(key)[1]

    def _keep(self, key: Hashable, thing: Sized) -> None:
        size = thing.nbytes
        self._kept[key] = (thing, size)
        self.used += size
        while self.used > self.budget and len(self._kept) > 1:
            _, (_, freed) = self._kept.popitem(last=False)
            self.used -= freed
