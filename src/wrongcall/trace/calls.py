"""The calls of a trace as columns: one row for each call, by rising id.

Vocabulary: the *entry* of a call is the time of its ENTER or CREATE, its *exit* that of its last
RETURN, RAISE or DROP; -1: not completed. The *caller* is the site in the parent at which it was
called (0: none); where the interpreter calls without a call in the source, only the line is
known.

Invariants: ids rise with entries. `CallTable.columns` looks at each full segment once, however
often the trace is refreshed.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property

import numpy as np
import numpy.typing as npt

from wrongcall.errors import TraceError
from wrongcall.events import Kind, Tag
from wrongcall.trace.records import Bytes, Ints, call_ids, obj_ids
from wrongcall.trace.segment import SEGMENT_EVENTS
from wrongcall.trace.store import NOTHING, Found, Store

_KINDS = (Kind.ENTER, Kind.CREATE, Kind.RETURN, Kind.RAISE, Kind.DROP)
_LINE = 1 << 31
"""Set in a caller that is a line, not a site."""


class Outcome(IntEnum):
    """How a call ended."""

    NONE = 0  # not completed
    RETURNED = 1
    RAISED = 2
    DROPPED = 3  # abandoned: neither returned nor raised


_OUTCOMES = np.zeros(256, dtype=np.uint8)
_OUTCOMES[[Kind.RETURN, Kind.RAISE, Kind.DROP]] = (
    Outcome.RETURNED,
    Outcome.RAISED,
    Outcome.DROPPED,
)


@dataclass(frozen=True)
class Calls:
    """The columns; all have the same length and order."""

    id: Ints
    parent: Ints
    function: npt.NDArray[np.int32]
    entry: Ints
    exit: Ints
    outcome: Bytes
    tag: Bytes
    value: Ints
    """With ``tag``: what was returned or raised, to be read by `Values`."""
    caller: npt.NDArray[np.uint32]
    caller_line: npt.NDArray[np.uint32]
    thread: npt.NDArray[np.uint16]
    closure: Ints
    """The function object, if it is a closure (0: none)."""

    def __len__(self) -> int:
        return len(self.id)

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
        self._sealed: list[Found] = []
        self._scanned = 0
        self._columns: tuple[int, Calls] | None = None

    def columns(self) -> Calls:
        """Return the calls up to the end of the snapshot."""
        count = self._store.event_count
        if self._columns is None or self._columns[0] != count:
            self._columns = (count, self._build(self._scan(count)))
        return self._columns[1]

    def _scan(self, count: int) -> Found:
        full = count // SEGMENT_EVENTS * SEGMENT_EVENTS
        self._sealed += self._store.select_parts(_KINDS, first=self._scanned, last=full)
        self._scanned = full
        parts = [NOTHING, *self._sealed, *self._store.select_parts(_KINDS, first=full, last=count)]
        times = np.concatenate([part.times for part in parts])
        return Found(times, np.concatenate([part.events for part in parts]))

    def _build(self, found: Found) -> Calls:
        kinds = found.events["kind"]
        begins = (kinds == Kind.ENTER) | (kinds == Kind.CREATE)
        calls = self._begun(Found(found.times[begins], found.events[begins]))
        _end(calls, Found(found.times[~begins], found.events[~begins]))
        return calls

    def _begun(self, found: Found) -> Calls:
        ids = call_ids(found.events)
        if (np.diff(ids) <= 0).any():
            raise TraceError("damaged trace: the ids of calls do not rise")
        sites = self._store.program.columns
        events, count = found.events, len(ids)
        callers = (events["key"] & 0xFFFFFFFF).astype(np.uint32)
        is_line = callers >= _LINE
        return Calls(
            id=ids,
            parent=obj_ids(events),
            function=sites.function[sites.known(events["site"])],
            entry=found.times,
            exit=np.full(count, -1, np.int64),
            outcome=np.zeros(count, np.uint8),
            tag=np.zeros(count, np.uint8),
            value=np.zeros(count, np.int64),
            caller=np.where(is_line, np.uint32(0), callers),
            caller_line=np.where(is_line, callers & np.uint32(_LINE - 1), np.uint32(0)),
            thread=(events["key"] >> 32).astype(np.uint16),
            closure=np.where(events["vtag"] == Tag.OBJ, events["value"], 0),
        )


def _end(calls: Calls, found: Found) -> None:
    """Fill in how calls ended; of several ends of a call, the last one counts."""
    ids = call_ids(found.events)
    rows = np.searchsorted(calls.id, ids)
    known = rows < len(calls)
    known[known] = calls.id[rows[known]] == ids[known]
    rows, events = rows[known], found.events[known]
    # Assigning to the same index several times leaves the last value.
    calls.exit[rows] = found.times[known]
    calls.outcome[rows] = _OUTCOMES[events["kind"]]
    calls.tag[rows] = events["vtag"]
    calls.value[rows] = events["value"]
