"""Decide what belongs to the inside of libraries, which is shown only on demand.

The program's own state is what people can judge. A library keeps its own state besides: a session's identity map, a
logger's handlers, the instance state that an ORM attaches to each model.

Vocabulary: an object is *inside* a library if its class belongs to a library (and is not one that holds the program's
values, such as a queue), or if it is a list, dict or other container that was first seen in such an object.
*Bookkeeping* is those attributes of the program's own objects that a library put there for itself. What a statement of
the program stores, by ``o.x = v`` or ``o[k] = v``, is the program's, wherever it is.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from wrongcall.analysis.effects.loaded_models import Loading
from wrongcall.analysis.effects.object_diff import Change
from wrongcall.events import SEEN, Kind, Layout, SiteKind, TypeOrigin
from wrongcall.languages.paths import PathStep
from wrongcall.languages.python.private_names import is_named
from wrongcall.replay.heap import Heap
from wrongcall.replay.object_replay import Replay
from wrongcall.replay.references import HOLDING, first_reference
from wrongcall.trace.format.event_records import obj_ids
from wrongcall.trace.format.owner_index import OBJECT
from wrongcall.trace.format.program_tables import Type
from wrongcall.trace.read.places import Attr, Entry, Item
from wrongcall.trace.read.store import Store
from wrongcall.trace.read.values import Values

_OWN_VALUES = frozenset(
    {
        "argparse",
        "asyncio.locks",
        "asyncio.queues",
        "collections",
        "contextvars",
        "fractions",
        "ipaddress",
        "pathlib",
        "queue",
        "re",
        "threading",
        "types",
        "uuid",
        "xml.etree.ElementTree",
        "zoneinfo",
    }
)
"""Modules of the standard library whose objects hold only what the program put there."""
_OWN_DATA = frozenset({"numpy", "pandas", "polars"})
"""Packages whose objects hold the program's data."""
_WITH_ATTRIBUTES = frozenset({Layout.INSTANCE, Layout.EXCEPTION, Layout.CLASS})
_INSTANCES = frozenset({Layout.INSTANCE, Layout.OPAQUE, Layout.EXCEPTION})
_CONTAINERS = frozenset(
    {
        Layout.LIST,
        Layout.TUPLE,
        Layout.DICT,
        Layout.SET,
        Layout.FROZENSET,
        Layout.DEQUE,
        Layout.BYTEARRAY,
        Layout.ARRAY,
        Layout.ELEMENT,
    }
)
_MIXED = frozenset({"sqlalchemy", "django", "pydantic", "derived"})
"""Kinds of classes whose objects have attributes of a library among their own."""
_COLLECTIONS = frozenset({"sqlalchemy.orm.collections"})
"""Modules whose lists, sets and dicts stand in for plain ones."""
_STORES = (SiteKind.ATTR, SiteKind.ITEM)
_DEEPEST = 8


def is_library_type(type: Type) -> bool:
    """Return whether objects of a type belong to a library, not to the program."""
    if type.origin not in (TypeOrigin.LIBRARY, TypeOrigin.NATIVE):
        return False
    return type.module not in _OWN_VALUES and type.module.partition(".")[0] not in _OWN_DATA


