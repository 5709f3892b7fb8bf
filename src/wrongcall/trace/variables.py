"""Variables: locals of calls, free variables, globals of modules, and their histories.

Vocabulary: a call *owns* its local variables. A free variable belongs to another call, its
*owner*, which CLOSURE events of the call, or CELL events of its function object, name. A
comprehension's own variables (sites of kind TARGET) are nobody's: they are gone when it ends.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from wrongcall.events import SEEN, Kind, Layout, Scope, SiteKind
from wrongcall.trace.calls import CallTable
from wrongcall.trace.elements import Slot
from wrongcall.trace.heap import Heap, Write, read_slot
from wrongcall.trace.program import Function
from wrongcall.trace.records import Ints, obj_ids, with_seen
from wrongcall.trace.replay import Attr, Row, rows_of
from wrongcall.trace.segments import Found
from wrongcall.trace.store import Store
from wrongcall.trace.values import UNSET, Ref, Value, Values

_LOCALS = with_seen({Kind.LOCAL, Kind.LOCAL_DEL})


class Variables:
    """The variables of a trace."""

    def __init__(self, store: Store, values: Values, heap: Heap, calls: CallTable) -> None:
        self._store = store
        self._values = values
        self._heap = heap
        self._calls = calls

    def function(self, call: int) -> Function:
        """Return the function that was called."""
        columns = self._calls.columns()
        return self._store.program.functions[int(columns.function[columns.row(call)])]

    def local(self, call: int, name: str, time: int | None = None) -> Value:
        """Return a local or free variable of a call at a time; `UNSET` if it is not bound."""
        owner = self.owner(call, name)
        found = self._named(self._events(owner, time), name)
        rows = rows_of(Found(found.times[-1:], found.events[-1:]))
        return read_slot(self._values, _slot(rows[0])) if rows else UNSET

    def locals(self, call: int, time: int | None = None) -> dict[str, Value]:
        """Return the local and free variables of a call that are bound at a time."""
        bound = self._bound(self._events(call, time))
        for name in self.function(call).free:
            value = self.local(call, name, time)
            if value is not UNSET:
                bound[name] = value
        return bound

    def local_writes(self, call: int, name: str) -> list[Write]:
        """Return the history of a local or free variable."""
        found = self._named(self._events(self.owner(call, name), None), name)
        rows = rows_of(found)
        slots = [None, *map(_slot, rows)]
        steps = zip(rows, pairwise(slots), strict=True)
        return [self._heap.write(row, old, new) for row, (old, new) in steps]

    def owner(self, call: int, name: str) -> int:
        """Return the call whose variable this is, as seen from a call."""
        if name not in self.function(call).free:
            return call
        closures = self._store.segments.select({Kind.CLOSURE}, call=call)
        names = self._store.program.names
        for event in closures.events:
            if names[int(event["key"])] == name:
                return int(obj_ids(event.reshape(1))[0])
        return self._closure(call).get(name, call)

    def _closure(self, call: int) -> dict[str, int]:
        """Return the owners of free variables, as the function object knows them."""
        columns = self._calls.columns()
        entry = int(columns.entry[columns.row(call)])
        event = self._store.segments.events(entry, entry + 1)[0]
        function = self._values.read(int(event["vtag"]), int(event["value"]))
        return self._heap.state(function.oid).cells if isinstance(function, Ref) else {}

    def module(self, name: str) -> int | None:
        """Return the object that is a module of the program, None if nothing was seen of it."""
        sites = self._global_sites(name)
        for part in self._store.segments.select_parts({Kind.ATTR, Kind.ATTR_DEL}):
            written = np.flatnonzero(np.isin(part.events["site"], sites))
            if len(written):
                return int(obj_ids(part.events[written[:1]])[0])
        return self._module_object(name)

    def globals(self, module: str, time: int | None = None) -> dict[str, Value]:
        """Return the global variables of a module at a time."""
        oid = self.module(module)
        return {} if oid is None else self._heap.state(oid, time).attrs

    def global_writes(self, module: str, name: str) -> list[Write]:
        """Return the history of a global variable."""
        oid = self.module(module)
        return [] if oid is None else self._heap.writes(oid, Attr(name))

    def _events(self, owner: int, time: int | None) -> Found:
        """Return the writes of a call's variables: its own, and those from functions inside it."""
        last = None if time is None else time + 1
        own = self._store.segments.select(_LOCALS, call=owner, last=last)
        kept = obj_ids(own.events) == 0
        other = self._store.segments.select(_LOCALS, obj=owner, last=last)
        times = np.concatenate([own.times[kept], other.times])
        events = np.concatenate([own.events[kept], other.events])
        order = np.argsort(times)
        return Found(times[order], events[order])

    def _names(self, found: Found) -> list[str | None]:
        """Return the variable that each event is about; None: a comprehension's own."""
        sites = self._store.program.sites
        unique, which = np.unique(found.events["site"], return_inverse=True)
        chosen = [sites[int(number)] for number in unique]
        names = [None if site.kind == SiteKind.TARGET else site.name for site in chosen]
        return [names[i] for i in which.tolist()]

    def _named(self, found: Found, name: str) -> Found:
        chosen = [i for i, other in enumerate(self._names(found)) if other == name]
        return Found(found.times[chosen], found.events[chosen])

    def _bound(self, found: Found) -> dict[str, Value]:
        latest = {name: i for i, name in enumerate(self._names(found)) if name is not None}
        chosen = list(latest.values())
        rows = rows_of(Found(found.times[chosen], found.events[chosen]))
        slots = zip(latest, map(_slot, rows), strict=True)
        return {name: read_slot(self._values, slot) for name, slot in slots if slot is not None}

    def _global_sites(self, module: str) -> Ints:
        """Return the sites at which global variables of a module are written."""
        program = self._store.program
        files = {file.id for file in program.files.values() if file.module == module}
        functions = {f.id for f in program.functions.values() if f.file in files}
        chosen = [
            site.id
            for site in program.sites.values()
            if site.scope == Scope.GLOBAL and site.function in functions
        ]
        return np.array(chosen, dtype=np.int64)

    def _module_object(self, name: str) -> int | None:
        for part in self._store.segments.select_parts({Kind.OBJ}):
            for oid in obj_ids(part.events[part.events["ktag"] == Layout.MODULE]).tolist():
                if self._heap.state(oid).attrs.get("__name__") == name:
                    return int(oid)
        return None


def _slot(row: Row) -> Slot | None:
    """Return what an event put into a variable, None if it unbound it."""
    unbound = row.kind & ~SEEN == Kind.LOCAL_DEL
    return None if unbound else Slot(row.vtag, row.value, row.time)
