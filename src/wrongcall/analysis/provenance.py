"""Where a value came from: the write that put it there, and from there back to its creation.

A value is followed through plain copies: assignment, passing an argument, returning, taking it out of a container or
putting it into one. Each write has a site, the source says which expression gave the value, and the trace says what
that expression named and which value that had at the time. Where these disagree, the trail ends instead of guessing.
Which argument became a parameter is determined by what was called (`passing`), never by position alone.

Vocabulary: a *link* of the trail is one write (or passing, or returning) with its call and line, the newest first. The
trail *ends* where the value was made, with the expression that made it and the operands it had.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import Enum
from typing import NamedTuple

import numpy as np

from wrongcall.analysis.expressions.arguments import Arguments, elements_of
from wrongcall.analysis.expressions.evaluate import Evaluator
from wrongcall.events import SEEN, Kind, Layout, Passing, SiteKind
from wrongcall.languages.expressions import (
    Argument,
    Attribute,
    Called,
    Conditional,
    Default,
    Handed,
    Literal,
    Loop,
    Name,
    Node,
    OneOf,
    Receiver,
    Sequence,
    Spread,
    Subscript,
    Table,
    View,
    Written,
)
from wrongcall.languages.paths import Path, step_text
from wrongcall.languages.python.sources import Sources
from wrongcall.languages.source_file import SourceFile
from wrongcall.replay.call import Call
from wrongcall.replay.heap import Heap
from wrongcall.replay.position import Position, Positions
from wrongcall.replay.resolve import RESULT, ObjectSlot, Places, Result, Round, Variable
from wrongcall.replay.resolve import Source as Read
from wrongcall.replay.variables import Variables
from wrongcall.trace.format.program_tables import Site, site_span
from wrongcall.trace.read.call_table import CallTable, Outcome
from wrongcall.trace.read.places import Entry, Item, Place
from wrongcall.trace.read.store import Store
from wrongcall.trace.read.values import UNKNOWN, UNSET, Ref, Value, Values, identical

MOST_LINKS = 10_000


class LinkKind(Enum):
    """How a value reached a place."""

    WRITTEN = "written"
    PASSED = "passed"
    RETURNED = "returned"
    SEEN = "first seen"


class EndKind(Enum):
    """Why a trail ends."""

    LITERAL = "literal"  # written out in the source
    EXPRESSION = "expression"  # computed
    CALL = "call"  # made by code that is not recorded: a builtin, a library, a class
    UNKNOWN = "unknown"  # the source does not tell


_ENDS: dict[type, EndKind] = {Literal: EndKind.LITERAL, Called: EndKind.CALL}


class Operand(NamedTuple):
    """Part of an expression, and its value."""

    text: str
    value: Value


@dataclass(frozen=True)
class Link:
    """One stage on the path of a value."""

    kind: LinkKind
    time: int
    call: int
    line: int
    place: str
    """Where it arrived, in its function's own words."""
    source: str
    """The expression it came from; empty if there is none in the source."""


@dataclass(frozen=True)
class Origin:
    """The trail of a value, the newest link first, and how it ends."""

    value: Value
    time: int
    links: tuple[Link, ...]
    end: EndKind
    text: str
    """The expression that made it."""
    call: int
    """The call in which it was made; 0 if not known."""
    line: int
    operands: tuple[Operand, ...]


@dataclass(frozen=True)
class _At:
    """A value at a place: the search continues from here."""

    target: Read
    time: int
    name: str


@dataclass(frozen=True)
class _Given:
    """The expression that gave a value, its call, and when it was evaluated."""

    call: Call
    node: Node
    time: int
    at: _At | None = None
    """Where the value is, if the expression is only part of the way there."""
    text: str = ""
    """How to name the value, if not by the expression alone."""
    elsewhere: bool = False
    """It was evaluated at another time and in another call, as defaults are: nothing is known about it."""
    loop: Loop | None = None
    """The loop that took the value out of what the expression gave."""


