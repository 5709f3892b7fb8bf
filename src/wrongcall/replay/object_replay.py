"""Compute the contents of one object from its events.

Vocabulary: a *slot* is the content of one place of an object, as written: tag, bits and the time of the write. *Places*
name slots from outside: `Item` (by index), `Attr` (by name), `Entry` (by key).

Invariants, which make the replay equal to what the program had: an item keeps its slot when others are inserted or
removed before it; a key of a dict keeps its place, and the object it was first written with, until it is deleted;
EXPLORED replaces everything known before by what follows. A second OBJ gives the same object another class.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from copy import copy
from typing import Any, NamedTuple

import numpy as np

from wrongcall.errors import TraceError
from wrongcall.events import SEEN, Kind, Layout, Tag
from wrongcall.replay.elements import UNKNOWN_SLOT, Slot, elements
from wrongcall.replay.items import ELEMENT_EVENTS, MANY, Items, Watch
from wrongcall.trace.format.event_records import Bools, Events, Ints, call_ids
from wrongcall.trace.format.program_tables import Program
from wrongcall.trace.format.selection import Found
from wrongcall.trace.read.places import Entry, Item, Place
from wrongcall.trace.read.values import TupleKey, Value, Values, same_key

MAX_ITEMS = 1 << 27
MAX_GAP = 1 << 16
"""How many unknown items may precede one beyond the stated length: more means damage."""
NO_WATCH = Watch()
MANY_ENTRIES = 64
"""So many entries in a row are put into a dict without making rows of them."""


def _plain_keys() -> Bools:
    """Return a flag for each tag: whether a key with that tag is its own mark (see `Replay.key_of`)."""
    table = np.zeros(256, np.bool_)
    table[[Tag.INT, Tag.STR, Tag.NAME, Tag.CHAR]] = True
    table[Tag.STR_INLINE :] = True
    return table


_PLAIN_KEYS = _plain_keys()


class Row(NamedTuple):
    """An event of an object, as Python numbers."""

    time: int
    kind: int
    ktag: int
    key: int
    vtag: int
    value: int
    site: int
    call: int


def rows_of(found: Found) -> list[Row]:
    """Convert events to rows, for replaying them one by one."""
    fields = [
        found.events[name].tolist() for name in ("kind", "ktag", "key", "vtag", "value", "site")
    ]
    columns = [found.times.tolist(), *fields, call_ids(found.events).tolist()]
    return list(map(Row._make, zip(*columns, strict=True)))


class Replay:
    """An object's contents after the events applied so far."""

    def __init__(self, program: Program, values: Values) -> None:
        self._names = program.names
        self._values = values
        self.type = 0
        self.layout = Layout.OPAQUE
        self.born = -1
        self.explored = False
        self.alias = 0
        self.activation = 0
        self.cells: dict[int, int] = {}
        self.attrs: dict[int, Slot] = {}
        self.items: list[Slot] | Items = []
        self.entries: dict[Hashable, tuple[Value, Slot]] = {}
        self.members: dict[Hashable, tuple[Value, int]] = {}
        self.tuples: dict[int, Slot] = {}
        self.length = 0
        """The known length; items at the end may be missing from `items`."""

    def copy(self) -> Replay:
        """Return a copy that can be changed independently."""
        other = copy(self)
        for name in ("cells", "attrs", "items", "entries", "members", "tuples"):
            setattr(other, name, copy(getattr(self, name)))
        return other

    def apply(self, row: Row) -> None:
        """Apply one event."""
        change = _CHANGES.get(row.kind & ~SEEN)
        if change is not None:
            change(self, row)

    def apply_all(self, found: Found, watch: Watch = NO_WATCH) -> None:
        """Apply events in order, noting which of them change the item that is watched."""
        natively = ELEMENT_EVENTS[found.events["kind"]]
        if len(self.items) + np.count_nonzero(natively) < MANY:
            self._apply_each(found, 0, len(found.times), watch)
            return
        others = np.flatnonzero(~natively)
        at = 0
        while at < len(found.times):
            if not isinstance(self.items, Items):
                self.items = Items(self.items)
            at, self.length = self.items.replay(found, at, self.length, watch)
            end = _end_of_run(others, at)
            self._apply_each(found, at, end, watch)
            at = end

    def _apply_each(self, found: Found, first: int, last: int, watch: Watch) -> None:
        """Apply some events one by one."""
        if watch.index < 0 and self._puts_plain(found.events[first:last]):
            self._put_entries(Found(found.times[first:last], found.events[first:last]))
            return
        rows = rows_of(Found(found.times[first:last], found.events[first:last]))
        place = Item(watch.index)
        before = self.at(place)
        for i, row in enumerate(rows, start=first):
            self.apply(row)
            if watch.index >= 0:
                after = self.at(place)
                if after != before:
                    watch.note(i, after)
                before = after

    def _puts_plain(self, events: Events) -> bool:
        """Return whether events only put entries with plain keys: very many of them may fill a dict."""
        return len(events) >= MANY_ENTRIES and bool(
            (events["kind"] & np.uint8(~SEEN & 0xFF) == Kind.ENTRY).all()
            and _PLAIN_KEYS[events["ktag"]].all()
        )

    def _put_entries(self, found: Found) -> None:
        """Put entries with plain keys, which are their own marks (see `key_of`), as `_entry` does."""
        events, entries, read = found.events, self.entries, self._values.read
        keys: list[Any] = events["key"].tolist()
        tags = events["ktag"]
        for i in np.flatnonzero(tags != Tag.INT).tolist():
            keys[i] = read(int(tags[i]), keys[i])
        written = (events["vtag"].tolist(), events["value"].tolist(), found.times.tolist())
        for key, slot in zip(keys, map(Slot._make, zip(*written, strict=True)), strict=True):
            known = entries.get(key)
            entries[key] = (key if known is None else known[0], slot)

    # -- first sight -------------------------------------------------------------------------------

    def _object(self, row: Row) -> None:
        self.type = row.key
        if self.born >= 0:
            return  # ``o.__class__ = C``: the contents stay
        self.layout = layout_of(row.ktag)
        self.born = row.time
        self.explored = row.vtag != Tag.UNSET
        self.length = row.value if row.vtag == Tag.INT else 0

    def _explored(self, row: Row) -> None:
        self._forget()
        self.attrs.clear()
        self.alias = 0
        self.explored = True
        self.length = row.value if row.vtag == Tag.INT else 0

    def _forget(self) -> None:
        self.items.clear()
        self.entries.clear()
        self.members.clear()
        self.length = 0

    def _clear(self, row: Row) -> None:
        self._forget()
        self.length = row.value if row.vtag == Tag.INT else 0

    def _alias(self, row: Row) -> None:
        self._forget()
        self.alias = row.value

    def _cell(self, row: Row) -> None:
        self.cells[row.key] = row.value

    def _activation(self, row: Row) -> None:
        self.activation = row.call

    # -- items -------------------------------------------------------------------------------------

    def _reach(self, index: int) -> None:
        """Make sure that there are items before this index, filling up with unknown ones."""
        far = max(len(self.items) + MAX_GAP, self.length)
        if not 0 <= index <= min(far, MAX_ITEMS):
            raise TraceError(f"damaged trace: an item with index {index}")
        self.items.extend([UNKNOWN_SLOT] * (index - len(self.items)))
        self.length = max(self.length, index)

    def _item(self, row: Row) -> None:
        self._reach(row.key)
        if row.key == len(self.items):
            self._reach(row.key + 1)
        self.items[row.key] = Slot(row.vtag, row.value, row.time)

    def _insert(self, row: Row) -> None:
        if row.key == self.length == len(self.items) < MAX_ITEMS:
            self.items.append(Slot(row.vtag, row.value, row.time))
            self.length += 1
            return
        self._reach(row.key)
        self.items.insert(row.key, Slot(row.vtag, row.value, row.time))
        self.length += 1

    def _remove(self, row: Row) -> None:
        if row.key < 0 or row.value < 0:
            raise TraceError(f"damaged trace: {row.value} items removed at index {row.key}")
        del self.items[row.key : row.key + row.value]
        self.length = max(self.length - row.value, len(self.items))

    def _run(self, row: Row, code: int) -> tuple[list[Slot], int]:
        """Return the known elements of a run written as bytes, and how many elements it has."""
        content = self._values.content_of(row.vtag, row.value)
        size, slots = elements(content.data, code, row.time)
        return slots, len(slots) if content.whole is None else content.whole // size

    def _fill(self, row: Row) -> None:
        self.items, self.length = self._run(row, row.key)

    def _patch(self, row: Row) -> None:
        slots, count = self._whole_run(row)
        self.items[row.key : row.key + count] = slots
        self.length = max(self.length, len(self.items))

    def _splice(self, row: Row) -> None:
        slots, count = self._whole_run(row)
        self.items[row.key : row.key] = slots
        self.length += count

    def _whole_run(self, row: Row) -> tuple[list[Slot], int]:
        """Like `_run` for a run that has a place: unknown elements are filled in."""
        slots, count = self._run(row, row.ktag)
        self._reach(row.key)
        if row.key + count > MAX_ITEMS:
            raise TraceError(f"damaged trace: {count} items from index {row.key} on")
        return slots + [UNKNOWN_SLOT] * (count - len(slots)), count

    # -- entries, members, attributes --------------------------------------------------------------

    def key_of(self, row: Row) -> tuple[Hashable, Value]:
        """Return the mark that identifies a key, and the key itself."""
        key = self._values.read(row.ktag, row.key)
        if isinstance(key, TupleKey) and key.structure in self.tuples:
            whole = self.tuples[key.structure]
            return key, self._values.read(whole.tag, whole.bits)
        return same_key(key), key

    def _entry(self, row: Row) -> None:
        mark, key = self.key_of(row)
        key = self.entries[mark][0] if mark in self.entries else key
        self.entries[mark] = (key, Slot(row.vtag, row.value, row.time))

    def _entry_del(self, row: Row) -> None:
        self.entries.pop(self.key_of(row)[0], None)

    def _member(self, row: Row) -> None:
        mark, key = self.key_of(row)
        self.members.setdefault(mark, (key, row.time))

    def _member_del(self, row: Row) -> None:
        self.members.pop(self.key_of(row)[0], None)

    def _tuple(self, row: Row) -> None:
        self.tuples[row.key] = Slot(row.vtag, row.value, row.time)

    def _attr(self, row: Row) -> None:
        self.attrs[row.key] = Slot(row.vtag, row.value, row.time)

    def _attr_del(self, row: Row) -> None:
        self.attrs.pop(row.key, None)

    @property
    def nbytes(self) -> int:
        """Its approximate size in memory, in bytes."""
        items = self.items.nbytes if isinstance(self.items, Items) else 150 * len(self.items)
        others = 150 * len(self.attrs) + 300 * (len(self.entries) + len(self.members))
        return 1000 + items + others

    # -- looking -----------------------------------------------------------------------------------

    def at(self, place: Place) -> Slot | None:
        """Return the slot at a place, or None if there is none."""
        if isinstance(place, Item):
            return self.items[place.index] if 0 <= place.index < len(self.items) else None
        if isinstance(place, Entry):
            return self._entry_at(place.key)
        numbers = self._names.numbers(place.name)
        if len(numbers) == 1:
            return self.attrs.get(numbers[0])
        return next((slot for number, slot in self.attrs.items() if number in numbers), None)

    def attr(self, name: str) -> Slot | None:
        """Return the slot of an attribute, as `named_attrs` has it, without looking at all the others."""
        numbers = self._names.numbers(name)
        if len(numbers) == 1:
            return self.attrs.get(numbers[0])
        return dict(self.named_attrs()).get(name) if numbers else None

    def named_attrs(self) -> Iterator[tuple[str, Slot]]:
        """Return the attributes with their names, in order."""
        return ((self._names[number], slot) for number, slot in self.attrs.items())

    def _entry_at(self, key: Value) -> Slot | None:
        mark = same_key(key)
        if mark in self.entries:
            return self.entries[mark][1]
        # A tuple is stored by its structure, but may be looked up as the object that it is.
        return next((slot for known, slot in self.entries.values() if known == key), None)


