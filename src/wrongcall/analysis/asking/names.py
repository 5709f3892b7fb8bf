"""What names meant at many times: variables of calls, of enclosing functions and of modules, as columns.

A name is looked up as a debugger would at that place: the call's own and free variables, then the globals of its
module. All writes of a variable are read once; then each time has the latest write before it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from wrongcall.analysis.asking.executions import Executions
from wrongcall.replay.elements import Slot
from wrongcall.replay.heap import Heap
from wrongcall.replay.variables import UNBINDS, Variables
from wrongcall.trace.format.event_records import Bools, Ints, call_ids, distinct, obj_ids
from wrongcall.trace.format.owner_index import VARIABLE_KINDS
from wrongcall.trace.format.program_tables import Function
from wrongcall.trace.format.segment import SEGMENT_EVENTS
from wrongcall.trace.format.selection import Found
from wrongcall.trace.read.store import Store

_FEW_CALLS = 16
_TIME_BITS = 36


class Written(NamedTuple):
    """The writes of a variable, as columns; by owner, then by time."""

    owner: Ints
    time: Ints
    tag: Ints
    bits: Ints
    gone: Bools
    """It is not bound after this write."""

    def at(self, owner: Ints, time: Ints) -> list[Slot | None]:
        """Return what the variable held for these owners at these times."""
        if not len(self.time):
            return [None] * len(time)
        keys = self.owner << _TIME_BITS | self.time
        places = np.searchsorted(keys, owner << _TIME_BITS | time, "right") - 1
        known = np.maximum(places, 0)
        there = (places >= 0) & (self.owner[known] == owner) & ~self.gone[known]
        rows = zip(there.tolist(), self.tag[known].tolist(), self.bits[known].tolist(), strict=True)
        times = self.time[known].tolist()
        return [
            Slot(tag, bits, when) if bound else None
            for (bound, tag, bits), when in zip(rows, times, strict=True)
        ]


class NamesAt:
    """Looks up names for executions of a line of a function."""

    def __init__(self, store: Store, heap: Heap, variables: Variables, function: Function) -> None:
        self._store = store
        self._heap = heap
        self._variables = variables
        self._function = function

    def slots(self, name: str, found: Executions) -> list[Slot | None]:
        """Return what a name meant at each execution; None where it was not bound."""
        function = self._function
        known: list[Slot | None] = [None] * len(found.call)
        is_own = name in function.locals or name in function.params
        if (is_own or name in function.free) and function.kind != "module":
            known = self._local(name, found)
        if all(slot is not None for slot in known) and known:
            return known
        rest = self._global(name, found)
        return [a if a is not None else b for a, b in zip(known, rest, strict=True)]

    # -- variables of calls ------------------------------------------------------------------------

    def _local(self, name: str, found: Executions) -> list[Slot | None]:
        function = self._function
        calls = distinct(found.call)
        is_plain = name not in function.free and not self._variables.shares(function)
        if is_plain and len(calls) > _FEW_CALLS:
            return self._own(name, np.array(calls)).at(found.call, found.state)
        owners = {call: self._variables.owner(call, name) for call in calls}
        parts = [
            _columns(owner, self._variables.written(owner, name)) for owner in set(owners.values())
        ]
        parts.sort(key=lambda part: int(part.owner[0]) if len(part.owner) else 0)
        written = _joined(parts)
        rows = np.array([owners[call] for call in found.call.tolist()], dtype=np.int64)
        return written.at(rows, found.state)

    def _own(self, name: str, calls: Ints) -> Written:
        """Return the writes of a variable by many calls that own it."""
        flags = self._variables.sites(self._function, name)
        segments, parts = self._store.segments, [_NOTHING]
        for number, where in segments.find(VARIABLE_KINDS, sites=flags):
            names = ("call", "hi", "obj", "kind", "vtag", "value")
            columns = {name: segments.fields(number, name, where) for name in names}
            owner = call_ids(columns)
            places = np.minimum(np.searchsorted(calls, owner), len(calls) - 1)
            kept = (calls[places] == owner) & (obj_ids(columns) == 0)
            times = where[kept] + number * SEGMENT_EVENTS
            values = (columns["vtag"][kept].astype(np.int64), columns["value"][kept])
            parts.append(Written(owner[kept], times, *values, UNBINDS[columns["kind"][kept]]))
        every = _joined(parts)
        order = np.argsort(every.owner << _TIME_BITS | every.time)
        return Written(
            every.owner[order],
            every.time[order],
            every.tag[order],
            every.bits[order],
            every.gone[order],
        )

    # -- variables of modules ----------------------------------------------------------------------

    def _global(self, name: str, found: Executions) -> list[Slot | None]:
        processes = self._store.program.processes
        calls = distinct(found.call) if len(processes) > 1 else found.call[:1].tolist()
        modules = {call: self._variables.module_of(call) or 0 for call in calls}
        numbers = self._store.program.names.numbers(name)
        parts = [_NOTHING]
        for oid in sorted({*modules.values()} - {0}):
            for number in numbers[:1]:
                events, gone = self._heap.attr_events(oid, number)
                parts.append(_columns(oid, events)._replace(gone=gone))
        if len(processes) > 1:
            rows = np.array([modules[call] for call in found.call.tolist()], dtype=np.int64)
        else:
            rows = np.full(len(found.call), next(iter(modules.values()), 0))
        return _joined(parts).at(rows, found.state)


def _columns(owner: int, found: Found) -> Written:
    gone: Bools = UNBINDS[found.events["kind"]]
    tag = found.events["vtag"].astype(np.int64)
    return Written(np.full(len(found.times), owner), found.times, tag, found.events["value"], gone)


_EMPTY = np.empty(0, np.int64)
_NOTHING = Written(_EMPTY, _EMPTY, _EMPTY, _EMPTY, np.empty(0, np.bool_))


def _joined(parts: list[Written]) -> Written:
    return Written(*(np.concatenate(column) for column in zip(_NOTHING, *parts, strict=True)))
