"""Find which call wrote to what while a call ran, if others run in the meantime.

All events of the call's span are scanned once, in whole columns; each has its call. Objects count if the call did not
make them itself: those that existed before, and those that others made in the meantime and the call got hold of.

Vocabulary: an object is *touched* if an event of the call, or of one below it, names it. The *writer* of an event that
is not the call's own is the nearest call in the tree: of the calls above that event that are not above the call, the
topmost that is not a module body. Where a generator's caller itself writes between two resumes, it is that caller.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from wrongcall.analysis.effects import _writers
from wrongcall.events import SEEN, Kind
from wrongcall.replay.spans import Family
from wrongcall.trace.format.event_records import (
    OBJECT_KINDS,
    Columns,
    Ints,
    call_ids,
    distinct,
    obj_ids,
)
from wrongcall.trace.format.segment import SEGMENT_EVENTS
from wrongcall.trace.read.call_table import CallTable
from wrongcall.trace.read.store import Store

OWN = -1
"""The writer for the call itself and those below it."""
NOBODY = 0
"""The writer for events without a call: code that is not recorded."""

_KINDS = [kind for kind in Kind if Kind.ATTR <= kind <= Kind.FILL]
_SHIFTS = {Kind.INSERT, Kind.REMOVE, Kind.SPLICE, Kind.CLEAR, Kind.FILL}
_COLUMNS = ("kind", "call", "obj", "hi", "vtag", "value", "site")
_NOTED = _COLUMNS[:-1]
_LISTS = 6
"""What native code finds: objects written to by the call, moved, written to by others, made, pending; variables."""


def _meanings() -> bytes:
    """Return what each kind of event means for the search; ``native/writers.c`` has the same numbers."""
    write, sight, shift, of_object, local, birth = (1 << bit for bit in range(6))
    table = bytearray(256)
    for meaning, kinds in (
        (write, _KINDS),
        (sight, [kind | SEEN for kind in _KINDS]),
        (shift, _SHIFTS),
        (of_object, OBJECT_KINDS),
        (local, (Kind.LOCAL, Kind.LOCAL_DEL)),
        (birth, (Kind.OBJ,)),
    ):
        for kind in kinds:
            table[kind] |= meaning
    return bytes(table)


_MEANINGS = _meanings()
_TOGETHER = 16
"""Segments whose numbers are collected before duplicates are dropped."""


@dataclass(frozen=True)
class Shared:
    """What a call and others wrote to in a span."""

    own: frozenset[int]
    """Objects that the call wrote to."""
    shifted: frozenset[int]
    """Those of them whose elements it moved."""
    others: frozenset[int]
    """Objects that others wrote to."""
    seen: dict[int, int]
    """Objects that the call touched, and since when it knew them: its entry, or when it got hold of them."""
    variables: list[tuple[int, str]]
    """Variables of other calls that the call wrote to, in order of first write."""


class Writers:
    """Names the writers of events, as seen from a call."""

    def __init__(self, calls: CallTable, family: Family | None, call: int) -> None:
        """Take the calls that count as its own; None means all."""
        self._calls = calls
        self._family = family
        self._is_module = calls.module_functions()
        above = [0]
        while call:
            call = calls.begun(call).parent
            above.append(call)
        self._above = np.array(above, np.int64)

    def of(self, calls: Ints) -> Ints:
        """Return the writers of events that belong to these calls."""
        numbers = np.array(distinct(calls), np.int64)
        writers = np.full(len(numbers), OWN, np.int64)
        others = numbers == 0 if self._family is None else ~self._family.includes(numbers)
        writers[others] = self._nearest(numbers[others])
        found: Ints = writers[np.searchsorted(numbers, calls)]
        return found

    def _nearest(self, calls: Ints) -> Ints:
        """Return the nearest calls in the tree, for calls that are not the call's own."""
        found, below, rows = calls.copy(), calls.copy(), np.arange(len(calls))
        climbing = calls.copy()
        while True:
            left = ~np.isin(climbing, self._above)
            rows, climbing, below = rows[left], climbing[left], below[left]
            if not len(rows):
                return found
            parents, functions = self._calls.parents(climbing)
            # A module body is above everything in its thread: naming it would say little.
            found[rows] = np.where(self._is_module[functions], below, climbing)
            below, climbing = climbing, parents


def shared(store: Store, family: Family, span: tuple[int, int], before: int) -> Shared:
    """Return what a call and others wrote to in its span, after it had its arguments."""
    search = _Search(store, family, before)
    for number, part in store.segments.parts(span[0], span[1] + 1):
        columns = store.segments.scanned(number, _COLUMNS, span[1] - span[0])
        first = number * SEGMENT_EVENTS + part.start
        search.look(first, {name: column[part] for name, column in columns.items()})
    return search.found()


