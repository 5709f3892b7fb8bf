"""Find the place that a path means, in a call at a time.

The root of a path is looked up as the call would: its own variables, those of enclosing functions, the globals of its
module; ``return`` is what the call returned or raised, and so is ``result``, unless a variable has that name. If there
is no such place, the error says what there is instead.

Vocabulary: a *target* is a place that was found: a `Variable` of a call, a `Slot` of an object (a global is one of its
module), or the `Result` of a call. An expression can also read a `Round` of a comprehension, which no path means.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias

from wrongcall.errors import UsageError
from wrongcall.events import Layout
from wrongcall.languages.paths import (
    RETURNED,
    Key,
    Member,
    Path,
    PathStep,
    key_text,
    plain,
    step_text,
)
from wrongcall.replay.call import Call
from wrongcall.replay.heap import Heap, ObjectState
from wrongcall.replay.keys import Keys
from wrongcall.replay.variables import Variables
from wrongcall.trace.read.places import Attr, Item, Place
from wrongcall.trace.read.store import Store
from wrongcall.trace.read.values import UNSET, Ref, Value, same_key

RESULT = "result"
_SHOWN = 12
_KEYED = (Layout.DICT,)


@dataclass(frozen=True)
class Variable:
    """A variable of a call."""

    owner: int
    name: str


@dataclass(frozen=True)
class Round:
    """A variable of a comprehension in one of its rounds, by the event that bound it."""

    owner: int
    name: str
    time: int


@dataclass(frozen=True)
class ObjectSlot:
    """A place of an object."""

    oid: int
    place: Place


@dataclass(frozen=True)
class Result:
    """What a call returned or raised."""

    call: int


Target: TypeAlias = Variable | ObjectSlot | Result
Source: TypeAlias = Target | Round


class Places:
    """Resolves paths."""

    def __init__(self, store: Store, heap: Heap, variables: Variables) -> None:
        self._store = store
        self._heap = heap
        self._variables = variables
        self._keys = Keys(heap)

    def find(self, call: Call, path: Path, time: int) -> tuple[Target, Value]:
        """Return the place that a path means, and its value."""
        target, value = self._root(call, path.root, time)
        done = Path(path.root)
        for step in path.steps:
            place, found = self.follow(call, value, step, time, done)
            target, value = place, found
            done = done.to(place.place)
        return target, value

    def follow(
        self, call: Call, value: Value, step: PathStep, time: int, done: Path
    ) -> tuple[ObjectSlot, Value]:
        """Return the place that a step leads to from a value, and the value there.

        ``done``: the path so far, for messages.
        """
        if not isinstance(value, Ref):
            raise UsageError(f"{done} is {_kind(value)} at time {time}: it has no {_part(step)}")
        state = self._heap.state(value.oid, self._heap.known_by(value.oid, time))
        place = self._place(call, state, step, time, done)
        found = self._at(state, place)
        if found is UNSET:
            raise UsageError(f"{done} {_instead(state, place)} at time {time}")
        if isinstance(place, Attr):
            place = Attr(_mangled(state, place.name))
        return ObjectSlot(state.oid, place), found

    def result_name(self, call: Call) -> str:
        """Return the root of paths into what a call returned: ``result``, unless that means something else in it."""
        found, _ = self._root(call, RESULT, call.exit)
        return RESULT if isinstance(found, Result) else RETURNED

    def value(self, target: Source, time: int) -> Value:
        """Return the value of a place at a time."""
        if isinstance(target, Variable):
            return self._variables.local(target.owner, target.name, time)
        if isinstance(target, Round):
            return self._variables.bound_at(target.time)
        if isinstance(target, ObjectSlot):
            return self._heap.value(target.oid, target.place, time)
        raise ValueError(f"the result of call {target.call} has no time")

    def _root(self, call: Call, name: str, time: int) -> tuple[Target, Value]:
        function = call.function
        if name == RETURNED and 0 <= call.exit <= time:
            return Result(call.id), call.value
        if name in function.free or name in function.locals or name in function.params:
            value = self._variables.local(call.id, name, time)
            if value is not UNSET:
                return Variable(self._variables.owner(call.id, name), name), value
        found = self._global(call, name, time)
        if found is not None:
            return found
        if name == RESULT and 0 <= call.exit <= time:
            return Result(call.id), call.value
        raise UsageError(self._unknown(call, name, time))

    def _global(self, call: Call, name: str, time: int) -> tuple[Target, Value] | None:
        module = self._variables.module_of(call.id)
        if module is None:
            return None
        value = self._heap.value(module, Attr(name), time)
        return None if value is UNSET else (ObjectSlot(module, Attr(name)), value)

    def _unknown(self, call: Call, name: str, time: int) -> str:
        known = [*self._variables.locals(call.id, time)]
        if 0 <= call.exit <= time and call.value is not UNSET:
            known.append(RESULT)
        there = f"it has {_listed(known)}" if known else "it has none"
        title = f"{plain(call.function.qualname)} (call {call.id})"
        return f"{title} has no variable {name!r} at time {time}; {there}"

    def _place(
        self, call: Call, state: ObjectState, step: PathStep, time: int, done: Path
    ) -> Place:
        """Return the place that a step means for this object."""
        if isinstance(step, Member):
            raise UsageError("elements of sets have no place of their own")
        if not isinstance(step, Key):
            return step

        def named(name: str) -> Value:
            return self._root(call, name, time)[1]

        if state.layout in _KEYED:
            found = self._keys.find(state, step, named, time)
            if found is None:
                raise UsageError(f"{done} {self._no_key(state, step, time)} at time {time}")
            return found
        key = named(step.name) if step.name else step.value
        if isinstance(key, int) and step.parts is None and not step.text:
            return Item(key + state.length if key < 0 else int(key))
        raise UsageError(f"{plain(state.type.qualname)} has no key {step_text(step)[1:-1]}")

    def _no_key(self, state: ObjectState, step: Key, time: int) -> str:
        keys = [self._keys.text(key, time) for key, _ in state.entries]
        known = f"has {_listed(keys)}" if keys else "is empty"
        name = plain(state.type.qualname)
        return f"is a {name} without the key {step_text(step)[1:-1]}: it {known}"

    def _at(self, state: ObjectState, place: Place) -> Value:
        if isinstance(place, Attr):
            return state.attrs.get(_mangled(state, place.name), UNSET)
        if isinstance(place, Item):
            return state.items[place.index] if 0 <= place.index < len(state.items) else UNSET
        wanted = same_key(place.key)
        return next((v for k, v in state.entries if same_key(k) == wanted or k == wanted), UNSET)


def _mangled(state: ObjectState, name: str) -> str:
    """Return a private attribute under its mangled name, if the object has it."""
    if not name.startswith("__") or name.endswith("__") or name in state.attrs:
        return name
    spelled = (known for known in state.attrs if known[:1] == "_" and known.endswith(name))
    return next(spelled, name)


def _kind(value: Value) -> str:
    return "not an object" if value is not None else "None"


def _part(step: PathStep) -> str:
    if isinstance(step, Attr):
        return f"attribute {step.name!r}"
    return "element" if isinstance(step, Item | Key) else "entry"


def _instead(state: ObjectState, place: Place) -> str:
    """Describe what an object has instead of the missing place."""
    name = plain(state.type.qualname)
    if isinstance(place, Item):
        count = "no elements" if not state.length else f"{state.length} elements"
        return f"is a {name} with {count}: there is no index {place.index}"
    if isinstance(place, Attr):
        known = f"has {_listed(state.attrs)}" if state.attrs else "has none"
        return f"is a {name} without an attribute {place.name!r}: it {known}"
    return f"is a {name} without the key {key_text(place.key)}"


def _listed(names: Iterable[str]) -> str:
    every = [plain(name) for name in names]
    more = f" and {len(every) - _SHOWN} more" if len(every) > _SHOWN else ""
    return ", ".join(every[:_SHOWN]) + more
