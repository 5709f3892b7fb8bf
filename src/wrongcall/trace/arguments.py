"""The arguments of calls that were made: what the source says (`passing`), with what the trace knows of it."""

from __future__ import annotations

import ast

from wrongcall.events import Layout, Passing
from wrongcall.trace import passing
from wrongcall.trace.call import Call
from wrongcall.trace.evaluation import Evaluator
from wrongcall.trace.generated import generated_init, signature
from wrongcall.trace.heap import Heap, State
from wrongcall.trace.loops import Element
from wrongcall.trace.paths import step_text
from wrongcall.trace.places import ObjectSlot, Places
from wrongcall.trace.replay import Attr, Entry, Item, Place
from wrongcall.trace.source import Source, Sources
from wrongcall.trace.store import Store
from wrongcall.trace.values import UNKNOWN, Ref, Value, identical
from wrongcall.trace.variables import Variables

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
        args = getattr(self._sources.definition(call.function), "args", None)
        collecting = (args.vararg, args.kwarg) if isinstance(args, ast.arguments) else ()
        return any(param is not None and param.arg == name for param in collecting)

    def of(
        self, call: Call, node: ast.Call, evaluator: Evaluator, name: str, part: Place | None
    ) -> passing.Source | None:
        """Return what a call expression gave a parameter of the call that it made."""
        definition = self._sources.definition(call.function)
        if definition is None:
            return None
        known = self._unpacked(evaluator)
        return passing.source_of(node, definition, call.passing, name, part, known)

    def of_generated(
        self, node: ast.Call, evaluator: Evaluator, oid: int, place: Place
    ) -> passing.Source | None:
        """Return what a call of a class whose ``__init__`` is generated gave an attribute."""
        if not isinstance(place, Attr):
            return None
        found = self._class(evaluator.value(node.func), oid, evaluator.time)
        fields = None if found is None else generated_init(*found)
        field = next((f for f in fields or () if f.attribute == place.name), None)
        if field is None or field.changed or fields is None:
            return None
        known, how = self._unpacked(evaluator), Passing.BOUND
        return passing.source_of(node, signature(fields), how, field.parameter, None, known)

    def _class(self, value: Value, oid: int, time: int) -> tuple[Source, ast.ClassDef] | None:
        """Return the source of the class that was called, if that is what an object is of."""
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
        if not isinstance(definition, ast.ClassDef):
            return None
        return self._sources.of_function(found[0]), definition

    def _unpacked(self, evaluator: Evaluator) -> passing.Unpacked:
        def state(node: ast.expr) -> State | None:
            value = evaluator.value(node)
            if not isinstance(value, Ref):
                return None
            found = self._heap.state(value.oid, self._heap.known_by(value.oid, evaluator.time))
            return found if found.explored and found.type.module in _BUILT_IN else None

        def length(node: ast.expr) -> int | None:
            if isinstance(node, ast.Tuple | ast.List):
                starred = any(isinstance(part, ast.Starred) for part in node.elts)
                return None if starred else len(node.elts)
            found = state(node)
            if found is None or found.layout not in _SEQUENCES:
                return None
            return found.length if found.length == len(found.items) else None

        def holds(node: ast.expr, name: str) -> bool | None:
            found = state(node)
            if found is None or found.layout != Layout.DICT:
                return None
            return any(key == name for key, _ in found.entries)

        return passing.Unpacked(length, holds)


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
    """Return the places of a container that a loop's variable may have got its value from, as text too."""
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
    wanted = [names.value(part) if part is not None else UNKNOWN for part in found.parts]
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
