"""Recorded values as live objects: what a call was given, made again for the reference.

Objects are made in two steps, so that aliases and cycles come out as they were: first every object
exists, then it is filled. Tuples and frozensets have to be complete at once; what they hold may still
be empty then. Dicts and sets are filled last, as their keys may have to be hashed.

A generator that was given stands for the values it went on to yield: it is replaced by one
that yields those. If it is asked for more than it was in the recorded run and had not ended, nobody
knows what it would have said. A coroutine stands for its result in the same way.
"""

from __future__ import annotations

import enum
import sys
from collections import OrderedDict, defaultdict, deque
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from types import CellType, FunctionType, MethodType
from typing import Any
from xml.etree.ElementTree import Element

from wrongcall.events import Layout
from wrongcall.oracles.reference.attributes import attributes, set_attribute
from wrongcall.oracles.reference.causes import Cause, UnanswerableError
from wrongcall.oracles.reference.frames import made_frame
from wrongcall.oracles.reference.known_values import BUILTIN, is_opaque, made_value, was_renamed
from wrongcall.oracles.reference.program import Program, function_of, member_of
from wrongcall.recording import (
    Call,
    Clipped,
    Missing,
    ObjectState,
    Outcome,
    Recording,
    Ref,
    TupleKey,
    Type,
    Value,
)
from wrongcall.replay.frames import frame_of

_BASES: dict[Layout, Any] = {
    Layout.LIST: list,
    Layout.DICT: dict,
    Layout.SET: set,
    Layout.DEQUE: deque,
    Layout.BYTEARRAY: bytearray,
    Layout.ELEMENT: Element,
}
_REFILLED = (*_BASES, Layout.INSTANCE)
_SEQUENCES = (Layout.LIST, Layout.DEQUE, Layout.BYTEARRAY, Layout.ARRAY, Layout.ELEMENT)
_HOLDERS = (Layout.DICT, Layout.SET, Layout.INSTANCE)
_SETS = (Layout.SET, Layout.FROZENSET)


@dataclass
class Replayed:
    """A generator or coroutine that repeats what a recorded one did."""

    call: int
    since: int
    """What it yielded up to this time had been asked for before."""
    live: Any = None
    given: int = 0
    """How many values were asked for and given."""
    ended: bool = False


