"""Nodes for places that were read: the write behind each, and the expression that gave the value."""

from __future__ import annotations

from collections import OrderedDict

from wrongcall.analysis.origins.model import NodeKind, OriginNode, Role, Turn
from wrongcall.analysis.provenance.model import At, Given, Link, LinkKind
from wrongcall.analysis.provenance.run import Run
from wrongcall.analysis.provenance.writes import Writes
from wrongcall.languages.expressions import Node
from wrongcall.replay.call import Call
from wrongcall.replay.resolve import RESULT, Result
from wrongcall.trace.read.call_table import Outcome
from wrongcall.trace.read.values import UNKNOWN, Value

_KINDS = {
    LinkKind.WRITTEN: NodeKind.WRITTEN,
    LinkKind.PASSED: NodeKind.PASSED,
    LinkKind.RETURNED: NodeKind.RETURNED,
    LinkKind.SEEN: NodeKind.SEEN,
}
_KEPT = 4096
"""Writes that are remembered."""
NOT_RECORDED = "what put it there is not recorded"


class PlaceNodes:
    """Makes nodes for places."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._writes = Writes(run)
        self._known: OrderedDict[object, tuple[Link | None, Given | None]] = OrderedDict()

    def written(self, at: At) -> tuple[Link | None, Given | None]:
        """Return the link for a place, and the expression behind it."""
        key = (at.target, at.time)
        if key not in self._known:
            self._known[key] = self._find(at)
            if len(self._known) > _KEPT:
                self._known.popitem(last=False)
        return self._known[key]

    def _find(self, at: At) -> tuple[Link | None, Given | None]:
        if not isinstance(at.target, Result):
            return self._writes.written(at)
        call = self._run.call(at.target.call)
        if call.outcome is not Outcome.RAISED:
            return self._writes.written(at)
        line = call.raised_at
        node = self._run.source(call).raised_at(line)
        given = None if node is None else Given(call, node, call.exit - 1)
        text = "" if node is None else self._run.text(call, node)
        return Link(LinkKind.RETURNED, call.exit, call.id, line, RESULT, text), given

    def value(self, at: At) -> Value:
        """Return the value that was read."""
        if isinstance(at.target, Result):
            return self._run.call(at.target.call).value
        return self._run.places.value(at.target, at.time)

    def node(self, at: At, role: Role, reader: int, value: Value = UNKNOWN) -> OriginNode:
        """Return the node for a place that a call read."""
        link, _ = self.written(at)
        value = self.value(at) if value is UNKNOWN else value
        if link is None:
            return OriginNode(
                NodeKind.UNKNOWN, role, at.name, value, at.time, at.time, 0, 0, note=NOT_RECORDED
            )
        kind = _KINDS[link.kind]
        if isinstance(at.target, Result) and self._is_raised(at.target):
            kind = NodeKind.RAISED
        return OriginNode(
            kind,
            role,
            at.name,
            value,
            link.time,
            at.time,
            link.call,
            link.line,
            link.source,
            reader=reader,
            handle=at,
        )

    def _is_raised(self, target: Result) -> bool:
        return self._run.call(target.call).outcome is Outcome.RAISED

    def result(self, child: Call, text: str, role: Role, reader: int) -> OriginNode:
        """Return the node for what a call returned or raised."""
        return self.node(At(Result(child.id), child.exit, text), role, reader)

    def turn(self, generator: Call, time: int, value: Value, text: str, reader: int) -> OriginNode:
        """Return the node for a value that a generator yielded."""
        number = self._run.calls.event(time, "site")[0]
        site = self._run.store.program.sites.get(number)
        node: Node | None = (
            None if site is None else self._run.sources.of_site(site).yielded_at(site)
        )
        return OriginNode(
            NodeKind.YIELDED,
            Role.OPERAND,
            text,
            value,
            time,
            time,
            generator.id,
            site.line if site is not None else 0,
            "" if node is None else self._run.text(generator, node),
            reader=reader,
            handle=Turn(generator.id, time),
        )
