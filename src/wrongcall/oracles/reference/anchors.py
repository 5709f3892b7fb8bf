"""Pairs what modules hold in the recorded run with what they hold in the reference.

A module's body has run in the reference, too. What it made there stands for what it made in the recorded run: the same
functions, classes, sentinels, tables and registries. They are *anchors*: rebuilt objects refer to them, so that
identity means the same as in the recorded run. A pair is made at the end of the module's body.

An anchor is *settled* if both hold the same and the recorded one was never written to afterwards. All others are given
the state they had when a call began, and so are names of modules and classes.
"""

from __future__ import annotations

import enum
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from types import ModuleType
from typing import Any
from xml.etree.ElementTree import Element

from wrongcall.events import Layout, TypeOrigin
from wrongcall.oracles.reference.attributes import attributes, function_names
from wrongcall.oracles.reference.causes import UnanswerableError
from wrongcall.oracles.reference.program import Program
from wrongcall.recording import Missing, ObjectState, Recording, Ref, Value
from wrongcall.replay.literals import is_partly_known

MAX_ANCHORS = 100_000
NAMESPACES = (Layout.MODULE, Layout.CLASS)
CODE = (*NAMESPACES, Layout.FUNCTION, Layout.METHOD)
_HOLDERS = (
    *(Layout.LIST, Layout.DICT, Layout.SET, Layout.DEQUE, Layout.BYTEARRAY),
    *(Layout.INSTANCE, Layout.ELEMENT),
)
_ABSENT = object()
_STATELESS = frozenset(
    {"re", "operator", "_struct", "functools", "_abc", "_thread", "logging", "typing", "builtins"}
)
"""Modules whose objects make no difference to what a call does, or keep nothing that changes."""


@dataclass
class Anchor:
    """A recorded object and the live one that stands for it."""

    oid: int
    live: Any
    layout: Layout
    time: int
    """When they were paired."""
    settled: bool = True
    stateful: bool = False
    """It may hold something else than the recorded one did, which can't be known."""
    before: Any = field(default=None, repr=False)
    """What the live one held, if it is settled."""


