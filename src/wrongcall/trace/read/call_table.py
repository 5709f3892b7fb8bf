"""The calls of a trace: one by one, or all of them as columns.

Vocabulary: the *entry* of a call is the time of its ENTER or CREATE, its *exit* that of its last RETURN, RAISE or DROP;
-1: not completed. The *caller* is the site in the parent at which it was called (0: none); where the interpreter calls
without a call in the source, the line is known instead.

A single call is found with a few of the tables of calls beside the segments (`call_index`): whatever the size of the
trace, nothing is kept in memory for that. Code that needs all calls, such as a tree, uses `Calls`; columns are made
only when used.

Invariants: ids rise with entries. Each full segment is read once, however often the trace is refreshed. Columns that
were given out do not change afterwards: what is known about a beginning is final, and how calls ended is copied for
each snapshot of a trace that is still growing.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import IntEnum
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from wrongcall.errors import TraceError
from wrongcall.events import SITE_LINE, Kind
from wrongcall.trace.format.call_index import SegmentCalls, unpack_calls
from wrongcall.trace.format.event_records import Bools, Bytes, Ints, call_ids, distinct
from wrongcall.trace.format.segment import SEGMENT_EVENTS
from wrongcall.trace.read.growing_column import Growing
from wrongcall.trace.read.store import Store
from wrongcall.trace.read.values import Ref, Value

_LINE = np.uint32(SITE_LINE)
_REMEMBERED = 1000
"""How many calls' locations to remember."""
_NEAR = 3
"""Most calls end within this many segments."""

_BEGUN = {"id": "<i8", "parent": "<i8", "function": "<i4", "entry": "<i8"}
_ENDED = {"exit": "<i8", "outcome": "u1"}


class Outcome(IntEnum):
    """How a call ended."""

    NONE = 0  # not completed
    RETURNED = 1
    RAISED = 2
    DROPPED = 3  # abandoned: neither returned nor raised


_OUTCOMES = np.zeros(256, dtype=np.uint8)
_OUTCOMES[Kind.RETURN] = Outcome.RETURNED
_OUTCOMES[Kind.RAISE] = Outcome.RAISED
_OUTCOMES[Kind.DROP] = Outcome.DROPPED


class Begun(NamedTuple):
    """The beginning of one call."""

    call: int
    parent: int
    function: int
    entry: int


class Ended(NamedTuple):
    """The end of one call."""

    exit: int
    outcome: Outcome


NOT_ENDED = Ended(-1, Outcome.NONE)


class Calls:
    """All calls as columns, by rising id; all have the same length and order.

    `id`, `parent`, `function`, `entry`, `exit` and `outcome` are available at once. `caller`, `thread`, `tag` and
    `value` are read from the events when first used, which takes a while and much memory in a large trace; for a few
    calls, look up those calls instead.
    """

    def __init__(self, store: Store, begun: dict[str, Any], ended: dict[str, Any]) -> None:
        self._store = store
        self.id: Ints = begun["id"]
        self.parent: Ints = begun["parent"]
        self.function: npt.NDArray[np.int32] = begun["function"]
        self.entry: Ints = begun["entry"]
        self.exit: Ints = ended["exit"]
        self.outcome: Bytes = ended["outcome"]

    def __len__(self) -> int:
        return len(self.id)

    def row(self, call: int) -> int:
        """Return the row of a call."""
        row = int(np.searchsorted(self.id, call))
        if row == len(self.id) or self.id[row] != call:
            raise TraceError(f"there is no call {call}")
        return row

    def children(self, call: int) -> Ints:
        """Return the calls that this one made, in order of entry; for 0, those without a parent."""
        order, parents = self._by_parent
        begin, end = np.searchsorted(parents, [call, call + 1])
        children: Ints = self.id[order[begin:end]]
        return children

    def left_children(self, call: int) -> Ints:
        """Return those of its children that were left without a result: by an exception, or abandoned."""
        children: Ints = self.id[self._left[self.parent[self._left] == call]]
        return children

    @cached_property
    def _left(self) -> Ints:
        """The rows of calls that were left without a result, which are few."""
        return np.flatnonzero((self.outcome == Outcome.RAISED) | (self.outcome == Outcome.DROPPED))

    @cached_property
    def _by_parent(self) -> tuple[Ints, Ints]:
        order = np.argsort(self.parent, kind="stable")
        return order, self.parent[order]

    @cached_property
    def _key(self) -> Ints:
        return self._at(self.entry, "key", np.dtype("<i8"))

    @property
    def caller(self) -> npt.NDArray[np.uint32]:
        """As recorded: see `caller_site` and `caller_line`."""
        return self._key.astype(np.uint32)

    @property
    def thread(self) -> npt.NDArray[np.uint16]:
        """The threads in which the calls began."""
        return (self._key >> 32).astype(np.uint16)

    @cached_property
    def tag(self) -> Bytes:
        """How to read ``value``."""
        return self._at(self.exit, "vtag", np.dtype("u1"))

    @cached_property
    def value(self) -> Ints:
        """With ``tag``: what was returned or raised, for `Values` to read."""
        return self._at(self.exit, "value", np.dtype("<i8"))

    @property
    def caller_site(self) -> npt.NDArray[np.uint32]:
        """The calling sites, or 0 where there is none."""
        caller = self.caller
        return np.where(caller < _LINE, caller, np.uint32(0))

    @property
    def caller_line(self) -> npt.NDArray[np.uint32]:
        """The lines of calls that are not written as calls, or 0 for the others."""
        caller = self.caller
        return np.where(caller < _LINE, np.uint32(0), caller ^ _LINE)

    def _at(self, times: Ints, name: str, dtype: np.dtype[Any]) -> npt.NDArray[Any]:
        """Return a column of the events at these times, or 0 where there is none (-1)."""
        found = np.zeros(len(times), dtype)
        order = np.argsort(times, kind="stable")
        numbers = times[order] // SEGMENT_EVENTS
        for number in np.unique(numbers[numbers >= 0]).tolist():
            begin, end = np.searchsorted(numbers, [number, number + 1])
            rows = order[begin:end]
            column = self._store.segments.column(number, name)
            found[rows] = column[times[rows] % SEGMENT_EVENTS]
        return found


