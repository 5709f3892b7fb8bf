"""A view of one call: what it is, what it was given, and its outcome.

A `Call` holds nothing but its number and looks everything up; make as many as you like.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple, overload

import numpy as np

from wrongcall.events import FROM, SITE_LINE, Kind, Passing, SiteKind
from wrongcall.replay.spans import SUSPENDED, Spans
from wrongcall.trace.format.event_records import Ints, kind_table
from wrongcall.trace.format.program_tables import FIRST_PROCESS, Function, Site, Span, site_span
from wrongcall.trace.format.segment import SEGMENT_EVENTS
from wrongcall.trace.format.selection import NOTHING, Found, join_found
from wrongcall.trace.read.call_table import Begun, CallTable, Outcome
from wrongcall.trace.read.store import Store
from wrongcall.trace.read.values import UNSET, Clipped, Value, Values

_PRINTS = kind_table({Kind.PRINT})
_STREAMS = {1: "stdout", 2: "stderr"}


class Passed(NamedTuple):
    """A value that a call was given or gave, and when; ``name``: the parameter, if any."""

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
    def _begun(self) -> Begun:
        return self._table.begun(self.id)

    @property
    def function(self) -> Function:
        """The function that was called."""
        return self._store.program.functions[self._begun.function]

    @property
    def parent(self) -> Call | None:
        """The call that made this one."""
        number = self._begun.parent
        return self.other(number) if number else None

    @property
    def children(self) -> Sequence[Call]:
        """The calls that this one made, in order."""
        return Children(self._table.children(self.id), self.other)

    def first_children(self, events: int) -> Sequence[Call]:
        """Return the calls that this one made within so many events from its beginning, in order."""
        span = (self.entry, min(self.entry + events, self.last))
        return Children(self._table.made(self.id, span)[0], self.other)

    @property
    def left_children(self) -> Sequence[Call]:
        """Those of them that were left without a result (by an exception, or abandoned), found fast among millions."""
        return Children(self._table.columns().left_children(self.id), self.other)

    @property
    def caller(self) -> Site | None:
        """The place in its parent at which it was called, if there is a call in the source."""
        number = self._key & 0xFFFFFFFF
        return self._store.program.sites[number] if 0 < number < SITE_LINE else None

    @property
    def passing(self) -> int:
        """How the arguments at that place reached its parameters: a `Passing`."""
        return self._table.event(self.entry, "ktag")[0]

    @property
    def caller_line(self) -> int:
        """The line at which it was called, or 0 if that is not known."""
        return self._store.program.line(self._key & 0xFFFFFFFF)

    @property
    def thread(self) -> int:
        """The thread in which it began."""
        return self._key >> 32

    @property
    def process(self) -> int:
        """The process in which it ran."""
        known = self._store.program.threads.get(self.thread)
        return FIRST_PROCESS if known is None else known.process

    @property
    def continues(self) -> bool:
        """Whether it goes on with what began before: in a forked process, or before the recording did."""
        return self.passing == Passing.CONTINUED

    @property
    def _key(self) -> int:
        return self._table.event(self.entry, "key")[0]

    @property
    def entry(self) -> int:
        """The time at which it began."""
        return self._begun.entry

    @property
    def exit(self) -> int:
        """The time at which it ended, or -1 if it is not completed."""
        return self._table.ended(self.id).exit

    @property
    def last(self) -> int:
        """The time of its exit or, if it is not completed, that of the latest event."""
        return self._table.span(self.id)[1]

    @property
    def outcome(self) -> Outcome:
        """How it ended."""
        return self._table.ended(self.id).outcome

    @property
    def value(self) -> Value:
        """What it returned or raised; `UNSET` if it is not completed or was abandoned."""
        ended = self._table.ended(self.id)
        if ended.outcome == Outcome.NONE:
            return UNSET
        return self._values.read(*self._table.event(ended.exit, "vtag", "value"))

    @property
    def raised_at(self) -> int:
        """The line at which the exception that it ended with left it; 0 if it ended otherwise."""
        ended = self._table.ended(self.id)
        if ended.outcome != Outcome.RAISED:
            return 0
        return min(max(self._table.event(ended.exit, "key")[0], 0), SITE_LINE - 1)

    @property
    def args(self) -> list[Passed]:
        """Its parameters with the values they were given, in order."""
        sites = self._store.program.sites
        columns = self._store.program.columns
        count = len(self.function.params)
        parts = []
        # They come first: what follows need not be read.
        for found in self._parts({Kind.LOCAL}) if count else ():
            is_param = columns.kind[columns.known(found.events["site"])] == SiteKind.PARAM
            parts.append(Found(found.times[is_param], found.events[is_param]))
            count -= len(parts[-1].times)
            if count <= 0:
                break
        chosen = join_found([NOTHING, *parts])
        names = [sites[number].name or "" for number in chosen.events["site"].tolist()]
        return self._passed(chosen, names)

    @property
    def entered(self) -> int:
        """The time at which it had its arguments: its state at entry is the state at this time."""
        return self.entered_with(self.args)

    def entered_with(self, args: Sequence[Passed]) -> int:
        """Return that time, given the arguments; a generator has them when it starts."""
        time = max([self.entry, *(passed.time for passed in args)])
        if time == self.entry and self.function.kind in SUSPENDED:
            started = next(self._parts({Kind.START}), NOTHING).times[:1].tolist()
            return int(started[0]) if started else time
        return time

    @property
    def yielded(self) -> list[Passed]:
        """What it yielded, in order, itself or by ``yield from``."""
        found = self._select({Kind.YIELD})
        own = self._passed(found, [""] * len(found.times))
        handed = list(self._handed_through())
        return sorted([*own, *handed], key=lambda passed: passed.time) if handed else own

    def _handed_through(self) -> Iterator[Passed]:
        """Iterate over what generators of the program yielded while this one delegated to them.

        For anything else that it delegates to, the recorder has the values itself.
        """
        spans = self._delegating()
        if not spans:
            return
        first, last = self._table.span(self.id)
        own = self._store.segments.times_of(self.id, first, last + 1)
        for child in self.children:
            site = child.caller
            if site is None or site_span(site) not in spans or child.passing == Passing.UNKNOWN:
                continue
            inner, start = child, child.entry
            if child.function.kind != "generator":
                activation = self._table.activation(child.value)
                if not activation or child.exit < 0:
                    continue
                inner, start = self.other(activation), child.exit
            after = own[np.searchsorted(own, start, "right") :][:1]
            if len(after) and self._table.event(int(after[0]), "kind") == [Kind.YIELD]:
                continue  # recorded directly
            end = int(after[0]) if len(after) else last
            yield from (passed for passed in inner.yielded if start < passed.time <= end)

    def _delegating(self) -> set[Span]:
        """Return the spans of the calls after ``yield from`` in its function."""
        if self.function.kind != "generator":
            return set()
        program = self._store.program
        numbers = np.flatnonzero(program.columns.function == self.function.id)
        mine = [program.sites[number] for number in numbers.tolist()]
        return {site_span(s) for s in mine if s.kind == SiteKind.YIELD and s.name == FROM}

    @property
    def prints(self) -> list[Printed]:
        """What it printed itself, in order."""
        return [_printed(self._values, *row) for row in _rows(self._select({Kind.PRINT}))]

    @property
    def printed(self) -> str:
        """The text it printed itself, both streams together."""
        return "".join(_text(part.text) for part in self.prints)

    def events(self) -> Found:
        """Return its own events, in order."""
        return self._select(None)

    def _select(self, kinds: Iterable[int] | None) -> Found:
        return join_found([NOTHING, *self._parts(kinds)])

    def _parts(self, kinds: Iterable[int] | None) -> Iterator[Found]:
        first, last = self._table.span(self.id)
        return self._store.segments.select_parts(kinds, call=self.id, first=first, last=last + 1)

    def other(self, number: int) -> Call:
        """Return the view of another call."""
        return Call(number, self._store, self._values, self._table)

    def _passed(self, found: Found, names: list[str]) -> list[Passed]:
        tags, bits = found.events["vtag"].tolist(), found.events["value"].tolist()
        values = [self._values.read(*pair) for pair in zip(tags, bits, strict=True)]
        times = np.asarray(found.times).tolist()
        return [Passed(*row) for row in zip(times, names, values, strict=True)]


class Children(Sequence[Call]):
    """Calls by their numbers; the views are made on demand."""

    def __init__(self, numbers: Ints, view: Callable[[int], Call]) -> None:
        self._numbers = numbers
        self._view = view

    def __len__(self) -> int:
        return len(self._numbers)

    @overload
    def __getitem__(self, where: int) -> Call: ...

    @overload
    def __getitem__(self, where: slice) -> Children: ...

    def __getitem__(self, where: int | slice) -> Call | Children:
        if isinstance(where, slice):
            return Children(self._numbers[where], self._view)
        return self._view(int(self._numbers[where]))

    def __eq__(self, other: object) -> bool:
        """Return whether these are the same calls, as lists would."""
        return isinstance(other, Sequence) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return repr(list(self))


def printed_below(
    store: Store, values: Values, spans: Spans, call: int, until: int = 0
) -> list[Printed]:
    """Return what was printed while a call ran, by it and by what it called, in order."""
    found = []
    first, last = spans.span(call, until)
    for number, where in spans.between(first, last, spans.family(call, until), _PRINTS):
        kinds = store.segments.fields(number, "kind", where)
        times = where[kinds == Kind.PRINT] + number * SEGMENT_EVENTS
        found += [_printed(values, *row) for row in _rows(store.segments.at(times))]
    return found


def printed_between(
    store: Store, values: Values, before: int, after: int, most: int
) -> list[Printed]:
    """Return the last ``most`` pieces of text that were printed between two times, the second included, in order."""
    found: list[Printed] = []
    parts = store.segments.select_parts(
        {Kind.PRINT}, first=before + 1, last=after + 1, backward=True
    )
    for part in parts:
        found = [*(_printed(values, *row) for row in _rows(part)), *found][-most:]
        if len(found) == most:
            break
    return found


def _rows(found: Found) -> Iterator[tuple[int, int, int, int]]:
    columns = [found.events[name].tolist() for name in ("key", "vtag", "value")]
    return zip(found.times.tolist(), *columns, strict=True)


def _printed(values: Values, time: int, stream: int, tag: int, bits: int) -> Printed:
    return Printed(time, _STREAMS.get(stream, "?"), values.read(tag, bits))


def _text(value: Value) -> str:
    if isinstance(value, Clipped):
        value = value.beginning
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    return value if isinstance(value, str) else ""
