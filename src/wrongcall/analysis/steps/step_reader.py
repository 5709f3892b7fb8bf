"""The steps of one call in display order.

Blocks of lines, not lines, are recorded (see `block_entries`): a line of a block without an event of its own is placed
at the time of the next one, in source order. A *branch* is placed where entering a block shows the outcome of a test.

The order is computed on columns (`step_order`); a step is made from its event on demand (`Steps`).
"""

from __future__ import annotations

import numpy as np

from wrongcall.analysis.expressions.target_names import Naming
from wrongcall.analysis.flow.block_entries import Execution
from wrongcall.analysis.flow.call_events import CallEvents, call_events
from wrongcall.analysis.flow.control_flow import Flow
from wrongcall.analysis.steps.latest_writes import LatestWrites
from wrongcall.analysis.steps.line_windows import StepParts, Told, Windows, all_told
from wrongcall.analysis.steps.step_order import told
from wrongcall.analysis.steps.steps import (
    KINDS,
    NUMBERS,
    CallStep,
    StepColumns,
    StepKind,
    Steps,
    step_table,
)
from wrongcall.errors import TraceError
from wrongcall.events import SEEN, SITE_LINE, Kind, SiteKind
from wrongcall.languages.python.sources import Sources
from wrongcall.replay.call import Call
from wrongcall.replay.heap import Heap
from wrongcall.replay.object_replay import Row, rows_of
from wrongcall.replay.variables import Variables
from wrongcall.trace.format.event_records import Bytes, obj_ids
from wrongcall.trace.read.call_table import CallTable
from wrongcall.trace.read.store import Store
from wrongcall.trace.read.values import UNSET, Value, Values

_OWN = {
    Kind.CAUGHT: StepKind.CAUGHT,
    Kind.YIELD: StepKind.YIELD,
    Kind.RESUME: StepKind.RESUME,
    Kind.PRINT: StepKind.PRINT,
    Kind.RETURN: StepKind.RETURN,
    Kind.RAISE: StepKind.RAISE,
    Kind.DROP: StepKind.DROP,
}
DELETIONS = frozenset(
    {Kind.LOCAL_DEL, Kind.ATTR_DEL, Kind.ENTRY_DEL, Kind.MEMBER_DEL, Kind.REMOVE, Kind.CLEAR}
)
_NOT_TOLD, _UNKNOWN = 254, 255


def _step_kinds() -> Bytes:
    """Return the kind of step for each kind of event."""
    table = np.full(256, _UNKNOWN, dtype=np.uint8)
    for kind in Kind:
        table[[kind, kind | SEEN]] = NUMBERS[_OWN[kind]] if kind in _OWN else _NOT_TOLD
        if Kind.LOCAL <= kind <= Kind.FILL:
            how = StepKind.DELETE if kind in DELETIONS else StepKind.WRITE
            table[kind] = NUMBERS[how]
    return table


_STEP_KINDS = _step_kinds()
_WRITES = step_table(StepKind.WRITE, StepKind.DELETE)
_AHEAD = step_table(StepKind.LINE, StepKind.BRANCH)
_RAISED = step_table(StepKind.RAISE, StepKind.CAUGHT)


class StepReader:
    """Reads the steps of calls."""

    def __init__(
        self,
        store: Store,
        values: Values,
        heap: Heap,
        calls: CallTable,
        execution: Execution,
        sources: Sources,
        flow: Flow,
        variables: Variables,
    ) -> None:
        self._store = store
        self._values = values
        self._calls = calls
        self._execution = execution
        self._flow = flow
        self._naming = Naming(store, values, heap, calls, variables, sources)
        self._latest = LatestWrites(store, self._naming, self.steps)
        self.parts = StepParts(store, calls, execution, flow, self.event_steps)
        self._windows = Windows(self.parts)

    def of(self, call: Call) -> Steps:
        """Return the steps of a call in order; lines come before what they did."""
        key = ("steps", call.id, self._store.segments.event_count)
        columns = self._store.cache.get(key, lambda: self._columns(call))
        return Steps(columns, self.steps, self._latest.of)

    def lines(self, call: Call, most: int, first: int, last: int) -> Told:
        """Return how often lines ran and, for lines from ``first`` to ``last``, up to ``most`` of the last writes."""
        if not self._windows.is_long(call.id):
            return all_told(self.of(call), most, first, last)
        counts, written = self._windows.lines(call)
        wanted = np.flatnonzero((written.line >= first) & (written.line <= last))
        return Told(counts, self._latest.of(written[wanted], most))

    # -- the order ---------------------------------------------------------------------------------

    def _columns(self, call: Call) -> StepColumns:
        events = call_events(self._store, self._calls, call.id)
        entries = self._execution.entries(call.id, events)
        return told(call.function, self._flow, entries, self.event_steps(events), call.last + 1)

    def event_steps(self, events: CallEvents) -> StepColumns:
        """Return the steps of the events themselves."""
        columns = self._store.program.columns
        kinds = _STEP_KINDS[events.kind]
        if (kinds == _UNKNOWN).any():
            number = int(events.kind[np.argmax(kinds == _UNKNOWN)]) & ~SEEN
            raise TraceError(f"damaged trace: an event has the unknown kind {number}")
        kinds[events.made] = NUMBERS[StepKind.CALL]
        chosen = np.flatnonzero(kinds != _NOT_TOLD)
        kinds, sites = kinds[chosen], events.site[chosen]
        known = columns.known(sites)
        lines = columns.line[known]
        only_lines = np.flatnonzero(sites >= SITE_LINE)
        lines[only_lines] = sites[only_lines] ^ np.uint32(SITE_LINE)
        raised = np.flatnonzero(_RAISED[kinds])
        raised = raised[events.raised[chosen[raised]] != 0]
        lines[raised] = events.raised[chosen[raised]]
        kinds[_WRITES[kinds] & (columns.kind == SiteKind.PARAM)[known]] = NUMBERS[StepKind.GIVEN]
        return StepColumns(events.time[chosen], kinds, lines, np.zeros(len(chosen), np.bool_))

    # -- single steps ------------------------------------------------------------------------------

    def steps(self, columns: StepColumns) -> list[CallStep]:
        """Return steps as they are shown."""
        times = np.sort(columns.time[~columns.has(_AHEAD)])
        found = self._store.segments.at(times)
        objects = obj_ids(found.events).tolist()
        events = {row.time: (row, obj) for row, obj in zip(rows_of(found), objects, strict=True)}
        made = []
        for time, number, line, taken in zip(
            columns.time.tolist(),
            columns.kind.tolist(),
            columns.line.tolist(),
            columns.taken.tolist(),
            strict=True,
        ):
            kind = KINDS[number]
            if kind is StepKind.LINE:
                made.append(CallStep(time, kind, line))
            elif kind is StepKind.BRANCH:
                made.append(CallStep(time, kind, line, taken=taken))
            else:
                made.append(self._step(kind, line, *events[time]))
        return made

    def _step(self, kind: StepKind, line: int, row: Row, obj: int) -> CallStep:
        if kind is StepKind.CALL:
            return CallStep(row.time, kind, line, child=row.call)
        if kind not in (StepKind.GIVEN, StepKind.WRITE, StepKind.DELETE):
            return CallStep(row.time, kind, line, value=self._value(row))
        value = UNSET if kind is StepKind.DELETE else self._value(row)
        return CallStep(row.time, kind, line, self._naming.place(row, obj), value)

    def _value(self, row: Row) -> Value:
        return self._values.read(row.vtag, row.value)