class _Search:
    """The results so far."""

    def __init__(self, store: Store, family: Family, before: int) -> None:
        self._store = store
        self._family = family
        self._before = before
        self._newest = store.owner_events.newest_object(before)
        self._own, self._shifted, self._others = _Numbers(), _Numbers(), _Numbers()
        self._touched, self._made = _Numbers(), _Numbers()
        self._pending: Ints = np.empty(0, np.int64)
        """Objects that are first seen; the next event with a call shows which call made them."""
        self._bound: dict[tuple[int, str], int] = {}
        self._noted = (self._own, self._shifted, self._others, self._made)
        self._make_room(0)

    def look(self, first: int, columns: Columns) -> None:
        """Process events, the first of which has this time."""
        own = self._family.includes(call_ids(columns))
        count = len(own)
        if 2 * count > len(self._touched_room):
            self._make_room(count)
        given = (*(columns[name] for name in _NOTED), own)
        limits = (first, self._before, self._newest)
        room = (self._room, self._touched_room, self._times_room)
        counts, touched, first_is_own = _writers.note_writers(given, _MEANINGS, *limits, *room)
        lists = [self._room[i * count : i * count + n] for i, n in enumerate(counts)]
        if first_is_own == 0:
            self._made.add(self._pending)
        if first_is_own >= 0:
            self._pending = self._pending[:0]
        for noted, numbers in zip(self._noted, lists, strict=False):
            noted.add(numbers)
        self._pending = np.concatenate([self._pending, lists[4]])
        self._touched.add(self._touched_room[:touched].copy(), self._times_room[:touched].copy())
        self._note_bound(first, columns, lists[5])

    def _make_room(self, count: int) -> None:
        self._room = np.empty(_LISTS * count, np.int64)
        self._touched_room, self._times_room = np.empty((2, 2 * count), np.int64)

    def _note_bound(self, first: int, columns: Columns, where: Ints) -> None:
        """Note the variables of other calls that are bound, given where the call binds one of any call."""
        owners = obj_ids({name: columns[name][where] for name in ("obj", "hi")})
        others = ~self._family.includes(owners)
        sites = columns["site"][where[others]].tolist()
        times = (where[others] + first).tolist()
        for owner, site, time in zip(owners[others].tolist(), sites, times, strict=True):
            name = self._store.program.sites[site].name
            if name is not None:
                self._bound.setdefault((owner, name), time)

    def found(self) -> Shared:
        """Return what was found."""
        made, others = self._made.all()[0], self._others.all()[0]
        own = self._counting(self._own.all()[0], made)
        touched, when = self._touched.all()
        rows = np.flatnonzero(np.isin(touched, np.concatenate([own, others])))
        rows = rows[np.isin(touched[rows], self._counting(touched[rows], made))]
        first = np.maximum(when[rows] - 1, self._before)
        seen = dict(zip(touched[rows].tolist(), first.tolist(), strict=True))
        return Shared(
            own=frozenset(own.tolist()),
            shifted=frozenset(self._shifted.all()[0].tolist()),
            others=frozenset(others.tolist()),
            seen={n: self._before if n <= self._newest else t for n, t in seen.items()},
            variables=list(self._bound),
        )

    def _counting(self, numbers: Ints, made: Ints) -> Ints:
        """Return the objects that existed before or that others made."""
        return numbers[(numbers <= self._newest) | np.isin(numbers, made)]


class _Numbers:
    """Distinct numbers, each with the time of its first occurrence."""

    def __init__(self) -> None:
        self._parts: list[tuple[Ints, Ints]] = [(np.empty(0, np.int64), np.empty(0, np.int64))]

    def add(self, numbers: Ints, times: Ints | None = None) -> None:
        """Add numbers by ascending time, all later than those before."""
        if not len(numbers):
            return
        if times is None:
            numbers = np.array(distinct(numbers), np.int64)
            times = np.zeros(len(numbers), np.int64)
        self._parts.append((numbers, times))
        if len(self._parts) > _TOGETHER:
            self._parts = [self.all()]

    def all(self) -> tuple[Ints, Ints]:
        """Return the numbers in ascending order, with their times."""
        numbers = np.concatenate([numbers for numbers, _ in self._parts])
        times = np.concatenate([times for _, times in self._parts])
        order = np.argsort(numbers, kind="stable")
        numbers, times = numbers[order], times[order]
        first = np.diff(numbers, prepend=-1) != 0
        return numbers[first], times[first]