class Anchors:
    """All anchors of a program."""

    def __init__(self, recording: Recording, program: Program) -> None:
        self._recording = recording
        self._program = program
        self._ids: set[int] = set()
        self.all: dict[int, Anchor] = {}

    def add_modules(self) -> None:
        """Pair what all loaded modules hold."""
        for name, live in list(self._program.modules.items()):
            oid = self._recording.states.variables.module(name)
            if oid is not None and oid not in self.all:
                self._pair_all(oid, live, self._loaded(name))
        for anchor in self.all.values():
            if anchor.settled and anchor.layout in _HOLDERS:
                anchor.before = held_by(anchor.live)

    def objects(self) -> dict[int, Any]:
        """Return the live objects by the numbers of the recorded ones."""
        return {anchor.oid: anchor.live for anchor in self.all.values()}

    def namespaces(self) -> Iterator[Anchor]:
        """Iterate over the program's own modules and classes."""
        return (a for a in self.all.values() if a.layout in NAMESPACES and self._is_own(a.live))

    def unsettled(self, time: int) -> list[Anchor]:
        """Return the objects that may hold something else at a time than the live ones do."""
        return [
            anchor
            for anchor in self.all.values()
            if anchor.layout in _HOLDERS and (not anchor.settled or time < anchor.time)
        ]

    def opaque(self) -> set[int]:
        """Return the objects of libraries, which are not looked into."""
        return {anchor.oid for anchor in self.all.values() if anchor.layout == Layout.OPAQUE}

    def changed(self) -> Iterator[Anchor]:
        """Iterate over settled objects that hold something else than they did."""
        for anchor in self.all.values():
            if anchor.before is not None and not _same_held(anchor.before, held_by(anchor.live)):
                yield anchor

    # -- pairing -----------------------------------------------------------------------------------

    def _loaded(self, module: str) -> int:
        """Return the time at which a module's body had run."""
        files = {f.id for f in self._recording.program.files.values() if f.module == module}
        bodies = [
            function.id
            for function in self._recording.program.functions.values()
            if function.kind == "module" and function.file in files
        ]
        calls = [self._recording.call(int(n)) for n in self._recording.calls.of_functions(bodies)]
        ends = [call.exit for call in calls if call.exit >= 0]
        return ends[0] if ends else self._recording.event_count - 1

    def _pair_all(self, oid: int, live: Any, time: int) -> None:
        waiting: deque[tuple[int, Any]] = deque([(oid, live)])
        while waiting and len(self.all) < MAX_ANCHORS:
            number, found = waiting.popleft()
            if number in self.all or id(found) in self._ids:
                continue
            heap = self._recording.states.heap
            state = self._recording.states.state(number, heap.known_by(number, time))
            if not self._alike(state, found):
                continue
            self._ids.add(id(found))
            layout = state.layout
            if layout == Layout.INSTANCE and state.type.origin != TypeOrigin.PROGRAM:
                layout = Layout.OPAQUE  # a library's: neither compared nor changed
            anchor = self.all[number] = Anchor(number, found, layout, time)
            pairs = [] if layout == Layout.OPAQUE else list(self._parts(anchor, state, found))
            anchor.settled &= heap.last_written(number) <= time
            anchor.stateful = layout == Layout.OPAQUE and self._is_stateful(anchor, state)
            waiting.extend(pairs)

    def _is_stateful(self, anchor: Anchor, state: ObjectState) -> bool:
        if state.type.module.partition(".")[0] in _STATELESS:
            return False
        native = state.type.origin in (TypeOrigin.NATIVE, TypeOrigin.UNKNOWN)
        return native or is_partly_known(state) or not anchor.settled

    def _alike(self, state: ObjectState, live: Any) -> bool:
        if state.layout == Layout.MODULE:
            return isinstance(live, ModuleType)
        if state.layout in (Layout.CLASS, Layout.FUNCTION):
            return state.attrs.get("__qualname__") in function_names(live)
        name = (self._program.live_name(state.type.module), state.type.qualname)
        return (type(live).__module__, type(live).__qualname__) == name

    def _parts(self, anchor: Anchor, state: ObjectState, live: Any) -> Iterator[tuple[int, Any]]:
        """Iterate over pairs of objects that both hold; note if the two hold something else."""
        for value, found in self._held(anchor, state, live):
            if isinstance(value, Ref):
                yield value.oid, found
            elif not _same_atom(value, found):
                anchor.settled = False

    def _held(self, anchor: Anchor, state: ObjectState, live: Any) -> Iterator[tuple[Value, Any]]:
        if state.layout in NAMESPACES:
            if self._is_own(live):
                space = vars(live)
                named = (n for n in state.attrs if not n.startswith("__") and n in space)
                yield from ((state.attrs[name], space[name]) for name in named)
            return
        if state.layout in CODE or not state.explored:
            return
        own = {n: v for n, v in state.attrs.items() if not n.startswith("__")}
        found = attributes(live)
        anchor.settled &= own.keys() == found.keys()
        yield from ((value, found[name]) for name, value in own.items() if name in found)
        yield from self._elements(anchor, state, live)

    def _elements(
        self, anchor: Anchor, state: ObjectState, live: Any
    ) -> Iterator[tuple[Value, Any]]:
        if state.layout in (
            *(Layout.LIST, Layout.TUPLE, Layout.DEQUE, Layout.BYTEARRAY),
            Layout.ELEMENT,
        ):
            live = list(live)
            anchor.settled &= len(live) == len(state.items) == state.length
            yield from zip(state.items, live, strict=False)
        elif state.layout == Layout.DICT:
            pairs = list(dict.items(live))
            anchor.settled &= len(pairs) == len(state.entries)
            for (key, value), (live_key, live_value) in zip(state.entries, pairs, strict=False):
                yield key, live_key
                yield value, live_value
        elif state.layout in (Layout.SET, Layout.FROZENSET):
            atoms = {(type(v), v) for v in state.members if not isinstance(v, Ref)}
            same = len(atoms) == len(state.members) and atoms == {(type(v), v) for v in live}
            anchor.settled &= same

    def _is_own(self, live: Any) -> bool:
        if isinstance(live, ModuleType):
            return live in self._program.modules.values()
        names = {self._program.live_name(name) for name in self._program.files}
        return isinstance(live, type) and live.__module__ in names

    # -- restoring names ---------------------------------------------------------------------------

    def other_names(self, anchor: Anchor, time: int, built: dict[int, Any]) -> dict[str, Value]:
        """Return the data of a module or class that is not what the live one has, at a time."""
        if isinstance(anchor.live, enum.EnumType):
            return {}  # can't change
        new = self._recording.states.state(anchor.oid, time).attrs
        unchanged = anchor.settled and time >= anchor.time
        old = new if unchanged else self._recording.states.state(anchor.oid, anchor.time).attrs
        space = vars(anchor.live)
        found: dict[str, Value] = {}
        for name, value in new.items():
            if name.startswith("__") or name not in space or isinstance(value, Missing):
                continue
            if not isinstance(value, Ref):
                if not _same_atom(value, space[name]):
                    found[name] = value
            elif built.get(value.oid, _ABSENT) is not space[name]:
                layout = self._recording.states.heap.layout(value.oid, time)
                if layout not in CODE or value != old.get(name):
                    found[name] = value
        return found


