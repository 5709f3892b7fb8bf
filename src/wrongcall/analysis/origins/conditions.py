"""The tests because of which something was executed, and those because of which nothing overwrote a value."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from wrongcall.analysis.origins.model import Made, NodeKind, OriginNode, Outcome, Role
from wrongcall.analysis.origins.outcomes import Outcomes
from wrongcall.analysis.provenance.model import Given
from wrongcall.analysis.provenance.run import Run
from wrongcall.events import Kind
from wrongcall.languages.expressions import Decision, DecisionKind, Node, Skipping
from wrongcall.replay.call import Call
from wrongcall.replay.resolve import ObjectSlot, Variable
from wrongcall.replay.resolve import Source as Read
from wrongcall.trace.format.program_tables import Span
from wrongcall.trace.read.values import UNKNOWN, Ref

_AT_ONCE = (DecisionKind.ARM, DecisionKind.CASE, DecisionKind.FILTER)
"""Tests whose outcome is known from what was executed."""
MAX_KEPT = 8
"""Tests to list because of which a value was not overwritten."""


class Conditions:
    """Finds the tests that executions depended on."""

    def __init__(self, run: Run, outcomes: Outcomes) -> None:
        self._run = run
        self._outcomes = outcomes
        self._skippings: dict[int, list[Skipping]] = {}

    def of(self, call: Call, node: Node, time: int) -> Iterator[OriginNode]:
        """Iterate over what the execution of an expression or a statement in a call before a time depended on."""
        is_inside = False
        for test in self._run.source(call).decisions_of(node):
            found = self._outcome(call, test, time)
            if found is not None:
                yield found
            is_inside = is_inside or _contains(test, node, self._run.source(call).span)
        if not is_inside:
            called = self.called(call)
            if called is not None:
                yield called

    def called(self, call: Call) -> OriginNode | None:
        """Return the node for the call itself; None if the program did not make it by a call expression."""
        parent, site = call.parent, call.caller
        if parent is None or not parent.id:
            return None
        line = site.line if site is not None else call.caller_line
        node = None if site is None else self._run.sources.of_site(site).call_at(site)
        name = call.function.qualname
        text = self._run.text(parent, node) if node is not None else name
        return OriginNode(
            NodeKind.CALLED,
            Role.CONDITION,
            text or name,
            UNKNOWN,
            call.entry,
            call.entry,
            parent.id,
            line,
            handle=Made(call.id),
            reader=call.id,
        )

    def _outcome(self, call: Call, test: Decision, time: int) -> OriginNode | None:
        if test.kind in _AT_ONCE:
            return self.node(call, test, time, test.taken)
        if test.kind is DecisionKind.CAUGHT:
            return self._caught(call, test, time)
        found = self._outcomes.last(call.id, test.line, time)
        if found is None or found.taken != test.taken:
            return None
        return self.node(call, test, found.time, found.taken)

    def node(
        self, call: Call, test: Decision, time: int, taken: bool, role: Role = Role.CONDITION
    ) -> OriginNode:
        """Return the node for the outcome of a test."""
        text = self._run.text(call, test.node)
        if test.kind is DecisionKind.EACH:
            text = self._run.text(call, test.header)
        elif test.kind is DecisionKind.CASE:
            text = f"match {text}"
        return OriginNode(
            NodeKind.CONDITION,
            role,
            text,
            taken,
            time,
            time,
            call.id,
            test.line,
            taken=taken,
            reader=call.id,
            handle=Outcome(call.id, test, time),
        )

    def _caught(self, call: Call, test: Decision, time: int) -> OriginNode | None:
        """Return the node for the exception that a handler caught."""
        found = self._run.store.segments.select(
            {Kind.CAUGHT}, call=call.id, first=call.entry, last=time + 1
        )
        if not len(found.times):
            return None
        event = found.events[-1]
        value = self._run.values.read(int(event["vtag"]), int(event["value"]))
        text = self._run.text(call, test.node) if test.node is not None else ""
        return OriginNode(
            NodeKind.CONDITION,
            Role.CONDITION,
            f"except {text}".strip(),
            value,
            int(found.times[-1]),
            int(found.times[-1]),
            call.id,
            test.line,
            taken=True,
            reader=call.id,
            handle=Outcome(call.id, test, int(found.times[-1])),
        )

    # -- what was not executed -----------------------------------------------------------------------

    def kept(self, target: Read, written: int, read: int, calls: list[int]) -> list[OriginNode]:
        """Return the tests after a write because of which the value was not overwritten before it was read.

        ``calls``: those in which to look, if it is a place of an object.
        """
        if isinstance(target, Variable):
            calls = [target.owner]
        elif not isinstance(target, ObjectSlot):
            return []
        found = []
        for number in dict.fromkeys(number for number in calls if number):
            call = self._run.call(number)
            for skipping in self._of_function(call):
                node = self._skipped(call, skipping, target, written, read)
                if node is not None:
                    found.append(node)
        found.sort(key=lambda node: -node.time)
        return found[:MAX_KEPT]

    def _skipped(
        self, call: Call, skipping: Skipping, target: Read, written: int, read: int
    ) -> OriginNode | None:
        if isinstance(target, Variable) and target.name not in skipping.names:
            return None
        if isinstance(target, ObjectSlot) and not skipping.objects:
            return None
        test = skipping.test
        # What a test led to may be the very event that read the value.
        found = self._outcomes.last(call.id, test.line, read + 1, written)
        if found is None or found.taken != test.taken:
            return None
        if isinstance(target, ObjectSlot):
            given = Given(call, test.node, found.time)
            evaluator = self._run.evaluator(given)
            wanted = Ref(target.oid)
            if not any(evaluator.value(node) == wanted for node in skipping.objects):
                return None
        return self.node(call, test, found.time, found.taken, Role.KEPT)

    def _of_function(self, call: Call) -> list[Skipping]:
        number = call.function.id
        if number not in self._skippings:
            definition = self._run.sources.definition(call.function)
            found = self._run.source(call).skippings(definition) if definition is not None else ()
            self._skippings[number] = list(found)
        return self._skippings[number]


def _contains(test: Decision, node: Node, span: Callable[[Node], Span]) -> bool:
    """Return whether a test is one around a node, not one before it."""
    if test.kind in (DecisionKind.ARM, DecisionKind.FILTER):
        return False
    whole, part = span(test.header), span(node)
    return whole[:2] <= part[:2] and part[2:] <= whole[2:] and test.header is not node
