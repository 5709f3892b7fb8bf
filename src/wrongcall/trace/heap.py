"""The versioned heap: what any object held at any time.

No state is stored. An object's events are selected once, up to the latest time asked for, and
replayed; the state *at* a time includes the event with that time.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from wrongcall.errors import TraceError
from wrongcall.events import SEEN, Kind, Layout
from wrongcall.trace.program import Type
from wrongcall.trace.records import kind_table, with_seen
from wrongcall.trace.replay import (
    OBJECT_KINDS,
    UNKNOWN_SLOT,
    Attr,
    Entry,
    Place,
    Replay,
    Row,
    Slot,
    rows_of,
)
from wrongcall.trace.segments import NOTHING, Found, join_found
from wrongcall.trace.store import Store
from wrongcall.trace.thinning import thinned
from wrongcall.trace.values import UNKNOWN, UNSET, Value, Values

_ATTRS = kind_table(with_seen({Kind.ATTR, Kind.ATTR_DEL}))


def read_slot(values: Values, slot: Slot | None) -> Value:
    """Return the value in a slot."""
    if slot is None:
        return UNSET
    return UNKNOWN if slot == UNKNOWN_SLOT else values.read(slot.tag, slot.bits)


@dataclass(frozen=True)
class Object:
    """What does not change about an object, but for its type (``obj.__class__ = ...``)."""

    oid: int
    type: Type
    layout: Layout
    seen: int
    """When it was first seen."""


@dataclass(frozen=True)
class Write:
    """A change of one place, or (``seen``) the first sight of what was there."""

    time: int
    call: int
    site: int
    line: int
    kind: Kind
    seen: bool
    _old: Slot | None
    _new: Slot | None
    _values: Values

    @property
    def old(self) -> Value:
        """What was there before; read when asked for, as texts that grow make long histories."""
        return read_slot(self._values, self._old)

    @property
    def new(self) -> Value:
        """What is there from now on."""
        return read_slot(self._values, self._new)


@dataclass(frozen=True)
class State:
    """The contents of an object at a time."""

    oid: int
    time: int
    type: Type
    layout: Layout
    explored: bool
    """False: what it held was not yet recorded."""
    items: tuple[Value, ...]
    length: int
    """How many items it had; more than `items` if those at the end are not known."""
    entries: tuple[tuple[Value, Value], ...]
    members: tuple[Value, ...]
    attrs: dict[str, Value]
    cells: dict[str, int]
    """Of a function: its free variables, by the calls whose variables they are."""
    activation: int
    """Of a generator or coroutine: the call it is."""
    alias: int
    """Of an instance's ``__dict__``: that instance."""


