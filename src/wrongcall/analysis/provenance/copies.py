"""The place that an expression copied a value from.

The trace says what the expression named and which value that had at the time. Where these disagree, the trail ends
instead of guessing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from wrongcall.analysis.expressions.arguments import elements_of
from wrongcall.analysis.provenance.made_calls import MadeCalls
from wrongcall.analysis.provenance.model import At, Given
from wrongcall.analysis.provenance.run import Run
from wrongcall.events import Kind
from wrongcall.languages.expressions import (
    Attribute,
    Called,
    Conditional,
    Handed,
    Loop,
    Name,
    Node,
    OneOf,
    Subscript,
)
from wrongcall.replay.resolve import RESULT, ObjectSlot, Result, Round
from wrongcall.trace.format.program_tables import site_span
from wrongcall.trace.read.places import Entry, Item
from wrongcall.trace.read.values import UNKNOWN, Ref, Value, identical


class Copies:
    """Finds what expressions copied."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._made = MadeCalls(run)

    def copied(self, given: Given, value: Value) -> At | None:
        """Return the place that an expression copied a value from, or None if it made it."""
        if given.at is not None or given.elsewhere:
            return given.at
        if given.loop is not None:
            return self._element(given, given.loop, value)
        node: Node | None = given.node
        view = self._run.view(given, node)
        waited = False
        while isinstance(view, Handed | Conditional):
            waited = isinstance(view, Handed) and view.waits
            node = self.arm(given, view) if isinstance(view, Conditional) else view.value
            if node is None:
                return None
            view = self._run.view(given, node)
        if isinstance(view, OneOf):
            return None if waited else self._chosen(given, view, value)
        if isinstance(view, Called):
            return self._from_call(replace(given, node=node), view, value, waited)
        return None if waited else self._from_place(given, node, value)

    def _from_place(self, given: Given, node: Node, value: Value) -> At | None:
        found = self._run.evaluator(given).place(node)
        if found is None or not identical(found[1], value):
            return None
        return At(found[0], given.time, self._run.text(given.call, node))

    def _chosen(self, given: Given, view: OneOf, value: Value) -> At | None:
        """Return the operand of `and` or `or` that is the result, if only one qualifies."""
        found: At | None = None
        count = 0
        for part in view.operands:
            one = replace(given, node=part)
            if isinstance(self._run.view(one, part), Called) and not self._made.fresh(one):
                continue  # not evaluated here
            at = self.copied(one, value)
            if at is None and identical(self._made.known(one, part), value):
                count += 1
            elif at is None and self._made.known(one, part) is UNKNOWN:
                return None
            elif at is not None:
                found, count = at, count + 1
        return found if count == 1 else None

    def _element(self, given: Given, loop: Loop, value: Value) -> At | None:
        """Return the element of a container that a loop's variable holds, if only one qualifies."""
        evaluator = self._run.evaluator(given)
        found = evaluator.source.loop_element(
            loop, given.text, lambda name: evaluator.place(name) is None
        )
        if found is None or not self._lasts(given, loop, found.container):
            return None
        place = evaluator.place(found.container)
        if place is None or not isinstance(place[1], Ref):
            return None
        names = self._run.evaluator(replace(given, time=self._bound_by(given, loop)))
        targets = elements_of(
            self._run.heap, place[1].oid, given.time, found, names, given.text, value
        )
        if len(targets) != 1:
            return None
        ((target, text),) = targets
        return At(target, given.time, self._run.text(given.call, found.container) + text)

    def _bound_by(self, given: Given, loop: Loop) -> int:
        """Return the time at which a loop had bound all its variables."""
        sites, time = self._run.store.program.sites, given.time
        while time + 1 < self._run.store.segments.event_count:
            number, call = self._run.calls.event(time + 1, "site", "call")
            site = sites.get(number)
            if call and (site is None or site_span(site) != loop.target_span):
                break
            time += 1
        return time

    def _lasts(self, given: Given, loop: Loop, container: Node) -> bool:
        """Return whether an expression still means the same as when a loop began."""
        first, last = loop.whole[:2], loop.whole[2:]
        node = container
        view = self._run.view(given, node)
        while isinstance(view, Name | Attribute | Subscript):
            found = self._run.evaluator(given).place(node)
            time = None if found is None else self._run.time(At(found[0], given.time, ""))
            if time is None:
                return False
            position = self._run.positions.at(time)
            if time >= given.call.entry and not isinstance(found and found[0], Round):
                site = self._run.store.program.sites.get(position.site)
                if position.call != given.call.id or site is None:
                    return False
                if first <= site_span(site)[:2] and site_span(site)[2:] <= last:
                    return False
            if isinstance(view, Name):
                break
            node = view.base
            view = self._run.view(given, node)
        return True

    def arm(self, given: Given, view: Conditional) -> Node | None:
        """Return the arm of a conditional expression that was evaluated last."""
        span = self._run.source(given.call).span
        arms = {span(view.yes): view.yes, span(view.no): view.no}
        sites = self._run.store.program.sites
        first = given.call.entry
        blocks = self._run.store.segments.select(
            {Kind.BLOCK}, call=given.call.id, first=first, last=given.time + 1
        )
        for number in blocks.events["site"][::-1].tolist():
            site = sites[number]
            found = arms.get(site_span(site))
            if found is not None:
                return found
        return None

    def _from_call(
        self, given: Given, view: Called, value: Value, waited: bool = False
    ) -> At | None:
        child = self._made.child(given)
        if child is not None and identical(self._made.result(given, child, view, waited), value):
            return At(Result(child.id), child.exit, RESULT)
        return None if waited else self._taken_out(given, view, value)

    def _taken_out(self, given: Given, view: Called, value: Value) -> At | None:
        """Follow a value that a method took out of its receiver: ``d.get(k)``, ``a.pop()``."""
        method = self._run.view(given, view.function)
        if not isinstance(method, Attribute) or method.name not in ("get", "pop"):
            return None
        found = self._run.evaluator(given).place(method.base)
        if found is None or not isinstance(found[1], Ref):
            return None
        oid, time = found[1].oid, given.time
        if method.name == "pop":
            gone = self._run.store.segments.select(
                {Kind.REMOVE, Kind.ENTRY_DEL},
                call=given.call.id,
                obj=oid,
                first=given.call.entry,
                last=time + 1,
            )
            if not len(gone.times):
                return None
            time = int(gone.times[-1]) - 1
        name = self._run.text(given.call, given.node)
        for target in self._candidates(given, view, oid, time):
            if identical(self._run.places.value(target, time), value):
                return At(target, time, name)
        return None

    def _candidates(self, given: Given, view: Called, oid: int, time: int) -> Iterator[ObjectSlot]:
        contents = self._run.heap.contents(oid, time)
        if view.arguments:
            key = self._run.evaluator(given).value(view.arguments[0])
            if key is not UNKNOWN:
                yield ObjectSlot(oid, Entry(key))
            if isinstance(key, int):
                yield ObjectSlot(oid, Item(key % (len(contents.items) or 1)))
        elif contents.items:
            yield ObjectSlot(oid, Item(len(contents.items) - 1))
