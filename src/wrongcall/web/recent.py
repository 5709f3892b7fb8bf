"""What the last few requests found: the next ones are often about the same."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from typing import Any, TypeVar

from wrongcall.recording import Recording

T = TypeVar("T")


class Recent:
    """The last results; those of a trace that has grown since are made again."""

    def __init__(self, most: int) -> None:
        """``most``: how many to keep."""
        self._most = most
        self._found: OrderedDict[tuple[object, ...], Any] = OrderedDict()

    def get(self, recording: Recording, make: Callable[[], T], *key: object) -> T:
        """Return the result for a key, made if it is not there."""
        whole = (recording.event_count, *key)
        if whole not in self._found:
            self._found[whole] = make()
        self._found.move_to_end(whole)
        while len(self._found) > self._most:
            self._found.popitem(last=False)
        found: T = self._found[whole]
        return found
