"""Which thread a call belongs to: the one in which it began."""

from __future__ import annotations

import numpy as np

from wrongcall.trace.format.event_records import Bools, Ints
from wrongcall.trace.read.call_table import CallTable
from wrongcall.trace.read.store import Store

_REMEMBERED = 1 << 16


class Threads:
    """Knows the threads of calls."""

    def __init__(self, store: Store, calls: CallTable) -> None:
        self._store = store
        self._calls = calls
        self._known: dict[int, int] = {}

    @property
    def several(self) -> bool:
        """Whether the run has more than one thread."""
        return len(self._store.program.threads) > 1

    def of(self, call: int) -> int:
        """Return the number of a call's thread."""
        if call not in self._known:
            if len(self._known) >= _REMEMBERED:
                self._known.clear()
            entry = self._calls.begun(call).entry
            self._known[call] = self._calls.event(entry, "key")[0] >> 32
        return self._known[call]

    def among(self, calls: Ints, thread: int) -> Bools:
        """Return which calls are of a thread; 0, which is no call, is of none."""
        some: Bools = calls != 0
        if not self.several:
            return some
        different, which = np.unique(calls, return_inverse=True)
        mine = [bool(call) and self.of(call) == thread for call in different.tolist()]
        found: Bools = np.array(mine, np.bool_)[which]
        return found
