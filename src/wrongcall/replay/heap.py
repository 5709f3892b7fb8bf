"""The versioned heap: what any object held at any time.

No state is stored. An object's events are selected once, up to the latest time needed, and replayed; the state *at* a
time includes the event with that time.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, islice
from typing import overload

import numpy as np

from wrongcall.errors import TraceError
from wrongcall.events import SEEN, Kind, Layout, Tag
from wrongcall.replay.elements import UNKNOWN_SLOT, Slot
from wrongcall.replay.items import Items, PlaceWrites, Watch, joined
from wrongcall.replay.object_replay import Replay, layout_of, rows_of
from wrongcall.replay.writes import Write, read_slot, slots_of, writes_of
from wrongcall.trace.format.checkpoint import GROUP_EXTENTS
from wrongcall.trace.format.compaction import BARRIERS, compacted
from wrongcall.trace.format.event_records import Bools, Ints, distinct, kind_table, with_seen
from wrongcall.trace.format.owner_index import EXTENT_EVENTS, OBJECT, slot_of
from wrongcall.trace.format.program_tables import Type
from wrongcall.trace.format.selection import NOTHING, Found, join_found
from wrongcall.trace.read.cache import ByteCache
from wrongcall.trace.read.gc_pause import uncollected
from wrongcall.trace.read.places import Attr, Entry, Item, Place
from wrongcall.trace.read.store import Store
from wrongcall.trace.read.values import Ref, Value, Values, same_key

SEQUENCES = frozenset(
    {
        *(Layout.LIST, Layout.TUPLE, Layout.DEQUE, Layout.BYTEARRAY, Layout.ARRAY, Layout.NDARRAY),
        Layout.ELEMENT,
    }
)
"""Layouts with items, which have indices."""
BOOKKEEPING = frozenset(
    {"__repr__", "__value__", "__data__", "__fields__", "__posix_path__", "__windows_path__"}
)
"""Parts that say how a value is written: the recorder made them, the object has no such attributes."""
_REMEMBERED = 1000
_ATTRS = kind_table(with_seen({Kind.ATTR, Kind.ATTR_DEL}))
_ATTR_SETS = kind_table(with_seen({Kind.ATTR}))
_ENTRIES = kind_table(with_seen({Kind.ENTRY, Kind.ENTRY_DEL}))
_ELEMENTS = (Kind.ITEM, Kind.INSERT, Kind.REMOVE, Kind.PATCH, Kind.SPLICE, Kind.FILL)
_MEMBERS = (Kind.MEMBER, Kind.MEMBER_DEL)
_PLACED = _ATTRS | _ENTRIES | kind_table(with_seen({*_ELEMENTS, *_MEMBERS}))
"""Events that write to one place, or to items or members only."""
LARGE_BUDGET = 256 << 20
MANY_EVENTS = 50_000
"""The events of objects with more of them are replayed part by part, instead of being held all at once."""
ATTR_GONE = ~_ATTR_SETS
"""Events after which an attribute is gone."""


@dataclass(frozen=True)
class Object:
    """What never changes about an object, except for its type (``obj.__class__ = ...``)."""

    oid: int
    type: Type
    layout: Layout
    seen: int
    """When it was first seen."""


@dataclass(frozen=True)
class ObjectState:
    """The contents of an object at a time."""

    oid: int
    time: int
    type: Type
    layout: Layout
    explored: bool
    """False if its contents were not yet recorded."""
    items: Sequence[Value]
    length: int
    """The length of a sequence; more than `items` has if those at the end are not known."""
    entries: tuple[tuple[Value, Value], ...]
    members: tuple[Value, ...]
    attrs: dict[str, Value]
    cells: dict[str, int]
    """For a function: its free variables, by the calls whose variables they are."""
    activation: int
    """For a generator or coroutine: its call."""
    alias: int
    """For an instance's ``__dict__``: that instance."""


