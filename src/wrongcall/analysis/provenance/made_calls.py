"""The calls that an expression made, and what it got from them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from wrongcall.analysis.provenance.model import Given
from wrongcall.analysis.provenance.run import Run
from wrongcall.events import Passing
from wrongcall.languages.expressions import Attribute, Called, Node
from wrongcall.replay.call import Call
from wrongcall.trace.format.program_tables import site_span
from wrongcall.trace.read.call_table import Outcome
from wrongcall.trace.read.values import UNKNOWN, Value

_CALLER = 0xFFFFFFFF
"""The bits of a beginning's key that hold the calling site."""


class MadeCalls:
    """Finds the calls that expressions made."""

    def __init__(self, run: Run) -> None:
        self._run = run

    def known(self, given: Given, node: Node) -> Value:
        """Return the value of an expression, which may be a call."""
        view = self._run.view(given, node)
        if not isinstance(view, Called):
            return self._run.evaluator(given).value(node)
        child = self.child(replace(given, node=node))
        return UNKNOWN if child is None else self.result(given, child, view)

    def fresh(self, given: Given) -> bool:
        """Return whether the latest call that an operand made was its last act, or is not known."""
        child = self.child(given)
        if child is None:
            return True
        own = self._run.store.segments.select(
            None, call=given.call.id, first=child.exit + 1, last=given.time + 1
        )
        return not len(own.times)

    def result(self, given: Given, child: Call, view: Called, waited: bool = False) -> Value:
        """Return the value of an expression that made a call, or `UNKNOWN` if it is not what that returned."""
        is_lazy = child.function.kind not in ("function", "lambda")
        if is_lazy != waited:
            return UNKNOWN
        method = self._run.view(given, view.function)
        written = method.name if isinstance(method, Attribute) else ""
        if child.function.name in ("__init__", "__new__") and written != child.function.name:
            return UNKNOWN  # the expression is the new object
        return child.value if child.outcome == Outcome.RETURNED else UNKNOWN

    def child(self, given: Given, *, is_ended: bool = True) -> Call | None:
        """Return the last call before a time that an expression itself made; ``is_ended``: only if it ended by then."""
        span = self._run.source(given.call).span(given.node)
        program = self._run.store.program
        on_line = np.flatnonzero(program.columns.line == span[0]).tolist()
        wanted = [n for n in on_line if n in program.sites and site_span(program.sites[n]) == span]
        # A call may have made millions of others: only their columns are read.
        numbers, begun = self._run.calls.made(given.call.id, (given.call.entry, given.time))
        if not len(begun) or not wanted:
            return None
        (keys,) = self._run.store.segments.columns_at(begun, "key")
        found = np.flatnonzero(np.isin(keys & _CALLER, wanted))
        if not len(found):
            return None
        child = self._run.call(int(numbers[found[-1]]))
        ended = not is_ended or 0 <= child.exit <= given.time
        return child if ended and child.passing != Passing.UNKNOWN else None
