"""Compares recorded objects with live ones: are they the same by structure and by sharing?

Objects correspond one to one: those that the live ones were rebuilt from from the beginning, new ones
when they are first met. So a copy in the place of the object itself is a difference. Tuples and
frozensets may be shared or not, as nobody can tell. An object of which not all is known can't be compared, unless
it is one that was there before.

Generators are compared by what they yield from now on: the live one is asked as often as the
recorded one was. So a generator that is part of a result is right if its whole life was.
"""

from __future__ import annotations

import asyncio
import itertools
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from types import CellType, CoroutineType, FunctionType, GeneratorType, MethodType
from typing import Any
from xml.etree.ElementTree import Element

from wrongcall.events import Kind, Layout
from wrongcall.oracles.reference.attributes import (
    attrib_of,
    attributes,
    builtin_members,
    function_names,
)
from wrongcall.oracles.reference.causes import Cause, UnanswerableError
from wrongcall.oracles.reference.frames import frame_parts
from wrongcall.oracles.reference.known_values import is_opaque, known_parts, was_renamed
from wrongcall.oracles.reference.rebuild import Rebuilt
from wrongcall.oracles.reference.suspensions import Suspensions
from wrongcall.recording import Call, Clipped, Missing, ObjectState, Outcome, Ref, TupleKey, Value
from wrongcall.replay.frames import Frame, frame_of
from wrongcall.replay.heap import BOOKKEEPING
from wrongcall.replay.series import Written

_SHARED_FREELY = frozenset(
    {
        Layout.OPAQUE,
        Layout.TUPLE,
        Layout.FROZENSET,
        Layout.CLASS,
        Layout.FUNCTION,
        Layout.METHOD,
        Layout.MODULE,
        Layout.SCALAR,
        Layout.RANGE,
        Layout.SLICE,
    }
)
_CONTAINERS = frozenset(Layout) - _SHARED_FREELY | {Layout.TUPLE, Layout.FROZENSET}
_SCALARS = (int, float, complex, str, bytes)
_MAX_SHOWN = 80
_LIBRARY = frozenset({"__cause__", "__context__", "__traceback__", "__notes__"})


class Difference(Exception):
    """A place at which the live objects are not what was recorded."""

    oid = 0
    """The recorded object that holds something else."""


