"""Recorded values as live objects: what a call was given, made again for the corrected program.

Objects are made in two steps, so that aliases and cycles come out as they were: first every object
exists, then it is filled. Tuples and frozensets have to be complete at once; what they hold may still
be empty then. Dicts and sets are filled last, as their keys may have to be hashed.

A generator that was given stands for the values it went on to yield: it is replaced by one
that yields those. If it is asked for more than it was in the recorded run and had not ended, nobody
knows what it would have said. A coroutine stands for its result in the same way.
"""

from __future__ import annotations

import enum
from collections import OrderedDict, defaultdict, deque
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from types import CellType, MethodType, ModuleType
from typing import Any

from tests.oracle.corrected import (
    Corrected,
    UnanswerableError,
    function_of,
    library_type,
    member_of,
)
from tests.oracle.frames import made_frame
from wrongcall.events import Layout
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

_SEQUENCES = (Layout.LIST, Layout.DEQUE, Layout.BYTEARRAY, Layout.ARRAY)
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
    program: Corrected
    module: ModuleType
    objects: dict[int, Any] = field(default_factory=dict)
    replayed: dict[int, Replayed] = field(default_factory=dict)
    cells: dict[tuple[int, str], CellType] = field(default_factory=dict)
    _early: list[Callable[[], None]] = field(default_factory=list)
    _late: list[Callable[[], None]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._modules = {file.module for file in self.recording.program.files.values()}
        self._oids: dict[int, int] = {}

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
        for oid, live in list(self.objects.items()):
            if self.recording.states.state(oid, earlier).layout not in (*_SEQUENCES, *_HOLDERS):
                continue
            old, new = self.state(oid, earlier), self.state(oid, later)
            if replace(old, time=0) == replace(new, time=0):
                continue
            if isinstance(live, list | dict | set | deque | bytearray):
                live.clear()
            for name in old.attrs.keys() - new.attrs.keys():
                delattr(live, name)
            with self._undone_if_it_fails():
                self._put_in(live, new, later)
                self._fill()

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
        return type.module in self._modules

    def class_of(self, type: Type) -> Any:
        """Return a class of the corrected program, or of a library."""
        if self.is_own(type):
            return member_of(self.module, type.qualname)
        return library_type(type.module, type.qualname)

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
            return member_of(self.module, name)
        cells = {free: self._cell(owner, free, time) for free, owner in state.cells.items()}
        return function_of(self.program.only_code(name), self.module, cells)

    def _cell(self, owner: int, name: str, time: int) -> CellType:
        if (owner, name) not in self.cells:
            cell = self.cells[owner, name] = CellType()
            content = self.recording.states.local(owner, name, time)
            if not isinstance(content, Missing):

                def fill() -> None:
                    cell.cell_contents = self._made(content, time)

                self._early.append(fill)
        return self.cells[owner, name]

    # -- then it is filled -------------------------------------------------------------------------

    def _mutable(self, state: ObjectState, time: int) -> Any:
        frame = frame_of(self.recording.states.heap, state.oid, time)
        if frame is not None:
            return made_frame(frame, lambda value: self._made(value, time))
        kind = self.class_of(state.type)
        if state.layout == Layout.INSTANCE:
            if issubclass(kind, enum.Enum):
                return kind[str(state.attrs["_name_"])]
            made = _bare(kind)
        elif state.layout == Layout.EXCEPTION:
            made = kind.__new__(kind)
        elif state.layout == Layout.ARRAY:
            raise UnanswerableError("the type of an array's elements is not known")
        elif state.layout in (*_SEQUENCES, Layout.DICT, Layout.SET):
            made = kind.__new__(kind)
            if isinstance(made, defaultdict):
                raise UnanswerableError("what a defaultdict adds is not known")
        else:
            raise UnanswerableError(f"object {state.oid} is a {state.type.qualname}")
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
            raise UnanswerableError(f"{kind}s are not repeated")
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


def set_attribute(made: Any, name: str, value: Any) -> None:
    """Set an attribute without any code of its class."""
    if isinstance(made, BaseException) and name == "args":
        made.args = value
    elif hasattr(made, "__dict__") and not _is_slot(made, name):
        made.__dict__[name] = value
    else:
        object.__setattr__(made, name, value)


def attributes(made: Any) -> dict[str, Any]:
    """Return the attributes that an object has itself."""
    found = dict(getattr(made, "__dict__", {}))
    for kind in type(made).__mro__:
        for name, slot in vars(kind).items():
            if type(slot).__name__ == "member_descriptor" and kind.__module__ != "builtins":
                try:
                    found[name] = slot.__get__(made)
                except AttributeError:
                    continue  # not bound
    return found


def _is_slot(made: Any, name: str) -> bool:
    return any(
        type(vars(kind).get(name)).__name__ == "member_descriptor" for kind in type(made).__mro__
    )
