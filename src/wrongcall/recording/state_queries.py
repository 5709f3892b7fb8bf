"""Queries about states: what objects and variables held at any time.

The state *at* a time includes the event with that time. Where a time can be left out, it defaults to the end
of the trace.
"""

from __future__ import annotations

from typing import Any

from wrongcall.replay.heap import Heap, Object, ObjectState
from wrongcall.replay.keys import Keys
from wrongcall.replay.plain_data import PlainData
from wrongcall.replay.sameness import Sameness
from wrongcall.replay.variables import Variables
from wrongcall.trace.format.program_tables import FIRST_PROCESS
from wrongcall.trace.read.values import Value, Values


class StateQueries:
    """Reads states; `heap`, `variables` and `values` have the details."""

    def __init__(self, values: Values, heap: Heap, variables: Variables, same: Sameness) -> None:
        self.values = values
        self.heap = heap
        self.variables = variables
        self.sameness = same
        self.keys = Keys(heap)

    @property
    def replayed_events(self) -> int:
        """How many events have been replayed so far: the cost of rebuilding states."""
        return self.heap.replayed_events

    def object(self, oid: int, time: int | None = None) -> Object:
        """Return an object's type, layout and first sight."""
        return self.heap.object(oid, time)

    def state(self, oid: int, time: int | None = None) -> ObjectState:
        """Return what an object held at a time."""
        return self.heap.state(oid, time)

    def plain(self, value: Value, time: int | None = None, depth: int = 100) -> Any:
        """Return a value and what it holds as nested plain data."""
        return PlainData(self.heap, time).of(value, depth)

    def local(self, call: int, name: str, time: int | None = None) -> Value:
        """Return a local or free variable of a call at a time; `UNSET` if it is not bound."""
        return self.variables.local(call, name, time)

    def locals(self, call: int, time: int | None = None) -> dict[str, Value]:
        """Return the local and free variables of a call that are bound at a time."""
        return self.variables.locals(call, time)

    def globals(
        self, module: str, time: int | None = None, process: int = FIRST_PROCESS
    ) -> dict[str, Value]:
        """Return the global variables of a module in a process at a time."""
        return self.variables.globals(module, time, process)
