"""The arguments of calls: what the source says (`passing`), combined with the trace."""

from __future__ import annotations

from wrongcall.analysis.expressions.evaluate import Evaluator
from wrongcall.events import Layout
from wrongcall.languages.expressions import (
    Argument,
    Called,
    Element,
    Node,
    Sequence,
    Starred,
    Unpacked,
)
from wrongcall.languages.paths import step_text
from wrongcall.languages.python.sources import Sources
from wrongcall.languages.source_file import SourceFile
from wrongcall.replay.call import Call
from wrongcall.replay.heap import Heap, ObjectState
from wrongcall.replay.resolve import ObjectSlot, Places
from wrongcall.replay.variables import Variables
from wrongcall.trace.read.places import Entry, Item, Place
from wrongcall.trace.read.store import Store
from wrongcall.trace.read.values import UNKNOWN, Ref, Value, identical

_SEQUENCES = (Layout.LIST, Layout.TUPLE, Layout.DEQUE)


class Arguments:
    """Finds where the values of parameters came from."""

    def __init__(
        self, store: Store, heap: Heap, places: Places, variables: Variables, sources: Sources
    ) -> None:
        self._store = store
        self._heap = heap
        self._places = places
        self._variables = variables
        self._sources = sources

    def collects(self, call: Call, name: str) -> bool:
        """Return whether a parameter is ``*name`` or ``**name``."""
        source = self._sources.of_function(call.function)
        return source.collects(self._sources.definition(call.function), name)

    def of(
        self, call: Call, node: Node, evaluator: Evaluator, name: str, part: Place | None
    ) -> Argument | None:
        """Return the argument that a call expression passed for a parameter of the call that it made."""
        definition = self._sources.definition(call.function)
        known, source = self._unpacked(evaluator), evaluator.source
        return source.argument(node, definition, call.passing, name, part, known)

    def of_generated(
        self, node: Node, evaluator: Evaluator, oid: int, place: Place
    ) -> Argument | None:
        """Return the argument that a call of a class with a generated ``__init__`` passed for an attribute."""
        view = evaluator.source.view(node)
        if not isinstance(view, Called):
            return None
        found = self._class(evaluator.value(view.function), oid, evaluator.time)
        if found is None:
            return None
        source, definition = found
        known = self._unpacked(evaluator)
        return evaluator.source.generated_argument(node, definition, place, known, source)

    def _class(self, value: Value, oid: int, time: int) -> tuple[SourceFile, Node] | None:
        """Return the source of the class that was called, if an object is an instance of it."""
        if not isinstance(value, Ref):
            return None
        called = self._heap.state(value.oid, self._heap.known_by(value.oid, time))
        kind = self._heap.object(oid).type
        if called.layout != Layout.CLASS or called.attrs.get("__qualname__") != kind.qualname:
            return None
        files = self._store.program.files
        found = [
            function
            for function in self._store.program.functions.values()
            if function.kind == "class"
            and (function.qualname, files[function.file].module) == (kind.qualname, kind.module)
        ]
        definition = self._sources.definition(found[0]) if len(found) == 1 else None
        if definition is None:
            return None
        return self._sources.of_function(found[0]), definition

    def _unpacked(self, evaluator: Evaluator) -> Unpacked:
        def state(node: Node) -> ObjectState | None:
            value = evaluator.value(node)
            if not isinstance(value, Ref):
                return None
            found = self._heap.state(value.oid, self._heap.known_by(value.oid, evaluator.time))
            return found if found.explored and found.type.module in _BUILT_IN else None

        def length(node: Node) -> int | None:
            view = evaluator.source.view(node)
            if isinstance(view, Sequence):
                parts = (evaluator.source.view(part) for part in view.elements)
                starred = any(isinstance(part, Starred) for part in parts)
                return None if starred else len(view.elements)
            found = state(node)
            if found is None or found.layout not in _SEQUENCES:
                return None
            return found.length if found.length == len(found.items) else None

        def holds(node: Node, name: str) -> bool | None:
            found = state(node)
            if found is None or found.layout != Layout.DICT:
                return None
            return any(key == name for key, _ in found.entries)

        return Unpacked(length, holds)


_BUILT_IN = ("builtins", "collections")


def elements_of(
    heap: Heap,
    oid: int,
    time: int,
    found: Element,
    names: Evaluator,
    name: str,
    value: Value,
) -> list[tuple[ObjectSlot, str]]:
    """Return the places of a container that a loop's variable may have got its value from, also as text."""
    state = heap.state(oid, heap.known_by(oid, time))
    if not state.explored or state.type.module not in _BUILT_IN:
        return []
    places: list[tuple[Item | Entry, Value]] = []
    if state.layout in _SEQUENCES:
        places = [(Item(i), item) for i, item in enumerate(state.items)]
    elif state.layout == Layout.DICT and found.hands_values:
        places = [(Entry(key), item) for key, item in state.entries]
    if found.index is not None:
        index = names.value(found.index)
        places = [(p, v) for p, v in places if _is_at(p, index)]
    if not found.parts:
        return [(ObjectSlot(oid, p), step_text(p)) for p, v in places if identical(v, value)]
    wanted = [names.value(part.node) if part is not None else UNKNOWN for part in found.parts]
    result = []
    for place, held in places:
        if not isinstance(held, Ref):
            continue
        inner = heap.state(held.oid, heap.known_by(held.oid, time))
        if inner.layout not in (Layout.LIST, Layout.TUPLE) or len(inner.items) != len(wanted):
            continue
        pairs = zip(inner.items, wanted, strict=True)
        if all(w is UNKNOWN or identical(i, w) for i, w in pairs):
            at = Item(found.names.index(name))
            result.append((ObjectSlot(held.oid, at), step_text(place) + step_text(at)))
    return result


def _is_at(place: Item | Entry, index: Value) -> bool:
    if isinstance(place, Item):
        return type(index) is int and place.index == index
    return identical(place.key, index)
