"""Variables: locals of calls, free variables, globals of modules, and their histories.

Vocabulary: a call *owns* its local variables. A free variable belongs to another call, its *owner*, named by CLOSURE
events of the call or by CELL events of its function object. A comprehension's own variables (sites of kind TARGET)
belong to no call: they disappear when it ends.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from wrongcall.events import SEEN, Kind, SiteKind
from wrongcall.replay.elements import Slot
from wrongcall.replay.heap import Heap
from wrongcall.replay.modules import Modules
from wrongcall.replay.object_replay import Row, rows_of
from wrongcall.replay.writes import Write, read_slot, slots_of, writes_of
from wrongcall.trace.format.event_records import (
    Bools,
    Ints,
    distinct,
    kind_table,
    obj_ids,
    with_seen,
)
from wrongcall.trace.format.owner_index import VARIABLE_KINDS, slot_of
from wrongcall.trace.format.program_tables import FIRST_PROCESS, Function, Site, Span
from wrongcall.trace.format.segment import SEGMENT_EVENTS
from wrongcall.trace.format.selection import NOTHING, Found, join_found
from wrongcall.trace.read.call_table import CallTable
from wrongcall.trace.read.places import Attr
from wrongcall.trace.read.store import Store
from wrongcall.trace.read.values import UNSET, Ref, Value, Values

_LOCALS = VARIABLE_KINDS
UNBINDS = kind_table(with_seen({Kind.LOCAL_DEL}))
"""Events after which a variable is unbound."""
_SHORT = SEGMENT_EVENTS
"""For shorter spans, search the segments themselves."""


class Variables:
    """The variables of a trace."""

    def __init__(self, store: Store, values: Values, heap: Heap, calls: CallTable) -> None:
        self._store = store
        self._values = values
        self._heap = heap
        self._calls = calls
        self._sharing: tuple[int, set[int]] = (0, set())
        self._modules = Modules(store, heap, self.process)
        self._tables: dict[tuple[int, str, int], Bools] = {}

    def function(self, call: int) -> Function:
        """Return the function that was called."""
        return self._store.program.functions[self._calls.begun(call).function]

    def local(self, call: int, name: str, time: int | None = None) -> Value:
        """Return a local or free variable of a call at a time; `UNSET` if it is not bound."""
        value = read_slot(self._values, self.slot(self.owner(call, name), name, time))
        if value is UNSET and self._in_namespace(call, name) and name in self.function(call).free:
            return read_slot(self._values, self.slot(self._owner_around(call, name), name, time))
        return value

    def slot(self, owner: int, name: str, time: int | None = None) -> Slot | None:
        """Return the value of a variable of a call at a time and since when it had it, or None if it is not bound."""
        first, end = self._calls.span(owner)
        stop = end + 1 if time is None else min(time, end) + 1
        found = next(self._own(owner, name, first, stop, backward=True), NOTHING)
        if self.shares(self.function(owner)):
            found = join_found([found, self._foreign(owner, name, first, time)])
        if not len(found.times):
            return None
        last = int(np.argmax(found.times))
        return _slot(rows_of(Found(found.times[last:][:1], found.events[last:][:1]))[0])

    def _own(
        self, owner: int, name: str, first: int, stop: int, backward: bool = False
    ) -> Iterator[Found]:
        """Iterate over the writes of a variable by the call that owns it, part by part."""
        sites = self.sites(self.function(owner), name)
        if stop - first <= _SHORT:
            parts = self._store.segments.select_parts(
                _LOCALS, call=owner, first=first, last=stop, sites=sites, backward=backward
            )
        else:
            slots = [slot_of(Kind.LOCAL, 0, site) for site in np.flatnonzero(sites).tolist()]
            parts = self._store.owner_events.parts(owner, slots, first, stop, backward)
        for part in parts:
            numbers = part.events["site"]
            kept = sites[np.where(numbers < len(sites), numbers, 0)]
            kept &= obj_ids(part.events) == 0
            if kept.any():
                yield Found(part.times[kept], part.events[kept])

    def _foreign(self, owner: int, name: str, first: int, time: int | None) -> Found:
        """Return the writes to a call's variable by inner functions, which may outlive it."""
        last = None if time is None else time + 1
        slots = [
            slot_of(Kind.LOCAL, 0, site.id)
            for site in self._store.program.sites.values()
            if site.name == name
        ]
        parts = [NOTHING]
        for part in self._store.owner_events.parts(owner, slots, first, last):
            foreign = obj_ids(part.events) != 0
            parts.append(Found(part.times[foreign], part.events[foreign]))
        return self._named(join_found(parts), name)

    def sites(self, function: Function, name: str) -> Bools:
        """Return a flag for each site, set where a function binds a variable of its own."""
        sites = self._store.program.sites
        key = (function.id, name, sites.last)
        if key not in self._tables:
            self._tables[key] = np.zeros(sites.last + 1, dtype=np.bool_)
            for site in self._sites_of(function):
                if site.name == name and site.kind != SiteKind.TARGET:
                    self._tables[key][site.id] = True
        return self._tables[key]

    def _sites_of(self, function: Function) -> Iterator[Site]:
        """Iterate over the sites of a function: few, so looking at all those of a program would take longer."""
        program = self._store.program
        for number in np.flatnonzero(program.columns.function == function.id).tolist():
            yield program.sites[number]

    def locals(self, call: int, time: int | None = None) -> dict[str, Value]:
        """Return the local and free variables of a call that are bound at a time."""
        bound = self._bound(self._events(call, time))
        for name in self.function(call).free:
            value = self.local(call, name, time)
            if value is not UNSET:
                bound[name] = value
        return bound

    def bound_at(self, time: int) -> Value:
        """Return the value that the event at a time bound a variable to."""
        return self._values.read(*self._calls.event(time, "vtag", "value"))

    def round(self, call: int, name: str, span: Span, time: int) -> int | None:
        """Return when a comprehension with its target at a span last bound a variable, or None if never."""
        flags = self._targets(self.function(call), name, span)
        first, _ = self._calls.span(call)
        parts = self._store.segments.select_parts(
            {Kind.LOCAL}, call=call, first=first, last=time + 1, sites=flags, backward=True
        )
        for part in parts:
            numbers = part.events["site"]
            kept = np.flatnonzero(flags[np.where(numbers < len(flags), numbers, 0)])
            if len(kept):
                return int(part.times[kept].max())
        return None

    def _targets(self, function: Function, name: str, span: Span) -> Bools:
        """Return a flag for each site, set where a comprehension binds a variable."""
        flags = np.zeros(self._store.program.sites.last + 1, dtype=np.bool_)
        for site in self._sites_of(function):
            if site.kind == SiteKind.TARGET:
                place = (site.line, site.col, site.end_line, site.end_col)
                flags[site.id] = site.name == name and place == span
        return flags

    def local_writes(self, call: int, name: str) -> list[Write]:
        """Return the history of a local or free variable."""
        found = self.written(self.owner(call, name), name)
        after = slots_of(found, UNBINDS[found.events["kind"]])
        before = [None, *after[:-1]] if after else []
        return writes_of(self._store.program, self._values, found, before, after)

    def local_times(self, call: int, name: str) -> Ints:
        """Return when a local or free variable was written, in ascending order."""
        owner = self.owner(call, name)
        own = self._own_times(owner, name)
        if not self.shares(self.function(owner)):
            return own
        foreign = self._foreign(owner, name, self._calls.span(owner)[0], None).times
        return np.sort(np.concatenate([own, foreign]))

    def _own_times(self, owner: int, name: str) -> Ints:
        """Return when a variable was written by the call that owns it."""
        sites, (first, last) = self.sites(self.function(owner), name), self._calls.span(owner)
        slots = np.array([slot_of(Kind.LOCAL, 0, site) for site in np.flatnonzero(sites).tolist()])
        times = [np.empty(0, np.int64)]
        for begin, stop in self._store.owner_events.by_extent(first, last + 1):
            if self._store.owner_events.tells(begin, owner, slots.astype(np.uint32)):
                times += [part.times for part in self._own(owner, name, begin, stop)]
            else:
                times += self._times_at(owner, sites, begin, stop)
        return np.concatenate(times)

    def _times_at(self, owner: int, sites: Bools, first: int, last: int) -> Iterator[Ints]:
        """Iterate over the times at which a call writes to its variables at these sites."""
        segments = self._store.segments
        for number, where in segments.find(
            _LOCALS, call=owner, first=first, last=last, sites=sites
        ):
            low, high = (segments.fields(number, name, where) for name in ("obj", "hi"))
            yield where[(low == 0) & (high >> 4 == 0)] + number * SEGMENT_EVENTS

    def written(self, owner: int, name: str) -> Found:
        """Return all writes of a variable by the call that owns it and by inner functions, in order."""
        first, end = self._calls.span(owner)
        found = join_found([NOTHING, *self._own(owner, name, first, end + 1)])
        if self.shares(self.function(owner)):
            found = join_found([found, self._foreign(owner, name, first, None)])
            order = np.argsort(found.times)
            found = Found(found.times[order], found.events[order])
        return found

    def owner(self, call: int, name: str) -> int:
        """Return the call that owns a variable, as seen from a call."""
        if name not in self.function(call).free or self._in_namespace(call, name):
            return call
        return self._owner_around(call, name)

    def _in_namespace(self, call: int, name: str) -> bool:
        """Return whether a class body binds this name; functions in it may mean the one around the class."""
        function = self.function(call)
        return function.kind == "class" and name in function.locals

    def _owner_around(self, call: int, name: str) -> int:
        """Return the call that owns a free variable."""
        closures = self._store.segments.select({Kind.CLOSURE}, call=call)
        names = self._store.program.names
        for event in closures.events:
            if names[int(event["key"])] == name:
                return int(obj_ids(event.reshape(1))[0])
        return self._closure(call).get(name, call)

    def _closure(self, call: int) -> dict[str, int]:
        """Return the owners of free variables, as the function object knows them."""
        entry = self._calls.begun(call).entry
        event = self._store.segments.events(entry, entry + 1)[0]
        function = self._values.read(int(event["vtag"]), int(event["value"]))
        return self._heap.state(function.oid).cells if isinstance(function, Ref) else {}

    def module(self, name: str, process: int = FIRST_PROCESS) -> int | None:
        """Return the object of a module of the program in a process, or None if none of it was seen."""
        return self._modules.find(name, process)

    def module_of(self, call: int) -> int | None:
        """Return the module whose globals a call sees: that of its own process."""
        module = self._store.program.files[self.function(call).file].module
        return self.module(module, self.process(call))

    def process(self, call: int) -> int:
        """Return the process that a call ran in."""
        if len(self._store.program.processes) <= 1:
            return FIRST_PROCESS
        thread = self._calls.event(self._calls.begun(call).entry, "key")[0] >> 32
        known = self._store.program.threads.get(thread)
        return FIRST_PROCESS if known is None else known.process

    def globals(
        self, module: str, time: int | None = None, process: int = FIRST_PROCESS
    ) -> dict[str, Value]:
        """Return the global variables of a module in a process at a time."""
        oid = self.module(module, process)
        return {} if oid is None else self._heap.state(oid, time).attrs

    def global_writes(self, module: str, name: str, process: int = FIRST_PROCESS) -> list[Write]:
        """Return the history of a global variable in a process."""
        oid = self.module(module, process)
        return [] if oid is None else self._heap.writes(oid, Attr(name))

    def _events(self, owner: int, time: int | None) -> Found:
        """Return the writes to a call's variables: its own, and those from inner functions."""
        first, end = self._calls.span(owner)
        if self.shares(self.function(owner)):
            # Inner functions may outlive it.
            stop = self._store.segments.event_count if time is None else time + 1
        else:
            stop = end + 1 if time is None else min(time, end) + 1
        if stop - first > _SHORT:
            return self._latest(owner, first, stop)
        if self.shares(self.function(owner)):
            return self._store.owner_events.find(owner, None, first, stop)
        own = self._store.segments.select(_LOCALS, call=owner, first=first, last=stop)
        kept = obj_ids(own.events) == 0
        return Found(own.times[kept], own.events[kept])

    def _latest(self, owner: int, first: int, stop: int) -> Found:
        """Return the last write of each variable of a call: a long-running one has millions of others."""
        left = self._slots(self.function(owner))
        found: dict[str, Found] = dict.fromkeys(left, NOTHING)  # in the order of the source
        for begin, end in reversed(list(self._store.owner_events.by_extent(first, stop))):
            slots = [slot for name in left for slot in left[name]]
            for part in self._store.owner_events.parts(owner, slots, begin, end) if slots else ():
                for name, at in self._last_of_names(part).items():
                    left.pop(name, None)
                    if not len(found[name].times) or found[name].times[0] < part.times[at]:
                        found[name] = Found(part.times[at : at + 1], part.events[at : at + 1])
        return join_found([NOTHING, *found.values()])

    def _slots(self, function: Function) -> dict[str, list[int]]:
        """Return the slots in which a function's variables may be written, by variable name."""
        slots: dict[str, list[int]] = {}
        shares = self.shares(function)
        for site in self._sites_of(function):
            if site.name and site.kind != SiteKind.TARGET:
                slots.setdefault(site.name, [])
        users = self._store.program.sites.values() if shares else self._sites_of(function)
        for site in users:
            if site.name in slots:
                slots[site.name].append(slot_of(Kind.LOCAL, 0, site.id))
        return slots

    def _last_of_names(self, found: Found) -> dict[str, int]:
        """Return the position of the last write to each variable, among the writes of a call."""
        sites = self._store.program.sites
        numbers = found.events["site"]
        last: dict[str, int] = {}
        for number in distinct(numbers):
            site = sites[number]
            if site.kind != SiteKind.TARGET and site.name is not None:
                at = int(np.flatnonzero(numbers == number)[-1])
                last[site.name] = max(at, last.get(site.name, -1))
        return last

    def shares(self, function: Function) -> bool:
        """Return whether inner functions use variables of a function."""
        functions = self._store.program.functions
        if self._sharing[0] != functions.last:
            users = (f for f in functions.values() if f.free)
            outer = {o.id for f in users for o in _outside(f, functions)}
            self._sharing = (functions.last, outer)
        return function.id in self._sharing[1]

    def _names(self, found: Found) -> list[str | None]:
        """Return the variable that each event is about, or None for a comprehension's own."""
        sites = self._store.program.sites
        numbers = found.events["site"]
        chosen = {number: sites[number] for number in distinct(numbers)}
        names = {n: None if s.kind == SiteKind.TARGET else s.name for n, s in chosen.items()}
        return [names[number] for number in numbers.tolist()]

    def _named(self, found: Found, name: str) -> Found:
        chosen = [i for i, other in enumerate(self._names(found)) if other == name]
        return Found(found.times[chosen], found.events[chosen])

    def _bound(self, found: Found) -> dict[str, Value]:
        latest = {name: i for i, name in enumerate(self._names(found)) if name is not None}
        chosen = list(latest.values())
        rows = rows_of(Found(found.times[chosen], found.events[chosen]))
        slots = zip(latest, map(_slot, rows), strict=True)
        return {name: read_slot(self._values, slot) for name, slot in slots if slot is not None}


def _outside(function: Function, functions: Mapping[int, Function]) -> Iterator[Function]:
    """Iterate over the functions that enclose a function."""
    while function.outer:
        function = functions[function.outer]
        yield function


def _slot(row: Row) -> Slot | None:
    """Return what an event put into a variable, or None if it unbound it."""
    unbound = row.kind & ~SEEN == Kind.LOCAL_DEL
    return None if unbound else Slot(row.vtag, row.value, row.time)
