"""Values of a recorded run as Python source that makes them again.

*Plain* data has an expression: numbers, texts, lists, tuples, dicts and sets of them. Instances of the program's
classes, objects that are shared or refer to each other, need statements: every object exists first, then it is filled,
so that aliases and cycles come out as they were. No ``__init__`` runs. What is cut off, not recorded or made by a
library has no source, and the error says which value that is.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from wrongcall.errors import UsageError
from wrongcall.events import Layout, TypeOrigin
from wrongcall.replay.heap import Heap, ObjectState
from wrongcall.replay.literals import is_value_type, literal
from wrongcall.trace.read.values import Missing, Ref, Value

MAX_CHARACTERS = 10_000
MAX_OBJECTS = 2_000
_ATOMS = (bool, int, float, complex, str, bytes)
_DEEPEST = 20
_MAIN = "__main__"
_BRACKETS = {Layout.LIST: ("list", "[", "]"), Layout.TUPLE: ("tuple", "(", ")")}
_SETS = (Layout.SET, Layout.FROZENSET)
_FIXED = (Layout.TUPLE, Layout.FROZENSET)
_BUILTINS = frozenset({"list", "tuple", "dict", "set", "frozenset"})
_ALWAYS_SOURCE = frozenset({"datetime", "decimal", "fractions", "uuid", "zoneinfo", "re"})
"""Modules whose values are written with a text that starts with what has to be imported."""


class NoSourceError(UsageError):
    """A value can't be written as source."""


def plain_text(heap: Heap, value: Value, time: int, met: set[int] | None = None) -> str:
    """Return plain data as an expression; `NoSourceError`: it is none, or objects are shared.

    ``met``: the objects that were written already, to find those that are shared among several values.
    """
    return _Plain(heap, time, set() if met is None else met).text(value)


def rebuilding_text(heap: Heap, value: Value, time: int) -> str:
    """Return an expression, or statements that leave the value in ``value``."""
    try:
        return plain_text(heap, value, time)
    except NoSourceError:
        return _Statements(heap, time).text(value)


def number_text(number: int) -> str:
    """Return a whole number as source; very large ones in hexadecimal, which Python does not limit."""
    return str(number) if abs(number) < 1 << 200 else hex(number)


def _atom_text(value: object) -> str:
    if isinstance(value, float) and not math.isfinite(value):
        return f"float({str(value)!r})"
    if isinstance(value, complex) and not (math.isfinite(value.real) and math.isfinite(value.imag)):
        return f"complex({_atom_text(value.real)}, {_atom_text(value.imag)})"
    return number_text(value) if type(value) is int else repr(value)


def _builtin_name(state: ObjectState) -> str:
    """Return which of the plain types an object is of exactly; empty: of none."""
    name = state.type.qualname if state.type.module == "builtins" else ""
    return name if name in _BUILTINS and not state.attrs else ""


def _check_known(state: ObjectState) -> None:
    name = f"{state.type.qualname} #{state.oid}"
    if not state.explored:
        raise NoSourceError(f"can't be rebuilt: what {name} held is not known")
    if len(state.items) != state.length and state.layout in _BRACKETS:
        raise NoSourceError(f"can't be rebuilt: only part of {name} was recorded")


def _joined(state: ObjectState, parts: list[str]) -> str:
    """Return a container in brackets; ``parts`` are its items, members, or pairs with colons."""
    inner = ", ".join(parts)
    if state.layout in _BRACKETS:
        _, opening, closing = _BRACKETS[state.layout]
        comma = "," if state.layout == Layout.TUPLE and len(parts) == 1 else ""
        return f"{opening}{inner}{comma}{closing}"
    if state.layout == Layout.DICT:
        return f"{{{inner}}}"
    name = state.type.qualname
    if name == "set":
        return f"{{{inner}}}" if parts else "set()"
    return f"{name}({{{inner}}})" if parts else f"{name}()"


