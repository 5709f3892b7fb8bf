"""What is needed to follow values through a run: its events, objects, variables and sources."""

from __future__ import annotations

from wrongcall.analysis.expressions.arguments import Arguments
from wrongcall.analysis.expressions.evaluate import Evaluator
from wrongcall.analysis.provenance.model import At, Given
from wrongcall.languages.expressions import Node, View
from wrongcall.languages.python.sources import Sources
from wrongcall.languages.source_file import SourceFile
from wrongcall.replay.call import Call
from wrongcall.replay.heap import Heap
from wrongcall.replay.position import Positions
from wrongcall.replay.resolve import ObjectSlot, Places, Round, Variable
from wrongcall.replay.variables import Variables
from wrongcall.trace.read.call_table import CallTable
from wrongcall.trace.read.store import Store
from wrongcall.trace.read.values import Values


class Run:
    """A run whose values are followed."""

    def __init__(
        self,
        store: Store,
        values: Values,
        heap: Heap,
        variables: Variables,
        places: Places,
        positions: Positions,
        calls: CallTable,
        sources: Sources,
    ) -> None:
        self.store = store
        self.values = values
        self.heap = heap
        self.variables = variables
        self.places = places
        self.positions = positions
        self.calls = calls
        self.sources = sources
        self.arguments = Arguments(store, heap, places, variables, sources)

    def time(self, at: At) -> int | None:
        """Return when the value at a place was written; None if that is not known."""
        if isinstance(at.target, Round):
            return at.target.time
        if isinstance(at.target, Variable):
            slot = self.variables.slot(at.target.owner, at.target.name, at.time)
            return None if slot is None else slot.time
        assert isinstance(at.target, ObjectSlot)
        known = self.heap.known_by(at.target.oid, at.time)
        return self.heap.origin(at.target.oid, at.target.place, known)

    def evaluator(self, given: Given) -> Evaluator:
        """Return an evaluator for expressions beside this one."""
        source = self.source(given.call)
        return Evaluator(self.places, self.variables, source, given.call, given.time)

    def source(self, call: Call) -> SourceFile:
        """Return the file of a call's function."""
        return self.sources.of_function(call.function)

    def view(self, given: Given, node: Node) -> View:
        """Return the view of an expression."""
        return self.source(given.call).view(node)

    def given_text(self, given: Given) -> str:
        """Return how to name the value that an expression gave."""
        own = given.text if given.loop is None else ""
        return own or self.text(given.call, given.node)

    def text(self, call: Call, node: Node) -> str:
        """Return the source of an expression."""
        return self.source(call).text_of(node)

    def call(self, number: int) -> Call:
        """Return a call."""
        return Call(number, self.store, self.values, self.calls)
