"""Reads a trace: everything the other layers may ask of a recorded run.

A `Recording` is a snapshot of its file; `Recording.refresh` takes a new one while the program still runs.
Times, call ids and object ids are plain numbers, columns are numpy arrays; `Recording.call` gives the
view of one call for those who look at few.

The state *at* a time includes the event with that time. Where a time can be left out, the end of
the trace is meant.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path as FilePath
from types import TracebackType
from typing import Any, Self

from wrongcall.analysis.block_entries import BlockEntry, Execution
from wrongcall.analysis.call_coverage import Coverage, Coverages
from wrongcall.analysis.control_flow import Flow
from wrongcall.analysis.effects import Effect, Effects
from wrongcall.analysis.inputs import Input, Inputs
from wrongcall.analysis.line_windows import Told
from wrongcall.analysis.place_changes import Marks, marked
from wrongcall.analysis.processes import Process, Processes
from wrongcall.analysis.provenance import Origin, Origins
from wrongcall.analysis.question_key import key_of
from wrongcall.analysis.run_coverage import AllCovered, Covered
from wrongcall.analysis.step_reader import Timeline
from wrongcall.analysis.steps import Steps
from wrongcall.analysis.unfinished import Stopped, Stopping
from wrongcall.errors import UsageError
from wrongcall.languages.paths import Path
from wrongcall.languages.python.path_syntax import parse_path
from wrongcall.languages.python.sources import Sources
from wrongcall.replay.call import Call, Printed, printed_below
from wrongcall.replay.heap import Heap, Object, State
from wrongcall.replay.history import Histories, Versions
from wrongcall.replay.keys import Keys
from wrongcall.replay.plain_data import Painter
from wrongcall.replay.position import Moment, Moments
from wrongcall.replay.resolve import Places, Target
from wrongcall.replay.spans import Spans
from wrongcall.replay.variables import Variables
from wrongcall.replay.writes import Write
from wrongcall.trace.format.event_records import Bools, Events
from wrongcall.trace.format.program_tables import (
    File,
    Function,
    Site,
    Thread,
    Type,
    Unrecorded,
    unrecorded_modules,
)
from wrongcall.trace.format.segment import SEGMENT_EVENTS
from wrongcall.trace.format.selection import Found
from wrongcall.trace.read.cache import DEFAULT_BUDGET
from wrongcall.trace.read.call_table import Calls, CallTable
from wrongcall.trace.read.places import Place
from wrongcall.trace.read.store import Store
from wrongcall.trace.read.values import Value, Values


class Recording:
    """A recorded run."""

    def __init__(self, path: FilePath, budget: int = DEFAULT_BUDGET) -> None:
        """Open a trace; at most ``budget`` bytes of what was unpacked are kept in memory."""
        self._store = Store(path, budget)
        self._table = CallTable(self._store)
        self.values = Values(self._store)
        self.heap = Heap(self._store, self.values)
        self.variables = Variables(self._store, self.values, self.heap, self._table)
        self._flow = Flow()
        self.execution = Execution(self._store, self._table, self._flow)
        self.sources = Sources(self._store.program)
        self._spans = Spans(self._store, self._table)
        self._processes = Processes(self._store, self.values, self._spans)
        self._inputs = Inputs(
            self._store, self.heap, self.variables, self._spans, self.sources, self._flow
        )
        parts = (self._store, self.values, self.heap, self.variables, self._spans)
        self._effects = Effects(*parts, self._table)
        self.sameness = self._effects.sameness
        self.insides = self._effects.insides
        self._timeline = Timeline(
            self._store,
            self.values,
            self.heap,
            self._table,
            self.execution,
            self.sources,
            self._flow,
            self.variables,
        )
        self._coverages = Coverages(self.execution, self._timeline, self.sources)
        self._moments = Moments(self._store)
        self._stopping = Stopping(self._store, self._table)
        self.places = Places(self._store, self.heap, self.variables)
        self.keys = Keys(self.heap)
        self._histories = Histories(
            self._store,
            self.values,
            self.heap,
            self.variables,
            self.places,
            self._moments,
            self._table,
        )
        self._origins = Origins(
            self._store,
            self.values,
            self.heap,
            self.variables,
            self.places,
            self._moments,
            self._table,
            self.sources,
        )

    def refresh(self) -> None:
        """Take a new snapshot of a trace that is still being written."""
        self._store.refresh()

    def close(self) -> None:
        """Close the file."""
        self._store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    # -- the run and its program -------------------------------------------------------------------

    @property
    def path(self) -> FilePath:
        """The file."""
        return self._store.path

    @property
    def meta(self) -> Mapping[str, Any]:
        """What is known about the run as a whole."""
        return self._store.meta

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

    @property
    def files(self) -> Mapping[int, File]:
        """The instrumented files, by number."""
        return self._store.program.files

    @property
    def functions(self) -> Mapping[int, Function]:
        """The functions in them, by number."""
        return self._store.program.functions

    def line(self, site: int) -> int:
        """Return the line of the site that an event has, 0 if it has none."""
        return self._store.program.line(site)

    @property
    def sites(self) -> Mapping[int, Site]:
        """The places in the source at which events happen, by number."""
        return self._store.program.sites

    @property
    def types(self) -> Mapping[int, Type]:
        """The types of the program's objects, by number."""
        return self._store.program.types

    @property
    def names(self) -> Mapping[int, str]:
        """The names of attributes and globals, by number."""
        return self._store.program.names

    @property
    def threads(self) -> Mapping[int, Thread]:
        """The threads, by number."""
        return self._store.program.threads

    # -- events ------------------------------------------------------------------------------------

    @property
    def event_count(self) -> int:
        """How many events there are; the last one has the time before this."""
        return self._store.segments.event_count

    def events(self, first: int = 0, last: int | None = None) -> Events:
        """Return the events from time ``first`` up to, not including, ``last``."""
        return self._store.segments.events(first, last)

    def segments(self, wanted: Bools | None = None) -> Iterator[tuple[int, Events]]:
        """Go through all events in large parts: the time of the first, and the events.

        ``wanted``: a flag for each part of `SEGMENT_EVENTS` that is to be read.
        """
        for number, count in enumerate(self._store.segments.index.count.tolist()):
            if wanted is not None and not wanted[number]:
                continue
            first = number * SEGMENT_EVENTS
            yield first, self._store.segments.events(first, first + count)

    def select(
        self,
        kinds: Iterable[int] | None = None,
        *,
        call: int | None = None,
        obj: int | None = None,
        first: int = 0,
        last: int | None = None,
    ) -> Found:
        """Return the events of these kinds, this call and this object in a span of times."""
        return self._store.segments.select(kinds, call=call, obj=obj, first=first, last=last)

    # -- calls -------------------------------------------------------------------------------------

    def calls(self) -> Calls:
        """Return all calls as columns."""
        return self._table.columns()

    def call(self, number: int) -> Call:
        """Return the view of one call."""
        self._table.begun(number)
        return Call(number, self._store, self.values, self._table)

    @property
    def call_count(self) -> int:
        """How many calls there are: they are numbered from 1."""
        reached = self._store.segments.reached_calls
        return int(reached[-1]) if len(reached) else 0

    def roots(self) -> list[Call]:
        """Return the calls that no recorded call made: modules, threads."""
        return [self.call(number) for number in self._table.children(0).tolist()]

    def calls_of(self, functions: Iterable[int], below: int = 0) -> Iterator[int]:
        """Go through the calls of these functions, in order; below a call, if one is given."""
        return self._table.of_functions(set(functions), below)

    def blocks(self, call: int) -> list[BlockEntry]:
        """Return the blocks of a call in the order in which they were entered."""
        return self.execution.blocks(call)

    def lines(self, call: int) -> list[int]:
        """Return the lines of its function that a call executed."""
        return self.execution.lines(call)

    def steps(self, call: int) -> Steps:
        """Return the events of a call in order: lines, branches, writes, calls made.

        The state between two of them is that at the time of the first: ``locals(call, time)``. They
        are made when they are looked at: there may be millions.
        """
        return self._timeline.of(self.call(call))

    def lines_told(self, call: int, most: int, first: int, last: int) -> Told:
        """Return how often a call's lines ran, and so many of the last writes on some of them."""
        return self._timeline.lines(self.call(call), most, first, last)

    def stopped(self, call: int) -> Stopped | None:
        """Return where a call was when the trace ended; None: the call has ended."""
        return self._stopping.of(self.call(call))

    def coverage(self, call: int) -> Coverage:
        """Return the control-flow edges and def-use chains that a call covered."""
        return self._coverages.of(self.call(call))

    def covered(self) -> Covered:
        """Return what all calls covered."""
        calls = (self._table.columns(), self.coverage)
        return AllCovered(self._store, self.sources, self._flow, self.execution, *calls).all()

    # -- questions: what a call was given and what it made of it ----------------------------------

    def input(self, call: int) -> Input:
        """Return a call's arguments, its receiver, and the globals and closure variables it read."""
        return self._inputs.of(self.call(call))

    def effect(self, call: int, given: Input | None = None) -> Effect:
        """Return what is different at a call's exit, as a diff; its input may be known already."""
        return self._effects.of(self.call(call), self.input(call) if given is None else given)

    def effect_until(self, call: int, last: int) -> Effect:
        """Return what is different after a run of calls of one caller, from this one to the last."""
        return self._effects.of(self.call(call), self.input(call), self.call(last))

    def printed(self, call: int, until: int = 0) -> list[Printed]:
        """Return what was printed while a call ran, by it and by what it called, in order.

        ``until``: a later call of the same caller; what was printed up to its end.
        """
        return printed_below(self._store, self.values, self._spans, call, until)

    def processes(self, call: int = 0, until: int = 0) -> list[Process]:
        """Return the processes that a call, or one below it, started, and that are not recorded; 0: all.

        ``until``: a later call of the same caller; those that were started up to its end.
        """
        return self._processes.below(call, until) if call else self._processes.all()

    def key(self, call: int) -> bytes:
        """Return a key that is equal for calls with the same function, input, outcome and effect."""
        view, given = self.call(call), self.input(call)
        effect = self._effects.of(view, given)
        return key_of(view, given, effect, self.printed(call), self.heap)

    # -- values and states -------------------------------------------------------------------------

    @property
    def replayed_events(self) -> int:
        """How many events have been replayed so far: the cost of rebuilding states."""
        return self.heap.replayed_events

    def object(self, oid: int, time: int | None = None) -> Object:
        """Return an object's type, layout and first sight."""
        return self.heap.object(oid, time)

    def state(self, oid: int, time: int | None = None) -> State:
        """Return what an object held at a time."""
        return self.heap.state(oid, time)

    def picture(self, value: Value, time: int | None = None, depth: int = 100) -> Any:
        """Return a value and what it holds as nested plain data."""
        return Painter(self.heap, time).draw(value, depth)

    def local(self, call: int, name: str, time: int | None = None) -> Value:
        """Return a local or free variable of a call at a time; `UNSET` if it is not bound."""
        return self.variables.local(call, name, time)

    def locals(self, call: int, time: int | None = None) -> dict[str, Value]:
        """Return the local and free variables of a call that are bound at a time."""
        return self.variables.locals(call, time)

    def globals(self, module: str, time: int | None = None) -> dict[str, Value]:
        """Return the global variables of a module at a time."""
        return self.variables.globals(module, time)

    # -- histories ---------------------------------------------------------------------------------

    def writes(self, oid: int, place: Place) -> list[Write]:
        """Return the history of an item, attribute or entry of an object."""
        return self.heap.writes(oid, place)

    def local_writes(self, call: int, name: str) -> list[Write]:
        """Return the history of a local or free variable of a call."""
        return self.variables.local_writes(call, name)

    def global_writes(self, module: str, name: str) -> list[Write]:
        """Return the history of a global variable."""
        return self.variables.global_writes(module, name)

    def written(self, oid: int, place: Place, time: int | None = None) -> int | None:
        """Return when what is at a place of an object was written."""
        return self.heap.origin(oid, place, time)

    def find(self, call: int, path: Path | str, time: int | None = None) -> tuple[Target, Value]:
        """Return the place that ``c[2]``, say, means in a call at a time, and what is there.

        The time is by default that of the call's exit. What is not there is a `UsageError` that
        says what there is instead.
        """
        view = self.call(call)
        return self.places.find(view, _path(path), self._when(view, time))

    def history(self, call: int, path: Path | str, time: int | None = None) -> Versions:
        """Return every write, over the whole run, of the place that a path means in a call."""
        view = self.call(call)
        return self._histories.of(view, _path(path), self._when(view, time))

    def marks(self, call: int, path: Path | str, time: int | None = None, within: int = 0) -> Marks:
        """Return which steps of a call, by time, changed the place that a path means in a call.

        ``within``: the call whose steps these are, if it is another one.
        """
        view, other = self.call(call), self.call(within or call)
        times = self._histories.times(view, _path(path), self._when(view, time))
        inside = times[(times >= other.entry) & (times <= other.last)]
        return marked(self._store, self._table, self.steps(other.id).by_time(), inside)

    def origin(self, call: int, path: Path | str, time: int | None = None) -> Origin:
        """Return where the value came from that a path means in a call at a time."""
        view = self.call(call)
        return self._origins.of(view, _path(path), self._when(view, time))

    def moment(self, time: int) -> Moment:
        """Return which call was running at a time, and at which line."""
        return self._moments.at(time)

    def _when(self, call: Call, time: int | None) -> int:
        if time is None:
            return call.last
        if not 0 <= time < self.event_count:
            raise UsageError(f"there is no time {time}: the trace has 0 to {self.event_count - 1}")
        return time


def _path(path: Path | str) -> Path:
    return parse_path(path) if isinstance(path, str) else path