class Comparison:
    """Compares values, each pair of objects once at a time."""

    def __init__(self, rebuilt: Rebuilt) -> None:
        self.rebuilt = rebuilt
        self.ignored: set[int] = set()
        """Objects that are not looked into."""

    def same(self, recorded: Value, live: Any, time: int, where: str = "value") -> None:
        """Raise `Difference` unless the live value is what the recorded one was at a time."""
        seen: set[tuple[int, int]] = set()
        waiting = deque([(where, recorded, live, 0)])
        while waiting:
            place, value, found, holder = waiting.popleft()
            try:
                if not isinstance(value, Ref):
                    _same_atom(place, value, found)
                elif (value.oid, id(found)) not in seen:
                    seen.add((value.oid, id(found)))
                    state = self.rebuilt.state(value.oid, time)
                    self._check_known(place, state, found)
                    self._pair(place, state, found)
                    if value.oid in self.ignored:
                        continue
                    holder = value.oid
                    held = self._held(place, state, found, time)
                    waiting.extend((*each, value.oid) for each in held)
            except Difference as difference:
                difference.oid = difference.oid or holder
                raise

    def _check_known(self, place: str, state: ObjectState, live: Any) -> None:
        """Refuse to compare what is not fully known, unless it is the very object that stands for it."""
        if self.rebuilt.objects.get(state.oid, self) is live:
            return
        if is_opaque(state) or (state.layout in _CONTAINERS and not state.explored):
            text = f"not all of {place}, a {state.type.qualname}, is known"
            raise UnanswerableError(text, Cause.OUTCOME)

    def _pair(self, place: str, state: ObjectState, live: Any) -> None:
        """See to it that an object corresponds to one other."""
        if state.layout not in _SHARED_FREELY and not self.rebuilt.pair(state.oid, live):
            raise Difference(f"{place} is another {type(live).__name__}, not this one")

    def _held(
        self, place: str, state: ObjectState, live: Any, time: int
    ) -> Iterator[tuple[str, Value, Any]]:
        """Compare objects themselves, and go through what they hold."""
        if state.layout in (Layout.CLASS, Layout.FUNCTION):
            yield from self._held_by_function(place, state, live, time)
            return
        frame = frame_of(self.rebuilt.recording.states.heap, state.oid, time)
        if frame is not None:
            yield from _frames(place, frame, live)
            return
        self._same_type(place, state, live)
        if state.layout == Layout.ACTIVATION:
            self._same_life(place, state, live, time)
        elif state.layout == Layout.METHOD and isinstance(live, MethodType):
            yield f"{place}.__func__", state.attrs["__func__"], live.__func__
            yield f"{place}.__self__", state.attrs["__self__"], live.__self__
        elif state.layout == Layout.SCALAR:
            base = next(kind for kind in _SCALARS if isinstance(live, kind))
            yield f"{place}.__value__", state.attrs["__value__"], base(live)
        elif state.layout == Layout.MODULE:
            yield f"{place}.__name__", state.attrs.get("__name__"), live.__name__
        elif state.layout in (Layout.RANGE, Layout.SLICE):
            for name in ("start", "stop", "step"):
                yield f"{place}.{name}", state.attrs[name], getattr(live, name)
        elif state.layout in _CONTAINERS:
            known = known_parts(
                place, state, live, lambda oid: list(self.rebuilt.state(oid, time).items)
            )
            yield from _contents(place, state, live) if known is None else known

    def _same_type(self, place: str, state: ObjectState, live: Any) -> None:
        name = (self.rebuilt.program.live_name(state.type.module), state.type.qualname)
        if (type(live).__module__, type(live).__qualname__) != name:
            raise Difference(f"{place} is a {type(live).__qualname__}, not a {state.type.qualname}")

    def _held_by_function(
        self, place: str, state: ObjectState, live: Any, time: int
    ) -> Iterator[tuple[str, Value, Any]]:
        recorded_name = str(state.attrs.get("__qualname__"))
        if recorded_name not in function_names(live):
            variables = getattr(getattr(live, "__code__", None), "co_freevars", ())
            if was_renamed(state) and state.cells.keys() == set(variables):
                text = f"{place} was renamed to {recorded_name}: which function it is is not known"
                raise UnanswerableError(text)
            name = getattr(live, "__qualname__", None)
            raise Difference(f"{place} is {name}, not {recorded_name!r}")
        if isinstance(live, FunctionType):
            cells = dict(zip(live.__code__.co_freevars, live.__closure__ or (), strict=True))
            for free, owner in state.cells.items():
                if free not in cells:
                    raise Difference(f"{place} is another function {recorded_name}")
                recorded = self.rebuilt.recording.states.local(owner, free, time)
                if not isinstance(recorded, Missing):
                    yield f"{place}.{free}", recorded, contents(cells[free])

    # -- generators and coroutines -----------------------------------------------------------------

    def _same_life(self, place: str, state: ObjectState, live: Any, time: int) -> None:
        if state.oid in self.rebuilt.replayed:
            self._same_progress(place, state.oid, time)
            return
        call = self.rebuilt.recording.call(state.activation)
        if isinstance(live, GeneratorType):
            self.drive(place, call, live, time)
        elif isinstance(live, CoroutineType):
            if call.outcome == Outcome.RETURNED:
                self.same(call.value, asyncio.run(live), call.exit, f"{place} awaited")
        else:
            text = f"{place} is a {type(live).__name__}"
            raise UnanswerableError(text, Cause.KIND)

    def _same_progress(self, place: str, oid: int, time: int) -> None:
        """A generator that was given must have been asked as often as it was."""
        replayed = self.rebuilt.replayed[oid]
        call = self.rebuilt.recording.call(replayed.call)
        asked = sum(replayed.since < passed.time <= time for passed in call.yielded)
        ended = self.rebuilt.ended_itself(call) and call.exit <= time
        if (asked, ended) != (replayed.given, replayed.ended):
            raise Difference(f"{place} was asked {replayed.given} times, not {asked}")

    def drive(self, place: str, call: Call, live: Any, time: int) -> None:
        """Ask a live generator as the recorded one was asked after a time, and compare."""
        if self._was_thrown_into(call):
            raise UnanswerableError("an exception was thrown into it", Cause.KIND)
        try:
            self._talk(place, call, live, time)
        except Difference as found:
            suspensions = Suspensions(self.rebuilt.recording, call)
            if suspensions.met_writes(time, self.rebuilt.objects):
                # Nobody writes it when the generator is repeated by itself.
                text = "something was written while it was suspended"
                raise UnanswerableError(text, Cause.KIND) from found
            raise

    def _talk(self, place: str, call: Call, live: Any, time: int) -> None:
        sent: Any = None
        for step in self._dialogue(call, time):
            if step[0] == Kind.RESUME:
                sent = self.rebuilt.value(step[2], step[1])
                continue
            try:
                got = live.send(sent)
            except StopIteration:
                raise Difference(f"{place} ends instead of yielding") from None
            self.same(step[2], got, step[1], f"{place} yielded")
        self._same_end(place, call, live, sent)

    def _dialogue(self, call: Call, time: int) -> Iterator[tuple[int, int, Value]]:
        recording = self.rebuilt.recording
        found = recording.events.select({Kind.YIELD, Kind.RESUME}, call=call.id, first=time + 1)
        columns = [found.events[name].tolist() for name in ("kind", "vtag", "value")]
        for at, kind, tag, bits in zip(found.times.tolist(), *columns, strict=True):
            yield kind, at, recording.states.values.read(tag, bits)

    def _was_thrown_into(self, call: Call) -> bool:
        """Return whether a generator was left by yielding, and went on without being resumed."""
        kinds = {Kind.YIELD, Kind.RESUME, Kind.CAUGHT}
        found = self.rebuilt.recording.events.select(kinds, call=call.id).events["kind"].tolist()
        end = Kind.RETURN if self.rebuilt.ended_itself(call) else Kind.RESUME
        turns = itertools.pairwise([*found, end])
        return any(one == Kind.YIELD and then in (Kind.CAUGHT, Kind.RETURN) for one, then in turns)

    def _same_end(self, place: str, call: Call, live: Any, sent: Any) -> None:
        if not self.rebuilt.ended_itself(call):
            live.close()  # nobody asked for more
            return
        try:
            live.send(sent)
        except StopIteration as stop:
            if call.outcome != Outcome.RETURNED:
                raise Difference(f"{place} returns instead of raising") from None
            self.same(call.value, stop.value, call.exit, f"{place} returned")
        except Exception as raised:  # noqa: BLE001 - whatever the program raises is compared
            if call.outcome != Outcome.RAISED:
                raise Difference(f"{place} raises {shown(raised)}") from None
            self.same(call.value, raised, call.exit, f"{place} raised")
        else:
            raise Difference(f"{place} yields more")


