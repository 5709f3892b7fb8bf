"""The changes that made the contents of an object what they were at a time, the latest first."""

from __future__ import annotations

from typing import NamedTuple

from wrongcall.analysis.provenance.run import Run
from wrongcall.events import SEEN, Kind, Layout
from wrongcall.trace.format.event_records import kind_table
from wrongcall.trace.format.owner_index import OBJECT
from wrongcall.trace.read.places import Entry, Item, Place
from wrongcall.trace.read.values import Ref, Value

CHANGES_SHOWN = 24
"""Changes of one object to list, the latest ones."""
_CONTAINERS = frozenset(
    {
        *(Layout.LIST, Layout.DICT, Layout.SET, Layout.DEQUE, Layout.BYTEARRAY, Layout.ARRAY),
        Layout.ELEMENT,
    }
)
_REMOVALS = frozenset({Kind.REMOVE, Kind.ENTRY_DEL, Kind.MEMBER_DEL, Kind.CLEAR})
_CHANGES = kind_table({kind for kind in Kind if Kind.SPLICE <= kind <= Kind.FILL})


class Changed(NamedTuple):
    """One change of an object."""

    time: int
    place: Place | None
    """The item or entry that was set; None for any other change."""
    value: Value
    is_removal: bool


class Changes:
    """Finds the changes of objects."""

    def __init__(self, run: Run) -> None:
        self._run = run

    def is_container(self, value: Value, time: int) -> bool:
        """Return whether a value is an object whose contents can change."""
        return (
            isinstance(value, Ref)
            and self._run.heap.object(value.oid, time).type.layout in _CONTAINERS
        )

    def of(self, oid: int, time: int) -> tuple[list[Changed], bool]:
        """Return the last changes of an object up to a time, the latest first, and whether there are more."""
        found: list[Changed] = []
        for part in self._run.store.owner_events.parts(oid | OBJECT, None, 0, time + 1, True):
            kept = _CHANGES[part.events["kind"]]
            times, events = part.times[kept], part.events[kept]
            for at in range(len(times) - 1, -1, -1):
                if len(found) >= CHANGES_SHOWN:
                    return found, True
                found.append(self._changed(int(times[at]), events[at]))
        return found, False

    def _changed(self, time: int, event: object) -> Changed:
        fields = {name: int(event[name]) for name in ("kind", "ktag", "key", "vtag", "value")}  # type: ignore[index]
        kind = Kind(fields["kind"] & ~SEEN)
        value = self._run.values.read(fields["vtag"], fields["value"])
        key = self._run.values.read(fields["ktag"], fields["key"])
        place: Place | None = None
        if kind in (Kind.ITEM, Kind.INSERT):
            place = Item(fields["key"])
        elif kind == Kind.ENTRY:
            place = Entry(key)
        elif kind in (Kind.MEMBER, Kind.MEMBER_DEL, Kind.ENTRY_DEL):
            value = key
        return Changed(time, place, value, kind in _REMOVALS)