@dataclass
class Rebuilt:
    """Live objects for recorded ones; both directions are known."""

    recording: Recording
    program: Program
    objects: dict[int, Any] = field(default_factory=dict)
    replayed: dict[int, Replayed] = field(default_factory=dict)
    cells: dict[tuple[int, str], CellType] = field(default_factory=dict)
    names: set[tuple[int, str]] = field(default_factory=set)
    """The names of modules and classes that were given another value: by the number of the object."""
    _early: list[Callable[[], None]] = field(default_factory=list)
    _late: list[Callable[[], None]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.anchored = frozenset(self.objects)
        self._oids = {id(live): oid for oid, live in self.objects.items()}

    def pair(self, oid: int, live: Any) -> bool:
        """Let a recorded object and a live one correspond; False: they cannot."""
        if oid not in self.objects and id(live) not in self._oids:
            self._add(oid, live)
        return self.objects.get(oid) is live

    def forget(self, oid: int) -> None:
        """Let an object correspond to none, for now."""
        self._oids.pop(id(self.objects.pop(oid)), None)

    def _add(self, oid: int, live: Any) -> None:
        self.objects[oid] = live
        self._oids[id(live)] = oid

    def value(self, value: Value, time: int) -> Any:
        """Return a live object that is what a recorded one was at a time."""
        with self._undone_if_it_fails():
            made = self._made(value, time)
            self._fill()
        return made

    def bring_up(self, earlier: int, later: int) -> None:
        """Change what live objects hold as the recorded ones were changed between two times."""
        for oid in list(self.objects):
            if oid in self.anchored and self.state(oid, earlier).layout not in _REFILLED:
                continue
            if self.recording.states.state(oid, earlier).layout not in (*_SEQUENCES, *_HOLDERS):
                continue
            old, new = self.state(oid, earlier), self.state(oid, later)
            if replace(old, time=0) != replace(new, time=0):
                self.bring_to(oid, later)

    def bring_to(self, oid: int, time: int) -> None:
        """Let a live object hold what the recorded one held at a time."""
        live, state = self.objects[oid], self.state(oid, time)
        if not state.explored:
            raise UnanswerableError(f"what object {oid} held is not known")
        with self._undone_if_it_fails():
            parts = list(self._parts_of(state, time))
            if isinstance(live, list | dict | set | deque | bytearray | Element):
                _BASES[state.layout].clear(live)
            for name in attributes(live).keys() - state.attrs.keys():
                if not name.startswith("__"):
                    object.__delattr__(live, name)
            del parts
            self._put_in(live, state, time)
            self._fill()

    def _parts_of(self, state: ObjectState, time: int) -> Iterator[Any]:
        """Make everything that an object holds, before anything is taken away from it."""
        values = [*state.attrs.values(), *state.items, *state.members]
        values += [part for entry in state.entries for part in entry]
        yield from (self._made(v, time) for v in values if not isinstance(v, Missing))

    def cell(self, owner: int, name: str, time: int) -> CellType:
        """Return the variable of a call that its inner functions share."""
        with self._undone_if_it_fails():
            made = self._cell(owner, name, time)
            self._fill()
        return made

    def state(self, oid: int, time: int) -> ObjectState:
        """Return what an object held at a time, as far as it is ever known."""
        return self.recording.states.state(oid, self.recording.states.heap.known_by(oid, time))

    def ended_itself(self, call: Call) -> bool:
        """Tell whether a call returned or raised, and was not merely abandoned."""
        if call.outcome != Outcome.RAISED or not isinstance(call.value, Ref):
            return call.outcome == Outcome.RETURNED
        return self.state(call.value.oid, call.exit).type.qualname != "GeneratorExit"

    def is_own(self, type: Type) -> bool:
        """Tell whether it is a class of the program."""
        return self.program.is_own(type.module)

    def class_of(self, kind: Type) -> Any:
        """Return a class of the reference, or of a library."""
        found = self.program.member(kind.module, kind.qualname)
        if not isinstance(found, type):
            raise UnanswerableError(f"{kind.qualname} is no class in the reference", Cause.MISSING)
        return found

    @contextmanager
    def _undone_if_it_fails(self) -> Iterator[None]:
        objects, cells = dict(self.objects), dict(self.cells)
        try:
            yield
        except BaseException:
            self.objects, self.cells = objects, cells
            self._oids = {id(live): oid for oid, live in objects.items()}
            self._early.clear()
            self._late.clear()
            raise

    def _fill(self) -> None:
        while self._early or self._late:
            waiting = self._early or self._late
            waiting.pop(0)()

    # -- every object exists -----------------------------------------------------------------------

    def _made(self, value: Value, time: int) -> Any:
        if isinstance(value, Clipped | TupleKey | Missing):
            raise UnanswerableError(f"only part of a value is known: {value}")
        if not isinstance(value, Ref):
            return value
        if value.oid not in self.objects:
            self._add(value.oid, self._new(self.state(value.oid, time), time))
        return self.objects[value.oid]

    def _new(self, state: ObjectState, time: int) -> Any:
        if not state.explored:
            raise UnanswerableError(f"what object {state.oid} held is not known")
        if state.layout in (Layout.TUPLE, Layout.FROZENSET):
            return self._whole(state, time)
        if state.layout in (Layout.CLASS, Layout.FUNCTION, Layout.METHOD, Layout.MODULE):
            return self._of_program(state, time)
        if state.layout == Layout.ACTIVATION:
            return self._activation(state, time)
        if state.layout in (Layout.SCALAR, Layout.RANGE, Layout.SLICE):
            kind = self.class_of(state.type)
            names = ("__value__",) if state.layout == Layout.SCALAR else ("start", "stop", "step")
            return kind(*(self._made(state.attrs[name], time) for name in names))
        return self._mutable(state, time)

    def _whole(self, state: ObjectState, time: int) -> Any:
        kind = self.class_of(state.type)
        held = state.items if state.layout == Layout.TUPLE else state.members
        if len(held) != state.length:
            raise UnanswerableError(f"only part of object {state.oid} is known")
        base: Any = tuple if state.layout == Layout.TUPLE else frozenset
        return base.__new__(kind, [self._made(value, time) for value in held])

    def _of_program(self, state: ObjectState, time: int) -> Any:
        if state.layout == Layout.METHOD:
            function, receiver = state.attrs["__func__"], state.attrs["__self__"]
            return MethodType(self._made(function, time), self._made(receiver, time))
        name = state.attrs.get("__qualname__")
        if state.layout == Layout.MODULE or not isinstance(name, str):
            raise UnanswerableError(f"object {state.oid} is a {state.type.qualname}")
        if state.layout == Layout.CLASS or ("<" not in name and not state.cells):
            found = self.program.anywhere(name)
            if isinstance(found, type if state.layout == Layout.CLASS else FunctionType):
                return found
            raise UnanswerableError(f"which {name} is meant is not known")
        if was_renamed(state):
            raise UnanswerableError(f"which function was renamed to {name} is not known")
        cells = {free: self._cell(owner, free, time) for free, owner in state.cells.items()}
        code, module = self.program.only_code(name)
        return function_of(code, module, cells)

    def _builtin(self, state: ObjectState, time: int) -> Any:
        """Return a function written in C, or a method of one of our objects."""
        name, owner = state.attrs.get("__name__"), state.attrs.get("__self__")
        module = state.attrs.get("__module__")
        if isinstance(name, str) and isinstance(owner, Ref):
            return getattr(self._made(owner, time), name)
        if not isinstance(name, str) or not isinstance(module, str) or module not in sys.modules:
            raise UnanswerableError("which builtin function it is is not known")
        return member_of(sys.modules[module], name)

    def _cell(self, owner: int, name: str, time: int) -> CellType:
        if (owner, name) not in self.cells:
            cell = self.cells[owner, name] = CellType()
            content = self.recording.states.local(owner, name, time)
            if not isinstance(content, Missing):

                def fill() -> None:
                    cell.cell_contents = self._made(content, time)

                self._early.append(fill)
        return self.cells[owner, name]

    def _listed(self, time: int) -> Callable[[int], list[Any]]:
        """Return what reads the items of a recorded list."""
        return lambda oid: [self._made(value, time) for value in self.state(oid, time).items]

    # -- then it is filled -------------------------------------------------------------------------

    def _mutable(self, state: ObjectState, time: int) -> Any:
        frame = frame_of(self.recording.states.heap, state.oid, time)
        if frame is not None:
            return made_frame(frame, lambda value: self._made(value, time))
        if state.type.qualname == BUILTIN:
            return self._builtin(state, time)
        if is_opaque(state):
            raise UnanswerableError(f"a {state.type.qualname} can't be rebuilt")
        kind = self.class_of(state.type)
        if state.layout == Layout.INSTANCE:
            if issubclass(kind, enum.Enum):
                return _member_of_enum(kind, state)
            known = made_value(
                state, kind, lambda value: self._made(value, time), self._listed(time)
            )
            if known is not None:
                return known
            made = _bare(kind)
        elif state.layout == Layout.EXCEPTION:
            made = kind.__new__(kind)
        elif state.layout == Layout.ARRAY:
            raise UnanswerableError("the type of an array's elements is not known")
        elif state.layout in (*_SEQUENCES, Layout.DICT, Layout.SET):
            made = (
                _BASES[state.layout].__new__(kind) if state.layout in _BASES else kind.__new__(kind)
            )
            if isinstance(made, defaultdict) and "default_factory" not in state.attrs:
                raise UnanswerableError("what a defaultdict adds is not known")
        else:
            raise UnanswerableError(f"a {state.type.qualname} can't be rebuilt")
        late = state.layout in (Layout.DICT, Layout.SET)
        (self._late if late else self._early).append(lambda: self._put_in(made, state, time))
        return made

    def _put_in(self, made: Any, state: ObjectState, time: int) -> None:
        if len(state.items) != state.length and state.layout in _SEQUENCES:
            raise UnanswerableError(f"only part of object {state.oid} is known")
        for name, value in state.attrs.items():
            if not isinstance(value, Missing) and not name.startswith("__"):
                set_attribute(made, name, self._made(value, time))
        items = [self._made(value, time) for value in state.items]
        if state.layout == Layout.LIST:
            list.extend(made, items)
        elif state.layout == Layout.DEQUE:
            deque.extend(made, items)
        elif state.layout == Layout.BYTEARRAY:
            bytearray.extend(made, items)
        elif state.layout == Layout.ELEMENT:
            Element.extend(made, items)
        entries = [(self._made(k, time), self._made(v, time)) for k, v in state.entries]
        members = [self._made(value, time) for value in state.members]
        while self._early:  # keys are hashed: what they hold must be there
            self._early.pop(0)()
        base = OrderedDict if isinstance(made, OrderedDict) else dict
        for key, value in entries:
            base.__setitem__(made, key, value)
        for member in members:
            set.add(made, member)

    # -- generators and coroutines -----------------------------------------------------------------

    def _activation(self, state: ObjectState, time: int) -> Any:
        call = self.recording.call(state.activation)
        kind = call.function.kind
        replayed = self.replayed[state.oid] = Replayed(call.id, time)
        if kind == "generator":
            replayed.live = self._generator(call, replayed)
        elif kind == "coroutine":
            replayed.live = self._coroutine(call, replayed)
        else:
            raise UnanswerableError(f"{kind}s are not repeated", Cause.KIND)
        return replayed.live

    def _generator(self, call: Call, replayed: Replayed) -> Generator[Any, None, Any]:
        for passed in call.yielded:
            if passed.time > replayed.since:
                replayed.given += 1
                yield self.value(passed.value, passed.time)
        if not self.ended_itself(call):
            raise UnanswerableError(f"what call {call.id} would have yielded next is not known")
        replayed.ended = True
        return self._result(call)

    async def _coroutine(self, call: Call, replayed: Replayed) -> Any:
        replayed.ended = True
        return self._result(call)

    def _result(self, call: Call) -> Any:
        if call.outcome == Outcome.RAISED:
            raise self.value(call.value, call.exit)
        return self.value(call.value, call.exit)


def _bare(kind: Any) -> Any:
    """Return an instance whose ``__init__`` has not run."""
    try:
        return object.__new__(kind)
    except TypeError as exc:
        raise UnanswerableError(f"a {kind.__qualname__} cannot be rebuilt") from exc


def _member_of_enum(kind: Any, state: ObjectState) -> Any:
    """Return a member of an enum, or a combination of flags."""
    name, value = state.attrs.get("_name_"), state.attrs.get("_value_")
    if isinstance(name, str) and name in kind.__members__:
        return kind[name]
    if isinstance(value, int | str) and issubclass(kind, enum.Flag):
        return kind(value)
    raise UnanswerableError(f"the reference has no {kind.__qualname__}.{name!s}", Cause.MISSING)
