"""Find what a call wrote to that existed before it: objects, and variables of older calls.

This is for calls during which no other code runs; `writers` is for the rest. The result comes from the events of the
call's span (`spans`). Most of a long span consists of whole extents, and everything old in an extent has its events in
the owner index, sorted by owner. So only the pages of owners older than the call are read, however much happens. Where
there are many such pages, reading the segments costs less.

Vocabulary: *shifted* objects are lists whose elements were moved, and anything that was emptied.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from wrongcall.events import SEEN, Kind
from wrongcall.replay.spans import Spans
from wrongcall.trace.format.event_records import (
    Bools,
    Columns,
    Events,
    Ints,
    call_ids,
    distinct,
    kind_table,
    obj_ids,
)
from wrongcall.trace.format.owner_index import EXTENT_EVENTS, OBJECT
from wrongcall.trace.format.segment import SEGMENT_EVENTS
from wrongcall.trace.format.segment_summary import may_contain
from wrongcall.trace.read.store import Store

_WRITES = kind_table(kind for kind in Kind if Kind.ATTR <= kind <= Kind.FILL)
_SHIFTS = kind_table({Kind.INSERT, Kind.REMOVE, Kind.SPLICE, Kind.CLEAR, Kind.FILL})
_CLEARS = kind_table({Kind.CLEAR})
_KEYED = kind_table({Kind.ENTRY, Kind.ENTRY_DEL, Kind.MEMBER, Kind.MEMBER_DEL})
_LOCALS = kind_table({Kind.LOCAL, Kind.LOCAL_DEL})
_ALL = _WRITES | _LOCALS
_FIELDS = ("kind", "hi", "site", "call", "obj")
_MOST_PAGES = 3
"""If more pages of an owner index per segment would have to be read, the segments are read instead."""
assert not _WRITES[Kind.ATTR | SEEN]  # a first sight is not a change


class Written(NamedTuple):
    """What a call, or one below it, wrote to."""

    objects: list[int]
    """Objects that the program knew before."""
    shifted: set[int]
    """Those of them whose elements were moved."""
    variables: list[tuple[int, str]]
    """Variables of older calls, in order of first binding."""
    unowned: set[int]
    """Objects written to by code without a call, in a thread that is not recorded."""


class Writings:
    """Finds what calls wrote to."""

    def __init__(self, store: Store, spans: Spans) -> None:
        self._store = store
        self._spans = spans

    def of(self, call: int, before: int, until: int, after: int | None = None) -> Written:
        """Return what was written to after a time by a call, or by all up to a later sibling.

        ``after``: only up to this time.
        """
        last = self._spans.span(call, until)[1] if after is None else after
        search = _Search(
            self._store,
            self._spans,
            call,
            self._store.owner_events.newest_object(before),
        )
        # Anything old that is in no owner index has all its events in the segment of that time, or before it.
        near = min(last, before // SEGMENT_EVENTS * SEGMENT_EVENTS + SEGMENT_EVENTS - 1)
        search.segments(before + 1, near)
        for first, end in self._store.owner_events.by_extent(near + 1, last + 1):
            if first // EXTENT_EVENTS >= self._store.extents or not search.owner_index(first, end):
                search.segments(first, end - 1)
        return search.written()


class _Search:
    """The results so far for one call."""

    def __init__(self, store: Store, spans: Spans, call: int, newest: int) -> None:
        self._store = store
        self._spans = spans
        self._call = call
        self._newest = newest
        self._objects: dict[int, None] = {}
        self._shifted: set[int] = set()
        self._unowned: set[int] = set()
        self._keyed: set[int] = set()
        """Dicts and sets: their elements cannot move."""
        self._bound: dict[tuple[int, str], int] = {}

    def written(self) -> Written:
        """Return what was found."""
        variables = sorted(self._bound, key=self._bound.__getitem__)
        return Written(list(self._objects), self._shifted, variables, self._unowned)

    def segments(self, first: int, last: int) -> None:
        """Scan the events in a span of times."""
        fields = self._store.segments.fields
        for number, where in self._spans.between(first, last, None, _ALL):
            where = where[_ALL[fields(number, "kind", where)]]
            columns = {name: fields(number, name, where) for name in _FIELDS}
            self._note(where + number * SEGMENT_EVENTS, columns)

    def owner_index(self, first: int, end: int) -> bool:
        """Read the old owners of an owner index, in a part of its extent, the end excluded.

        Return False if that would take longer than reading the segments.
        """
        owner_events, extent = self._store.owner_events, first // EXTENT_EVENTS
        most = _MOST_PAGES * -(-(end - first) // SEGMENT_EVENTS)
        for owners in ((1, self._call - 1), (OBJECT | 1, OBJECT | self._newest)):
            for page, owner, slot in owner_events.pages(extent, *owners):
                if owner & OBJECT and self._knows(owner ^ OBJECT, slot, first, end):
                    continue
                if not most:
                    return False
                most -= 1
                found = owner_events.on_page(extent, page, *owners)
                mine = _ALL[found.events["kind"]] & (found.times >= first) & (found.times < end)
                self._note(found.times[mine], found.events[mine])
            for owner, slot in owner_events.left_out(extent, *owners):
                self._look_up((first, end), owner, slot)
        return True

    def _knows(self, oid: int, slot: int, first: int, end: int) -> bool:
        """Return whether further writes to an object from this slot on cannot add anything new."""
        if oid not in self._objects or slot:
            return oid in self._objects
        return oid in self._shifted or (oid in self._keyed and not self._clears(first, end))

    def _clears(self, first: int, end: int) -> bool:
        """Return whether anything may be emptied in a span of times."""
        numbers = slice(first // SEGMENT_EVENTS, (end - 1) // SEGMENT_EVENTS + 1)
        kinds = self._store.segments.index.kinds[numbers]
        return any(may_contain(bitmap, Kind.CLEAR) for bitmap in kinds)

    def _look_up(self, span: tuple[int, int], owner: int, slot: int) -> None:
        """Read what an owner index left out, as far as it may add anything new."""
        number = owner & ~OBJECT
        if not owner & OBJECT:
            self._look_for(span, number, _LOCALS, whole=True)
            return
        if number not in self._objects:
            self._look_for(span, number, _WRITES)
        if not slot and number not in self._shifted:
            self._look_for(span, number, _CLEARS if number in self._keyed else _SHIFTS)

    def _look_for(
        self, span: tuple[int, int], number: int, kinds: Bools, whole: bool = False
    ) -> None:
        """Scan events of an object, or of a call's variables, until some count; or all of them."""
        wanted = np.flatnonzero(kinds).tolist()
        parts = self._store.segments.select_parts(wanted, obj=number, first=span[0], last=span[1])
        for found in parts:
            if self._note(found.times, found.events) and not whole:
                return

    def _note(self, times: Ints, columns: Events | Columns) -> bool:
        """Note events; those of the same owner at the same site are in order.

        Return whether any of them counts.
        """
        if not len(times):
            return False
        kinds, objs = columns["kind"], obj_ids(columns)
        old = _WRITES[kinds] & (objs <= self._newest)
        self._objects.update(dict.fromkeys(distinct(objs[old])))
        self._shifted.update(distinct(objs[_SHIFTS[kinds] & old]))
        self._keyed.update(distinct(objs[_KEYED[kinds] & old]))
        self._unowned.update(distinct(objs[old & (call_ids(columns) == 0)]))
        bound = np.flatnonzero(_LOCALS[kinds] & (objs > 0) & (objs < self._call))
        if len(bound):
            pairs = zip(objs[bound].tolist(), columns["site"][bound].tolist(), strict=True)
            self._note_variables(zip(pairs, times[bound].tolist(), strict=True))
        return True

    def _note_variables(self, bound: Iterable[tuple[tuple[int, int], int]]) -> None:
        first: dict[tuple[int, int], int] = {}
        for pair, time in bound:
            first.setdefault(pair, time)
        for (owner, site), time in first.items():
            name = self._store.program.sites[site].name
            if name is not None:
                key = (owner, name)
                self._bound[key] = min(time, self._bound.get(key, time))
