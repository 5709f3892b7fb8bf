"""Histories: every write of a variable or slot over the whole run.

Vocabulary: a *version* is a value that a place had from a time on, with the call, function and
line that put it there. What is first seen has the call and line on whose behalf it was looked at.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from wrongcall.events import Kind
from wrongcall.trace.call import Call
from wrongcall.trace.calls import CallTable
from wrongcall.trace.collecting import uncollected
from wrongcall.trace.heap import Heap
from wrongcall.trace.moments import Moments
from wrongcall.trace.paths import Path
from wrongcall.trace.places import Places, Result, Variable
from wrongcall.trace.program import Function
from wrongcall.trace.records import Ints
from wrongcall.trace.store import Store
from wrongcall.trace.values import Value
from wrongcall.trace.variables import Variables
from wrongcall.trace.writes import Write


class Version(NamedTuple):
    """A value that a place had from a time on."""

    time: int
    call: int
    function: Function | None
    line: int
    seen: bool
    """It was found to be so, not written then."""
    write: Write

    @property
    def old(self) -> Value:
        """What was there before."""
        return self.write.old

    @property
    def new(self) -> Value:
        """What is there from now on; `UNSET`: nothing."""
        return self.write.new

    @property
    def kind(self) -> Kind:
        """The kind of event."""
        return self.write.kind


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
        if isinstance(target, Result):
            return []
        with uncollected():
            if isinstance(target, Variable):
                writes = self._variables.local_writes(target.owner, target.name)
            else:
                writes = self._heap.writes(target.oid, target.place)
            return self._versions(writes)

    def times(self, call: Call, path: Path, time: int) -> Ints:
        """Return the times of that history, rising."""
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
        """Return the function that a site is in: that of the call whose event has it."""
        known = self._store.program.sites.get(site)
        return None if known is None else self._store.program.functions[known.function]

    def _placed(self, version: Version) -> Version:
        """Return a version of which no site told where it was written."""
        call, line = version.call, version.line
        if not call:
            moment = self._moments.at(version.time)
            call, line = moment.call, moment.line
        function = None
        if call:
            function = self._store.program.functions[self._calls.begun(call).function]
        return version._replace(call=call, function=function, line=line)
