"""The calls of a trace as columns: one row for each call, by rising id.

Vocabulary: the *entry* of a call is the time of its ENTER or CREATE, its *exit* that of its last
RETURN, RAISE or DROP; -1: not completed. The *caller* is the site in the parent at which it was
called (0: none); where the interpreter calls without a call in the source, the line is known
instead.

Invariants: ids rise with entries. Each full segment is looked at once, however often the trace is
refreshed. Columns that were given out do not change afterwards: what is known of a beginning is
final, and how calls ended is copied for each snapshot.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from wrongcall.errors import TraceError
from wrongcall.events import SITE_LINE, Kind
from wrongcall.trace.growing import Growing
from wrongcall.trace.records import Bytes, Ints, call_ids, kind_table, obj_ids
from wrongcall.trace.segment import SEGMENT_EVENTS
from wrongcall.trace.store import Store

_BEGINNINGS = kind_table({Kind.ENTER, Kind.CREATE})
_ENDS = kind_table({Kind.RETURN, Kind.RAISE, Kind.DROP})
_LINE = np.uint32(SITE_LINE)

_BEGUN = {
    "id": "<i8",
    "parent": "<i8",
    "function": "<i4",
    "entry": "<i8",
    "caller": "<u4",
    "thread": "<u2",
}
_ENDED = {"exit": "<i8", "outcome": "u1", "tag": "u1", "value": "<i8"}


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


@dataclass(frozen=True)
class Calls:
    """The columns; all have the same length and order."""

    id: Ints
    parent: Ints
    function: npt.NDArray[np.int32]
    entry: Ints
    caller: npt.NDArray[np.uint32]
    """As recorded: see `caller_site` and `caller_line`."""
    thread: npt.NDArray[np.uint16]
    exit: Ints
    outcome: Bytes
    tag: Bytes
    value: Ints
    """With ``tag``: what was returned or raised, to be read by `Values`."""

    def __len__(self) -> int:
        return len(self.id)

    @property
    def caller_site(self) -> npt.NDArray[np.uint32]:
        """The calling sites, 0 where there is none."""
        return np.where(self.caller < _LINE, self.caller, np.uint32(0))

    @property
    def caller_line(self) -> npt.NDArray[np.uint32]:
        """The lines of calls that are not written as calls, 0 for the others."""
        return np.where(self.caller < _LINE, np.uint32(0), self.caller ^ _LINE)

    def row(self, call: int) -> int:
        """Return the row of a call."""
        row = int(np.searchsorted(self.id, call))
        if row == len(self.id) or self.id[row] != call:
            raise TraceError(f"there is no call {call}")
        return row

    def children(self, call: int) -> Ints:
        """Return the calls that this one made, by their entries; 0: those without a parent."""
        order, parents = self._by_parent
        begin, end = np.searchsorted(parents, [call, call + 1])
        children: Ints = self.id[order[begin:end]]
        return children

    @cached_property
    def _by_parent(self) -> tuple[Ints, Ints]:
        order = np.argsort(self.parent, kind="stable")
        return order, self.parent[order]


class CallTable:
    """Keeps the columns up to date with a store."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._begun = Growing(_BEGUN)
        self._ended = Growing(_ENDED)
        self._scanned = 0
        self._columns: tuple[int, Calls] | None = None

    def columns(self) -> Calls:
        """Return the calls up to the end of the snapshot."""
        count = self._store.segments.event_count
        if self._columns is None or self._columns[0] != count:
            self._columns = (count, self._build(count))
        return self._columns[1]

    def _build(self, count: int) -> Calls:
        full = count // SEGMENT_EVENTS * SEGMENT_EVENTS
        # What was read of the last segment is read again: it may have been full by now.
        self._begun.truncate(len(self._ended))
        self._scan(self._ended, self._scanned, full)
        self._scanned = full
        ended = self._ended.copy()
        self._scan(ended, full, count)
        columns: dict[str, Any] = {**self._begun.columns(), **ended.columns()}
        return Calls(**columns)

    def _scan(self, ended: Growing, first: int, last: int) -> None:
        for number, part in self._store.segments.parts(first, last):
            kinds = self._store.segments.column(number, "kind")[part]
            begins = np.flatnonzero(_BEGINNINGS[kinds]) + part.start
            if len(begins):
                self._begin(ended, number, begins)
            ends = np.flatnonzero(_ENDS[kinds]) + part.start
            if len(ends):
                self._end(ended, number, ends)

    def _begin(self, ended: Growing, number: int, where: Ints) -> None:
        fields = self._fields(number, where, "call", "obj", "hi", "key", "site")
        ids = call_ids(fields)
        known = self._begun.columns()["id"]
        if (np.diff(ids) <= 0).any() or (len(known) and ids[0] <= known[-1]):
            raise TraceError("damaged trace: the ids of calls do not rise")
        sites = self._store.program.columns
        self._begun.append(
            id=ids,
            parent=obj_ids(fields),
            function=sites.function[sites.known(fields["site"])],
            entry=where + number * SEGMENT_EVENTS,
            caller=fields["key"].astype(np.uint32),
            thread=fields["key"] >> 32,
        )
        ended.append(exit=np.full(len(ids), -1), outcome=0, tag=0, value=0)

    def _end(self, ended: Growing, number: int, where: Ints) -> None:
        fields = self._fields(number, where, "call", "hi", "kind", "vtag", "value")
        rows, known = self._rows(call_ids(fields))
        columns = ended.columns()
        # Assigning to the same row several times leaves the last value: the last end counts.
        columns["exit"][rows] = where[known] + number * SEGMENT_EVENTS
        columns["outcome"][rows] = _OUTCOMES[fields["kind"][known]]
        columns["tag"][rows] = fields["vtag"][known]
        columns["value"][rows] = fields["value"][known]

    def _fields(self, number: int, where: Ints, *names: str) -> dict[str, npt.NDArray[Any]]:
        return {name: self._store.segments.column(number, name)[where] for name in names}

    def _rows(self, calls: Ints) -> tuple[Ints, Ints]:
        """Return the rows of calls, and which of the calls have one."""
        ids = self._begun.columns()["id"]
        rows = np.searchsorted(ids, calls)
        known = np.flatnonzero(rows < len(ids))
        known = known[ids[rows[known]] == calls[known]]
        return rows[known], known
