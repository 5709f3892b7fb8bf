"""Histories: every write of a variable or slot over the whole run.

Vocabulary: a *version* is a value that a place had from a time on, with the call, function and line that put it there.
A value that is first seen has the call and line on whose behalf it was looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple, overload

import numpy as np

from wrongcall.events import Kind
from wrongcall.languages.paths import Path
from wrongcall.replay.call import Call
from wrongcall.replay.heap import ATTR_GONE, Heap
from wrongcall.replay.items import PlaceWrites
from wrongcall.replay.position import Positions
from wrongcall.replay.resolve import Places, Result, Variable
from wrongcall.replay.variables import UNBINDS, Variables
from wrongcall.replay.writes import Write, slots_of, writes_of
from wrongcall.trace.format.event_records import Bools, Ints
from wrongcall.trace.format.program_tables import Function
from wrongcall.trace.read.call_table import CallTable
from wrongcall.trace.read.places import Entry
from wrongcall.trace.read.store import Store
from wrongcall.trace.read.values import Value, Values

_TOGETHER = 1000
"""Versions to make at once when iterating over all of them."""


class Version(NamedTuple):
    """A value that a place had from a time on."""

    time: int
    call: int
    function: Function | None
    line: int
    seen: bool
    """The value was found there, not written at this time."""
    write: Write

    @property
    def old(self) -> Value:
        """The value before."""
        return self.write.old

    @property
    def new(self) -> Value:
        """The value from this time on; `UNSET` if there is none."""
        return self.write.new

    @property
    def kind(self) -> Kind:
        """The kind of event."""
        return self.write.kind


class Versions(Sequence[Version]):
    """The versions of a place, in order, made on demand: there may be millions."""

    def __init__(self, times: Ints, make: Callable[[int, int], list[Version]]) -> None:
        """``make`` returns those from one index up to, not including, another."""
        self.times = times
        """When each of them was written, in ascending order."""
        self._make = make

    @classmethod
    def of(cls, versions: list[Version]) -> Versions:
        """Wrap versions that already exist."""
        times = np.array([version.time for version in versions], dtype=np.int64)
        return cls(times, lambda first, last: versions[first:last])

    def __len__(self) -> int:
        return len(self.times)

    @overload
    def __getitem__(self, where: int) -> Version: ...

    @overload
    def __getitem__(self, where: slice) -> list[Version]: ...

    def __getitem__(self, where: int | slice) -> Version | list[Version]:
        chosen = range(len(self))[where]
        if isinstance(chosen, int):
            return self._make(chosen, chosen + 1)[0]
        if not chosen:
            return []
        low, high = min(chosen[0], chosen[-1]), max(chosen[0], chosen[-1])
        made = self._make(low, high + 1)
        return [made[i - low] for i in chosen]

    def __iter__(self) -> Iterator[Version]:
        for first in range(0, len(self), _TOGETHER):
            yield from self._make(first, min(first + _TOGETHER, len(self)))

    def __eq__(self, other: object) -> bool:
        """Return whether these are the same versions, as lists would."""
        return isinstance(other, Sequence) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]


class Histories:
    """Finds the histories of places."""

    def __init__(
        self,
        store: Store,
        values: Values,
        heap: Heap,
        variables: Variables,
        places: Places,
        positions: Positions,
        calls: CallTable,
    ) -> None:
        self._store = store
        self._values = values
        self._heap = heap
        self._variables = variables
        self._places = places
        self._positions = positions
        self._calls = calls

    def of(self, call: Call, path: Path, time: int) -> Versions:
        """Return the history of the place that a path means in a call at a time."""
        target, _ = self._places.find(call, path, time)
        if isinstance(target, Result):
            return Versions.of([])
        if isinstance(target, Variable):
            return self._lazy(self._variables.local_times(target.owner, target.name), UNBINDS)
        times = self._heap.attr_times(target.oid, target.place)
        if times is not None:
            return self._lazy(times, ATTR_GONE)
        if isinstance(target.place, Entry) and self._heap.alias(target.oid):
            return Versions.of(self._versions(self._heap.writes(target.oid, target.place)))
        return self._placed_versions(self._heap.place_writes(target.oid, target.place))

    def _lazy(self, times: Ints, gone: Bools) -> Versions:
        """Return the versions for events; ``gone``: kinds after which there is no value."""

        def make(first: int, last: int) -> list[Version]:
            begin = max(first - 1, 0)
            found = self._store.segments.at(times[begin:last])
            after = slots_of(found, gone[found.events["kind"]])
            before = [None, *after[:-1]]
            writes = writes_of(self._store.program, self._values, found, before, after)
            return self._versions(writes[first - begin :])

        return Versions(times, make)

    def _placed_versions(self, writes: PlaceWrites) -> Versions:
        """Return the versions of an item or entry, for the events that changed it."""

        def make(first: int, last: int) -> list[Version]:
            begin = max(first - 1, 0)
            after = writes.slots(begin, last)
            found = self._store.segments.at(writes.times[begin:last])
            before = [None, *after[:-1]]
            made = writes_of(self._store.program, self._values, found, before, after)
            return self._versions(made[first - begin :])

        return Versions(writes.times, make)

    def times(self, call: Call, path: Path, time: int) -> Ints:
        """Return the times of that history, in ascending order."""
        target, _ = self._places.find(call, path, time)
        if isinstance(target, Result):
            return np.empty(0, np.int64)
        if isinstance(target, Variable):
            return self._variables.local_times(target.owner, target.name)
        return self._heap.write_times(target.oid, target.place)

    def _versions(self, writes: list[Write]) -> list[Version]:
        if not writes:
            return []
        times, calls, sites, lines, _, seen, *_ = zip(*writes, strict=True)
        of_site = {site: self._function(site) for site in set(sites)}
        functions = [of_site[site] for site in sites]
        versions = list(map(Version, times, calls, functions, lines, seen, writes))
        for i, told in enumerate(zip(calls, functions, strict=True)):
            if not all(told):
                versions[i] = self._placed(versions[i])
        return versions

    def _function(self, site: int) -> Function | None:
        """Return the function that contains a site: that of the call whose event has it."""
        known = self._store.program.sites.get(site)
        return None if known is None else self._store.program.functions[known.function]

    def _placed(self, version: Version) -> Version:
        """Fill in where a version was written, if no site says so."""
        call, line = version.call, version.line
        if not call:
            position = self._positions.at(version.time)
            call, line = position.call, position.line
        function = None
        if call:
            function = self._store.program.functions[self._calls.begun(call).function]
        return version._replace(call=call, function=function, line=line)