class _Plain:
    """Writes plain data as an expression."""

    def __init__(self, heap: Heap, time: int, met: set[int]) -> None:
        self._heap = heap
        self._time = time
        self._met = met
        self._room = MAX_CHARACTERS

    def text(self, value: Value, depth: int = 0) -> str:
        """Return a value in source notation."""
        if value is None or isinstance(value, _ATOMS):
            text = _atom_text(value)
            self._room -= len(text)
            if self._room < 0:
                raise NoSourceError(f"can't be rebuilt: longer than {MAX_CHARACTERS:,} characters")
            return text
        if not isinstance(value, Ref):
            raise NoSourceError("can't be rebuilt: a value was not recorded whole")
        if value.oid in self._met or depth > _DEEPEST:
            raise NoSourceError(f"can't be rebuilt: object #{value.oid} is shared, or nested deep")
        self._met.add(value.oid)
        return self._object(self._heap.state(value.oid, self._time), depth + 1)

    def _object(self, state: ObjectState, depth: int) -> str:
        _check_known(state)
        if not _builtin_name(state):
            raise NoSourceError(f"can't be rebuilt: {state.type.qualname} is no plain data")
        if state.layout == Layout.DICT:
            pairs = [f"{self.text(k, depth)}: {self.text(v, depth)}" for k, v in state.entries]
            return _joined(state, pairs)
        if state.layout in _SETS:
            return _joined(state, sorted(self.text(member, depth) for member in state.members))
        return _joined(state, [self.text(item, depth) for item in state.items])


