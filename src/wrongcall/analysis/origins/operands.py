"""The operands of an expression: what it read while it was evaluated, each as it was at that time.

A place that the trace knows is one operand, with what its keys were computed from. A call of a recorded function is
one: what the function returned. Of any other call the receiver and the arguments are, and what it called back. Of a
conditional expression only the arm that was evaluated is.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from wrongcall.analysis.origins.model import Evaluated, NodeKind, OriginNode, Role
from wrongcall.analysis.origins.places import PlaceNodes
from wrongcall.analysis.origins.read_times import ReadTimes
from wrongcall.analysis.provenance.copies import Copies
from wrongcall.analysis.provenance.made_calls import MadeCalls
from wrongcall.analysis.provenance.model import At, Given
from wrongcall.analysis.provenance.run import Run
from wrongcall.events import Kind, Layout, Passing, SiteKind
from wrongcall.languages.expressions import (
    Attribute,
    Called,
    Comprehension,
    Conditional,
    Handed,
    Loop,
    Name,
    Node,
    OneOf,
    Subscript,
)
from wrongcall.replay.call import Call
from wrongcall.replay.resolve import ObjectSlot, Result
from wrongcall.trace.format.program_tables import Span, site_span
from wrongcall.trace.read.values import UNKNOWN, Ref, Value

MAX_ROUNDS = 24
"""Rounds of a comprehension to list, the last ones."""
MAX_CALLED_BACK = 12
"""Calls to list that a library made, the last ones."""
MAX_TURNS = 24
"""Values of a generator to list, the last ones."""
VALUE_NOT_RECORDED = "its value is not recorded"
_CODE = frozenset({Layout.FUNCTION, Layout.CLASS, Layout.MODULE, Layout.METHOD})


@dataclass(frozen=True)
class Evaluation:
    """The evaluation of an expression in a call."""

    given: Given
    first: int
    """It began after this time."""
    is_of_loop: bool = False
    """A loop goes through its value: the evaluation ended before the rounds so far."""


class Operands:
    """Finds what expressions read."""

    def __init__(self, run: Run, places: PlaceNodes) -> None:
        self._run = run
        self._places = places
        self._times = ReadTimes(run)
        self._copies = Copies(run)
        self._made = MadeCalls(run)

    def of(self, given: Given, value: Value, first: int = 0) -> Iterator[OriginNode]:
        """Iterate over the operands of an expression that gave a value, in order of evaluation.

        ``first``: the evaluation did not begin before this time.
        """
        if given.at is not None:
            yield self._places.node(given.at, Role.OPERAND, given.call.id)
            return
        if given.elsewhere:
            return
        if given.loop is not None:
            yield from self._of_loop(given, given.loop, value)
            return
        evaluation = Evaluation(given, first)
        taken_out = self._taken_out(given, value)
        if taken_out is not None:
            yield taken_out
        for node in self._run.source(given.call).reads(given.node):
            for found in self._read(evaluation, node, Role.OPERAND):
                yield found if taken_out is None else self._around(found, taken_out)

    def _taken_out(self, given: Given, value: Value) -> OriginNode | None:
        """Return the element that a method took out of a container."""
        if value is UNKNOWN or not isinstance(self._run.view(given, given.node), Called):
            return None
        found = self._copies.copied(given, value)
        if found is None or _is_result(found):
            return None
        return self._places.node(found, Role.ELEMENT, given.call.id)

    def _around(self, found: OriginNode, taken_out: OriginNode) -> OriginNode:
        """Return an operand of a method; the container of what it took out says little more than that."""
        handle = taken_out.handle
        target = handle.target if isinstance(handle, At) else None
        is_around = isinstance(target, ObjectSlot) and found.value == Ref(target.oid)
        return replace(found, role=Role.CONTAINER) if is_around else found

    def keys_of(self, given: Given, target: Node) -> Iterator[OriginNode]:
        """Iterate over what the keys of a place were computed from, when something was stored there."""
        evaluation = Evaluation(replace(given, node=target), 0)
        for key in self._run.source(given.call).keys(target):
            yield from self._read(evaluation, key, Role.KEY)

    def arguments_of(self, given: Given, call: Node) -> Iterator[OriginNode]:
        """Iterate over what the arguments of a method were computed from."""
        yield from self._inner(Evaluation(replace(given, node=call), 0), call, Role.KEY)

    def _read(self, evaluation: Evaluation, node: Node, role: Role) -> Iterator[OriginNode]:
        given = evaluation.given
        view = self._run.view(given, node)
        if isinstance(view, Name | Attribute | Subscript):
            yield from self._place(evaluation, node, role)
        elif isinstance(view, Called):
            yield from self._called(evaluation, node, role)
        elif isinstance(view, Conditional):
            yield from self._arm(evaluation, view, node, role)
        elif isinstance(view, OneOf):
            yield from self._some(evaluation, view, role)
        elif isinstance(view, Handed):
            yield from self._handed(evaluation, view, role)
        else:
            comprehension = self._run.source(given.call).comprehension(node)
            if comprehension is not None:
                yield from self._rounds(evaluation, node, comprehension)
            else:
                yield from self._inner(evaluation, node, role)

    def _inner(self, evaluation: Evaluation, node: Node, role: Role) -> Iterator[OriginNode]:
        for part in self._run.source(evaluation.given.call).inner(node):
            yield from self._read(evaluation, part, role)

    # -- places --------------------------------------------------------------------------------------

    def _place(self, evaluation: Evaluation, node: Node, role: Role) -> Iterator[OriginNode]:
        given = evaluation.given
        source = self._run.source(given.call)
        found = self._known(evaluation, node, role)
        if found is None:
            parts = list(self._inner(evaluation, node, role))
            yield from parts
            if not parts and not isinstance(self._run.view(given, node), Name):
                yield self._not_recorded(given, node, role)
            return
        if not self._is_code(found):
            yield found
        for key in source.keys(node):
            yield from self._read(evaluation, key, Role.KEY)
        for container in source.containers(node):
            place = self._known(evaluation, container, Role.CONTAINER)
            if place is not None and not self._is_code(place):
                yield place

    def _known(self, evaluation: Evaluation, node: Node, role: Role) -> OriginNode | None:
        """Return the node for a place, if the trace knows it."""
        given = evaluation.given
        time = self._times.of(given, node, evaluation.first)
        found = self._run.evaluator(replace(given, time=time)).place(node)
        if found is None:
            return None
        at = At(found[0], time, self._run.text(given.call, node))
        return self._places.node(at, role, given.call.id, found[1])

    def _not_recorded(self, given: Given, node: Node, role: Role) -> OriginNode:
        text, line = self._run.text(given.call, node), self._run.source(given.call).span(node)[0]
        where = (given.time, given.time, given.call.id, line)
        return OriginNode(NodeKind.UNKNOWN, role, text, UNKNOWN, *where, note=VALUE_NOT_RECORDED)

    def _is_code(self, node: OriginNode) -> bool:
        value = node.value
        if not isinstance(value, Ref):
            return False
        return self._run.heap.object(value.oid, node.read).type.layout in _CODE

    # -- calls ---------------------------------------------------------------------------------------

    def _called(self, evaluation: Evaluation, node: Node, role: Role) -> Iterator[OriginNode]:
        given = evaluation.given
        child = self._child(evaluation, node)
        if child is None or child.function.name in ("__init__", "__new__"):
            yield from self._inner(evaluation, node, role)
            for called in self._called_back(evaluation, node):
                text = called.function.qualname
                yield self._places.result(called, f"{text}(...)", Role.OPERAND, given.call.id)
            return
        text = self._run.text(given.call, node)
        if child.function.kind in ("function", "lambda"):
            yield self._places.result(child, text, role, given.call.id)
            generator = self._run.calls.activation(child.value)
            if generator:
                yield from self._turns(evaluation, self._run.call(generator), text)
        else:
            yield from self._turns(evaluation, child, text)

    def _child(self, evaluation: Evaluation, node: Node) -> Call | None:
        """Return the call of a recorded function that an expression made in this evaluation."""
        given = replace(evaluation.given, node=node)
        span = self._run.source(given.call).span(node)
        for child in self._children(evaluation):
            site = child.caller
            if site is not None and site_span(site) == span:
                return child if child.passing != Passing.UNKNOWN else None
        # Before its first round, a loop evaluates what it goes through once.
        return self._made.child(given) if evaluation.is_of_loop else None

    def _children(self, evaluation: Evaluation) -> Iterator[Call]:
        """Iterate over the calls that were made in an evaluation, the last one first."""
        given = evaluation.given
        begin = self._times.begin(given, evaluation.first)
        numbers, _ = self._run.calls.made(given.call.id, (max(begin, 0), given.time))
        for number in numbers[::-1].tolist():
            yield self._run.call(number)

    def _called_back(self, evaluation: Evaluation, node: Node) -> Iterator[Call]:
        """Iterate over the calls that a library made while it was called by an expression."""
        span = self._run.source(evaluation.given.call).span(node)
        count = 0
        for child in self._children(evaluation):
            site = child.caller
            is_inside = site is None or site_span(site) == span
            if is_inside and child.passing == Passing.UNKNOWN and child.exit >= 0:
                yield child
                count += 1
                if count >= MAX_CALLED_BACK:
                    return

    def _turns(self, evaluation: Evaluation, generator: Call, text: str) -> Iterator[OriginNode]:
        """Iterate over the values that a generator had yielded by a time."""
        time = evaluation.given.time
        turns = [each for each in generator.yielded if each.time <= time]
        for turn in turns[-MAX_TURNS:]:
            yield self._turn(generator, turn.time, turn.value, text, evaluation.given.call.id)

    def _turn(self, generator: Call, time: int, value: Value, text: str, reader: int) -> OriginNode:
        owner = self._run.positions.at(time).call or generator.id
        return self._places.turn(self._run.call(owner), time, value, text, reader)

    # -- choices -------------------------------------------------------------------------------------

    def _arm(
        self, evaluation: Evaluation, view: Conditional, node: Node, role: Role
    ) -> Iterator[OriginNode]:
        """Iterate over what the evaluated arm of a conditional expression read, and its test."""
        given = evaluation.given
        source = self._run.source(given.call)
        arm = self._copies.arm(given, view)
        for part in source.reads(view.test):
            yield from self._read(evaluation, part, Role.CONDITION)
        for each in (view.yes, view.no) if arm is None else (arm,):
            for part in source.reads(each):
                yield from self._read(evaluation, part, role)

    def _some(self, evaluation: Evaluation, view: OneOf, role: Role) -> Iterator[OriginNode]:
        """Iterate over the operands of `and` and `or` up to the one that is known to decide."""
        given = evaluation.given
        for operand in view.operands:
            for part in self._run.source(given.call).reads(operand):
                yield from self._read(evaluation, part, role)
            time = self._times.of(given, operand, evaluation.first)
            value = self._run.evaluator(replace(given, time=time)).value(operand)
            is_true = _truth(value)
            if is_true is not None and is_true != view.is_and:
                return

    def _handed(self, evaluation: Evaluation, view: Handed, role: Role) -> Iterator[OriginNode]:
        given = evaluation.given
        child = self._child(evaluation, view.value) if view.waits else None
        if child is not None and child.exit >= 0:
            text = self._run.text(given.call, view.value)
            yield self._places.result(child, text, role, given.call.id)
            return
        for part in self._run.source(given.call).reads(view.value):
            yield from self._read(evaluation, part, role)

    # -- loops ---------------------------------------------------------------------------------------

    def _of_loop(self, given: Given, loop: Loop, value: Value) -> Iterator[OriginNode]:
        """Iterate over what a loop's variable came from: the element, and what the loop goes through."""
        at = self._copies.copied(given, value)
        if at is not None:
            yield self._places.node(at, Role.ELEMENT, given.call.id)
        yield from self.of_iterable(given, loop.iterable, loop.whole, is_found=at is not None)

    def of_iterable(
        self, given: Given, node: Node, whole: Span, *, is_found: bool = False
    ) -> Iterator[OriginNode]:
        """Iterate over what a loop at a span goes through; what changed since it began is left out."""
        evaluation = Evaluation(replace(given, node=node, loop=None), 0, is_of_loop=True)
        turn = self._last_turn(evaluation, node)
        if turn is not None:
            yield turn
        for part in self._run.source(given.call).reads(node):
            for found in self._read(evaluation, part, Role.OPERAND):
                if found.kind is NodeKind.YIELDED or self._is_inside(found, given.call, whole):
                    continue
                yield replace(found, role=Role.CONTAINER) if is_found else found

    def _is_inside(self, node: OriginNode, call: Call, whole: Span) -> bool:
        """Return whether something happened in the body of a loop, so that the loop did not begin with it."""
        inside = whole[0] <= node.line <= whole[2] and node.call == call.id
        return inside and isinstance(node.handle, At) and node.kind is NodeKind.WRITTEN

    def _last_turn(self, evaluation: Evaluation, node: Node) -> OriginNode | None:
        """Return the last value of the generator that a loop goes through."""
        given = evaluation.given
        source = self._run.source(given.call)
        parts = [node, *source.inner(node)]
        for part in parts:
            generator = self._generator(given, part)
            if generator is None:
                continue
            turns = [each for each in generator.yielded if each.time <= given.time]
            if turns:
                text = self._run.text(given.call, part)
                last = turns[-1]
                return self._turn(generator, last.time, last.value, text, given.call.id)
        return None

    def _generator(self, given: Given, node: Node) -> Call | None:
        view = self._run.view(given, node)
        if isinstance(view, Called):
            child = self._made.child(replace(given, node=node), is_ended=False)
            if child is not None and child.function.kind == "generator":
                return child
            value = UNKNOWN if child is None or child.exit < 0 else child.value
        else:
            value = self._run.evaluator(given).value(node)
        number = self._run.calls.activation(value)
        return self._run.call(number) if number else None

    # -- comprehensions --------------------------------------------------------------------------------

    def _rounds(
        self, evaluation: Evaluation, node: Node, found: Comprehension
    ) -> Iterator[OriginNode]:
        """Iterate over the rounds of a comprehension, and over what it went through."""
        given = evaluation.given
        for begin, end in self.rounds(evaluation, found)[-MAX_ROUNDS:]:
            for element in found.elements:
                yield self.computed(given, element, begin, end)
        begin = self._times.begin(given, evaluation.first)
        whole = Evaluation(replace(given, time=max(begin, given.call.entry)), evaluation.first)
        for part in self._run.source(given.call).reads(found.clauses[0].loop.iterable):
            yield from self._read(whole, part, Role.CONTAINER)

    def computed(self, given: Given, element: Node, begin: int, end: int) -> OriginNode:
        """Return the node for an expression in one round of a comprehension."""
        value = self._run.evaluator(replace(given, time=end)).value(element)
        return OriginNode(
            NodeKind.COMPUTED,
            Role.OPERAND,
            self._run.text(given.call, element),
            value,
            end,
            end,
            given.call.id,
            self._run.source(given.call).span(element)[0],
            reader=given.call.id,
            handle=Evaluated(given.call.id, element, end, begin),
        )

    def rounds(self, evaluation: Evaluation, found: Comprehension) -> list[tuple[int, int]]:
        """Return the rounds of a comprehension's innermost loop in an evaluation: from their beginning to their end."""
        given = evaluation.given
        begin = self._times.begin(given, evaluation.first)
        sites = self._run.store.program.sites
        span = found.clauses[-1].loop.target_span
        events = self._run.store.segments.select(
            {Kind.LOCAL}, call=given.call.id, first=max(begin, 0), last=given.time + 1
        )
        numbers = events.events["site"].tolist()
        marks = [
            site is not None and site.kind == SiteKind.TARGET and site_span(site) == span
            for site in map(sites.get, numbers)
        ]
        times = events.times[np.array(marks, dtype=np.bool_)].tolist() if marks else []
        # Several variables are bound in one round, one right after the other, at different sites.
        count = len({number for number, mark in zip(numbers, marks, strict=True) if mark})
        begins, bound = times[::count] if count else [], times[count - 1 :: count] if count else []
        return list(zip(bound, [*(t - 1 for t in begins[1:]), given.time], strict=True))


def _is_result(at: At) -> bool:
    return isinstance(at.target, Result)


def _truth(value: Value) -> bool | None:
    """Return whether a value counts as true; None if that is not known."""
    if value is None or isinstance(value, int | float | str | bytes):
        return bool(value)
    return None