class Origins:
    """Follows values back."""

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
        self._store = store
        self._values = values
        self._heap = heap
        self._variables = variables
        self._places = places
        self._positions = positions
        self._calls = calls
        self._sources = sources
        self._arguments = Arguments(store, heap, places, variables, sources)

    def of(self, call: Call, path: Path, time: int) -> Origin:
        """Return the origin of the value that a path means in a call at a time."""
        target, value = self._places.find(call, path, time)
        links: list[Link] = []
        at: _At | None = _At(target, time, str(path))
        given: _Given | None = None
        seen = set()
        while at is not None and (at.target, at.time) not in seen and len(links) < MOST_LINKS:
            seen.add((at.target, at.time))
            link, given = self._written(at)
            if link is None:
                break
            links.append(link)
            at = None if given is None else self._copied(given, value)
        return self._ended(value, time, links, given)

    def _ended(self, value: Value, time: int, links: list[Link], given: _Given | None) -> Origin:
        if given is None:
            return Origin(value, time, tuple(links), EndKind.UNKNOWN, "", 0, 0, ())
        text = self._given_text(given)
        end = EndKind.EXPRESSION
        if given.loop is not None:
            text = f"for {self._text(given.call, given.loop.target)} in {text}"
        else:
            end = _ENDS.get(type(self._view(given, given.node)), end)
        parts = () if given.elsewhere else tuple(self._operands(given, value))
        line = self._source(given.call).span(given.node)[0]
        return Origin(value, time, tuple(links), end, text, given.call.id, line, parts)

    # -- the write that put a value in its place ----------------------------------------------------

    def _written(self, at: _At) -> tuple[Link | None, _Given | None]:
        """Return the link for a place, and the expression behind it."""
        if isinstance(at.target, Result):
            return self._returned(at.target)
        time = self._time(at)
        if time is None:
            return None, None
        kind = self._calls.event(time, "kind")[0]
        position = self._positions.at(time)
        if not position.call or position.site not in self._store.program.sites:
            return Link(LinkKind.SEEN, time, position.call, position.line, at.name, ""), None
        site = self._store.program.sites[position.site]
        given = self._given(at, position, site, first_sight=bool(kind & SEEN))
        how = LinkKind.WRITTEN
        if site.kind == SiteKind.PARAM:
            how = LinkKind.PASSED
        elif kind & SEEN:
            how = LinkKind.SEEN
        return self._link(how, position, self._place_text(at, site), given), given

    def _place_text(self, at: _At, site: Site) -> str:
        """Return a place in the words of the function that wrote it."""
        if site.kind in (SiteKind.PARAM, SiteKind.WRITE, SiteKind.TARGET) and site.name is not None:
            return site.name if isinstance(at.target, Variable | Round) else at.name
        if site.kind in (SiteKind.ITEM, SiteKind.ATTR):
            source = self._sources.of_site(site)
            return next((source.text_of(node) for node in source.at(site)), at.name)
        return at.name

    def _time(self, at: _At) -> int | None:
        if isinstance(at.target, Round):
            return at.target.time
        if isinstance(at.target, Variable):
            slot = self._variables.slot(at.target.owner, at.target.name, at.time)
            return None if slot is None else slot.time
        assert isinstance(at.target, ObjectSlot)
        known = self._heap.known_by(at.target.oid, at.time)
        return self._heap.origin(at.target.oid, at.target.place, known)

    def _returned(self, target: Result) -> tuple[Link, _Given | None]:
        call = self._call(target.call)
        time = call.exit
        site_number = self._calls.event(time, "site")[0]
        sites = self._store.program.sites
        site = sites.get(site_number)
        position = Position(time, call.id, site_number, site.line if site else 0)
        node = self._sources.of_site(site).returned_at(site) if site else None
        given = None if node is None else _Given(call, node, time - 1)
        return self._link(LinkKind.RETURNED, position, RESULT, given), given

    def _link(self, how: LinkKind, position: Position, name: str, given: _Given | None) -> Link:
        text = "" if given is None else self._given_text(given)
        if given is not None and given.loop is not None:
            text = f"an element of {text}"
        return Link(how, position.time, position.call, position.line, name, text)

    # -- the expression that gave it ---------------------------------------------------------------

    def _given(self, at: _At, position: Position, site: Site, first_sight: bool) -> _Given | None:
        """Return the expression that gave the value written at a site."""
        call = self._call(position.call)
        if site.kind == SiteKind.PARAM:
            return self._passed(call, site.name or "", at, position, first_sight)
        source = self._sources.of_site(site)
        loop = source.loop_at(site)
        if loop is not None:
            if first_sight:
                return None
            before = self._before(position)
            return _Given(call, loop.iterable, before, loop=loop, text=site.name or "")
        node = source.expression_at(site)
        if node is None:
            return None
        given = _Given(call, node, self._before(position) if not first_sight else position.time - 1)
        return self._part(at, position, given) if first_sight else given

    def _part(self, at: _At, position: Position, given: _Given) -> _Given | None:
        """Return the part of an expression that made an element first seen there."""
        if not isinstance(at.target, ObjectSlot):
            return given
        tag, bits = self._calls.event(position.time, "vtag", "value")
        value = self._values.read(tag, bits)
        given_by = self._display_of(given, value, at.target.oid, position.time)
        if given_by is None:
            return given
        found = self._source(given.call).element_of(given_by.node, at.target.place)
        if found is not None:
            return replace(given, node=found)
        return self._initialised(given_by, at) or given_by

    def _display_of(self, given: _Given, value: Value, oid: int, time: int) -> _Given | None:
        """Return the expression for an object inside what a display made."""
        if value == Ref(oid):
            return given
        view = self._view(given, given.node)
        if not isinstance(view, Sequence | Table) or not isinstance(value, Ref):
            return None
        state = self._heap.state(value.oid, self._heap.known_by(value.oid, time))
        places: list[Item | Entry] = [Item(i) for i in range(len(state.items))]
        places += [Entry(key) for key, _ in state.entries]
        for place in places:
            inner = self._source(given.call).element_of(given.node, place)
            held = self._heap.value(value.oid, place, state.time)
            if inner is not None and isinstance(held, Ref):
                found = self._display_of(replace(given, node=inner), held, oid, time)
                if found is not None:
                    return found
        return None

    def _initialised(self, given: _Given, at: _At) -> _Given | None:
        """Return the argument that a generated ``__init__`` put into an attribute."""
        assert isinstance(at.target, ObjectSlot)
        slot = (at.target.oid, at.target.place)
        evaluator = self._evaluator(given)
        found = self._arguments.of_generated(given.node, evaluator, *slot)
        value = self._heap.value(*slot, self._time(at))
        return None if found is None else self._sourced(given, evaluator, found, value)

    def _passed(
        self, call: Call, name: str, at: _At, position: Position, first_sight: bool
    ) -> _Given | None:
        """Return the argument that the caller passed for a parameter."""
        parent, caller = call.parent, call.caller
        if parent is None or caller is None:
            return None
        node = self._sources.of_site(caller).call_at(caller)
        if node is None:
            return None
        given = _Given(parent, node, call.entry - 1)
        tag, bits = self._calls.event(position.time, "vtag", "value")
        value = self._values.read(tag, bits)
        if not isinstance(at.target, ObjectSlot):
            return self._argument(call, given, name, None, value)
        place = at.target.place
        if value == Ref(at.target.oid) and self._arguments.collects(call, name):
            held = self._heap.value(at.target.oid, place, position.time)
            return self._argument(call, given, name, place, held)
        if value == Ref(at.target.oid) and self._source(call).follows_generated_init(
            call.function.name
        ):
            return self._initialised(given, at)
        found = self._argument(call, given, name, None, value)
        if found is None or found.at is not None:
            return None
        return self._part(at, position, found)

    def _argument(
        self, call: Call, given: _Given, name: str, part: Place | None, value: Value
    ) -> _Given | None:
        """Return what a call expression passed for a parameter, or for an element of ``*args``."""
        evaluator = self._evaluator(given)
        found = self._arguments.of(call, given.node, evaluator, name, part)
        if isinstance(found, Receiver):
            return self._receiver(given, value)
        if isinstance(found, Default):
            view = self._source(call).view(found.node)
            if isinstance(view, Literal) and not identical(view.value, value):
                return None  # ``f.__defaults__`` was replaced
            return _Given(call, found.node, call.entry, elsewhere=True)
        return None if found is None else self._sourced(given, evaluator, found, value)

    def _sourced(
        self, given: _Given, evaluator: Evaluator, found: Argument, value: Value
    ) -> _Given | None:
        """Return the expression of an argument, unless the trace contradicts it."""
        if isinstance(found, Default):
            return replace(given, node=found.node, elsewhere=True)
        if isinstance(found, Written):
            known = evaluator.value(found.node)
            agrees = known is UNKNOWN or identical(known, value)
            return replace(given, node=found.node) if agrees else None
        if not isinstance(found, Spread):
            return None
        place = evaluator.place(found.node)
        if place is None or not isinstance(place[1], Ref):
            return None
        target = ObjectSlot(place[1].oid, found.place)
        if not identical(self._places.value(target, given.time), value):
            return None
        text = self._text(given.call, found.node) + step_text(found.place)
        at = _At(target, given.time, text)
        return replace(given, node=found.node, at=at, text=text)

    def _receiver(self, given: _Given, value: Value) -> _Given | None:
        """Return the expression for what was called, or for the object whose method was called."""
        call = self._view(given, given.node)
        if not isinstance(value, Ref) or not isinstance(call, Called):
            return None
        if self._evaluator(given).value(call.function) == value:
            return replace(given, node=call.function)  # a callable object, a class
        method = self._view(given, call.function)
        if not isinstance(method, Attribute) or self._known(given, method.base) != value:
            return None
        state = self._heap.state(value.oid, self._heap.known_by(value.oid, given.time))
        if state.layout != Layout.CLASS and method.name in state.attrs:
            return None  # an attribute that holds a method of some object
        return replace(given, node=method.base)

    def _before(self, position: Position) -> int:
        """Return the time before a statement began to write.

        ``a, b = b, a`` binds one after the other: what is read was there before both.
        """
        sites = self._store.program.sites
        own = sites[position.site]
        span, seen = site_span(own), {position.site}
        time = position.time
        while time > 0:
            site, call = self._calls.event(time - 1, "site", "call")
            if call != position.call & 0xFFFFFFFF or site in seen or site not in sites:
                break
            if site_span(sites[site]) != span:
                break
            seen.add(site)
            time -= 1
        return time - 1

    # -- copies ------------------------------------------------------------------------------------

    def _copied(self, given: _Given, value: Value) -> _At | None:
        """Return the place that an expression copied a value from, or None if it made it."""
        if given.at is not None or given.elsewhere:
            return given.at
        if given.loop is not None:
            return self._element(given, given.loop, value)
        node: Node | None = given.node
        view = self._view(given, node)
        waited = False
        while isinstance(view, Handed | Conditional):
            waited = isinstance(view, Handed) and view.waits
            node = self._arm(given, view) if isinstance(view, Conditional) else view.value
            if node is None:
                return None
            view = self._view(given, node)
        if isinstance(view, OneOf):
            return None if waited else self._chosen(given, view, value)
        if isinstance(view, Called):
            return self._from_call(replace(given, node=node), view, value, waited)
        return None if waited else self._from_place(given, node, value)

    def _from_place(self, given: _Given, node: Node, value: Value) -> _At | None:
        found = self._evaluator(given).place(node)
        if found is None or not identical(found[1], value):
            return None
        return _At(found[0], given.time, self._text(given.call, node))

    def _chosen(self, given: _Given, view: OneOf, value: Value) -> _At | None:
        """Return the operand of `and` or `or` that is the result, if only one qualifies."""
        found: _At | None = None
        count = 0
        for part in view.operands:
            one = replace(given, node=part)
            if isinstance(self._view(one, part), Called) and not self._fresh(one):
                continue  # not evaluated here
            at = self._copied(one, value)
            if at is None and identical(self._known(one, part), value):
                count += 1
            elif at is None and self._known(one, part) is UNKNOWN:
                return None
            elif at is not None:
                found, count = at, count + 1
        return found if count == 1 else None

    def _known(self, given: _Given, node: Node) -> Value:
        """Return the value of an expression, which may be a call."""
        view = self._view(given, node)
        if not isinstance(view, Called):
            return self._evaluator(given).value(node)
        child = self._child(replace(given, node=node))
        return UNKNOWN if child is None else self._result(given, child, view)

    def _fresh(self, given: _Given) -> bool:
        """Return whether the latest call that an operand made was its last act, or is not known."""
        child = self._child(given)
        if child is None:
            return True
        own = self._store.segments.select(
            None, call=given.call.id, first=child.exit + 1, last=given.time + 1
        )
        return not len(own.times)

    def _element(self, given: _Given, loop: Loop, value: Value) -> _At | None:
        """Return the element of a container that a loop's variable holds, if only one qualifies."""
        evaluator = self._evaluator(given)
        found = evaluator.source.loop_element(
            loop, given.text, lambda name: evaluator.place(name) is None
        )
        if found is None or not self._lasts(given, loop, found.container):
            return None
        place = evaluator.place(found.container)
        if place is None or not isinstance(place[1], Ref):
            return None
        names = self._evaluator(replace(given, time=self._bound_by(given, loop)))
        targets = elements_of(self._heap, place[1].oid, given.time, found, names, given.text, value)
        if len(targets) != 1:
            return None
        ((target, text),) = targets
        return _At(target, given.time, self._text(given.call, found.container) + text)

    def _bound_by(self, given: _Given, loop: Loop) -> int:
        """Return the time at which a loop had bound all its variables."""
        sites, time = self._store.program.sites, given.time
        while time + 1 < self._store.segments.event_count:
            number, call = self._calls.event(time + 1, "site", "call")
            site = sites.get(number)
            if call and (site is None or site_span(site) != loop.target_span):
                break
            time += 1
        return time

    def _lasts(self, given: _Given, loop: Loop, container: Node) -> bool:
        """Return whether an expression still means the same as when a loop began."""
        first, last = loop.whole[:2], loop.whole[2:]
        node = container
        view = self._view(given, node)
        while isinstance(view, Name | Attribute | Subscript):
            found = self._evaluator(given).place(node)
            time = None if found is None else self._time(_At(found[0], given.time, ""))
            if time is None:
                return False
            position = self._positions.at(time)
            if time >= given.call.entry and not isinstance(found and found[0], Round):
                site = self._store.program.sites.get(position.site)
                if position.call != given.call.id or site is None:
                    return False
                if first <= site_span(site)[:2] and site_span(site)[2:] <= last:
                    return False
            if isinstance(view, Name):
                break
            node = view.base
            view = self._view(given, node)
        return True

    def _arm(self, given: _Given, view: Conditional) -> Node | None:
        """Return the arm of a conditional expression that was evaluated last."""
        span = self._source(given.call).span
        arms = {span(view.yes): view.yes, span(view.no): view.no}
        sites = self._store.program.sites
        first = given.call.entry
        blocks = self._store.segments.select(
            {Kind.BLOCK}, call=given.call.id, first=first, last=given.time + 1
        )
        for number in blocks.events["site"][::-1].tolist():
            site = sites[number]
            found = arms.get(site_span(site))
            if found is not None:
                return found
        return None

    def _from_call(
        self, given: _Given, view: Called, value: Value, waited: bool = False
    ) -> _At | None:
        child = self._child(given)
        if child is not None and identical(self._result(given, child, view, waited), value):
            return _At(Result(child.id), child.exit, RESULT)
        return None if waited else self._taken_out(given, view, value)

    def _result(self, given: _Given, child: Call, view: Called, waited: bool = False) -> Value:
        """Return the value of an expression that made a call, or `UNKNOWN` if it is not what that returned."""
        is_lazy = child.function.kind not in ("function", "lambda")
        if is_lazy != waited:
            return UNKNOWN
        method = self._view(given, view.function)
        written = method.name if isinstance(method, Attribute) else ""
        if child.function.name in ("__init__", "__new__") and written != child.function.name:
            return UNKNOWN  # the expression is the new object
        return child.value if child.outcome == Outcome.RETURNED else UNKNOWN

    def _child(self, given: _Given) -> Call | None:
        """Return the last call before a time that an expression itself made."""
        span = self._source(given.call).span(given.node)
        children = self._calls.children(given.call.id)
        latest = int(np.searchsorted(self._entries(children), given.time + 1))
        for number in children[:latest][::-1].tolist():
            child = self._call(number)
            site = child.caller
            if site and site_span(site) == span:
                ended = 0 <= child.exit <= given.time
                return child if ended and child.passing != Passing.UNKNOWN else None
        return None

    def _entries(self, calls: np.ndarray[tuple[int], np.dtype[np.int64]]) -> list[int]:
        return [self._calls.begun(call).entry for call in calls.tolist()]

    def _taken_out(self, given: _Given, view: Called, value: Value) -> _At | None:
        """Follow a value that a method took out of its receiver: ``d.get(k)``, ``a.pop()``."""
        method = self._view(given, view.function)
        if not isinstance(method, Attribute) or method.name not in ("get", "pop"):
            return None
        found = self._evaluator(given).place(method.base)
        if found is None or not isinstance(found[1], Ref):
            return None
        oid, time = found[1].oid, given.time
        if method.name == "pop":
            gone = self._store.segments.select(
                {Kind.REMOVE, Kind.ENTRY_DEL},
                call=given.call.id,
                obj=oid,
                first=given.call.entry,
                last=time + 1,
            )
            if not len(gone.times):
                return None
            time = int(gone.times[-1]) - 1
        name = self._text(given.call, given.node)
        for target in self._candidates(given, view, oid, time):
            if identical(self._places.value(target, time), value):
                return _At(target, time, name)
        return None

    def _candidates(self, given: _Given, view: Called, oid: int, time: int) -> Iterator[ObjectSlot]:
        contents = self._heap.contents(oid, time)
        if view.arguments:
            key = self._evaluator(given).value(view.arguments[0])
            if key is not UNKNOWN:
                yield ObjectSlot(oid, Entry(key))
            if isinstance(key, int):
                yield ObjectSlot(oid, Item(key % (len(contents.items) or 1)))
        elif contents.items:
            yield ObjectSlot(oid, Item(len(contents.items) - 1))

    # -- operands ----------------------------------------------------------------------------------

    def _operands(self, given: _Given, value: Value) -> Iterator[Operand]:
        """Iterate over what an expression was computed from, with the values."""
        evaluator = self._evaluator(given)
        seen = set()
        for node in evaluator.source.operands(given.node):
            text = self._text(given.call, node)
            if text in seen:
                continue
            seen.add(text)
            part = self._operand(given, evaluator, node)
            if node is given.node and given.loop is None and not identical(part, value):
                continue  # it had another value when it was read
            if part is not UNKNOWN and part is not UNSET:
                yield Operand(text, part)

    def _operand(self, given: _Given, evaluator: Evaluator, node: Node) -> Value:
        if isinstance(self._view(given, node), Called):
            return self._known(given, node)
        found = evaluator.place(node)
        return UNKNOWN if found is None else found[1]

    def _evaluator(self, given: _Given) -> Evaluator:
        source = self._source(given.call)
        return Evaluator(self._places, self._variables, source, given.call, given.time)

    def _source(self, call: Call) -> SourceFile:
        return self._sources.of_function(call.function)

    def _view(self, given: _Given, node: Node) -> View:
        return self._source(given.call).view(node)

    def _given_text(self, given: _Given) -> str:
        own = given.text if given.loop is None else ""
        return own or self._text(given.call, given.node)

    def _text(self, call: Call, node: Node) -> str:
        return self._source(call).text_of(node)

    def _call(self, number: int) -> Call:
        return Call(number, self._store, self._values, self._calls)
