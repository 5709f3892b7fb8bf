"""One call, as a view: what it is, what it was given, what came of it.

A `Call` holds nothing but its number and looks everything up; make as many as you like.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from wrongcall.events import SITE_LINE, Kind, SiteKind
from wrongcall.trace.calls import Calls, CallTable, Outcome
from wrongcall.trace.program import Function, Site
from wrongcall.trace.segments import Found
from wrongcall.trace.store import Store
from wrongcall.trace.values import UNSET, Clipped, Value, Values

_STREAMS = {1: "stdout", 2: "stderr"}


class Passed(NamedTuple):
    """A value that a call was given or gave, and when; ``name``: the parameter, if it is one."""

    time: int
    name: str
    value: Value


class Printed(NamedTuple):
    """Text that a call printed."""

    time: int
    stream: str
    text: Value


@dataclass(frozen=True)
class Call:
    """A view of one call."""

    id: int
    _store: Store
    _values: Values
    _table: CallTable

    @property
    def _calls(self) -> Calls:
        return self._table.columns()

    @property
    def _row(self) -> int:
        return self._calls.row(self.id)

    @property
    def function(self) -> Function:
        """The function that was called."""
        return self._store.program.functions[int(self._calls.function[self._row])]

    @property
    def parent(self) -> Call | None:
        """The call that made this one."""
        number = int(self._calls.parent[self._row])
        return self._other(number) if number else None

    @property
    def children(self) -> list[Call]:
        """The calls that this one made, in order."""
        return [self._other(number) for number in self._calls.children(self.id).tolist()]

    @property
    def caller(self) -> Site | None:
        """The place in its parent at which it was called, if there is a call in the source."""
        number = int(self._calls.caller[self._row])
        return self._store.program.sites[number] if 0 < number < SITE_LINE else None

    @property
    def caller_line(self) -> int:
        """The line at which it was called, 0 if that is not known."""
        return self._store.program.line(int(self._calls.caller[self._row]))

    @property
    def thread(self) -> int:
        """The thread in which it began."""
        return int(self._calls.thread[self._row])

    @property
    def entry(self) -> int:
        """The time at which it began."""
        return int(self._calls.entry[self._row])

    @property
    def exit(self) -> int:
        """The time at which it ended, -1 if it is not completed."""
        return int(self._calls.exit[self._row])

    @property
    def outcome(self) -> Outcome:
        """How it ended."""
        return Outcome(int(self._calls.outcome[self._row]))

    @property
    def value(self) -> Value:
        """What it returned or raised; `UNSET` if it is not completed or was abandoned."""
        row = self._row
        if self._calls.outcome[row] == Outcome.NONE:
            return UNSET
        return self._values.read(int(self._calls.tag[row]), int(self._calls.value[row]))

    @property
    def args(self) -> list[Passed]:
        """Its parameters with the values they were given, in order."""
        sites = self._store.program.sites
        found = self._store.segments.select({Kind.LOCAL}, call=self.id)
        columns = self._store.program.columns
        is_param = columns.kind[columns.known(found.events["site"])] == SiteKind.PARAM
        chosen = Found(found.times[is_param], found.events[is_param])
        names = [sites[number].name or "" for number in chosen.events["site"].tolist()]
        return self._passed(chosen, names)

    @property
    def entered(self) -> int:
        """The time at which it had its arguments: its state at entry is the state then."""
        return max([self.entry, *(passed.time for passed in self.args)])

    @property
    def yielded(self) -> list[Passed]:
        """What it yielded, in order."""
        found = self._store.segments.select({Kind.YIELD}, call=self.id)
        return self._passed(found, [""] * len(found.times))

    @property
    def prints(self) -> list[Printed]:
        """What it printed itself, in order."""
        found = self._store.segments.select({Kind.PRINT}, call=self.id)
        passed = self._passed(found, [""] * len(found.times))
        streams = [_STREAMS.get(key, "?") for key in found.events["key"].tolist()]
        return [Printed(p.time, s, p.value) for p, s in zip(passed, streams, strict=True)]

    @property
    def printed(self) -> str:
        """The text it printed itself, both streams together."""
        return "".join(_text(part.text) for part in self.prints)

    def events(self) -> Found:
        """Return its own events, in order."""
        return self._store.segments.select(call=self.id)

    def _other(self, number: int) -> Call:
        return Call(number, self._store, self._values, self._table)

    def _passed(self, found: Found, names: list[str]) -> list[Passed]:
        tags, bits = found.events["vtag"].tolist(), found.events["value"].tolist()
        values = [self._values.read(*pair) for pair in zip(tags, bits, strict=True)]
        times = np.asarray(found.times).tolist()
        return [Passed(*row) for row in zip(times, names, values, strict=True)]


def _text(value: Value) -> str:
    if isinstance(value, Clipped):
        value = value.beginning
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    return value if isinstance(value, str) else ""
