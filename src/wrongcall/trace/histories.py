"""Histories: every write of a variable or slot over the whole run.

Vocabulary: a *version* is a value that a place had from a time on, with the call, function and
line that put it there. What is first seen has the call and line on whose behalf it was looked at.
"""

from __future__ import annotations

from dataclasses import dataclass

from wrongcall.events import Kind
from wrongcall.trace.call import Call
from wrongcall.trace.calls import CallTable
from wrongcall.trace.heap import Heap, Write
from wrongcall.trace.moments import Moments
from wrongcall.trace.paths import Path
from wrongcall.trace.places import Places, Result, Variable
from wrongcall.trace.program import Function
from wrongcall.trace.store import Store
from wrongcall.trace.values import Value
from wrongcall.trace.variables import Variables


@dataclass(frozen=True)
class Version:
    """A value that a place had from a time on."""

    time: int
    call: int
    function: Function | None
    line: int
    seen: bool
    """It was found to be so, not written then."""
    _write: Write

    @property
    def old(self) -> Value:
        """What was there before."""
        return self._write.old

    @property
    def new(self) -> Value:
        """What is there from now on; `UNSET`: nothing."""
        return self._write.new

    @property
    def kind(self) -> Kind:
        """The kind of event."""
        return self._write.kind


class Histories:
    """Finds the histories of places."""

    def __init__(
        self,
        store: Store,
        heap: Heap,
        variables: Variables,
        places: Places,
        moments: Moments,
        calls: CallTable,
    ) -> None:
        self._store = store
        self._heap = heap
        self._variables = variables
        self._places = places
        self._moments = moments
        self._calls = calls

    def of(self, call: Call, path: Path, time: int) -> list[Version]:
        """Return the history of the place that a path means in a call at a time."""
        target, _ = self._places.find(call, path, time)
        if isinstance(target, Variable):
            writes = self._variables.local_writes(target.owner, target.name)
        elif isinstance(target, Result):
            return []
        else:
            writes = self._heap.writes(target.oid, target.place)
        return [self._version(write) for write in writes]

    def _version(self, write: Write) -> Version:
        call, line = write.call, write.line
        if not call:
            moment = self._moments.at(write.time)
            call, line = moment.call, moment.line
        function = None
        if call:
            function = self._store.program.functions[self._calls.begun(call).function]
        return Version(write.time, call, function, line, write.seen, write)
