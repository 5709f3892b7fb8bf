"""Objects that an ORM loads from its database while a call runs.

What a call makes is not a change of state: it is part of what it returns. But a model that is loaded during the call
existed before, in the database, and so did the list of a relationship: what the call does to them is a change. Their
state before is the one in which they were first seen.

Vocabulary: an object is *loaded* if its ORM says that it has a key in the database, or if it was first seen in a model
or a relationship that is older than the call or loaded, and no statement of the program put it there. Attributes that
an ORM adds to a model, or removes, without a statement of the program are *fetched* and *expired*: those are not
changes either.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from wrongcall.analysis.effects.object_diff import Change, ChangeKind
from wrongcall.events import SEEN, Kind, SiteKind
from wrongcall.replay.heap import Heap
from wrongcall.replay.object_replay import Replay
from wrongcall.replay.references import first_reference
from wrongcall.trace.format.event_records import Events, obj_ids
from wrongcall.trace.format.owner_index import OBJECT
from wrongcall.trace.read.places import Attr
from wrongcall.trace.read.store import Store
from wrongcall.trace.read.values import UNSET, Ref

COLLECTIONS = "sqlalchemy.orm.collections"
"""The module of the lists, sets and dicts used for relationships."""
MODELS = frozenset({"sqlalchemy", "django"})
_STATES = {"sqlalchemy": "_sa_instance_state", "django": "_state"}
MAX_SPAN = 1 << 19
"""In calls with more events, loaded objects are not searched for."""
_DEEPEST = 20


class Loading:
    """Finds loaded objects."""

    def __init__(self, store: Store, heap: Heap) -> None:
        self._store = store
        self._heap = heap

    def is_fetched(self, oid: int, change: Change) -> bool:
        """Return whether a change made by no statement means that a model's field was fetched or expired."""
        if change.kind not in (ChangeKind.ADDED, ChangeKind.REMOVED):
            return False
        kind = self._store.program.types.get(self._heap.contents(oid).type)
        is_field = isinstance(change.place, Attr) and kind and change.place.name in kind.fields
        return bool(is_field) and kind is not None and kind.kind in MODELS

    def objects(self, before: int, after: int) -> Iterator[tuple[int, int]]:
        """Iterate over objects that were loaded in a span and written to, with the time they were first known."""
        types = self._store.program.types
        wanted = [n for n, t in types.items() if t.kind in MODELS or t.module == COLLECTIONS]
        if not wanted or after - before > MAX_SPAN:
            return
        found = self._store.segments.select({Kind.OBJ}, first=before + 1, last=after + 1).events
        for oid in obj_ids(found)[np.isin(found["key"], wanted)].tolist():
            known, is_written = self._first_sight(oid, after)
            if is_written and self._is_loaded(oid, before, 0):
                yield oid, known

    def _first_sight(self, oid: int, after: int | None = None) -> tuple[int, bool]:
        """Return when an object's first contents are known, and whether it is written to later."""
        last = None if after is None else after + 1
        found = self._store.owner_events.find(oid | OBJECT, last=last)
        kinds = found.events["kind"]
        written = np.flatnonzero((kinds & SEEN == 0) & (kinds < Kind.OBJ))
        end = int(written[0]) if len(written) else len(kinds)
        return int(found.times[max(end - 1, 0)]), len(written) > 0

    def _is_loaded(self, oid: int, before: int, depth: int) -> bool:
        contents = self._heap.contents(oid)
        if contents.born <= before:
            return True
        if depth > _DEEPEST:
            return False
        return self._has_key(contents) or self._is_held_by_loaded(oid, contents, before, depth)

    def _has_key(self, contents: Replay) -> bool:
        """Return whether the ORM had a database key for a model when it was first seen."""
        kind = self._store.program.types[contents.type].kind
        slot = contents.at(Attr(_STATES[kind])) if kind in _STATES else None
        state = self._heap.read(slot) if slot is not None else None
        if not isinstance(state, Ref):
            return False
        time, _ = self._first_sight(state.oid)
        if kind == "django":
            return self._heap.value(state.oid, Attr("adding"), time) is False
        return self._heap.value(state.oid, Attr("key"), time) not in (UNSET, None)

    def _is_held_by_loaded(self, oid: int, contents: Replay, before: int, depth: int) -> bool:
        event = first_reference(self._store, oid, contents.born)
        if event is None or self._is_stored(event):
            return False
        holder = int(obj_ids(event)[0])
        held = self._store.program.types.get(self._heap.contents(holder).type)
        is_model = held is not None and (held.kind in MODELS or held.module == COLLECTIONS)
        return is_model and self._is_loaded(holder, before, depth + 1)

    def _is_stored(self, event: Events) -> bool:
        """Return whether a statement of the program put something where it was first seen."""
        kind = int(event["kind"][0])
        if kind & ~SEEN not in (Kind.ATTR, Kind.ITEM, Kind.INSERT, Kind.ENTRY, Kind.MEMBER):
            return True  # a variable: not known to be loaded
        site = self._store.program.sites.get(int(event["site"][0]))
        if kind & SEEN:
            return False
        return kind != Kind.ATTR or (site is not None and site.kind == SiteKind.ATTR)
