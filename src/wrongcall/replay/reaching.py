"""How an object is reached from the variables of a call."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from wrongcall.events import Layout
from wrongcall.languages.paths import Member, Path, PathStep
from wrongcall.replay.call import Call
from wrongcall.replay.heap import Heap, ItemValues, ObjectState
from wrongcall.replay.variables import Variables
from wrongcall.trace.read.places import Attr, Entry, Item
from wrongcall.trace.read.store import Store
from wrongcall.trace.read.values import Ref, Value

MOST_OBJECTS = 100
"""Objects to visit at most, nearest first."""


class Reaching:
    """Finds the shortest paths to objects."""

    def __init__(self, store: Store, heap: Heap, variables: Variables) -> None:
        self._store = store
        self._heap = heap
        self._variables = variables

    def path(self, call: Call, oid: int, time: int) -> Path | None:
        """Return the shortest path from a call's variables, or else from its globals; None if it is too far."""
        module = self._store.program.files[call.function.file].module
        process = self._variables.process(call.id)
        for roots in (
            self._variables.locals(call.id, time),
            self._variables.globals(module, time, process),
        ):
            found = self._search(roots.items(), oid, time)
            if found is not None:
                return found
        return None

    def _search(self, roots: Iterable[tuple[str, Value]], wanted: int, time: int) -> Path | None:
        waiting = deque((Path(name), v.oid) for name, v in roots if isinstance(v, Ref))
        seen: set[int] = set()
        for path, oid in waiting:
            if oid == wanted:
                return path
        while waiting and len(seen) < MOST_OBJECTS:
            path, oid = waiting.popleft()
            if oid == wanted:
                return path
            if oid not in seen:
                seen.add(oid)
                state = self._heap.state(oid, self._heap.known_by(oid, time))
                waiting.extend((path.to(step), ref.oid) for step, ref in references(state))
        return None


def _held_items(items: Sequence[Value]) -> Iterable[tuple[int, Value]]:
    """Return items with their indices; of very many, only those that are objects."""
    return items.refs() if isinstance(items, ItemValues) else enumerate(items)


def references(state: ObjectState) -> Iterator[tuple[PathStep, Ref]]:
    """Iterate over the objects that an object refers to, with their places."""
    if state.layout in (Layout.MODULE, Layout.CLASS, Layout.FUNCTION):
        return  # a reference to the program itself
    if state.type.qualname == "builtin_function_or_method":
        return  # not something a person would write: ``append.__self__``
    places: Iterable[tuple[PathStep, Value]] = chain(
        ((Attr(name), value) for name, value in state.attrs.items()),
        ((Item(i), value) for i, value in _held_items(state.items)),
        ((Entry(key), value) for key, value in state.entries),
        ((Member(value), value) for value in state.members),
    )
    for step, value in places:
        if isinstance(value, Ref):
            yield step, value