def contents(cell: CellType) -> Any:
    """Return what a variable of an enclosing function holds."""
    try:
        return cell.cell_contents
    except ValueError:
        return Missing.UNSET


def shown(live: Any) -> str:
    """Return a short text for a live value; its own ``repr`` may fail."""
    try:
        text = repr(live)
    except Exception:  # noqa: BLE001 - whatever the program raises
        text = f"a {type(live).__qualname__}"
    return text if len(text) <= _MAX_SHOWN else f"{text[: _MAX_SHOWN - 1]}…"


def _listed(names: Iterable[str]) -> str:
    return ", ".join(sorted(names)) or "no attributes"


def _same_atom(place: str, recorded: Value, live: Any) -> None:
    if isinstance(recorded, Clipped):
        if isinstance(live, str | bytes) and live[: len(recorded.beginning)] == recorded.beginning:
            text = f"only the beginning of {place} is known"
            raise UnanswerableError(text, Cause.OUTCOME)
    elif recorded is Missing.UNKNOWN or isinstance(recorded, TupleKey):
        raise UnanswerableError(f"{place} is not known", Cause.OUTCOME)
    elif type(live) is type(recorded) and (live == recorded or repr(live) == repr(recorded)):
        return
    raise Difference(f"{place} is {shown(live)}, not {shown(recorded)}")