def has_changed(recording: Recording, oid: int, earlier: int, later: int) -> bool:
    """Return whether an object held something else at one time than at another."""
    heap = recording.states.heap
    if heap.contents(oid, earlier) is heap.contents(oid, later):
        return False
    old, new = (recording.states.state(oid, heap.known_by(oid, t)) for t in (earlier, later))
    return replace(old, time=0) != replace(new, time=0)


def held_by(live: Any) -> Any:
    """Return what an object holds itself, to see later whether it still does."""
    own = dict(getattr(live, "__dict__", {}))
    if isinstance(live, Element):
        own = attributes(live)
    if isinstance(live, dict):
        return own, list(dict.items(live))
    return own, list(live) if isinstance(live, list | set | deque | bytearray | Element) else []


def _same_held(one: Any, other: Any) -> bool:
    (own, elements), (own_now, elements_now) = one, other
    return (
        own.keys() == own_now.keys()
        and all(value is own_now[name] for name, value in own.items())
        and len(elements) == len(elements_now)
        and all(map(_is_same, elements, elements_now))
    )


def _is_same(one: Any, other: Any) -> bool:
    if type(one) is tuple and type(other) is tuple:
        return len(one) == len(other) and all(a is b for a, b in zip(one, other, strict=True))
    return one is other


def _same_atom(value: Value, live: Any) -> bool:
    return type(value) is type(live) and (value == live or repr(value) == repr(live))


def restore(program_anchors: Anchors, time: int, rebuilt: Any) -> dict[tuple[int, str], str]:
    """Give anchors and names the state they had at a time; return the names that could not get theirs, and why."""
    failed: dict[tuple[int, str], str] = {}
    for anchor in program_anchors.unsettled(time):
        try:
            rebuilt.bring_to(anchor.oid, time)
        except UnanswerableError as why:
            failed[anchor.oid, ""] = str(why)
    for anchor in list(program_anchors.namespaces()):
        for name, value in program_anchors.other_names(anchor, time, rebuilt.objects).items():
            try:
                made = rebuilt.value(value, time)
            except UnanswerableError as why:
                failed[anchor.oid, name] = str(why)
            else:
                setattr(anchor.live, name, made)
                rebuilt.names.add((anchor.oid, name))
    return failed
