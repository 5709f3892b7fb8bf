"""The versioned heap: what any object held at any time.

No state is stored. An object's events are selected once, up to the latest time asked for, and
replayed; the state *at* a time includes the event with that time.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from wrongcall.errors import TraceError
from wrongcall.events import SEEN, Kind, Layout
from wrongcall.trace.program import Program, Type
from wrongcall.trace.records import call_ids
from wrongcall.trace.replay import (
    OBJECT_KINDS,
    UNKNOWN_SLOT,
    Attr,
    Entry,
    Place,
    Replay,
    Slot,
    rows_of,
)
from wrongcall.trace.segments import NOTHING, Found
from wrongcall.trace.store import Store
from wrongcall.trace.values import UNKNOWN, UNSET, Value, Values


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
    old: Value
    new: Value


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
        replay = self._replayed(self._events(oid, time))
        names = self._store.program.names
        return State(
            oid=oid,
            time=self._time(time),
            type=self._type(replay.type),
            layout=replay.layout,
            explored=replay.explored,
            items=tuple(self.read(slot) for slot in replay.items),
            length=replay.length,
            entries=self._entries(replay, time),
            members=tuple(key for key, _ in replay.members.values()),
            attrs={names[name]: self.read(slot) for name, slot in replay.attrs.items()},
            cells={names[name]: call for name, call in replay.cells.items()},
            activation=replay.activation,
            alias=replay.alias,
        )

    def origin(self, oid: int, place: Place, time: int | None = None) -> int | None:
        """Return when what is at a place was written there; None if that is not known.

        An item that moved because others were inserted or removed was written where it came in.
        """
        replay = self._replayed(self._events(oid, time))
        if replay.alias and isinstance(place, Entry):
            return self.origin(replay.alias, Attr(str(place.key)), time)
        slot = replay.at(place)
        return None if slot is None or slot == UNKNOWN_SLOT else slot.time

    def writes(self, oid: int, place: Place) -> list[Write]:
        """Return the history of a place: every event after which something else is there."""
        found = self._events(oid, None)
        replay = Replay(self._store.program, self._values)
        history = []
        before: Slot | None = None
        for i, row in enumerate(rows_of(found)):
            replay.apply(row)
            after = replay.at(place)
            if after != before:
                values = (self.read(before), self.read(after))
                history.append(make_write(self._store.program, found, i, *values))
                before = after
        if replay.alias and isinstance(place, Entry):
            history += self.writes(replay.alias, Attr(str(place.key)))
        return history

    def read(self, slot: Slot | None) -> Value:
        """Return the value in a slot."""
        if slot is None:
            return UNSET
        return UNKNOWN if slot == UNKNOWN_SLOT else self._values.read(slot.tag, slot.bits)

    def _entries(self, replay: Replay, time: int | None) -> tuple[tuple[Value, Value], ...]:
        own = tuple((key, self.read(slot)) for key, slot in replay.entries.values())
        if not replay.alias:
            return own
        return (*self.state(replay.alias, time).attrs.items(), *own)

    def _events(self, oid: int, time: int | None) -> Found:
        """Return an object's events up to a time; what was selected once is kept."""
        end = self._time(time) + 1
        track = self._store.cache.get(("object", oid), _Track)
        if track.end < end:
            news = self._store.segments.select(OBJECT_KINDS, obj=oid, first=track.end, last=end)
            track = _Track(_joined(track.found, news), end)
            self._store.cache.drop(("object", oid))
            self._store.cache.get(("object", oid), lambda: track)
        count = int(np.searchsorted(track.found.times, end))
        return Found(track.found.times[:count], track.found.events[:count])

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


def _joined(old: Found, new: Found) -> Found:
    if not len(old.times):
        return new
    times = np.concatenate([old.times, new.times])
    return Found(times, np.concatenate([old.events, new.events]))


def _after(time: int | None) -> int | None:
    return None if time is None else time + 1


def make_write(program: Program, found: Found, i: int, old: Value, new: Value) -> Write:
    """Return the write that an event among these is."""
    event = found.events[i : i + 1]
    kind, site = int(event["kind"][0]), int(event["site"][0])
    return Write(
        time=int(found.times[i]),
        call=int(call_ids(event)[0]),
        site=site,
        line=program.sites[site].line if site in program.sites else 0,
        kind=Kind(kind & ~SEEN),
        seen=bool(kind & SEEN) or kind in (Kind.OBJ, Kind.EXPLORED),
        old=old,
        new=new,
    )