class ItemValues(Sequence[Value]):
    """The items of a long sequence, read as they are used."""

    def __init__(self, items: Items, values: Values) -> None:
        self._items = items
        self._values = values

    def __len__(self) -> int:
        return len(self._items)

    @overload
    def __getitem__(self, where: int) -> Value: ...

    @overload
    def __getitem__(self, where: slice) -> list[Value]: ...

    def __getitem__(self, where: int | slice) -> Value | list[Value]:
        if isinstance(where, int):
            return read_slot(self._values, self._items[where])
        return [read_slot(self._values, slot) for slot in self._items[where]]

    def __iter__(self) -> Iterator[Value]:
        return (read_slot(self._values, slot) for slot in self._items)

    def refs(self) -> list[tuple[int, Ref]]:
        """Return the items that are objects, with their indices."""
        return [(index, Ref(oid)) for index, oid in self._items.tagged(Tag.OBJ)]


class Peek:
    """The contents of an object at a time, read only as far as they are used."""

    def __init__(self, oid: int, time: int, type: Type, replay: Replay, values: Values) -> None:
        self.oid = oid
        self.time = time
        self.type = type
        self.layout = replay.layout
        self.explored = replay.explored
        self.activation = replay.activation
        self.alias = replay.alias
        self._replay = replay
        self._values = values

    @property
    def length(self) -> int:
        """How many items a sequence has; those at the end may not be known."""
        if self.layout not in SEQUENCES:
            return 0
        return max(self._replay.length, len(self._replay.items))

    @property
    def counts(self) -> tuple[int, int, int, int]:
        """How many known attributes, items, entries and members there are."""
        replay = self._replay
        attrs = len(self._named) - len(BOOKKEEPING & self._named.keys())
        return attrs, len(replay.items), len(replay.entries), len(replay.members)

    @cached_property
    def _named(self) -> dict[str, Slot]:
        return dict(self._replay.named_attrs())

    def attrs(self, first: int = 0, last: int | None = None) -> list[tuple[str, Value]]:
        """Return attributes, in order, without bookkeeping."""
        shown = ((name, slot) for name, slot in self._named.items() if name not in BOOKKEEPING)
        return [(name, read_slot(self._values, slot)) for name, slot in islice(shown, first, last)]

    def names(self) -> list[str]:
        """Return the names of the attributes, in the order in which they were first set."""
        return [name for name in self._named if name not in BOOKKEEPING]

    def attr(self, name: str) -> Value:
        """Return one attribute, including bookkeeping; `UNSET` if there is none."""
        return read_slot(self._values, self._replay.attr(name))

    def items(self, first: int = 0, last: int | None = None) -> list[Value]:
        """Return items by index."""
        return [read_slot(self._values, slot) for slot in self._replay.items[first:last]]

    def entries(self, first: int = 0, last: int | None = None) -> list[tuple[Value, Value]]:
        """Return keys with their values, in order."""
        chosen = islice(self._replay.entries.values(), first, last)
        return [(key, read_slot(self._values, slot)) for key, slot in chosen]

    def members(self, first: int = 0, last: int | None = None) -> list[Value]:
        """Return elements of a set."""
        return [key for key, _ in islice(self._replay.members.values(), first, last)]


