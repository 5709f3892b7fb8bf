"""Open the origin of a value, node by node."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from wrongcall.analysis.origins.changes import Changed, Changes
from wrongcall.analysis.origins.conditions import Conditions
from wrongcall.analysis.origins.model import (
    Change,
    Evaluated,
    Made,
    NodeKind,
    Opened,
    OriginNode,
    Outcome,
    Role,
    Turn,
)
from wrongcall.analysis.origins.operands import Evaluation, Operands
from wrongcall.analysis.origins.outcomes import Outcomes
from wrongcall.analysis.origins.places import PlaceNodes
from wrongcall.analysis.provenance.model import At, Given, Link
from wrongcall.analysis.provenance.run import Run
from wrongcall.events import SiteKind
from wrongcall.languages.expressions import DecisionKind, Node
from wrongcall.languages.paths import Path, step_text
from wrongcall.replay.call import Call
from wrongcall.replay.resolve import ObjectSlot, Result
from wrongcall.trace.read import call_table
from wrongcall.trace.read.places import Item
from wrongcall.trace.read.values import UNKNOWN, Ref, Value

MAX_OPERANDS = 60
"""Operands of one node to list."""
_NO_SOURCE = "the source does not say where the value came from"
_DEFAULT = "the default value, which was computed when the function was defined"


class OriginTree:
    """Opens origins."""

    def __init__(self, run: Run, outcomes: Outcomes) -> None:
        self._run = run
        self._places = PlaceNodes(run)
        self._operands = Operands(run, self._places)
        self._conditions = Conditions(run, outcomes)
        self._changes = Changes(run)

    def root(self, call: Call, path: Path, time: int) -> OriginNode:
        """Return the node for the value that a path means in a call at a time."""
        target, value = self._run.places.find(call, path, time)
        return self._places.node(At(target, time, str(path)), Role.ASKED, call.id, value)

    def open(self, node: OriginNode) -> Opened:
        """Return what a node came from."""
        handle = node.handle
        if isinstance(handle, At):
            return self._open_place(node, handle)
        if isinstance(handle, Outcome):
            return self._open_outcome(handle)
        if isinstance(handle, Evaluated):
            call = self._run.call(handle.call)
            given = Given(call, handle.node, handle.time)
            found = self._operands.of(given, node.value, handle.begin)
            return _opened(found, self._conditions.of(call, handle.node, handle.time))
        if isinstance(handle, Change):
            return self._open_change(handle)
        if isinstance(handle, Turn):
            return self._open_turn(handle)
        if isinstance(handle, Made):
            return _opened((), self._around_call(self._run.call(handle.call)))
        return Opened(note=node.note)

    # -- places --------------------------------------------------------------------------------------

    def _open_place(self, node: OriginNode, at: At) -> Opened:
        link, given = self._places.written(at)
        if link is None:
            return Opened(note=node.note)
        operands: list[OriginNode] = []
        note = "" if given is not None else _NO_SOURCE
        if given is not None:
            note = _DEFAULT if given.elsewhere else ""
            computed = self._element(at, link, given)
            if computed is not None:
                operands.append(computed)
            else:
                operands += self._operands.of(given, node.value)
                operands += (
                    part
                    for part in self._stored_at(link, given)
                    if not isinstance(at.target, ObjectSlot) or part.value != Ref(at.target.oid)
                )
        if node.kind is NodeKind.RAISED and given is None:
            operands += self._raised_below(self._run.call(link.call), node.value, link.time)
            note = "" if operands else note
        contents, more = self._contents(node)
        kept: list[OriginNode] = []
        if node.role is not Role.CONTAINER:
            kept = self._conditions.kept(at.target, link.time, at.time, [node.reader, link.call])
        conditions = self._conditions_of(node.kind, link)
        return _opened([*operands, *contents], conditions, kept, note, more)

    def _conditions_of(self, kind: NodeKind, link: Link) -> Iterator[OriginNode]:
        if not link.call:
            return
        call = self._run.call(link.call)
        if kind is NodeKind.PASSED:
            called = self._conditions.called(call)
            if called is not None:
                yield called
            return
        if kind is NodeKind.RAISED:
            node = self._run.source(call).raised_at(link.line)
        else:
            node = self._at(call, link.time)
        if node is not None:
            yield from self._conditions.of(call, node, link.time)

    def _stored_at(self, link: Link, given: Given) -> Iterator[OriginNode]:
        """Iterate over what decided where a value was stored: keys, and other arguments of a method."""
        number = self._run.calls.event(link.time, "site")[0]
        site = self._run.store.program.sites.get(number)
        if site is None or given.loop is not None or given.elsewhere or given.call.id != link.call:
            return
        source = self._run.sources.of_site(site)
        if site.kind is SiteKind.ITEM:
            for target in source.at(site):
                yield from self._operands.keys_of(given, target)
        elif site.kind is SiteKind.CALL:
            call = source.call_at(site)
            if call is not None and call is not given.node:
                yield from self._operands.arguments_of(given, call)

    def _at(self, call: Call, time: int) -> Node | None:
        """Return the expression or statement at which an event happened."""
        number = self._run.calls.event(time, "site")[0]
        site = self._run.store.program.sites.get(number)
        if site is None or site.function != call.function.id:
            return None
        return next(iter(self._run.sources.of_site(site).at(site)), None)

    def _contents(self, node: OriginNode) -> tuple[list[OriginNode], bool]:
        """Return the changes that made the contents of a container."""
        value = node.value
        if node.role is Role.CONTAINER or not isinstance(value, Ref):
            return [], False
        if not self._changes.is_container(value, node.read):
            return [], False
        changes, more = self._changes.of(value.oid, node.read)
        return [self._change(value.oid, each, node) for each in changes], more

    def _change(self, oid: int, change: Changed, node: OriginNode) -> OriginNode:
        if change.place is not None:
            text = node.text + step_text(change.place)
            at = At(ObjectSlot(oid, change.place), change.time, text)
            found = self._places.node(at, Role.ELEMENT, node.reader, change.value)
            if found.kind is not NodeKind.UNKNOWN:
                return replace(found, kind=NodeKind.CHANGED, read=node.read)
        position = self._run.positions.at(change.time)
        source = ""
        if position.call:
            statement = self._at(self._run.call(position.call), position.time)
            source = (
                ""
                if statement is None
                else self._run.text(self._run.call(position.call), statement)
            )
        return OriginNode(
            NodeKind.REMOVED if change.is_removal else NodeKind.CHANGED,
            Role.ELEMENT,
            node.text,
            change.value,
            change.time,
            node.read,
            position.call,
            position.line,
            source,
            reader=node.reader,
            handle=Change(oid, change.time),
        )

    def _open_change(self, change: Change) -> Opened:
        position = self._run.positions.at(change.time)
        site = self._run.store.program.sites.get(position.site)
        if not position.call or site is None:
            return Opened(note=_NO_SOURCE)
        call = self._run.call(position.call)
        node = self._run.sources.of_site(site).expression_at(site)
        operands: Iterable[OriginNode] = ()
        if node is not None:
            operands = self._operands.of(Given(call, node, change.time - 1), UNKNOWN)
        place = self._at(call, position.time)
        conditions = self._conditions.of(call, place, change.time) if place is not None else ()
        return _opened(operands, conditions, note="" if node is not None else _NO_SOURCE)

    # -- the element of a comprehension ----------------------------------------------------------------

    def _element(self, at: At, link: Link, given: Given) -> OriginNode | None:
        """Return the round of a comprehension that made an element of its result."""
        if not isinstance(at.target, ObjectSlot) or given.loop is not None or given.at is not None:
            return None
        tag, bits = self._run.calls.event(link.time, "vtag", "value")
        value = self._run.values.read(tag, bits)
        return self._in_rounds(Evaluation(given, 0), value, at.target, link.time)

    def _in_rounds(
        self, evaluation: Evaluation, value: Value, target: ObjectSlot, time: int
    ) -> OriginNode | None:
        given = evaluation.given
        found = self._run.source(given.call).comprehension(given.node)
        if found is None or not found.is_list or not isinstance(value, Ref):
            return None
        items = self._run.heap.state(value.oid, self._run.heap.known_by(value.oid, time)).items
        rounds = self._operands.rounds(evaluation, found)
        if len(rounds) != len(items):
            return None  # some were filtered out: which ones is not recorded
        (element,) = found.elements
        if value.oid == target.oid:
            index = target.place.index if isinstance(target.place, Item) else -1
            if not 0 <= index < len(rounds):
                return None
            return self._operands.computed(given, element, *rounds[index])
        for item, (begin, end) in zip(items, rounds, strict=True):
            inner = Evaluation(replace(given, node=element, time=end), begin)
            nested = self._in_rounds(inner, item, target, time)
            if nested is not None:
                return nested
        return None

    # -- tests, calls, generators ------------------------------------------------------------------------

    def _open_outcome(self, outcome: Outcome) -> Opened:
        call, test = self._run.call(outcome.call), outcome.test
        given = Given(call, test.node, outcome.time)
        operands: Iterable[OriginNode]
        if test.kind is DecisionKind.CAUGHT:
            operands = self._caught(call, outcome.time)
        elif test.kind is DecisionKind.EACH:
            whole = self._run.source(call).span(test.header)
            operands = self._operands.of_iterable(given, test.node, whole)
        else:
            operands = self._operands.of(given, UNKNOWN)
        return _opened(operands, self._conditions.of(call, test.header, outcome.time))

    def _caught(self, call: Call, time: int) -> Iterator[OriginNode]:
        """Iterate over what raised the exception that a call caught."""
        tag, bits, line = self._run.calls.event(time, "vtag", "value", "key")
        value = self._run.values.read(tag, bits)
        below = list(self._raised_below(call, value, time))
        yield from below
        node = self._run.source(call).raised_at(line)
        if not below and node is not None:
            yield self._operands.computed(Given(call, node, time - 1), node, 0, time - 1)

    def _raised_below(self, call: Call, value: Value, time: int) -> Iterator[OriginNode]:
        """Iterate over the call that a call made and that raised an exception."""
        numbers, _ = self._run.calls.made(call.id, (call.entry, time))
        for number in numbers[::-1].tolist():
            child = self._run.call(number)
            if child.outcome is call_table.Outcome.RAISED and child.value == value:
                name = f"{child.function.qualname}(...)"
                yield self._places.node(At(Result(number), child.exit, name), Role.OPERAND, call.id)
                return

    def _open_turn(self, turn: Turn) -> Opened:
        call = self._run.call(turn.call)
        number = self._run.calls.event(turn.time, "site")[0]
        site = self._run.store.program.sites.get(number)
        node = None if site is None else self._run.sources.of_site(site).yielded_at(site)
        if node is None:
            return Opened(note=_NO_SOURCE)
        operands = self._operands.of(Given(call, node, turn.time - 1), UNKNOWN)
        return _opened(operands, self._conditions.of(call, node, turn.time))

    def _around_call(self, call: Call) -> Iterator[OriginNode]:
        parent, site = call.parent, call.caller
        if parent is None or site is None:
            return
        node = self._run.sources.of_site(site).call_at(site)
        if node is not None:
            yield from self._conditions.of(parent, node, call.entry)


def _opened(
    operands: Iterable[OriginNode],
    conditions: Iterable[OriginNode] = (),
    kept: Iterable[OriginNode] = (),
    note: str = "",
    more: bool = False,
) -> Opened:
    """Collect nodes, each once."""
    seen: set[object] = set()
    parts: list[tuple[OriginNode, ...]] = []
    for group in (operands, conditions, kept):
        fresh = []
        for node in group:
            key = (node.key, node.text)  # `a[i]` and `a[j]` may be the same place
            if key not in seen:
                seen.add(key)
                fresh.append(node)
        parts.append(tuple(fresh))
    left_out = max(len(parts[0]) - MAX_OPERANDS, 0)
    return Opened(parts[0][:MAX_OPERANDS], parts[1], parts[2], left_out + more, note)