def _contents(place: str, state: ObjectState, live: Any) -> Iterator[tuple[str, Value, Any]]:
    """Go through the pairs of what two objects hold."""
    if state.layout in (Layout.LIST, Layout.TUPLE, Layout.DEQUE, Layout.BYTEARRAY, Layout.ARRAY):
        yield from _paired(place, state.items, list(live), state.length)
    elif state.layout == Layout.ELEMENT:
        children = [Element.__getitem__(live, at) for at in range(Element.__len__(live))]
        yield from _paired(place, state.items, children, state.length)
    elif state.layout == Layout.DICT:
        yield from _paired(f"{place} keys", [key for key, _ in state.entries], list(live))
        entries = zip(state.entries, list(dict.values(live)), strict=True)
        yield from ((f"{place}[{key!r}]", value, found) for (key, value), found in entries)
    elif state.layout in (Layout.SET, Layout.FROZENSET):
        yield from _members(place, state.members, live)
    elif state.layout == Layout.EXCEPTION:
        yield f"{place}.args", state.attrs["args"], live.args
    yield from _attributes(place, state, live)


def _frames(place: str, frame: Frame, live: Any) -> Iterator[tuple[str, Value, Any]]:
    parts = frame_parts(frame, live)
    if parts is None:
        raise Difference(f"{place} is another table")
    for where, recorded, found in parts:
        if isinstance(recorded, Written | tuple):
            raise UnanswerableError(f"{place}{where} is not compared", Cause.OUTCOME)
        yield f"{place}{where}", recorded, found


def _paired(
    place: str, recorded: Sequence[Value], live: list[Any], length: int | None = None
) -> Iterator[tuple[str, Value, Any]]:
    expected = len(recorded) if length is None else length
    if len(live) != expected:
        raise Difference(f"{place} has {len(live)} elements, not {expected}")
    for i, (value, found) in enumerate(zip(recorded, live, strict=False)):
        yield f"{place}[{i}]", value, found


def _members(place: str, recorded: Sequence[Value], live: Any) -> Iterator[tuple[str, Value, Any]]:
    """Sets of atoms have no order; in one with objects, they are taken in that of the set."""
    if len(recorded) != len(live):
        raise Difference(f"{place} has {len(live)} elements, not {len(recorded)}")
    if any(isinstance(value, Ref) for value in recorded):
        yield from _paired(place, recorded, list(live))
    elif {(type(value), value) for value in recorded} != {(type(v), v) for v in live}:
        raise Difference(f"{place} has other elements")


def _attributes(place: str, state: ObjectState, live: Any) -> Iterator[tuple[str, Value, Any]]:
    recorded = {
        name: value
        for name, value in state.attrs.items()
        if value is not Missing.UNSET and name not in _LIBRARY | BOOKKEEPING and name != "args"
    }
    found = attributes(live)
    if isinstance(live, BaseException):
        members = builtin_members(live).items()
        found = {**{name: value for name, value in members if name in recorded}, **found}
    if state.layout == Layout.ELEMENT:
        if "attrib" in found and "attrib" not in recorded:
            raise Difference(f"{place} has XML attributes")
        found["attrib"] = attrib_of(live)
    if state.layout not in (Layout.INSTANCE, Layout.EXCEPTION):
        found = {name: value for name, value in found.items() if name in recorded}
    if recorded.keys() != found.keys():
        raise Difference(f"{place} has {_listed(found)}, not {_listed(recorded)}")
    yield from ((f"{place}.{name}", value, found[name]) for name, value in recorded.items())