class CallTable:
    """Finds calls in a store, and keeps the columns up to date."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._begun = Growing(_BEGUN)
        self._ended = Growing(_ENDED)
        self._scanned = 0
        self._columns: tuple[int, Calls] | None = None
        self._known_begun: dict[int, Begun] = {}
        self._known_ended: dict[tuple[int, int], Ended] = {}
        self._modules: Bools = np.empty(0, np.bool_)
        """A flag for each function known so far, set for the bodies of modules."""

    # -- one call ----------------------------------------------------------------------------------

    def begun(self, call: int) -> Begun:
        """Return where and how a call began."""
        if call not in self._known_begun:
            _make_room(self._known_begun)
            self._known_begun[call] = self._find_begun(call)
        return self._known_begun[call]

    def _find_begun(self, call: int) -> Begun:
        reached = self._store.segments.reached_calls
        number = int(np.searchsorted(reached, call))
        if call > 0 and number < len(reached):
            table = self.table(number)
            row = int(np.searchsorted(table.id, call))
            if row < len(table.id) and table.id[row] == call:
                return self._begun_row(number, table, row)
        raise TraceError(f"there is no call {call}{self._range()}")

    def _range(self) -> str:
        reached = self._store.segments.reached_calls
        last = int(reached[-1]) if len(reached) else 0
        return f"; calls are numbered from 1 to {last}" if last else "; there are no calls"

    def _begun_row(self, number: int, table: SegmentCalls, row: int) -> Begun:
        sites = self._store.program.columns
        function = int(sites.function[int(sites.known(table.site[row]))])
        entry = number * SEGMENT_EVENTS + int(table.begun_where[row])
        return Begun(int(table.id[row]), int(table.parent[row]), function, entry)

    def parents(self, calls: Ints) -> tuple[Ints, Ints]:
        """Return the parents of calls, and their functions; like `begun`, for many at once."""
        parents, functions = np.empty(len(calls), np.int64), np.empty(len(calls), np.int64)
        reached, sites = self._store.segments.reached_calls, self._store.program.columns
        order = np.argsort(calls, kind="stable")
        numbers = np.minimum(np.searchsorted(reached, calls[order]), len(reached) - 1)
        for number in distinct(numbers):
            begin, end = np.searchsorted(numbers, [number, number + 1])
            rows, table = order[begin:end], self.table(number)
            found = np.searchsorted(table.id, calls[rows])
            unknown = calls[rows][np.append(table.id, -1)[found] != calls[rows]]
            if len(unknown):
                raise TraceError(f"there is no call {unknown[0]}{self._range()}")
            parents[rows] = table.parent[found]
            functions[rows] = sites.function[sites.known(table.site[found])]
        return parents, functions

    def module_functions(self) -> Bools:
        """Return a flag for each function, set for the bodies of modules."""
        functions = self._store.program.functions
        if len(self._modules) != functions.last + 1:
            flags = np.zeros(functions.last + 1, np.bool_)
            found = [each.id for each in functions.values() if each.kind == "module"]
            flags[found] = True
            self._modules = flags
        return self._modules

    def activation(self, value: Value) -> int:
        """Return the call of a generator or coroutine object, or 0 if it is neither."""
        if not isinstance(value, Ref):
            return 0
        found = self._store.segments.select({Kind.ACTIVATION}, obj=value.oid)
        return int(call_ids(found.events)[0]) if len(found.times) else 0

    def ended(self, call: int) -> Ended:
        """Return when and how a call ended, as far as the snapshot goes."""
        key = (self._store.segments.event_count, call)
        if key not in self._known_ended:
            _make_room(self._known_ended)
            self._known_ended[key] = self._find_ended(call)
        return self._known_ended[key]

    def _find_ended(self, call: int) -> Ended:
        for number in self._last_segments(call):
            table = self.table(number)
            found = np.flatnonzero(table.call == call)
            if len(found):
                where = int(table.ended_where[found[-1]])
                outcome = Outcome(int(_OUTCOMES[table.kind[found[-1]]]))
                return Ended(number * SEGMENT_EVENTS + where, outcome)
        return NOT_ENDED

    def _last_segments(self, call: int) -> Iterator[int]:
        """Iterate over the segments in which a call may end, the likely ones first."""
        first = self.begun(call).entry // SEGMENT_EVENTS
        count = len(self._store.segments.index.count)
        near = min(first + _NEAR, count)
        yield from range(first, near)
        # An exit is the last event of its call: for a long call, search from the end.
        yield from self._store.segments.with_call(call, near)

    def children(self, call: int) -> Ints:
        """Return the calls that this one made, in order of entry; for 0, those without a parent."""
        return self.made(call)[0]

    def made(self, call: int, span: tuple[int, int] | None = None) -> tuple[Ints, Ints]:
        """Return the calls that this one made, with their entries; with ``span``, only those in these times."""
        ids, entries = [np.empty(0, np.int64)], [np.empty(0, np.int64)]
        first, last = span or (self.begun(call).entry if call else 0, self._last(call))
        for number, table in self._tables(first, last):
            times = table.begun_where + np.int64(number * SEGMENT_EVENTS)
            mine = (table.parent == call) & (times >= first) & (times <= last)
            ids.append(table.id[mine].astype(np.int64))
            entries.append(times[mine])
        return np.concatenate(ids), np.concatenate(entries)

    def lasts(self, calls: Ints, entries: Ints) -> Ints:
        """Return the last times of calls (in ascending order), as `span` does for one."""
        found = np.full(len(calls), -1, dtype=np.int64)
        last = self._store.segments.event_count - 1
        for number, table in self._tables(int(entries[0]), last) if len(calls) else ():
            rows = np.searchsorted(calls, table.call)
            known = np.flatnonzero(calls[np.minimum(rows, len(calls) - 1)] == table.call)
            # The last end counts: with repeated assignments to the same row, the last value stays.
            found[rows[known]] = table.ended_where[known] + np.int64(number * SEGMENT_EVENTS)
            if number * SEGMENT_EVENTS > entries[-1] and (found >= 0).all():
                break
        return np.where(found < 0, last, found)

    def of_functions(self, functions: set[int], below: int = 0) -> Iterator[int]:
        """Iterate over the calls of these functions, in order; only those below a call, if one is given."""
        first, last = self.span(below) if below else (0, self._store.segments.event_count - 1)
        family: set[int] = {below}
        sites = self._store.program.columns
        for _, table in self._tables(first, last):
            chosen = np.isin(sites.function[sites.known(table.site)], list(functions))
            if not below:
                yield from table.id[chosen].tolist()
                continue
            rows = zip(table.id.tolist(), table.parent.tolist(), chosen.tolist(), strict=True)
            for call, parent, wanted in rows:
                if parent in family:
                    family.add(call)
                    if wanted:
                        yield call

    def span(self, call: int) -> tuple[int, int]:
        """Return the first and last time of a call; if it is not completed, the last time of the trace."""
        return self.begun(call).entry, self._last(call)

    def begun_between(self, first: int, last: int) -> tuple[Ints, Ints]:
        """Return the calls that began in a span of times, last included, and their parents."""
        ids, parents = [np.empty(0, np.int64)], [np.empty(0, np.int64)]
        for number, table in self._tables(first, last):
            times = table.begun_where.astype(np.int64) + number * SEGMENT_EVENTS
            inside = (times >= first) & (times <= last)
            ids.append(table.id[inside].astype(np.int64))
            parents.append(table.parent[inside].astype(np.int64))
        return np.concatenate(ids), np.concatenate(parents)

    def _last(self, call: int) -> int:
        """Return the last time at which a call could have made another one."""
        exit = self.ended(call).exit if call else -1
        return exit if exit >= 0 else self._store.segments.event_count - 1

    def _tables(self, first: int, last: int) -> Iterator[tuple[int, SegmentCalls]]:
        for number in range(first // SEGMENT_EVENTS, last // SEGMENT_EVENTS + 1):
            yield number, self.table(number)

    def table(self, number: int) -> SegmentCalls:
        """Return the beginnings and ends of calls in a segment, as far as the snapshot goes."""
        count = int(self._store.segments.index.count[number])

        def load() -> SegmentCalls:
            return unpack_calls(self._store.segments.packed_calls(number), SEGMENT_EVENTS)

        table = self._store.cache.get(("calls", number, count), load)
        return table if count == SEGMENT_EVENTS else _up_to(table, count)

    def event(self, time: int, *names: str) -> list[int]:
        """Return fields of the event at a time."""
        number, where = divmod(time, SEGMENT_EVENTS)
        fields, place = self._store.segments.fields, np.array([where])
        return [int(fields(number, name, place)[0]) for name in names]

    # -- all calls ---------------------------------------------------------------------------------

    def columns(self) -> Calls:
        """Return the calls up to the end of the snapshot."""
        count = self._store.segments.event_count
        if self._columns is None or self._columns[0] != count:
            self._columns = (count, self._build(count))
        return self._columns[1]

    def _build(self, count: int) -> Calls:
        full = count // SEGMENT_EVENTS
        # What was read of the last segment is read again: it may be full by now.
        self._begun.truncate(len(self._ended))
        reached = self._store.segments.reached_calls
        if full > self._scanned:
            # Calls are numbered from 1, so an undamaged trace has at most this many more.
            most = count - self._scanned * SEGMENT_EVENTS
            room = min(max(int(reached[-1]) - len(self._begun), 0), most)
            self._begun.reserve(room)
            self._ended.reserve(room)
        for number in range(self._scanned, full):
            self._scan(self._ended, number, self._fresh(number))
        self._scanned = full
        final = "ended" in self._store.meta  # then nothing follows the last segment
        ended = self._ended if final else self._ended.copy()
        if count % SEGMENT_EVENTS:
            self._scan(ended, full, self.table(full))
        return Calls(self._store, self._begun.columns(), ended.columns())

    def _fresh(self, number: int) -> SegmentCalls:
        # Not through the cache: each table is needed once.
        return unpack_calls(self._store.segments.packed_calls(number), SEGMENT_EVENTS)

    def _scan(self, ended: Growing, number: int, table: SegmentCalls) -> None:
        known = self._begun.columns()["id"]
        ids = table.id.astype(np.int64)
        if (np.diff(ids) <= 0).any() or (len(known) and len(ids) and ids[0] <= known[-1]):
            raise TraceError("damaged trace: the ids of calls do not rise")
        sites = self._store.program.columns
        first = number * SEGMENT_EVENTS
        if len(ids):
            self._begun.append(
                id=ids,
                parent=table.parent,
                function=sites.function[sites.known(table.site)],
                entry=table.begun_where.astype(np.int64) + first,
            )
            ended.append(exit=np.full(len(ids), -1), outcome=0)
        self._end(ended, table, first)

    def _end(self, ended: Growing, table: SegmentCalls, first: int) -> None:
        ids = self._begun.columns()["id"]
        calls = table.call.astype(np.int64)
        rows = np.searchsorted(ids, calls)
        known = np.flatnonzero(rows < len(ids))
        known = known[ids[rows[known]] == calls[known]]
        columns = ended.columns()
        # With repeated assignments to the same row, the last value stays: the last end counts.
        columns["exit"][rows[known]] = table.ended_where[known].astype(np.int64) + first
        columns["outcome"][rows[known]] = _OUTCOMES[table.kind[known]]


def _make_room(known: dict[Any, Any]) -> None:
    if len(known) >= _REMEMBERED:
        known.clear()


def _up_to(table: SegmentCalls, count: int) -> SegmentCalls:
    """Return the part of a table about the first events of a segment, which may have grown since."""
    begun = int(np.searchsorted(table.begun_where, count))
    ended = int(np.searchsorted(table.ended_where, count))
    return SegmentCalls(
        table.begun_where[:begun],
        table.id[:begun],
        table.parent[:begun],
        table.site[:begun],
        table.ended_where[:ended],
        table.call[:ended],
        table.kind[:ended],
    )
