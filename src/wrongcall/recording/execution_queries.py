"""Queries about what calls executed: their steps, lines, blocks and coverage."""

from __future__ import annotations

from collections.abc import Callable

from wrongcall.analysis.coverage.call_coverage import Coverage, Coverages
from wrongcall.analysis.coverage.run_coverage import AllCovered, Covered
from wrongcall.analysis.flow.block_entries import BlockEntry, Execution
from wrongcall.analysis.flow.control_flow import Flow
from wrongcall.analysis.flow.unfinished import Stopped, Stopping
from wrongcall.analysis.steps.line_windows import Told
from wrongcall.analysis.steps.rounds import Rounds, rounds
from wrongcall.analysis.steps.step_reader import StepReader
from wrongcall.analysis.steps.steps import Steps
from wrongcall.languages.python.enclosing_loop import LoopLines, enclosing_loop
from wrongcall.languages.python.sources import Sources
from wrongcall.replay.call import Call
from wrongcall.trace.read.call_table import CallTable
from wrongcall.trace.read.store import Store


class ExecutionQueries:
    """Answers what calls executed."""

    def __init__(
        self,
        store: Store,
        table: CallTable,
        sources: Sources,
        flow: Flow,
        execution: Execution,
        steps: StepReader,
        view: Callable[[int], Call],
    ) -> None:
        """``view`` returns the view of a call."""
        self._store = store
        self._table = table
        self._sources = sources
        self._flow = flow
        self._execution = execution
        self._steps = steps
        self._view = view
        self._coverages = Coverages(execution, steps, sources)
        self._stopping = Stopping(store, table)

    def steps(self, call: int) -> Steps:
        """Return the steps of a call in order: lines, branches, writes, calls made.

        The state between two of them is the state at the time of the first: ``locals(call, time)``.
        They are read lazily: there may be millions.
        """
        return self._steps.of(self._view(call))

    def rounds(self, call: int, line: int) -> tuple[LoopLines, Rounds] | None:
        """Return the innermost loop of a call around a line, and its rounds; None: there is no loop."""
        view = self._view(call)
        loop = enclosing_loop(self._sources.of_file(view.function.file), line)
        if loop is None:
            return None
        steps = self.steps(call).by_time()
        return loop, rounds(steps.columns, loop.header, loop.last, view.last)

    def lines(self, call: int) -> list[int]:
        """Return the lines of its function that a call executed."""
        return self._execution.lines(call)

    def line_activity(self, call: int, most: int, first: int, last: int) -> Told:
        """Return how often each line of a call ran, and up to ``most`` of the last writes on some lines."""
        return self._steps.lines(self._view(call), most, first, last)

    def blocks(self, call: int) -> list[BlockEntry]:
        """Return the blocks of a call in the order in which they were entered."""
        return self._execution.blocks(call)

    def stopped(self, call: int) -> Stopped | None:
        """Return where a call was when the trace ended; None if the call ended before."""
        return self._stopping.of(self._view(call))

    def coverage(self, call: int) -> Coverage:
        """Return the control-flow edges and def-use chains that a call covered."""
        return self._coverages.of(self._view(call))

    def covered(self) -> Covered:
        """Return what all calls covered."""
        calls = (self._table.columns(), self.coverage)
        return AllCovered(self._store, self._sources, self._flow, self._execution, *calls).all()
