"""Which calls made the value that a failed check found wrong, the likeliest first.

The check is the statement at which an exception left a call: an assertion, or anything else. What it compares are the
recorded values of that call. Each is followed to the calls that made it, or that last changed the object it is; calls
of test code are left out, and so is a side that only test code made: that is what was expected.

What is found here decides the order of questions. It is no verdict.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import zip_longest

from wrongcall.errors import UsageError
from wrongcall.events import Layout
from wrongcall.languages.expressions import Called, Node
from wrongcall.languages.paths import RETURNED
from wrongcall.recording import Call, EndKind, Origin, Outcome, Recording, Ref, Value
from wrongcall.session.code_of_tests import CodeOfTests
from wrongcall.trace.format.event_records import call_ids
from wrongcall.trace.format.program_tables import site_span
from wrongcall.tree.pretrusted import DEFINITIONS

MAX_CALLS = 4
"""Calls that are returned at most."""
MAX_WRITERS = 3
"""Calls that changed an object, the latest, that are considered."""
_MAX_DEPTH = 4
"""Expressions of test code through which a value is followed."""


@dataclass(frozen=True)
class Checked:
    """An expression that a check compared or tested, and its value at a time."""

    text: str
    value: Value
    time: int


class WrongValue:
    """Follows what a check found wrong."""

    def __init__(self, recording: Recording, code: CodeOfTests) -> None:
        self._recording = recording
        self._code = code

    def makers(self, call: int, line: int, time: int) -> list[int]:
        """Return the calls that made what the check at a line of a call found wrong at a time."""
        view = self._recording.call(call)
        source = self._recording.sources.of_function(view.function)
        sides = [self._of_node(view, node, time, 0) for node in source.checked_at(line)]
        # One call of each side in turn: both may be made by the program.
        found = [call for turn in zip_longest(*sides, fillvalue=0) for call in turn]
        return self._chosen(found, call) or self._chosen(self._latest(view, time), call)

    def checked(self, call: int, line: int, time: int) -> list[Checked]:
        """Return what the check at a line of a call compared, as far as it is recorded; literals are left out."""
        view = self._recording.call(call)
        source = self._recording.sources.of_function(view.function)
        return [c for node in source.checked_at(line) for c in self._checked(view, node, time)]

    def _checked(self, call: Call, node: Node, time: int) -> list[Checked]:
        """Return the value of an expression; of a call that is not recorded, the values of its arguments."""
        source = self._recording.sources.of_function(call.function)
        view, text = source.view(node), source.text_of(node)
        if not isinstance(view, Called):
            return self._at_place(call.id, text, time)
        child = self._made_at(call, source.span(node), time)
        if child is None:
            return [c for part in view.arguments for c in self._checked(call, part, time)]
        is_known = child.outcome == Outcome.RETURNED
        return [Checked(text, child.value, child.exit)] if is_known else []

    def _at_place(self, call: int, path: str, time: int) -> list[Checked]:
        try:
            _, value = self._recording.places.find(call, path, time)
        except UsageError:  # a literal, or computed
            return []
        return [] if self._is_code(value, time) else [Checked(path, value, time)]

    def _chosen(self, calls: Iterable[int], checking: int) -> list[int]:
        """Return calls of the program, the first one of each function: the others are asked about if that is wrong."""
        mine = (c for c in calls if c and c != checking and self._is_of_program(c))
        found: dict[int, int] = {}
        for call in mine:
            found.setdefault(self._recording.call(call).function.id, call)
        return list(found.values())[:MAX_CALLS]

    def _is_of_program(self, call: int) -> bool:
        """Return whether it is a call that can be suspected: neither test code nor a definition."""
        function = self._recording.call(call).function
        return function.kind not in DEFINITIONS and not self._code.has_function(function.id)

    # -- expressions -------------------------------------------------------------------------------

    def _of_node(self, call: Call, node: Node, time: int, depth: int) -> Iterator[int]:
        """Go through the calls that made what an expression of a call is computed from."""
        source = self._recording.sources.of_function(call.function)
        for part in source.operands(node):
            if isinstance(source.view(part), Called):
                child = self._made_at(call, source.span(part), time)
                if child is not None:
                    yield from self._of_place(child.id, RETURNED, child.exit, depth)
                    yield child.id
            else:
                yield from self._of_place(call.id, source.text_of(part), time, depth)

    def _made_at(self, call: Call, span: tuple[int, ...], time: int) -> Call | None:
        """Return the last call that the expression at a span made by a time."""
        for child in reversed(call.children):
            site = child.caller if 0 <= child.exit <= time else None
            if site is not None and site_span(site) == span:
                return child
        return None

    # -- places ------------------------------------------------------------------------------------

    def _of_place(self, call: int, path: str, time: int, depth: int) -> Iterator[int]:
        """Go through the calls that made the value at a place of a call, or changed it."""
        if depth > _MAX_DEPTH:
            return
        try:
            origin = self._recording.places.origin(call, path, time)
        except UsageError:  # a builtin, a class, a computed key: nothing is known about it
            return
        yield from self._writers(origin.value, time)
        yield from self._of_origin(origin, depth)

    def _of_origin(self, origin: Origin, depth: int) -> Iterator[int]:
        yield origin.call
        if origin.call and not self._is_of_program(origin.call):
            yield from self._of_test_expression(origin, depth)
        yield from (link.call for link in reversed(origin.links))

    def _of_test_expression(self, origin: Origin, depth: int) -> Iterator[int]:
        """Follow a value through an expression of test code that computed it."""
        if origin.end is EndKind.LITERAL:
            return
        view = self._recording.call(origin.call)
        time = origin.links[-1].time - 1 if origin.links else origin.time
        source = self._recording.sources.of_function(view.function)
        for node in source.checked_at(origin.line):
            yield from self._of_node(view, node, time, depth + 1)

    def _writers(self, value: object, time: int) -> Iterator[int]:
        """Go through the calls that changed an object, the latest first."""
        if not isinstance(value, Ref) or not self._is_container(value, time):
            return
        found = self._recording.events.select(None, obj=value.oid, last=time + 1)
        calls = dict.fromkeys(call_ids(found.events)[::-1].tolist())
        yield from list(calls)[:MAX_WRITERS]

    def _is_container(self, value: Ref, time: int) -> bool:
        state = self._recording.states.state(value.oid, time)
        is_empty = not (state.items or state.entries or state.attrs)
        return not is_empty and not self._is_code(value, time)

    def _is_code(self, value: Value, time: int) -> bool:
        """Return whether a value is a part of the program itself."""
        if not isinstance(value, Ref):
            return False
        layout = self._recording.states.heap.peek(value.oid, time).layout
        return layout in (Layout.FUNCTION, Layout.CLASS, Layout.MODULE)

    def _latest(self, call: Call, time: int) -> Iterator[int]:
        """Go through the last call that a call had made by a time."""
        for child in reversed(call.children):
            if 0 <= child.exit <= time and self._is_of_program(child.id):
                yield child.id
                return
