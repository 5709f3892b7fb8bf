"""Queries about what happened inside a call: executions of its parts, and what each of them changed."""

from __future__ import annotations

from collections.abc import Callable

from wrongcall.analysis.effects.effects import Effect, Effects
from wrongcall.analysis.inside.inside import Inside
from wrongcall.analysis.inside.inside_reader import InsideReader
from wrongcall.analysis.steps.step_reader import StepReader
from wrongcall.events import Layout
from wrongcall.languages.paths import Path
from wrongcall.languages.python.sources import Sources
from wrongcall.recording.state_queries import StateQueries
from wrongcall.replay.call import Call, Printed, printed_between
from wrongcall.trace.read.call_table import CallTable
from wrongcall.trace.read.gc_pause import uncollected
from wrongcall.trace.read.store import Store
from wrongcall.trace.read.values import Ref, Value, Values

_PROGRAM = frozenset({Layout.FUNCTION, Layout.CLASS, Layout.MODULE})
MAX_PRINTED = 1000
"""Pieces of printed text between two times that are read: the last ones."""


class InsideQueries:
    """Answers what happened inside calls."""

    def __init__(
        self,
        store: Store,
        values: Values,
        table: CallTable,
        sources: Sources,
        steps: StepReader,
        effects: Effects,
        states: StateQueries,
        view: Callable[[int], Call],
    ) -> None:
        """``view`` returns the view of a call."""
        self._store = store
        self._values = values
        self._effects = effects
        self._states = states
        self._view = view
        self._reader = InsideReader(store, table, sources, steps)

    def of(self, call: int) -> Inside | None:
        """Return the executions inside a call as a tree; None if its source can't be parsed."""
        with uncollected():
            return self._reader.of(self._view(call))

    def variables(self, call: int, time: int) -> dict[str, Value]:
        """Return the variables that the statements of a call bind and read, at a time.

        Those of a module are its globals, but for functions, classes and modules.
        """
        view = self._view(call)
        if view.function.kind != "module":
            return self._states.locals(call, time)
        module = self._store.program.files[view.function.file].module
        found = self._states.globals(module, time, view.process)
        return {
            name: value
            for name, value in found.items()
            if not name.startswith("__") and not self._is_program(value, time)
        }

    def _is_program(self, value: Value, time: int) -> bool:
        if not isinstance(value, Ref):
            return False
        return self._states.heap.peek(value.oid, time).layout in _PROGRAM

    def changes(self, call: int, before: int, after: int) -> Effect:
        """Return what is different in objects, and in variables of other calls, between two times inside a call."""
        variables = self.variables(call, after)
        roots = [(Path(name), value) for name, value in variables.items()]
        with uncollected():
            return self._effects.between(self._view(call), before, after, roots)

    def printed(self, before: int, after: int) -> list[Printed]:
        """Return what the program printed between two times, in order; of very much, the end."""
        return printed_between(self._store, self._values, before, after, MAX_PRINTED)
