"""Names of objects that are valid in other runs: those under which modules of the program hold them.

A function, a class or a sentinel that a module holds is the same thing in every run, whatever its number there is.
An object that several names lead to has the first of them in alphabetical order.
"""

from __future__ import annotations

from wrongcall.replay.heap import Heap
from wrongcall.replay.variables import Variables
from wrongcall.trace.read.store import Store
from wrongcall.trace.read.values import Ref


class PortableNames:
    """Knows what the modules of a run hold."""

    def __init__(self, store: Store, heap: Heap, variables: Variables) -> None:
        self._store = store
        self._heap = heap
        self._variables = variables
        self._events = -1
        self._names: dict[int, str] = {}

    def of(self, oid: int) -> str | None:
        """Return the name of an object, as in ``shop.prices.MISSING``; None: no module holds it."""
        if self._events != self._store.segments.event_count:
            self._events = self._store.segments.event_count
            self._names = self._read()
        return self._names.get(oid)

    def _read(self) -> dict[int, str]:
        found: dict[int, str] = {}
        for module in sorted({file.module for file in self._store.program.files.values()}):
            oid = self._variables.module(module)
            held = {} if oid is None else self._heap.state(oid, None).attrs
            for name in sorted(held):
                value = held[name]
                if isinstance(value, Ref):
                    found.setdefault(value.oid, f"{module}.{name}")
        return found
