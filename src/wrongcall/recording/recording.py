"""An opened trace: the run as a whole, and the queries on it.

A `Recording` is a snapshot of its file; `Recording.refresh` takes a new one while the program is still running. Times,
call ids and object ids are plain numbers, columns are numpy arrays.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path as FilePath
from typing import Any

from wrongcall.analysis.effects.effects import Effects
from wrongcall.analysis.flow.block_entries import Execution
from wrongcall.analysis.flow.control_flow import Flow
from wrongcall.analysis.inputs import Inputs
from wrongcall.analysis.steps.step_reader import StepReader
from wrongcall.closing import Closing
from wrongcall.languages.python.sources import Sources
from wrongcall.recording.asking_queries import AskingQueries, AtTime, PrintedLine
from wrongcall.recording.call_queries import CallQueries
from wrongcall.recording.event_queries import EventQueries
from wrongcall.recording.execution_queries import ExecutionQueries
from wrongcall.recording.find_queries import Match
from wrongcall.recording.inside_queries import InsideQueries
from wrongcall.recording.pause_queries import PauseQueries
from wrongcall.recording.place_queries import PlaceQueries
from wrongcall.recording.question_queries import QuestionQueries
from wrongcall.recording.state_queries import StateQueries
from wrongcall.recording.table_queries import Part, TableQueries
from wrongcall.recording.walk_queries import WalkQueries
from wrongcall.replay.call import Call
from wrongcall.replay.heap import Heap
from wrongcall.replay.spans import Spans
from wrongcall.replay.variables import Variables
from wrongcall.trace.format.program_tables import Program, Unrecorded, unrecorded_modules
from wrongcall.trace.read.cache import DEFAULT_BUDGET
from wrongcall.trace.read.call_table import CallTable
from wrongcall.trace.read.indexes import Visit
from wrongcall.trace.read.store import Store
from wrongcall.trace.read.values import Values


class Recording(Closing):
    """A recorded run."""

    def __init__(self, path: FilePath, budget: int = DEFAULT_BUDGET) -> None:
        """Open a trace, keeping at most ``budget`` bytes of unpacked data in memory."""
        store = self._store = Store(path, budget)
        table = CallTable(store)
        values = Values(store)
        heap = Heap(store, values)
        variables = Variables(store, values, heap, table)
        spans, flow = Spans(store, table), Flow()
        self.sources = Sources(store.program)
        """The source: syntax, docstrings, names that functions read."""
        inputs = Inputs(store, heap, variables, spans, self.sources, flow)
        effects = Effects(store, values, heap, variables, spans, table)
        execution = Execution(store, table, flow)
        parts = (store, values, heap, table, execution, self.sources, flow, variables)
        steps = StepReader(*parts)
        self.events = EventQueries(store)
        self.calls = CallQueries(store, values, table)
        self.execution = ExecutionQueries(
            store, table, self.sources, flow, execution, steps, self.call
        )
        self.questions = QuestionQueries(
            store, values, heap, spans, inputs, effects, variables, self.call
        )
        self.states = StateQueries(values, heap, variables, effects.sameness)
        self.places = PlaceQueries(store, table, self.states, self.sources, steps, self.call)
        self.asking = AskingQueries(store, self.states, self.sources, steps, self.call)
        self.walk = WalkQueries(store, table, self.asking.lines, self.sources)
        self.pauses = PauseQueries(store, table, self.walk, self.asking, self.places)
        self.inside = InsideQueries(
            store, values, table, self.sources, steps, effects, self.states, self.call
        )
        self.tables = TableQueries(store, values, table)

    def at(self, time: int, call: int = 0) -> AtTime:
        """Return the state at a time, to evaluate expressions in; the same as ``asking.at``."""
        return self.asking.at(time, call)

    def print(self, line: str, *expressions: str, **options: Any) -> PrintedLine:
        """Evaluate expressions at every execution of a line; the same as ``asking.print``."""
        return self.asking.print(line, expressions, **options)

    def call(self, number: int) -> Call:
        """Return the view of one call; the same as ``calls.get``."""
        return self.calls.get(number)

    def find(self, search: str, **options: Any) -> Iterator[Match]:
        """Iterate over what a search finds; the same as ``asking.find``."""
        return self.asking.find(search, **options)

    def to_columns(self, table: str) -> Part:
        """Return a table (calls, variables, writes, output) as columns, for pandas or polars."""
        return self.tables.to_columns(table)

    def refresh(self) -> None:
        """Take a new snapshot of a trace that is still being written."""
        self._store.refresh()

    def prepare(self, visit: Visit | None = None) -> None:
        """Begin to index the events, in another thread: worthwhile if there is something else to do meanwhile.

        Without it, the first query about a state or a history makes the indexes, and waits for them. ``visit`` is
        called in that thread with the time of the first event and events, which it must not keep: with all in order,
        from the beginning, as far as they are unpacked for the indexes. That may be none.
        """
        self._store.prepare(visit)

    def prepared(self) -> None:
        """Wait until the events are indexed, if another thread does that."""
        self._store.prepared()

    def reconnect(self) -> None:
        """Open the file once more, in a forked process; what was read before stays."""
        self._store.reconnect()

    def close(self) -> None:
        """Close the file."""
        self._store.close()

    @property
    def path(self) -> FilePath:
        """The file."""
        return self._store.path

    @property
    def meta(self) -> Mapping[str, Any]:
        """Facts about the run as a whole."""
        return self._store.meta

    @property
    def program(self) -> Program:
        """The program: its files, functions, sites, types, names and threads, by number."""
        return self._store.program

    @property
    def event_count(self) -> int:
        """How many events there are; the last one has this time minus one."""
        return self._store.segments.event_count

    @property
    def ended(self) -> str | None:
        """Why the trace ends; None while it is being written, or if its writer was killed."""
        return self._store.meta.get("ended")

    @property
    def is_recorded(self) -> bool:
        """Whether a recorder is still writing it."""
        return self._store.is_recorded

    @property
    def unrecorded(self) -> list[Unrecorded]:
        """The modules of the project that ran without being recorded, in the order of loading."""
        return unrecorded_modules(self._store.meta)