_CHANGES: dict[int, Callable[[Replay, Row], None]] = {
    Kind.OBJ: Replay._object,
    Kind.EXPLORED: Replay._explored,
    Kind.CLEAR: Replay._clear,
    Kind.ALIAS: Replay._alias,
    Kind.CELL: Replay._cell,
    Kind.ACTIVATION: Replay._activation,
    Kind.ITEM: Replay._item,
    Kind.INSERT: Replay._insert,
    Kind.REMOVE: Replay._remove,
    Kind.FILL: Replay._fill,
    Kind.PATCH: Replay._patch,
    Kind.SPLICE: Replay._splice,
    Kind.ENTRY: Replay._entry,
    Kind.ENTRY_DEL: Replay._entry_del,
    Kind.MEMBER: Replay._member,
    Kind.MEMBER_DEL: Replay._member_del,
    Kind.KEY: Replay._tuple,
    Kind.ATTR: Replay._attr,
    Kind.ATTR_DEL: Replay._attr_del,
}


def _end_of_run(numbers: Ints, first: int) -> int:
    """Return where consecutive numbers end that begin with this one; it counts even if it is not there."""
    rest = numbers[np.searchsorted(numbers, first) :]
    follows = rest == first + np.arange(len(rest))
    return first + max(int(np.argmin(follows)) if not follows.all() else len(rest), 1)


def layout_of(number: int) -> Layout:
    """Return the layout with a number."""
    try:
        return Layout(number)
    except ValueError as exc:
        raise TraceError(f"damaged trace: an object has the unknown layout {number}") from exc


def kind_of(row: Row) -> Kind:
    """Return the kind of an event, ignoring whether it is a change or a first sight."""
    number = row.kind & ~SEEN
    try:
        return Kind(number)
    except ValueError as exc:
        raise TraceError(f"damaged trace: an event has the unknown kind {number}") from exc
