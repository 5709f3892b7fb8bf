"""The objects of the program's modules, by name.

The first write to a global variable of a module tells which object the module is. One pass over the trace finds that
for all modules; it stops as soon as the module that somebody asks for is found, and continues there for the next one.
A module whose globals were never written by its own code is found by its ``__name__``. A process that was forked has
modules of its own: its first write tells, or what the recorder noted when it began. The same goes for a process that
was running when the recording began.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import numpy.typing as npt

from wrongcall.events import Kind, Layout, Scope, Tag
from wrongcall.replay.heap import Heap
from wrongcall.trace.format.event_records import Bools, call_ids, kind_table, obj_ids
from wrongcall.trace.format.owner_index import EXTENT_EVENTS
from wrongcall.trace.format.program_tables import FIRST_PROCESS
from wrongcall.trace.format.segment import SEGMENT_EVENTS
from wrongcall.trace.read.places import Attr
from wrongcall.trace.read.store import Store
from wrongcall.trace.read.values import Value

_WRITES = kind_table({Kind.ATTR, Kind.ATTR_DEL})
_NONE = -1


class Modules:
    """Finds the objects of modules."""

    def __init__(self, store: Store, heap: Heap, process: Callable[[int], int]) -> None:
        """``process`` returns the process of a call."""
        self._store = store
        self._heap = heap
        self._process = process
        self._known: dict[tuple[str, int], int] = {}
        """The objects of modules, by name and process."""
        self._tables = (0, 0)
        self._numbers: dict[str, int] = {}
        self._of_site: npt.NDArray[np.int32] = np.empty(0, np.int32)
        """The number of the module whose globals are written at a site, or -1."""
        self._written = 0
        """Up to which time writes have been searched."""
        self._seen: list[int] = []
        self._sights = 0
        """Up to which time module objects have been searched."""
        self._named: tuple[int, dict[Value, int]] = (-1, {})

    def find(self, name: str, process: int) -> int | None:
        """Return the object of a module in a process, or None if none of it was seen."""
        if (name, process) not in self._known:
            self._number_modules()
            self._search_writes(name, process)
        if (name, process) in self._known:
            return self._known[name, process]
        noted = self._noted(name, process)
        if noted is not None or process != FIRST_PROCESS:
            return noted
        return self._by_name().get(name)

    def _noted(self, name: str, process: int) -> int | None:
        """Return a module that a process had when its recording began: a forked process, or one that was running."""
        told = self._store.segments.select({Kind.PROCESS}).events
        modules = told[(told["ktag"] == Tag.NAME) & (obj_ids(told) == process)]
        names = self._store.program.names
        found = (oid for key, oid in modules[["key", "value"]].tolist() if names[key] == name)
        return next(found, None)

    def _number_modules(self) -> None:
        """Number the modules, and note at which sites their globals are written."""
        program = self._store.program
        tables = (program.sites.last, program.functions.last)
        if self._tables == tables:
            return
        of_file = {
            file.id: self._numbers.setdefault(file.module, len(self._numbers))
            for file in program.files.values()
        }
        of_function = np.full(program.functions.last + 1, _NONE, np.int32)
        for function in program.functions.values():
            of_function[function.id] = of_file.get(function.file, _NONE)
        columns = program.columns
        known = np.where(columns.function <= program.functions.last, columns.function, 0)
        is_global = columns.scope == Scope.GLOBAL
        self._of_site = np.where(is_global, of_function[known], _NONE).astype(np.int32)
        self._tables = tables

    def _search_writes(self, name: str, process: int) -> None:
        """Continue the search until a module is found."""
        names = list(self._numbers)
        wanted = self._wanted()
        while name in self._numbers and (name, process) not in self._known:
            first, last = self._next_part()
            if first == last:
                return
            if self._may_write(first, wanted):
                for number, oid, call in self._writes(first, last, wanted):
                    self._known.setdefault((names[number], self._process(call)), oid)
                wanted = self._wanted()
            self._written = last

    def _wanted(self) -> Bools:
        """Return a flag for each site, set where the globals of a module that is not found are written."""
        missing = np.full(len(self._numbers) + 1, max(len(self._store.program.processes), 1))
        missing[_NONE] = 0
        for name, _ in self._known:
            missing[self._numbers[name]] -= 1
        flags: Bools = missing[self._of_site] > 0
        return flags

    def _next_part(self) -> tuple[int, int]:
        """Return the times to search next: the rest of a segment."""
        first, count = self._written, self._store.segments.event_count
        return first, min((first // SEGMENT_EVENTS + 1) * SEGMENT_EVENTS, count)

    def _may_write(self, first: int, wanted: Bools) -> bool:
        """Return whether anything may be written at the wanted sites in the segment at a time."""
        number, extent = first // SEGMENT_EVENTS, first // EXTENT_EVENTS
        kinds = np.packbits(_WRITES, bitorder="little")
        if not (self._store.segments.index.kinds[number] & kinds).any():
            return False
        if extent >= self._store.extents:
            return True
        sites = self._store.owner_events.sites(extent)
        return bool(wanted[np.where(sites < len(wanted), sites, 0)].any())

    def _writes(self, first: int, last: int, wanted: Bools) -> Iterator[tuple[int, int, int]]:
        """Iterate over the first write to each module object in a part: the module, the object, and the call."""
        number, begin = first // SEGMENT_EVENTS, first // SEGMENT_EVENTS * SEGMENT_EVENTS
        columns = self._store.segments.once(number, ("kind", "site", "obj", "call", "hi"))
        part = {name: column[first - begin : last - begin] for name, column in columns.items()}
        sites = np.where(part["site"] < len(wanted), part["site"], 0)
        calls = call_ids(part)
        where = np.flatnonzero(wanted[sites] & _WRITES[part["kind"]] & (calls > 0))
        rows = zip(
            self._of_site[sites[where]].tolist(),
            obj_ids(part)[where].tolist(),
            calls[where].tolist(),
            strict=True,
        )
        seen: set[tuple[int, int]] = set()
        for module, oid, call in rows:
            if (module, oid) not in seen:
                seen.add((module, oid))
                yield module, oid, call

    def _by_name(self) -> dict[Value, int]:
        """Return the module objects that were seen, by their names at the end of the snapshot."""
        count = self._store.segments.event_count
        if self._named[0] != count:
            parts = self._store.segments.select_parts({Kind.OBJ}, first=self._sights)
            for part in parts:
                seen = obj_ids(part.events[part.events["ktag"] == Layout.MODULE])
                self._seen += seen.tolist()
            self._sights = count
            names: dict[Value, int] = {}
            for oid in self._seen:
                names.setdefault(self._heap.value(oid, Attr("__name__")), oid)
            self._named = (count, names)
        return self._named[1]
