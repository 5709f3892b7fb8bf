"""Queries about places: how their values changed over the run, and where they came from.

A place is given by its path in a call (``self.items[2]``) at a time, by default that of the call's exit.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator, Sequence

import numpy as np

from wrongcall.analysis.origins.exploring import Explored, explore
from wrongcall.analysis.origins.model import Opened, OriginNode
from wrongcall.analysis.origins.outcomes import Outcomes
from wrongcall.analysis.origins.tree import OriginTree
from wrongcall.analysis.provenance.model import Origin
from wrongcall.analysis.provenance.run import Run
from wrongcall.analysis.provenance.trail import Trails
from wrongcall.analysis.steps.place_changes import Marks, marked
from wrongcall.analysis.steps.step_reader import StepReader
from wrongcall.errors import UsageError
from wrongcall.languages.paths import Path
from wrongcall.languages.python.path_syntax import parse_path
from wrongcall.languages.python.sources import Sources
from wrongcall.recording.state_queries import StateQueries
from wrongcall.replay.call import Call
from wrongcall.replay.history import Histories, Versions
from wrongcall.replay.position import Position, Positions
from wrongcall.replay.resolve import Places, Target
from wrongcall.replay.writes import Write
from wrongcall.trace.format.event_records import Ints
from wrongcall.trace.format.program_tables import FIRST_PROCESS
from wrongcall.trace.read.call_table import CallTable
from wrongcall.trace.read.places import Place
from wrongcall.trace.read.store import Store
from wrongcall.trace.read.values import Value

_OPENED_KEPT = 4096
"""Nodes of origins that are kept open."""


class PlaceQueries:
    """Answers the history and the origin of the value at a place."""

    def __init__(
        self,
        store: Store,
        table: CallTable,
        states: StateQueries,
        sources: Sources,
        steps: StepReader,
        view: Callable[[int], Call],
    ) -> None:
        """``view`` returns the view of a call."""
        self._store = store
        self._table = table
        self._heap = states.heap
        self._variables = states.variables
        self._steps = steps
        self._view = view
        self._places = Places(store, states.heap, states.variables)
        self._positions = Positions(store)
        parts = (store, states.values, states.heap, states.variables, self._places)
        self._histories = Histories(*parts, self._positions, table)
        run = Run(*parts, self._positions, table, sources)
        self._trails = Trails(run)
        outcomes = Outcomes(store, table, steps.parts.execution, steps.parts.flow)
        self._tree = OriginTree(run, outcomes)
        self._opened: OrderedDict[OriginNode, Opened] = OrderedDict()

    def find(self, call: int, path: Path | str, time: int | None = None) -> tuple[Target, Value]:
        """Return the place that a path means in a call at a time, and its value.

        If there is nothing, raise a `UsageError` that says what there is instead.
        """
        view = self._view(call)
        return self._places.find(view, _path(path), self._when(view, time))

    def result_name(self, call: int) -> str:
        """Return the root of paths into what a completed call returned or raised."""
        return self._places.result_name(self._view(call))

    def history(self, call: int, path: Path | str, time: int | None = None) -> Versions:
        """Return every write, over the whole run, to the place that a path means in a call."""
        view = self._view(call)
        return self._histories.of(view, _path(path), self._when(view, time))

    def marks(self, call: int, path: Path | str, time: int | None = None, within: int = 0) -> Marks:
        """Return which steps of a call, by time, changed the place that a path means in a call.

        ``within``: the call whose steps these are, if it is another one.
        """
        view, other = self._view(call), self._view(within or call)
        times = self._histories.times(view, _path(path), self._when(view, time))
        inside = times[(times >= other.entry) & (times <= other.last)]
        return marked(self._store, self._table, self._steps.of(other).by_time(), inside)

    def next_write(self, call: int, path: Path | str, time: int) -> int | None:
        """Return when the place that a path means at a time is written next after it; None if never."""
        times = self.write_times(call, path, time)
        at = int(np.searchsorted(times, time, "right"))
        return int(times[at]) if at < len(times) else None

    def previous_write(self, call: int, path: Path | str, time: int) -> int | None:
        """Return when the place that a path means at a time was written last before it; None if never."""
        times = self.write_times(call, path, time)
        at = int(np.searchsorted(times, time)) - 1
        return int(times[at]) if at >= 0 else None

    def write_times(self, call: int, path: Path | str, time: int) -> Ints:
        """Return when the place that a path means at a time was written, over the whole run, in ascending order."""
        view, when = self._view(call), self._when(self._view(call), time)
        try:
            found = self._histories.times(view, _path(path), when)
        except UsageError:
            if when >= view.last:
                raise
            found = self._histories.times(view, _path(path), view.last)  # not there yet
        return np.sort(found)

    def origin(self, call: int, path: Path | str, time: int | None = None) -> Origin:
        """Return the origin of the value that a path means in a call at a time."""
        view = self._view(call)
        return self._trails.of(view, _path(path), self._when(view, time))

    def origin_tree(self, call: int, path: Path | str, time: int | None = None) -> OriginNode:
        """Return the root of the tree of everything that the value at a place came from."""
        view = self._view(call)
        return self._tree.root(view, _path(path), self._when(view, time))

    def open_origin(self, node: OriginNode) -> Opened:
        """Return what a node of an origin came from: its operands and its conditions."""
        if node not in self._opened:
            self._opened[node] = self._tree.open(node)
            if len(self._opened) > _OPENED_KEPT:
                self._opened.popitem(last=False)
        return self._opened[node]

    def origin_node(self, root: OriginNode, numbers: Sequence[int]) -> OriginNode:
        """Return a node of an origin by the numbers of the nodes on the way, each among all parts of its parent."""
        node = root
        for number in numbers:
            parts = self.open_origin(node).all
            if not 0 <= number < len(parts):
                raise UsageError(f"there is no part {number} there: it has {len(parts)}")
            node = parts[number]
        return node

    def origin_slice(self, root: OriginNode, depth: int | None = None) -> Iterator[Explored]:
        """Iterate over everything that a value depended on, the nearest first; it may be very long.

        ``depth``: at most this many steps back. Nodes are alike if the same happened at the same line of a function.
        """
        return explore(root, self.open_origin, depth, self._happened)

    def _happened(self, node: OriginNode) -> Hashable:
        """Return what happened at which line, in any call, and to which variable or attribute."""
        if not node.call:
            return node.key
        return node.kind, node.taken, node.name, node.line, self._view(node.call).function.id

    def position(self, time: int) -> Position:
        """Return which call was running at a time, and at which line."""
        return self._positions.at(time)

    def writes(self, oid: int, place: Place) -> list[Write]:
        """Return the history of an item, attribute or entry of an object."""
        return self._heap.writes(oid, place)

    def local_writes(self, call: int, name: str) -> list[Write]:
        """Return the history of a local or free variable of a call."""
        return self._variables.local_writes(call, name)

    def global_writes(self, module: str, name: str, process: int = FIRST_PROCESS) -> list[Write]:
        """Return the history of a global variable in a process."""
        return self._variables.global_writes(module, name, process)

    def type_of(self, oid: int) -> str:
        """Return the qualified name of an object's type."""
        return self._heap.object(oid).type.qualname

    def written(self, oid: int, place: Place, time: int | None = None) -> int | None:
        """Return when the value at a place of an object was written."""
        return self._heap.origin(oid, place, time)

    def _when(self, call: Call, time: int | None) -> int:
        if time is None:
            return call.last
        count = self._store.segments.event_count
        if not 0 <= time < count:
            raise UsageError(f"there is no time {time}: the trace has 0 to {count - 1}")
        return time


def _path(path: Path | str) -> Path:
    return parse_path(path) if isinstance(path, str) else path