class Heap:
    """The objects of a trace."""

    def __init__(self, store: Store, values: Values) -> None:
        self._store = store
        self._values = values

    def object(self, oid: int, time: int | None = None) -> Object:
        """Return what is known about an object itself."""
        found = self._store.segments.select({Kind.OBJ}, obj=oid, last=_after(time))
        if not len(found.times):
            raise TraceError(f"there is no object {oid} up to time {self._time(time)}")
        replay = self._replayed(found)
        return Object(oid, self._type(replay.type), replay.layout, replay.born)

    def state(self, oid: int, time: int | None = None) -> State:
        """Return what an object held at a time, by default at the end of the trace."""
        replay = self._replay(oid, time)
        names = self._store.program.names
        return State(
            oid=oid,
            time=self._time(time),
            type=self._type(replay.type),
            layout=replay.layout,
            explored=replay.explored,
            items=tuple(read_slot(self._values, slot) for slot in replay.items),
            length=replay.length,
            entries=self._entries(replay, time),
            members=tuple(key for key, _ in replay.members.values()),
            attrs={n: read_slot(self._values, s) for n, s in replay.named_attrs()},
            cells={names[name]: call for name, call in replay.cells.items()},
            activation=replay.activation,
            alias=replay.alias,
        )

    def origin(self, oid: int, place: Place, time: int | None = None) -> int | None:
        """Return when what is at a place was written there; None if that is not known.

        An item that moved because others were inserted or removed was written where it came in.
        """
        replay = self._replay(oid, time)
        if replay.alias and isinstance(place, Entry):
            return self.origin(replay.alias, Attr(str(place.key)), time)
        slot = replay.at(place)
        return None if slot is None or slot == UNKNOWN_SLOT else slot.time

    def writes(self, oid: int, place: Place) -> list[Write]:
        """Return the history of a place: every event after which something else is there."""
        found = self._about(self._events(oid, None), place)
        replay = Replay(self._store.program, self._values)
        history = []
        before: Slot | None = None
        for row in rows_of(found):
            replay.apply(row)
            after = replay.at(place)
            if after != before:
                history.append(self.write(row, before, after))
                before = after
        if replay.alias and isinstance(place, Entry):
            history += self.writes(replay.alias, Attr(str(place.key)))
        return history

    def write(self, row: Row, old: Slot | None, new: Slot | None) -> Write:
        """Return the write that an event is."""
        return Write(
            time=row.time,
            call=row.call,
            site=row.site,
            line=self._store.program.line(row.site),
            kind=Kind(row.kind & ~SEEN),
            seen=bool(row.kind & SEEN) or row.kind in (Kind.OBJ, Kind.EXPLORED),
            _old=old,
            _new=new,
            _values=self._values,
        )

    def _about(self, found: Found, place: Place) -> Found:
        """Leave out what other attributes did, if it is an attribute that is asked for."""
        if not isinstance(place, Attr):
            return found
        names = self._store.program.names
        wanted = [number for number, text in names.items() if text == place.name]
        kept = ~_ATTRS[found.events["kind"]] | np.isin(found.events["key"], wanted)
        return Found(found.times[kept], found.events[kept])

    def _entries(self, replay: Replay, time: int | None) -> tuple[tuple[Value, Value], ...]:
        own = tuple((key, read_slot(self._values, slot)) for key, slot in replay.entries.values())
        if not replay.alias:
            return own
        attrs = self._replay(replay.alias, time).named_attrs()
        return (*((name, read_slot(self._values, slot)) for name, slot in attrs), *own)

    def _events(self, oid: int, time: int | None) -> Found:
        """Return an object's events up to a time; what was selected once is kept."""
        end = self._time(time) + 1
        track = self._store.cache.get(("object", oid), _Track)
        if track.end < end:
            news = self._store.segments.select(OBJECT_KINDS, obj=oid, first=track.end, last=end)
            track = _Track(join_found([track.found, news]), end)
            self._store.cache.drop(("object", oid))
            self._store.cache.get(("object", oid), lambda: track)
        count = int(np.searchsorted(track.found.times, end))
        return Found(track.found.times[:count], track.found.events[:count])

    def _replay(self, oid: int, time: int | None) -> Replay:
        """Return an object's contents at a time; they are the same until its next event."""
        found = self._events(oid, time)
        key = ("replay", oid, len(found.times))
        return self._store.cache.get(key, lambda: self._replayed(thinned(found)))

    def _replayed(self, found: Found) -> Replay:
        replay = Replay(self._store.program, self._values)
        for row in rows_of(found):
            replay.apply(row)
        return replay

    def _time(self, time: int | None) -> int:
        return self._store.segments.event_count - 1 if time is None else time

    def _type(self, number: int) -> Type:
        return self._store.program.types[number] if number else _NO_TYPE


_NO_TYPE = Type(0, "", "?", Layout.OPAQUE)


@dataclass(frozen=True)
class _Track:
    """An object's events before a time."""

    found: Found = NOTHING
    end: int = 0

    @property
    def nbytes(self) -> int:
        return int(self.found.times.nbytes + self.found.events.nbytes) + 100


def _after(time: int | None) -> int | None:
    return None if time is None else time + 1
