"""Attributes of classes that are part of a call's input: those that vary over the run.

A call may read them in many ways (``cls.count``, ``self.count``, ``Counter.count``, ``type(self).count``), and which
class such an expression led to is not recorded. So every class attribute counts that varies and whose name a function
that ran reads as an attribute. That may be too many, which is safe: calls with other inputs are not taken for equal.

An attribute *varies* if it was bound more than once, or if its value, or an object that this leads to, was changed
later. All others are part of the program, as functions are.

Only classes that a module holds, and classes in these, are looked at: not those that functions make. Whether an
attribute varies is found out when a function reads its name: most are read by none that ran.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from wrongcall.events import SEEN, Kind, Layout, Tag
from wrongcall.languages.python.private_names import is_named
from wrongcall.replay.heap import Heap
from wrongcall.replay.reaching import references
from wrongcall.replay.variables import Variables
from wrongcall.trace.format.event_records import Events, kind_table
from wrongcall.trace.format.owner_index import OBJECT
from wrongcall.trace.read.places import Attr
from wrongcall.trace.read.store import Store
from wrongcall.trace.read.values import UNSET, Ref, Value

_PROGRAM = frozenset({Layout.FUNCTION, Layout.CLASS, Layout.MODULE, Layout.METHOD})
_WRITES = kind_table(kind for kind in Kind if Kind.ATTR <= kind <= Kind.FILL)
_ATTRIBUTES = kind_table({Kind.ATTR, Kind.ATTR | SEEN, Kind.ATTR_DEL})
MOST_OBJECTS = 500
"""A value that leads to more objects is taken for one that varies."""
_DEEPEST = 4
"""Classes in classes."""


class ClassAttribute(NamedTuple):
    """An attribute of a class, and its value."""

    module: str
    of: str
    """The qualified name of the class."""
    name: str
    value: Value
    oid: int
    """The class."""


class _Class(NamedTuple):
    module: str
    oid: int
    names: tuple[str, ...]
    """Of all attributes that it ever had, in order."""


@dataclass
class _Known:
    """What is known about the classes in a snapshot."""

    event_count: int = -1
    classes: dict[int, list[_Class]] = field(default_factory=dict)
    """The classes in each process."""
    varies: dict[tuple[int, str], bool] = field(default_factory=dict)
    """Whether an attribute of a class varies."""


class ClassAttributes:
    """Finds the attributes of classes that calls may have read."""

    def __init__(self, store: Store, heap: Heap, variables: Variables) -> None:
        self._store = store
        self._heap = heap
        self._variables = variables
        self._known = _Known()

    def read(self, names: Collection[str], time: int, process: int) -> Iterator[ClassAttribute]:
        """Iterate over the attributes with one of these names that vary, with their values at a time."""
        if self._known.event_count != self._store.segments.event_count:
            self._known = _Known(self._store.segments.event_count)
        meant: dict[str, bool] = {}
        for module, oid, its in self._classes(process):
            for name in its:
                if name not in meant:
                    meant[name] = is_named(name, names)
                if meant[name] and self._has_varying(oid, name):
                    of = self._heap.value(oid, Attr("__qualname__"), None)
                    value = self._heap.value(oid, Attr(name), time)
                    if value is UNSET or self._is_program(value, time):
                        continue
                    if isinstance(of, str):
                        yield ClassAttribute(module, of, name, value, oid)

    def _classes(self, process: int) -> list[_Class]:
        """Return the classes that modules and classes hold."""
        known = self._known.classes
        if process not in known:
            known[process] = list(self._find(process))
        return known[process]

    def _find(self, process: int) -> Iterator[_Class]:
        seen: set[int] = set()
        for module in sorted({file.module for file in self._store.program.files.values()}):
            held = self._variables.module(module, process)
            if held is not None:
                yield from self._in(module, held, seen, 0)

    def _in(self, module: str, holder: int, seen: set[int], depth: int) -> Iterator[_Class]:
        """Iterate over the classes that a module or a class holds, and those in them."""
        for value in self._heap.state(holder, None).attrs.values():
            if not isinstance(value, Ref) or value.oid in seen or not self._is_class(value.oid):
                continue
            seen.add(value.oid)
            written = self._written(value.oid)
            names = {self._store.program.names[key] for key in written["key"].tolist()}
            yield _Class(module, value.oid, tuple(sorted(names)))
            if depth < _DEEPEST and self._may_hold_classes(written):
                yield from self._in(module, value.oid, seen, depth + 1)

    def _written(self, oid: int) -> Events:
        """Return all events that set or delete an attribute of a class."""
        events = self._store.owner_events.find(oid | OBJECT).events
        written: Events = events[_ATTRIBUTES[events["kind"]]]
        return written

    def _may_hold_classes(self, written: Events) -> bool:
        objects = written["value"][written["vtag"] == Tag.OBJ]
        return any(self._is_class(oid) for oid in objects.tolist())

    def _is_class(self, oid: int) -> bool:
        return self._heap.layout(oid) == Layout.CLASS

    def _is_program(self, value: Value, time: int | None) -> bool:
        return isinstance(value, Ref) and self._heap.layout(value.oid, time) in _PROGRAM

    def _has_varying(self, oid: int, name: str) -> bool:
        known = self._known.varies
        if (oid, name) not in known:
            known[oid, name] = self._varies(oid, name)
        return known[oid, name]

    def _varies(self, oid: int, name: str) -> bool:
        if name.startswith("__") and name.endswith("__"):
            return False
        value = self._heap.value(oid, Attr(name), None)
        if self._is_program(value, None):
            return False
        times = self._heap.write_times(oid, Attr(name))
        if len(times) > 1:
            return True
        return isinstance(value, Ref) and len(times) > 0 and self._changes(value, int(times[0]))

    def _changes(self, value: Ref, since: int) -> bool:
        """Return whether an object, or one that it leads to, may have changed after a time."""
        seen, waiting = {value.oid}, [value.oid]
        while waiting:
            oid = waiting.pop()
            events = self._store.owner_events.find(oid | OBJECT, first=since + 1).events
            if _WRITES[events["kind"]].any() or len(seen) > MOST_OBJECTS:
                return True
            found = {ref.oid for _, ref in references(self._heap.state(oid, None))} - seen
            kept = [each for each in found if not self._is_program(Ref(each), None)]
            seen.update(kept)
            waiting += kept
        return False
