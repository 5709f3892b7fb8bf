"""The coverage of one call: control-flow edges and def-use chains of its function.

Both measure how much of a function a call exercised (Hermanns and Kuchen, JHyde, 2.4). The basic blocks of the
control-flow graph are the blocks of the trace. A def-use chain is a variable of the call, the line that gave it its
value, and a line that used that value.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from wrongcall.analysis.flow.block_entries import Execution
from wrongcall.analysis.steps.step_reader import StepReader
from wrongcall.analysis.steps.steps import StepKind
from wrongcall.languages.python.sources import Sources
from wrongcall.replay.call import Call

ENTRY = -1
EXIT = -2
"""Stand for the start and end of a function among its block numbers."""

_WRITES = frozenset({StepKind.GIVEN, StepKind.WRITE})
_LOOKS = frozenset({StepKind.LINE, StepKind.BRANCH})


class Edge(NamedTuple):
    """An edge from one block of a function to another."""

    function: int
    before: int
    after: int


class DefUse(NamedTuple):
    """A variable, the line that defined it and the line that used it."""

    function: int
    name: str
    defined: int
    used: int


@dataclass(frozen=True)
class Coverage:
    """What one call itself covered, without the calls it made."""

    edges: frozenset[Edge]
    def_uses: frozenset[DefUse]


class Coverages:
    """Computes the coverage of calls."""

    def __init__(self, execution: Execution, steps: StepReader, sources: Sources) -> None:
        self._execution = execution
        self._steps = steps
        self._sources = sources

    def of(self, call: Call) -> Coverage:
        """Return the coverage of a call."""
        return Coverage(self.edges(call), self.def_uses(call))

    def edges(self, call: Call) -> frozenset[Edge]:
        """Return the edges of the control-flow graph that a call took."""
        number = call.function.id
        blocks = [entry.block for entry in self._execution.blocks(call.id)]
        way = [ENTRY, *blocks, *([EXIT] if call.exit >= 0 else [])]
        return frozenset(Edge(number, before, after) for before, after in pairwise(way))

    def def_uses(self, call: Call) -> frozenset[DefUse]:
        """Return the def-use chains of a call's own variables."""
        function = call.function
        own = {*function.locals, *function.params}
        uses = self._sources.uses(function)
        defined: dict[str, int] = {}
        found = set()
        for step in self._steps.of(call):
            if step.kind in _LOOKS:
                for name in uses.get(step.line, frozenset()) & defined.keys():
                    found.add(DefUse(function.id, name, defined[name], step.line))
            elif step.kind in _WRITES and step.place in own:
                defined[step.place] = step.line
        return frozenset(found)