class Heap:
    """The objects of a trace."""

    def __init__(self, store: Store, values: Values) -> None:
        self._store = store
        self._values = values
        self._large = ByteCache(LARGE_BUDGET)
        """The contents of huge objects: one question needs the same ones again and again."""
        self._keys: dict[tuple[int, int], Hashable] = {}
        """The keys under which the contents of objects before some times are cached."""
        self.replayed_events = 0
        """How many events have been replayed so far: the cost of rebuilding states."""

    def object(self, oid: int, time: int | None = None) -> Object:
        """Return what is known about an object itself."""
        replay = self._replay(oid, time)
        if replay.born < 0:
            raise TraceError(f"there is no object {oid} up to time {self._time(time)}")
        return Object(oid, self._type(replay.type), replay.layout, replay.born)

    def state(self, oid: int, time: int | None = None) -> ObjectState:
        """Return what an object held at a time, by default at the end of the trace."""
        replay = self._replay(oid, time)
        names = self._store.program.names
        return ObjectState(
            oid=oid,
            time=self._time(time),
            type=self._type(replay.type),
            layout=replay.layout,
            explored=replay.explored,
            items=self._items(replay),
            length=replay.length,
            entries=self._entries(replay, time),
            members=tuple(key for key, _ in replay.members.values()),
            attrs={n: read_slot(self._values, s) for n, s in replay.named_attrs()},
            cells={names[name]: call for name, call in replay.cells.items()},
            activation=replay.activation,
            alias=replay.alias,
        )

    def _items(self, replay: Replay) -> Sequence[Value]:
        if isinstance(replay.items, Items):
            return ItemValues(replay.items, self._values)
        return tuple(read_slot(self._values, slot) for slot in replay.items)

    def layout(self, oid: int, time: int | None = None) -> Layout:
        """Return the layout of an object, as far as it is known at a time, without its contents."""
        found = self._store.first_sights.of(oid)
        if found is None:
            return self._replay(oid, time).layout
        known = time is None or found.time <= time
        return layout_of(found.layout) if known else Layout.OPAQUE

    def contents(self, oid: int, time: int | None = None) -> Replay:
        """Return what an object held at a time, as slots; do not modify them."""
        return self._replay(oid, time)

    def peek(self, oid: int, time: int | None = None) -> Peek:
        """Return a peek into an object at a time, or at the time when its contents became known."""
        at = self.known_by(oid, self._time(time))
        replay = self._replay(oid, at)
        if replay.alias:
            # The dictionary of an instance holds the instance's attributes.
            return self.peek(replay.alias, time)
        return Peek(oid, at, self._type(replay.type), replay, self._values)

    def value(self, oid: int, place: Place, time: int | None = None) -> Value:
        """Return the value at a place of an object at a time, or `UNSET` if there was none."""
        replay = self._replay(oid, time)
        if replay.alias and isinstance(place, Entry):
            return self.value(replay.alias, Attr(str(place.key)), time)
        return read_slot(self._values, replay.at(place))

    def read(self, slot: Slot) -> Value:
        """Return the value that a slot holds."""
        return read_slot(self._values, slot)

    def known_by(self, oid: int, time: int) -> int:
        """Return the time at which an object's contents at a time are known.

        That is the time itself, unless the object had not been explored by then. It is explored before anything in it
        is changed, so what was found later is what it held.
        """
        if self._replay(oid, time).explored:
            return time
        found = self._events(oid, None)
        later = int(np.searchsorted(found.times, time + 1))
        kinds = found.events["kind"][later:]
        opened = np.flatnonzero(kinds == Kind.EXPLORED)
        if not len(opened):
            return time
        seen = kinds[opened[0] + 1 :] & SEEN
        end = opened[0] + (int(np.argmin(seen)) if not seen.all() else len(seen))
        return int(found.times[later + end])

    def last_written(self, oid: int) -> int:
        """Return the time of an object's last event; -1 if it has none."""
        found = self._events(oid, None)
        return int(found.times[-1]) if len(found.times) else -1

    def rewritten(self, oid: int, before: int, after: int) -> bool:
        """Return whether an object certainly holds the same after some writes as before.

        That is so if each write put into an attribute what had last been put there, not long ago.
        """
        extents = self._extents(after)
        if self._extents(before) != extents:
            return False
        old, new = (self._late(oid, extents, time + 1) for time in (before, after))
        writes = new.events[int(new.times.searchsorted(before + 1)) :]
        if not (writes["kind"] == Kind.ATTR).all():
            return False
        columns = (writes[name].tolist() for name in ("key", "vtag", "value"))
        last = {key: value for key, *value in zip(*columns, strict=True)}
        barriers = np.flatnonzero(BARRIERS[old.events["kind"]])
        events = old.events[int(barriers[-1]) + 1 if len(barriers) else 0 :]
        sets = _ATTR_SETS[events["kind"]]
        for key, value in last.items():
            earlier = np.flatnonzero(sets & (events["key"] == key))
            if not len(earlier):
                return False
            event = events[earlier[-1]]
            if [int(event["vtag"]), int(event["value"])] != value:
                return False
        return True

    def _extents(self, time: int) -> int:
        """Return how many whole extents there are up to a time."""
        return min((time + 1) // EXTENT_EVENTS, self._store.extents)

    def origin(self, oid: int, place: Place, time: int | None = None) -> int | None:
        """Return when the value at a place was written there, or None if that is not known.

        An item that moved because others were inserted or removed counts as written where it was put in.
        """
        replay = self._replay(oid, time)
        if replay.alias and isinstance(place, Entry):
            return self.origin(replay.alias, Attr(str(place.key)), time)
        slot = replay.at(place)
        return None if slot is None or slot == UNKNOWN_SLOT else slot.time

    def writes(self, oid: int, place: Place) -> list[Write]:
        """Return the history of a place: every event that changes its value."""
        name = self._name(place)
        if name is not None:
            found, gone = self.attr_events(oid, name)
            after = slots_of(found, gone)
            before = [None, *after[:-1]] if after else []
            return writes_of(self._store.program, self._values, found, before, after)
        return self._replayed_writes(oid, place)

    def write_times(self, oid: int, place: Place) -> Ints:
        """Return the times of these events, in ascending order."""
        times = self.attr_times(oid, place)
        if times is not None:
            return times
        if isinstance(place, Entry) and self.alias(oid):
            return np.array(sorted(write.time for write in self.writes(oid, place)), dtype=np.int64)
        return self.place_writes(oid, place).times

    def attr_times(self, oid: int, place: Place) -> Ints | None:
        """Return when an attribute was written, without holding the writes; None for any other place."""
        name = self._name(place)
        if name is None:
            return None
        slots = (0, slot_of(Kind.ATTR, Tag.NAME, name))
        times, sets = [np.empty(0, np.int64)], [np.empty(0, np.bool_)]
        for part in self._store.owner_events.parts(oid | OBJECT, slots):
            kinds = part.events["kind"]
            kept = (_ATTRS[kinds] & (part.events["key"] == name)) | (kinds == Kind.EXPLORED)
            times.append(part.times[kept])
            sets.append(_ATTR_SETS[kinds[kept]])
        is_set = np.concatenate(sets)
        # What does not exist cannot be removed.
        changes = is_set | np.append(False, is_set[:-1])[: len(is_set)]
        found: Ints = np.concatenate(times)[changes]
        return found

    def _name(self, place: Place) -> int | None:
        """Return the number of an attribute's name, or None if it is not unique."""
        if not isinstance(place, Attr):
            return None
        wanted = self._store.program.names.numbers(place.name)
        return wanted[0] if len(wanted) == 1 else None

    def place_writes(self, oid: int, place: Place) -> PlaceWrites:
        """Return every event that changes the value at an item or entry, as columns.

        For an entry of an instance's ``__dict__``, those of the attribute are not among them; see `alias`.
        """
        replay = Replay(self._store.program, self._values)
        parts = []
        for part in self._store.owner_events.parts(oid | OBJECT):
            if isinstance(place, Item):
                watch = Watch(place.index, len(part.times))
                replay.apply_all(part, watch)
                parts.append(watch.writes(part.times))
            else:
                parts.append(_keyed_writes(replay, self._concerning(part, place), place))
        return joined(parts)

    def alias(self, oid: int) -> int:
        """Return the instance whose ``__dict__`` an object is at the end of the trace; 0 if it is none."""
        return self._replay(oid, None).alias

    def _replayed_writes(self, oid: int, place: Place) -> list[Write]:
        found = self.place_writes(oid, place)
        slots = found.slots()
        events = self._store.segments.at(found.times)
        before = [None, *slots[:-1]] if slots else []
        history = writes_of(self._store.program, self._values, events, before, slots)
        if isinstance(place, Entry) and (instance := self.alias(oid)):
            history += self.writes(instance, Attr(str(place.key)))
        return history

    def _concerning(self, found: Found, place: Place) -> Found:
        """Return the events of an object without writes to other items, attributes and entries."""
        kinds = found.events["kind"]
        kept = ~_PLACED[kinds] | self._about(found, place)
        return Found(found.times[kept], found.events[kept])

    def attr_events(self, oid: int, name: int) -> tuple[Found, Bools]:
        """Return the events of an attribute, which no other but one can affect.

        The second result says after which of them it is gone.
        """
        slots = (0, slot_of(Kind.ATTR, Tag.NAME, name))
        found = self._store.owner_events.find(oid | OBJECT, slots)
        kinds = found.events["kind"]
        kept = (_ATTRS[kinds] & (found.events["key"] == name)) | (kinds == Kind.EXPLORED)
        found = Found(found.times[kept], found.events[kept])
        sets = _ATTR_SETS[found.events["kind"]]
        # What does not exist cannot be removed.
        changes = sets | np.append(False, sets[:-1])[: len(sets)]
        return Found(found.times[changes], found.events[changes]), ~sets[changes]

    def _about(self, found: Found, place: Place) -> Bools:
        """Return which of an object's events may write to an attribute or entry."""
        kinds, keys = found.events["kind"], found.events["key"]
        if not isinstance(place, Entry):
            mine: Bools = _ATTRS[kinds]
            return mine
        tags = found.events["ktag"]
        entries: Bools = _ENTRIES[kinds] & keys_like(place.key)[tags]
        kept: Bools = entries & (tags == Tag.TUPLE)
        for tag in distinct(tags[entries & ~kept]):
            mine = entries & (tags == tag)
            known = [key for key in distinct(keys[mine]) if self._is_key(tag, key, place.key)]
            kept |= mine & np.isin(keys, known)
        return kept

    def _is_key(self, tag: int, bits: int, wanted: Value) -> bool:
        key = self._values.read(tag, bits)
        return same_key(key) == same_key(wanted) or key == wanted

    def _entries(self, replay: Replay, time: int | None) -> tuple[tuple[Value, Value], ...]:
        own = tuple((key, read_slot(self._values, slot)) for key, slot in replay.entries.values())
        if not replay.alias:
            return own
        attrs = self._replay(replay.alias, time).named_attrs()
        return (*((name, read_slot(self._values, slot)) for name, slot in attrs), *own)

    def _events(self, oid: int, time: int | None) -> Found:
        """Return an object's events up to a time; a selection is cached."""
        end = self._time(time) + 1
        track = self._store.cache.get(("object", oid), _Track)
        if track.end < end:
            news = self._store.owner_events.find(oid | OBJECT, first=track.end, last=end)
            track = self._keep(("object", oid), track, news, end)
        return track.until(end)

    def _replay(self, oid: int, time: int | None) -> Replay:
        """Return an object's contents at a time; they are the same until its next event."""
        end = self._time(time) + 1
        known = self._known(self._keys.get((oid, end)))
        if known is not None:
            return known
        extents = self._extents(end - 1)
        found = self._late(oid, extents, end)
        key = ("replay", oid, extents, int(found.times[-1]) if len(found.times) else 0)
        if len(self._keys) >= _REMEMBERED:
            self._keys.clear()
        self._keys[oid, end] = key
        return self._known(key) or self._make(key, oid, extents, found)

    def _known(self, key: Hashable) -> Replay | None:
        """Return contents that are cached."""
        for cache in (self._store.cache, self._large):
            known = cache.find(key)
            if isinstance(known, Replay):
                return known
        return None

    def _make(self, key: Hashable, oid: int, extents: int, late: Found) -> Replay:
        """Replay an object's events, and cache its contents; those of huge objects by themselves."""
        if self._early_count(oid, extents) + len(late.times) > MANY_EVENTS:
            parts = chain(self._early_parts(oid, extents, keep=False), [late])
            return self._large.get(key, lambda: self._replayed(parts))

        def make() -> Replay:
            return self._replayed([compacted(join_found([self._early(oid, extents), late]))])

        return self._store.cache.get(key, make)

    def _early(self, oid: int, extents: int) -> Found:
        """Return the events of an object in the first extents that matter, from their checkpoints."""

        def make() -> _Track:
            return _Track(join_found([NOTHING, *self._early_parts(oid, extents)]))

        return self._store.cache.get(("early", oid, extents), make).found

    def _early_parts(self, oid: int, extents: int, keep: bool = True) -> Iterator[Found]:
        """Iterate over the same events; ``keep``: cache what is unpacked."""
        first = self._first_extent(oid | OBJECT, extents)
        if first < extents and self._store.checkpoint(0, first).find(oid) is None:
            # It is first seen here, and has too few events to be in a checkpoint.
            yield self._store.owner_events.in_extent(first, oid | OBJECT)
            first += 1
        for level, number, rows in self._early_rows(oid, first, extents):
            if keep:
                yield self._store.checkpoint_events(level, number, *rows)
            else:
                yield from self._store.checkpoint_parts(level, number, *rows)

    def _early_count(self, oid: int, extents: int) -> int:
        """Return how many of these events are in checkpoints."""
        first = self._first_extent(oid | OBJECT, extents)
        return sum(last - begin for _, _, (begin, last) in self._early_rows(oid, first, extents))

    def _early_rows(
        self, oid: int, first: int, last: int
    ) -> Iterator[tuple[int, int, tuple[int, int]]]:
        """Iterate over the checkpoints of a span of extents that have an object, with its rows in them."""
        for level, number in self._checkpoints(first, last):
            rows = self._store.checkpoint(level, number).find(oid)
            if rows is not None:
                yield level, number, rows

    def _checkpoints(self, first: int, last: int) -> Iterator[tuple[int, int]]:
        """Iterate over the checkpoints of a span of extents, using those of whole extent groups where possible."""
        while first < last:
            group = first // GROUP_EXTENTS
            end = min(group * GROUP_EXTENTS + GROUP_EXTENTS, last)
            # Before the requested extents, the object is in no checkpoint.
            whole = end == group * GROUP_EXTENTS + GROUP_EXTENTS
            if whole and self._store.checkpoint(1, group).known:
                yield 1, group
            else:
                yield from ((0, extent) for extent in range(first, end))
            first = end

    def _first_extent(self, owner: int, extents: int) -> int:
        """Return the first extent in which an object may have events."""
        ends = range(extents)
        newest = self._store.owner_events.newest_before
        return bisect_left(ends, owner & ~OBJECT, key=lambda extent: newest(extent + 1, owner))

    def _late(self, oid: int, extents: int, end: int) -> Found:
        """Return the events of an object after the first extents that matter; the result is cached."""
        if extents < self._store.extents:
            return self._store.owner_events.matter(extents, oid | OBJECT, end - 1)
        tail = ("tail", oid, extents)
        track = self._store.cache.get(tail, lambda: _Track(NOTHING, extents * EXTENT_EVENTS))
        if track.end < end:
            news = self._store.owner_events.find(oid | OBJECT, first=track.end, last=end)
            track = self._keep(tail, track, news, end)
        return track.until(end)

    def _keep(self, key: Hashable, track: _Track, news: Found, end: int) -> _Track:
        longer = _Track(join_found([track.found, news]), end)
        self._store.cache.drop(key)
        return self._store.cache.get(key, lambda: longer)

    def _replayed(self, parts: Iterable[Found]) -> Replay:
        replay = Replay(self._store.program, self._values)
        with uncollected():
            for found in parts:
                self.replayed_events += len(found.times)
                replay.apply_all(found)
        if isinstance(replay.items, Items):
            replay.items.trim()
        return replay

    def _time(self, time: int | None) -> int:
        return self._store.segments.event_count - 1 if time is None else time

    def _type(self, number: int) -> Type:
        return self._store.program.types[number] if number else _NO_TYPE


def keys_like(key: Value) -> Bools:
    """Return a flag for each tag, set if a key with that tag may equal a key."""
    if isinstance(key, str):
        tags = [Tag.STR, Tag.NAME, Tag.CHAR, Tag.STR_INLINE + min(len(key), 15)]
    elif isinstance(key, bytes):
        tags = [Tag.BYTES, min(Tag.BYTES_INLINE + len(key), 255)]
    elif isinstance(key, int | float | complex):
        tags = [Tag.CONST, Tag.INT, Tag.FLOAT, Tag.BIGINT, Tag.COMPLEX]
    else:
        return np.ones(256, np.bool_)
    return kind_table([*tags, Tag.TUPLE])


def _keyed_writes(replay: Replay, found: Found, place: Place) -> PlaceWrites:
    """Replay events that concern an attribute or entry; return those that change it."""
    watch = Watch(0, len(found.times))
    before = replay.at(place)
    for i, row in enumerate(rows_of(found)):
        replay.apply(row)
        after = replay.at(place)
        if after != before:
            watch.note(i, after)
        before = after
    return watch.writes(found.times)


_NO_TYPE = Type(0, "", "?", Layout.OPAQUE)


@dataclass(frozen=True)
class _Track:
    """An object's events before a time."""

    found: Found = NOTHING
    end: int = 0

    @property
    def nbytes(self) -> int:
        return self.found.nbytes

    def until(self, end: int) -> Found:
        """Return the events before a time."""
        count = int(np.searchsorted(self.found.times, end))
        return Found(self.found.times[:count], self.found.events[:count])
