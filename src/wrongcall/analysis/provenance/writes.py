"""The write that put a value in its place, and the expression that gave the value.

Each write has a site, and the source says which expression gave the value. Which argument became a parameter is
determined by what was called (`passing`), never by position alone.
"""

from __future__ import annotations

from dataclasses import replace

from wrongcall.analysis.expressions.evaluate import Evaluator
from wrongcall.analysis.provenance.made_calls import MadeCalls
from wrongcall.analysis.provenance.model import At, Given, Link, LinkKind
from wrongcall.analysis.provenance.run import Run
from wrongcall.events import SEEN, Layout, SiteKind
from wrongcall.languages.expressions import (
    Argument,
    Attribute,
    Called,
    Default,
    Literal,
    Node,
    Receiver,
    Sequence,
    Spread,
    Table,
    Written,
)
from wrongcall.languages.paths import step_text
from wrongcall.replay.call import Call
from wrongcall.replay.position import Position
from wrongcall.replay.resolve import RESULT, ObjectSlot, Result, Round, Variable
from wrongcall.trace.format.program_tables import Site, site_span
from wrongcall.trace.read.places import Entry, Item, Place
from wrongcall.trace.read.values import UNKNOWN, Ref, Value, identical


class Writes:
    """Finds the writes behind values."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._made = MadeCalls(run)

    def written(self, at: At) -> tuple[Link | None, Given | None]:
        """Return the link for a place, and the expression behind it."""
        if isinstance(at.target, Result):
            return self._returned(at.target)
        time = self._run.time(at)
        if time is None:
            return None, None
        kind = self._run.calls.event(time, "kind")[0]
        position = self._run.positions.at(time)
        if not position.call or position.site not in self._run.store.program.sites:
            return Link(LinkKind.SEEN, time, position.call, position.line, at.name, ""), None
        site = self._run.store.program.sites[position.site]
        given = self._given(at, position, site, first_sight=bool(kind & SEEN))
        how = LinkKind.WRITTEN
        if site.kind == SiteKind.PARAM:
            how = LinkKind.PASSED
        elif kind & SEEN:
            how = LinkKind.SEEN
        return self._link(how, position, self._place_text(at, site), given), given

    def _place_text(self, at: At, site: Site) -> str:
        """Return a place in the words of the function that wrote it."""
        if site.kind in (SiteKind.PARAM, SiteKind.WRITE, SiteKind.TARGET) and site.name is not None:
            return site.name if isinstance(at.target, Variable | Round) else at.name
        if site.kind in (SiteKind.ITEM, SiteKind.ATTR):
            source = self._run.sources.of_site(site)
            return next((source.text_of(node) for node in source.at(site)), at.name)
        return at.name

    def _returned(self, target: Result) -> tuple[Link, Given | None]:
        call = self._run.call(target.call)
        time = call.exit
        site_number = self._run.calls.event(time, "site")[0]
        sites = self._run.store.program.sites
        site = sites.get(site_number)
        position = Position(time, call.id, site_number, site.line if site else 0)
        node = self._run.sources.of_site(site).returned_at(site) if site else None
        given = None if node is None else Given(call, node, time - 1)
        return self._link(LinkKind.RETURNED, position, RESULT, given), given

    def _link(self, how: LinkKind, position: Position, name: str, given: Given | None) -> Link:
        text = "" if given is None else self._run.given_text(given)
        if given is not None and given.loop is not None:
            text = f"an element of {text}"
        return Link(how, position.time, position.call, position.line, name, text)

    def _given(self, at: At, position: Position, site: Site, first_sight: bool) -> Given | None:
        """Return the expression that gave the value written at a site."""
        call = self._run.call(position.call)
        if site.kind == SiteKind.PARAM:
            return self._passed(call, site.name or "", at, position, first_sight)
        source = self._run.sources.of_site(site)
        loop = source.loop_at(site)
        if loop is not None:
            if first_sight:
                return None
            before = self._before(position)
            return Given(call, loop.iterable, before, loop=loop, text=site.name or "")
        node = self._stored_by_method(at, call, position, site) or source.expression_at(site)
        if node is None:
            return None
        given = Given(call, node, self._before(position) if not first_sight else position.time - 1)
        return self._part(at, position, given) if first_sight else given

    def _stored_by_method(self, at: At, call: Call, position: Position, site: Site) -> Node | None:
        """Return what a method put into its receiver: the site may be that of a call among its arguments."""
        if site.kind != SiteKind.CALL or not isinstance(at.target, ObjectSlot):
            return None
        source, wanted = self._run.sources.of_site(site), Ref(at.target.oid)
        for receiver, stored in source.stores_around(site):
            evaluator = self._run.evaluator(Given(call, receiver, position.time - 1))
            if evaluator.value(receiver) == wanted:
                return stored
        return None

    def _part(self, at: At, position: Position, given: Given) -> Given | None:
        """Return the part of an expression that made an element first seen there."""
        if not isinstance(at.target, ObjectSlot):
            return given
        tag, bits = self._run.calls.event(position.time, "vtag", "value")
        value = self._run.values.read(tag, bits)
        given_by = self._display_of(given, value, at.target.oid, position.time)
        if given_by is None:
            return given
        found = self._run.source(given.call).element_of(given_by.node, at.target.place)
        if found is not None:
            return replace(given, node=found)
        return self._initialised(given_by, at) or given_by

    def _display_of(self, given: Given, value: Value, oid: int, time: int) -> Given | None:
        """Return the expression for an object inside what a display made."""
        if value == Ref(oid):
            return given
        view = self._run.view(given, given.node)
        if not isinstance(view, Sequence | Table) or not isinstance(value, Ref):
            return None
        state = self._run.heap.state(value.oid, self._run.heap.known_by(value.oid, time))
        places: list[Item | Entry] = [Item(i) for i in range(len(state.items))]
        places += [Entry(key) for key, _ in state.entries]
        for place in places:
            inner = self._run.source(given.call).element_of(given.node, place)
            held = self._run.heap.value(value.oid, place, state.time)
            if inner is not None and isinstance(held, Ref):
                found = self._display_of(replace(given, node=inner), held, oid, time)
                if found is not None:
                    return found
        return None

    def _initialised(self, given: Given, at: At) -> Given | None:
        """Return the argument that a generated ``__init__`` put into an attribute."""
        assert isinstance(at.target, ObjectSlot)
        slot = (at.target.oid, at.target.place)
        evaluator = self._run.evaluator(given)
        found = self._run.arguments.of_generated(given.node, evaluator, *slot)
        value = self._run.heap.value(*slot, self._run.time(at))
        return None if found is None else self._sourced(given, evaluator, found, value)

    def _passed(
        self, call: Call, name: str, at: At, position: Position, first_sight: bool
    ) -> Given | None:
        """Return the argument that the caller passed for a parameter."""
        parent, caller = call.parent, call.caller
        if parent is None or caller is None:
            return None
        node = self._run.sources.of_site(caller).call_at(caller)
        if node is None:
            return None
        given = Given(parent, node, call.entry - 1)
        tag, bits = self._run.calls.event(position.time, "vtag", "value")
        value = self._run.values.read(tag, bits)
        if not isinstance(at.target, ObjectSlot):
            return self._argument(call, given, name, None, value)
        place = at.target.place
        if value == Ref(at.target.oid) and self._run.arguments.collects(call, name):
            held = self._run.heap.value(at.target.oid, place, position.time)
            return self._argument(call, given, name, place, held)
        if value == Ref(at.target.oid) and self._run.source(call).follows_generated_init(
            call.function.name
        ):
            return self._initialised(given, at)
        found = self._argument(call, given, name, None, value)
        if found is None or found.at is not None:
            return None
        return self._part(at, position, found)

    def _argument(
        self, call: Call, given: Given, name: str, part: Place | None, value: Value
    ) -> Given | None:
        """Return what a call expression passed for a parameter, or for an element of ``*args``."""
        evaluator = self._run.evaluator(given)
        found = self._run.arguments.of(call, given.node, evaluator, name, part)
        if isinstance(found, Receiver):
            return self._receiver(given, value)
        if isinstance(found, Default):
            view = self._run.source(call).view(found.node)
            if isinstance(view, Literal) and not identical(view.value, value):
                return None  # ``f.__defaults__`` was replaced
            return Given(call, found.node, call.entry, elsewhere=True)
        return None if found is None else self._sourced(given, evaluator, found, value)

    def _sourced(
        self, given: Given, evaluator: Evaluator, found: Argument, value: Value
    ) -> Given | None:
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
        if not identical(self._run.places.value(target, given.time), value):
            return None
        text = self._run.text(given.call, found.node) + step_text(found.place)
        at = At(target, given.time, text)
        return replace(given, node=found.node, at=at, text=text)

    def _receiver(self, given: Given, value: Value) -> Given | None:
        """Return the expression for what was called, or for the object whose method was called."""
        call = self._run.view(given, given.node)
        if not isinstance(value, Ref) or not isinstance(call, Called):
            return None
        if self._run.evaluator(given).value(call.function) == value:
            return replace(given, node=call.function)  # a callable object, a class
        method = self._run.view(given, call.function)
        if not isinstance(method, Attribute) or self._made.known(given, method.base) != value:
            return None
        state = self._run.heap.state(value.oid, self._run.heap.known_by(value.oid, given.time))
        if state.layout != Layout.CLASS and method.name in state.attrs:
            return None  # an attribute that holds a method of some object
        return replace(given, node=method.base)

    def _before(self, position: Position) -> int:
        """Return the time before a statement began to write.

        ``a, b = b, a`` binds one after the other: what is read was there before both.
        """
        sites = self._run.store.program.sites
        own = sites[position.site]
        span, seen = site_span(own), {position.site}
        time = position.time
        while time > 0:
            site, call = self._run.calls.event(time - 1, "site", "call")
            if call != position.call & 0xFFFFFFFF or site in seen or site not in sites:
                break
            if site_span(sites[site]) != span:
                break
            seen.add(site)
            time -= 1
        return time - 1
