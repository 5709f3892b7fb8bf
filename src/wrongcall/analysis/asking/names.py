"""What names meant at many times: variables of calls, of enclosing functions and of modules, as columns.

A name is looked up as a debugger would at that place: the call's own and free variables, then the globals of its
module. All writes of a variable are read once; then each time has the latest write before it.
"""

from __future__ import annotations

from collections.abc import Iterator
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
ALL = slice(None)


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

    def __init__(
        self,
        store: Store,
        heap: Heap,
        variables: Variables,
        function: Function,
        found: Executions,
    ) -> None:
        self._store = store
        self._heap = heap
        self._variables = variables
        self._function = function
        self._found = found
        self._known: dict[str, list[tuple[Written, Ints]]] = {}
        """For each name: where to look, one after the other, with the owner for each execution."""

    def slots(self, name: str, part: slice = ALL) -> list[Slot | None]:
        """Return what a name meant at some executions; None where it was not bound."""
        if name not in self._known:
            self._known[name] = [*self._local(name), self._global(name)]
        states = self._found.state[part]
        slots: list[Slot | None] = [None] * len(states)
        for written, owners in self._known[name]:
            if all(slot is not None for slot in slots) and slots:
                break
            rest = written.at(owners[part], states)
            slots = [a if a is not None else b for a, b in zip(slots, rest, strict=True)]
        return slots

    # -- variables of calls ------------------------------------------------------------------------

    def _local(self, name: str) -> Iterator[tuple[Written, Ints]]:
        function, found = self._function, self._found
        is_own = name in function.locals or name in function.params
        if not (is_own or name in function.free) or function.kind == "module":
            return
        calls = distinct(found.call)
        is_plain = name not in function.free and not self._variables.shares(function)
        if is_plain and len(calls) > _FEW_CALLS:
            yield self._own(name, np.array(calls)), found.call
            return
        owners = {call: self._variables.owner(call, name) for call in calls}
        parts = [
            _columns(owner, self._variables.written(owner, name))
            for owner in sorted({*owners.values()})
        ]
        yield _joined(parts), _mapped(found.call, owners)

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

    def _global(self, name: str) -> tuple[Written, Ints]:
        found, processes = self._found, self._store.program.processes
        calls = distinct(found.call) if len(processes) > 1 else found.call[:1].tolist()
        modules = {call: self._variables.module_of(call) or 0 for call in calls}
        numbers = self._store.program.names.numbers(name)
        parts = [_NOTHING]
        for oid in sorted({*modules.values()} - {0}):
            for number in numbers[:1]:
                events, gone = self._heap.attr_events(oid, number)
                parts.append(_columns(oid, events)._replace(gone=gone))
        if len(processes) > 1:
            return _joined(parts), _mapped(found.call, modules)
        return _joined(parts), np.full(len(found.call), next(iter(modules.values()), 0))


def _mapped(calls: Ints, meanings: dict[int, int]) -> Ints:
    """Replace each call by what it means."""
    known = np.array(sorted(meanings), dtype=np.int64)
    values = np.array([meanings[call] for call in known.tolist()], dtype=np.int64)
    return values[np.searchsorted(known, calls)] if len(known) else calls


def _columns(owner: int, found: Found) -> Written:
    gone: Bools = UNBINDS[found.events["kind"]]
    tag = found.events["vtag"].astype(np.int64)
    return Written(np.full(len(found.times), owner), found.times, tag, found.events["value"], gone)


_EMPTY = np.empty(0, np.int64)
_NOTHING = Written(_EMPTY, _EMPTY, _EMPTY, _EMPTY, np.empty(0, np.bool_))


def _joined(parts: list[Written]) -> Written:
    return Written(*(np.concatenate(column) for column in zip(_NOTHING, *parts, strict=True)))
