"""Plain data: a value and what it holds, at a time, as nested plain Python data.

Atoms stand for themselves. An object is a tuple: the name of its type, its id, and its contents: a list of items, a
list of (key, value) pairs, a list of members, or a dict of attributes; if it has attributes besides the others, they
come fourth. Contents are `None` where they are not known, and ``...`` where the object was already shown (so cycles end
and identity can be seen) or is nested too deep.
"""

from __future__ import annotations

from typing import Any

from wrongcall.events import Layout
from wrongcall.replay.heap import SEQUENCES, Heap, ObjectState
from wrongcall.trace.read.values import Ref, Value

_SETS = frozenset({Layout.SET, Layout.FROZENSET})


class PlainData:
    """Converts values as of one time; an object that was already converted is not repeated."""

    def __init__(self, heap: Heap, time: int | None) -> None:
        self._heap = heap
        self._time = time
        self._shown: set[int] = set()

    def of(self, value: Value, depth: int) -> Any:
        """Return a value as plain data, ``depth`` levels of objects deep."""
        if not isinstance(value, Ref):
            return value
        state = self._heap.state(value.oid, self._time)
        name, oid = state.type.qualname, value.oid
        if oid in self._shown or depth <= 0:
            return (name, oid, ...)
        self._shown.add(oid)
        if not state.explored:
            return (name, oid, None)
        return (name, oid, *self._contents(state, depth - 1))

    def _contents(self, state: ObjectState, depth: int) -> tuple[Any, ...]:
        attrs = {name: self.of(value, depth) for name, value in state.attrs.items()}
        main = self._main(state, depth)
        if main is None:
            return (attrs,)
        return (main, attrs) if attrs else (main,)

    def _main(self, state: ObjectState, depth: int) -> list[Any] | None:
        if state.layout in SEQUENCES:
            return [self.of(value, depth) for value in state.items]
        if state.layout in _SETS:
            return [self.of(value, depth) for value in state.members]
        if state.layout == Layout.DICT:
            return [(self.of(k, depth), self.of(v, depth)) for k, v in state.entries]
        return None