@dataclass
class _Statements:
    """Writes any objects as statements: those with a *name* first exist, then they are filled."""

    heap: Heap
    time: int
    states: dict[int, ObjectState] = field(default_factory=dict)
    uses: Counter[int] = field(default_factory=Counter)
    names: dict[int, str] = field(default_factory=dict)
    imports: set[str] = field(default_factory=set)
    own: set[str] = field(default_factory=set)
    """Classes of the program that is run as ``__main__``: they can't be imported."""
    literals: dict[int, str] = field(default_factory=dict)

    def text(self, value: Value) -> str:
        """Return statements that leave the value in ``value``."""
        if not isinstance(value, Ref):
            raise NoSourceError("can't be rebuilt: it was not recorded whole")
        self._collect(value)
        named = [oid for oid in self.states if self._needs_name(oid)]
        self.names = {oid: self._name(oid, i) for i, oid in enumerate(named, 1)}
        made = [f"{self.names[oid]} = {self._empty(oid)}" for oid in named if self._is_filled(oid)]
        fixed = [line for oid in self._inside_out(named) for line in self._fixed(oid)]
        filled = [line for oid in self._by_hashing(named) for line in self._filling(oid)]
        last = f"value = {self._expression(value)}"
        text = "\n".join([*self._head(), *made, *fixed, *filled, last])
        if len(text) > 10 * MAX_CHARACTERS:
            raise NoSourceError(f"can't be rebuilt: longer than {10 * MAX_CHARACTERS:,} characters")
        return text

    def _head(self) -> list[str]:
        lines = [f"# {name} is a class of the program" for name in sorted(self.own)]
        return [*lines, *sorted(self.imports)]

    # -- what there is -----------------------------------------------------------------------------

    def _collect(self, root: Ref) -> None:
        """Read every object that the value consists of, and count how often each is referred to."""
        waiting = [root]
        while waiting:
            oid = waiting.pop().oid
            self.uses[oid] += 1
            if oid in self.states:
                continue
            if len(self.states) >= MAX_OBJECTS:
                raise NoSourceError(f"can't be rebuilt: more than {MAX_OBJECTS:,} objects")
            state = self.heap.state(oid, self.heap.known_by(oid, self.time))
            self.states[oid] = state
            _check_known(state)
            if not self._is_literal(state):
                self._check_class(state)
                waiting += [part for part in _parts(state) if isinstance(part, Ref)]

    def _is_literal(self, state: ObjectState) -> bool:
        """Note the source of a date, a number of a library or a member of an enum."""
        peek = self.heap.peek(state.oid, self.time)
        is_enum = "_value_" in state.attrs and isinstance(state.attrs.get("_name_"), str)
        if not is_enum and not is_value_type(state.type):
            return False
        found = literal(peek, lambda oid: self.heap.peek(oid, self.time))
        if found is None or found.parts:
            raise NoSourceError(f"can't be rebuilt: a {state.type.qualname} is not known whole")
        module, name = state.type.module, state.type.qualname
        text = f"{found.opening}{found.closing}"
        if module == "numpy":
            self.imports.add("import numpy as np")
        elif module in _ALWAYS_SOURCE and text.startswith(f"{module}."):
            self.imports.add(f"import {module}")
        else:
            self._import(module, name)
        self.literals[state.oid] = text
        return True

    def _check_class(self, state: ObjectState) -> None:
        kind = state.type
        if _builtin_name(state):
            return
        if state.layout != Layout.INSTANCE or kind.origin != TypeOrigin.PROGRAM:
            raise NoSourceError(f"can't be rebuilt: {kind.qualname} is made by a library")
        if "<" in kind.qualname:
            raise NoSourceError(f"can't be rebuilt: {kind.qualname} is defined in a function")
        self._import(kind.module, kind.qualname)

    def _import(self, module: str, name: str) -> None:
        first = name.partition(".")[0]
        if module == _MAIN:
            self.own.add(first)
        else:
            self.imports.add(f"from {module} import {first}")

    # -- which of it has a name --------------------------------------------------------------------

    def _needs_name(self, oid: int) -> bool:
        state = self.states[oid]
        if oid in self.literals:
            return False
        is_keyed = any(self._has_instance(key) for key in _hashed(state))
        return state.layout == Layout.INSTANCE or self.uses[oid] > 1 or is_keyed

    def _has_instance(self, value: Value) -> bool:
        """Tell whether a key can be hashed only when instances are complete."""
        waiting = [value]
        while waiting:
            each = waiting.pop()
            if isinstance(each, Ref) and each.oid not in self.literals:
                state = self.states[each.oid]
                if state.layout == Layout.INSTANCE:
                    return True
                waiting += _parts(state)
        return False

    def _name(self, oid: int, number: int) -> str:
        kind = self.states[oid].type.qualname.rpartition(".")[2].lower()
        return f"{kind if kind.isidentifier() else 'object'}_{number}"

    def _is_filled(self, oid: int) -> bool:
        return self.states[oid].layout not in _FIXED

    # -- the statements ----------------------------------------------------------------------------

    def _empty(self, oid: int) -> str:
        state = self.states[oid]
        if state.layout == Layout.INSTANCE:
            return f"object.__new__({state.type.qualname})"
        return f"{_builtin_name(state)}()"

    def _inside_out(self, named: list[int]) -> Iterator[int]:
        """Go through tuples and frozensets, those that others hold first."""
        done: set[int] = set()
        stack = [(oid, False) for oid in reversed(named) if not self._is_filled(oid)]
        while stack:
            oid, is_ready = stack.pop()
            if oid in done:
                continue
            if is_ready:
                done.add(oid)
                yield oid
                continue
            stack.append((oid, True))
            held = (p.oid for p in _parts(self.states[oid]) if isinstance(p, Ref))
            stack += [(p, False) for p in held if p in self.names and not self._is_filled(p)]

    def _fixed(self, oid: int) -> Iterator[str]:
        state = self.states[oid]
        if state.layout == Layout.FROZENSET and any(map(self._has_instance, state.members)):
            raise NoSourceError("can't be rebuilt: a frozenset holds objects of the program")
        yield f"{self.names[oid]} = {self._container(state)}"

    def _by_hashing(self, named: list[int]) -> list[int]:
        """Return what is filled: dicts and sets last, as their keys may have to be hashed."""
        hashed = (Layout.DICT, *_SETS)
        filled = [oid for oid in named if self._is_filled(oid)]
        return sorted(filled, key=lambda oid: self.states[oid].layout in hashed)

    def _filling(self, oid: int) -> Iterator[str]:
        state, name = self.states[oid], self.names[oid]
        if state.layout == Layout.INSTANCE:
            for attr, value in state.attrs.items():
                if isinstance(value, Missing) or not attr.isidentifier():
                    raise NoSourceError(f"can't be rebuilt: {state.type.qualname}.{attr}")
                yield f"object.__setattr__({name}, {attr!r}, {self._expression(value)})"
        elif state.layout == Layout.LIST and state.items:
            yield f"{name}.extend({self._container(state)})"
        elif state.entries or state.members:
            yield f"{name}.update({self._container(state)})"

    def _expression(self, value: Value, depth: int = 0) -> str:
        if not isinstance(value, Ref):
            if value is None or isinstance(value, _ATOMS):
                return _atom_text(value)
            raise NoSourceError("can't be rebuilt: a value was not recorded whole")
        oid = value.oid
        if depth > _DEEPEST:
            raise NoSourceError("can't be rebuilt: it is nested too deeply")
        return (
            self.names.get(oid)
            or self.literals.get(oid)
            or self._container(self.states[oid], depth + 1)
        )

    def _container(self, state: ObjectState, depth: int = 0) -> str:
        def write(value: Value) -> str:
            return self._expression(value, depth)

        if state.layout == Layout.DICT:
            return _joined(state, [f"{write(k)}: {write(v)}" for k, v in state.entries])
        return _joined(state, [write(v) for v in (*state.items, *state.members)])


def _parts(state: ObjectState) -> list[Value]:
    keyed = [part for entry in state.entries for part in entry]
    return [*state.attrs.values(), *state.items, *keyed, *state.members]


def _hashed(state: ObjectState) -> list[Value]:
    return [*(key for key, _ in state.entries), *state.members]
