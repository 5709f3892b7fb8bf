"""Columns that grow at the end.

Invariant: views that were given out stay valid and unchanged when more is appended, even after `Growing.truncate`, as
long as the next append begins with what was cut off.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

_FIRST_ROOM = 1024


class Growing:
    """Arrays of the same length, with room for more."""

    def __init__(self, dtypes: Mapping[str, str]) -> None:
        self._arrays = {name: np.empty(_FIRST_ROOM, dtype) for name, dtype in dtypes.items()}
        self._room = _FIRST_ROOM
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def columns(self) -> dict[str, npt.NDArray[Any]]:
        """Return views of the arrays in their current state."""
        return {name: array[: self._count] for name, array in self._arrays.items()}

    def append(self, **columns: npt.NDArray[Any] | int) -> None:
        """Append to all arrays; the first one given sets the length, and a single number is repeated."""
        first = next(iter(columns.values()))
        count = self._count + len(np.atleast_1d(first))
        self._make_room(count)
        for name, array in self._arrays.items():
            array[self._count : count] = columns[name]
        self._count = count

    def reserve(self, more: int) -> None:
        """Make room for exactly this many more."""
        if self._count + more > self._room:
            self._enlarge(self._count + more)

    def truncate(self, count: int) -> None:
        """Cut the arrays to ``count`` rows."""
        self._count = count

    def copy(self) -> Growing:
        """Return a copy that grows independently."""
        other = Growing({name: array.dtype.str for name, array in self._arrays.items()})
        if self._count:
            other.append(**self.columns())
        return other

    def _make_room(self, count: int) -> None:
        if count <= self._room:
            return
        self._enlarge(max(count, self._room * 3 // 2))

    def _enlarge(self, room: int) -> None:
        self._room = room
        for name, array in self._arrays.items():
            larger = np.empty(self._room, array.dtype)
            larger[: self._count] = array[: self._count]
            self._arrays[name] = larger