class Insides:
    """Separates what is the program's from what is inside a library."""

    def __init__(self, store: Store, heap: Heap, values: Values, loading: Loading) -> None:
        self._store = store
        self._heap = heap
        self._values = values
        self._loading = loading
        self._known: dict[int, bool] = {}
        self._stored: tuple[int, frozenset[str]] = (0, frozenset())

    def is_bookkeeping(self, type: Type, layout: Layout, name: str) -> bool:
        """Return whether an attribute of the program's object exists only for a library.

        That is so if its name begins with an underscore, the class does not declare it, and no statement of the program
        stores an attribute of that name.
        """
        if name == "__weakref__":
            return True
        mixed = type.kind in _MIXED or layout == Layout.CLASS or type.module in _COLLECTIONS
        hidden = mixed and name.startswith("_") and name not in type.fields
        return hidden and not is_named(name, self._stored_names())

    def is_stored(self, name: str) -> bool:
        """Return whether a statement of the program stores an attribute of that name."""
        return is_named(name, self._stored_names())

    def _stored_names(self) -> frozenset[str]:
        """Return the names of all attributes that statements of the program store."""
        sites = self._store.program.sites
        if self._stored[0] != len(sites):
            names = frozenset(s.name for s in sites.values() if s.kind == SiteKind.ATTR and s.name)
            self._stored = (len(sites), names)
        return self._stored[1]

    # -- objects -----------------------------------------------------------------------------------

    def holds(self, oid: int, depth: int = 0) -> bool:
        """Return whether an object is inside a library."""
        if oid not in self._known:
            self._known[oid] = depth < _DEEPEST and self._judge(oid, depth)
        return self._known[oid]

    def _judge(self, oid: int, depth: int) -> bool:
        contents = self._heap.contents(oid)
        if contents.alias:
            return self.holds(contents.alias, depth + 1)
        if contents.layout in _CONTAINERS:
            return self._is_held_inside(oid, contents, depth)
        return contents.layout in _INSTANCES and is_library_type(self._type(contents))

    def _is_held_inside(self, oid: int, contents: Replay, depth: int) -> bool:
        """Decide for a container by the object in which it was first seen."""
        event = first_reference(self._store, oid, contents.born)
        if event is None or not HOLDING[event["kind"][0]]:
            return False  # a variable, an argument or a result
        holder = int(obj_ids(event)[0])
        held = self._heap.contents(holder)
        if int(event["kind"][0]) & ~SEEN == Kind.ATTR:
            place = Attr(self._store.program.names[int(event["key"][0])])
            return self._is_hidden(held, place) or self.holds(holder, depth + 1)
        return self.holds(holder, depth + 1)

    def _type(self, contents: Replay) -> Type:
        return self._store.program.types[contents.type]

    # -- changes -----------------------------------------------------------------------------------

    def divide(
        self, oid: int, changes: Iterable[Change], before: int, after: int
    ) -> tuple[list[Change], list[Change]]:
        """Split an object's changes into the program's and those inside libraries."""
        found = list(changes)
        if self.holds(oid):
            hidden = found
        else:
            contents, fetched = self._heap.contents(oid), self._loading.is_fetched
            hidden = [c for c in found if self._is_hidden(contents, c.place) or fetched(oid, c)]
        if hidden:
            own = self._own_places(oid, before, after)
            hidden = [change for change in hidden if change.place not in own]
        return [change for change in found if change not in hidden], hidden

    def _is_hidden(self, contents: Replay, place: PathStep) -> bool:
        if not isinstance(place, Attr) or contents.layout not in _WITH_ATTRIBUTES:
            return False
        return self.is_bookkeeping(self._type(contents), contents.layout, place.name)

    def _own_places(self, oid: int, before: int, after: int) -> set[PathStep]:
        """Return the places of an object to which statements of the program stored."""
        events = self._store.owner_events.find(
            oid | OBJECT, first=before + 1, last=after + 1
        ).events
        columns = self._store.program.columns
        stores = np.isin(columns.kind[columns.known(events["site"])], _STORES)
        places = (self._own_place(event) for event in events[stores])
        return {place for place in places if place is not None}

    def _own_place(self, event: np.void) -> PathStep | None:
        """Return the place that a statement itself stores to, or None if what it calls does."""
        names, kind, key = self._store.program.names, int(event["kind"]), int(event["key"])
        if kind in (Kind.ATTR, Kind.ATTR_DEL):
            # A property of a library stores to attributes that the statement does not name.
            site = self._store.program.sites[int(event["site"])]
            return Attr(names[key]) if is_named(names[key], [site.name or ""]) else None
        if kind == Kind.ITEM:
            return Item(key)
        if kind in (Kind.ENTRY, Kind.ENTRY_DEL):
            return Entry(self._values.read(int(event["ktag"]), key))
        return None

    def has_write(self, time: int) -> bool:
        """Return whether the event at a time is a write inside a library."""
        event = self._store.segments.events(time, time + 1)
        kind = int(event["kind"][0])
        if not HOLDING[kind]:
            return False
        oid, columns = int(obj_ids(event)[0]), self._store.program.columns
        hidden = self.holds(oid)
        if not hidden and kind in (Kind.ATTR, Kind.ATTR_DEL):
            place = Attr(self._store.program.names[int(event["key"][0])])
            hidden = self._is_hidden(self._heap.contents(oid), place)
        by_statement = columns.kind[columns.known(event["site"])][0] in _STORES
        return hidden and not (by_statement and self._own_place(event[0]) is not None)
