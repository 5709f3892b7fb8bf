"""Where a value came from: the write that put it there, and backwards from there to its making.

A value is followed through plain copies: assignment, passing an argument, returning, taking it out of
a container or putting it into one. Each write says at which site it happened; the source says
which expression gave the value; what that expression named, and what was there at that time,
the trace says. Where these do not agree, the trail ends rather than guesses.

Vocabulary: a *link* of the trail is one write (or passing, or returning) with its call and line, the
newest first. The trail *ends* where the value was made, with the expression that made it and the
operands it had.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import Enum
from typing import NamedTuple

import numpy as np

from wrongcall.events import SEEN, Kind, SiteKind
from wrongcall.trace import bindings
from wrongcall.trace.call import Call
from wrongcall.trace.calls import CallTable
from wrongcall.trace.evaluation import Evaluator
from wrongcall.trace.heap import Heap
from wrongcall.trace.inputs import is_method
from wrongcall.trace.moments import Moment, Moments
from wrongcall.trace.paths import Path
from wrongcall.trace.places import RESULT, ObjectSlot, Places, Result, Target, Variable
from wrongcall.trace.program import Site
from wrongcall.trace.replay import Entry, Item
from wrongcall.trace.source import Sources, span_of
from wrongcall.trace.store import Store
from wrongcall.trace.values import UNKNOWN, UNSET, Ref, Value, Values
from wrongcall.trace.variables import Variables

MOST_LINKS = 10_000


class LinkKind(Enum):
    """How a value got to a place."""

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


class Operand(NamedTuple):
    """Part of an expression, and what it was."""

    text: str
    value: Value


@dataclass(frozen=True)
class Link:
    """One stage of a value's way."""

    kind: LinkKind
    time: int
    call: int
    line: int
    place: str
    """Where it got to, as its function calls it."""
    source: str
    """The expression it came from, empty if there is none in the source."""


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
    """The call that it was made in, 0 if that is not known."""
    line: int
    operands: tuple[Operand, ...]


@dataclass(frozen=True)
class _At:
    """A value at a place: the search goes on from here."""

    target: Target
    time: int
    name: str


@dataclass(frozen=True)
class _Given:
    """The expression that gave a value, the call whose it is, and when it was evaluated."""

    call: Call
    node: ast.AST
    time: int


class Origins:
    """Follows values back."""

    def __init__(
        self,
        store: Store,
        values: Values,
        heap: Heap,
        variables: Variables,
        places: Places,
        moments: Moments,
        calls: CallTable,
        sources: Sources,
    ) -> None:
        self._store = store
        self._values = values
        self._heap = heap
        self._variables = variables
        self._places = places
        self._moments = moments
        self._calls = calls
        self._sources = sources

    def of(self, call: Call, path: Path, time: int) -> Origin:
        """Return where the value came from that a path means in a call at a time."""
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
        text = self._text(given.call, given.node)
        end = EndKind.EXPRESSION
        if isinstance(given.node, ast.Constant):
            end = EndKind.LITERAL
        elif isinstance(given.node, ast.Call):
            end = EndKind.CALL
        parts = tuple(self._operands(given))
        line = span_of(given.node)[0]
        return Origin(value, time, tuple(links), end, text, given.call.id, line, parts)

    # -- the write that put a value where it is ----------------------------------------------------

    def _written(self, at: _At) -> tuple[Link | None, _Given | None]:
        """Return the link that a place stands for, and the expression behind it."""
        if isinstance(at.target, Result):
            return self._returned(at.target)
        time = self._time(at)
        if time is None:
            return None, None
        kind = self._calls.event(time, "kind")[0]
        moment = self._moments.at(time)
        if not moment.call or moment.site not in self._store.program.sites:
            return Link(LinkKind.SEEN, time, moment.call, moment.line, at.name, ""), None
        site = self._store.program.sites[moment.site]
        given = self._given(at, moment, site, first_sight=bool(kind & SEEN))
        how = LinkKind.WRITTEN
        if site.kind == SiteKind.PARAM:
            how = LinkKind.PASSED
        elif kind & SEEN:
            how = LinkKind.SEEN
        return self._link(how, moment, self._place_text(at, site), given), given

    def _place_text(self, at: _At, site: Site) -> str:
        """Return how the function that wrote a place calls it."""
        if site.kind in (SiteKind.PARAM, SiteKind.WRITE) and site.name is not None:
            return site.name if isinstance(at.target, Variable) else at.name
        if site.kind in (SiteKind.ITEM, SiteKind.ATTR):
            source = self._sources.of_site(site)
            return next((source.text_of(node) for node in source.at(site)), at.name)
        return at.name

    def _time(self, at: _At) -> int | None:
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
        moment = Moment(time, call.id, site_number, site.line if site else 0)
        node = self._return_node(site) if site else None
        given = None if node is None else _Given(call, node, time - 1)
        return self._link(LinkKind.RETURNED, moment, RESULT, given), given

    def _return_node(self, site: Site) -> ast.AST | None:
        for node in self._sources.at(site):
            if isinstance(node, ast.Return):
                return node.value
            if isinstance(node, ast.expr):  # the body of a lambda
                return node
        return None

    def _link(self, how: LinkKind, moment: Moment, name: str, given: _Given | None) -> Link:
        text = "" if given is None else self._text(given.call, given.node)
        return Link(how, moment.time, moment.call, moment.line, name, text)

    # -- the expression that gave it ---------------------------------------------------------------

    def _given(self, at: _At, moment: Moment, site: Site, first_sight: bool) -> _Given | None:
        """Return the expression that gave the value written at a site."""
        call = self._call(moment.call)
        if site.kind == SiteKind.PARAM:
            return self._passed(call, site.name or "", at, first_sight)
        node = self._expression(at, site)
        if node is not None and first_sight:
            node = self._part(at, moment, node)
        if node is None:
            return None
        return _Given(call, node, self._before(moment) if not first_sight else moment.time - 1)

    def _expression(self, at: _At, site: Site) -> ast.AST | None:
        source = self._sources.of_site(site)
        nodes = source.at(site)
        if site.kind == SiteKind.WRITE and site.name is not None:
            return bindings.bound_to_name(nodes, site.name) or self._header(nodes)
        if site.kind in (SiteKind.ITEM, SiteKind.ATTR):
            stores = [n for n in nodes if isinstance(n, ast.Subscript | ast.Attribute)]
            for node in stores:
                statement = source.statement(node)
                found = bindings.bound_to_target(node, statement)
                if found is not None or statement is not None:
                    return found or statement
        if site.kind == SiteKind.CALL:
            calls = [n for n in nodes if isinstance(n, ast.Call)]
            return next((bindings.stored_by(n) or n for n in calls), None)
        if site.kind == SiteKind.RETURN:
            return self._return_node(site)
        return None

    def _header(self, nodes: list[ast.AST]) -> ast.AST | None:
        """Return what binds a name without giving it an expression: `+=`, `for`, `with`."""
        return next((node for node in nodes if isinstance(node, ast.stmt | ast.expr)), None)

    def _part(self, at: _At, moment: Moment, node: ast.AST) -> ast.AST | None:
        """Return the part of an expression that made an element of what is first seen there."""
        if not isinstance(at.target, ObjectSlot):
            return node
        tag, bits = self._calls.event(moment.time, "vtag", "value")
        whole = self._values.read(tag, bits)
        if whole != Ref(at.target.oid):
            return node
        return bindings.element(node, at.target.place) or node

    def _passed(self, call: Call, name: str, at: _At, first_sight: bool) -> _Given | None:
        """Return the argument that the caller passed for a parameter."""
        parent, caller = call.parent, call.caller
        definition = self._sources.definition(call.function)
        if parent is None or caller is None or definition is None:
            return None
        for node in self._sources.at(caller):
            if isinstance(node, ast.Call):
                method = is_method(self._store, call.function)
                found = bindings.argument(node, definition, name, method)
                if found is not None:
                    if first_sight and isinstance(at.target, ObjectSlot):
                        found = bindings.element(found, at.target.place) or found
                    return _Given(parent, found, call.entry - 1)
        found = bindings.default(definition, name)
        return None if found is None else _Given(call, found, call.entry)

    def _before(self, moment: Moment) -> int:
        """Return the time before a statement began to write.

        ``a, b = b, a`` binds one after the other: what is read was there before both.
        """
        sites = self._store.program.sites
        own = sites[moment.site]
        span, seen = (own.line, own.col, own.end_line, own.end_col), {moment.site}
        time = moment.time
        while time > 0:
            site, call = self._calls.event(time - 1, "site", "call")
            if call != moment.call & 0xFFFFFFFF or site in seen or site not in sites:
                break
            other = sites[site]
            if (other.line, other.col, other.end_line, other.end_col) != span:
                break
            seen.add(site)
            time -= 1
        return time - 1

    # -- copies ------------------------------------------------------------------------------------

    def _copied(self, given: _Given, value: Value) -> _At | None:
        """Return the place that an expression copied a value from, None if it made it."""
        node: ast.AST = given.node
        while isinstance(node, ast.NamedExpr | ast.Await | ast.IfExp):
            inner = self._arm(given, node) if isinstance(node, ast.IfExp) else node.value
            if inner is None:
                return None
            node = inner
        if isinstance(node, ast.BoolOp):
            return self._chosen(given, node, value)
        if isinstance(node, ast.Call):
            return self._from_call(given, node, value)
        return self._from_place(given, node, value)

    def _from_place(self, given: _Given, node: ast.AST, value: Value) -> _At | None:
        found = Evaluator(self._places, given.call, given.time).place(node)
        if found is None or not identical(found[1], value):
            return None
        return _At(found[0], given.time, self._text(given.call, node))

    def _chosen(self, given: _Given, node: ast.BoolOp, value: Value) -> _At | None:
        """Return the operand of `and` or `or` that is the result: the last that is the value."""
        for part in reversed(node.values):
            found = self._copied(replace(given, node=part), value)
            if found is not None:
                return found
        return None

    def _arm(self, given: _Given, node: ast.IfExp) -> ast.expr | None:
        """Return the arm of a conditional expression that was evaluated last."""
        arms = {span_of(node.body): node.body, span_of(node.orelse): node.orelse}
        sites = self._store.program.sites
        first = given.call.entry
        blocks = self._store.segments.select(
            {Kind.BLOCK}, call=given.call.id, first=first, last=given.time + 1
        )
        for number in blocks.events["site"][::-1].tolist():
            site = sites[number]
            found = arms.get((site.line, site.col, site.end_line, site.end_col))
            if found is not None:
                return found
        return None

    def _from_call(self, given: _Given, node: ast.Call, value: Value) -> _At | None:
        child = self._child(given, node)
        if child is not None and identical(child.value, value):
            return _At(Result(child.id), child.exit, RESULT)
        return self._taken_out(given, node, value)

    def _child(self, given: _Given, node: ast.Call) -> Call | None:
        """Return the call that an expression made last before a time."""
        span = span_of(node)
        children = self._calls.children(given.call.id)
        latest = int(np.searchsorted(self._entries(children), given.time + 1))
        for number in children[:latest][::-1].tolist():
            child = self._call(number)
            site = child.caller
            if site and (site.line, site.col, site.end_line, site.end_col) == span:
                return child if child.exit >= 0 else None
        return None

    def _entries(self, calls: np.ndarray[tuple[int], np.dtype[np.int64]]) -> list[int]:
        return [self._calls.begun(call).entry for call in calls.tolist()]

    def _taken_out(self, given: _Given, node: ast.Call, value: Value) -> _At | None:
        """Follow a value that a method took out of its receiver: ``d.get(k)``, ``a.pop()``."""
        if not isinstance(node.func, ast.Attribute) or node.func.attr not in ("get", "pop"):
            return None
        found = Evaluator(self._places, given.call, given.time).place(node.func.value)
        if found is None or not isinstance(found[1], Ref):
            return None
        oid, time = found[1].oid, given.time
        if node.func.attr == "pop":
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
        name = self._text(given.call, node)
        for target in self._candidates(given, node, oid, time):
            if identical(self._places.value(target, time), value):
                return _At(target, time, name)
        return None

    def _candidates(
        self, given: _Given, node: ast.Call, oid: int, time: int
    ) -> Iterator[ObjectSlot]:
        contents = self._heap.contents(oid, time)
        if node.args:
            key = Evaluator(self._places, given.call, given.time).value(node.args[0])
            if key is not UNKNOWN:
                yield ObjectSlot(oid, Entry(key))
            if isinstance(key, int):
                yield ObjectSlot(oid, Item(key % (len(contents.items) or 1)))
        elif contents.items:
            yield ObjectSlot(oid, Item(len(contents.items) - 1))

    # -- operands ----------------------------------------------------------------------------------

    def _operands(self, given: _Given) -> Iterator[Operand]:
        evaluator = Evaluator(self._places, given.call, given.time)
        seen = set()
        for node in self._parts_of(given.node):
            text = self._text(given.call, node)
            if text in seen:
                continue
            seen.add(text)
            value = self._operand(given, evaluator, node)
            if value is not UNKNOWN and value is not UNSET:
                yield Operand(text, value)

    def _parts_of(self, node: ast.AST) -> Iterator[ast.expr]:
        if isinstance(node, ast.AugAssign):
            yield from bindings.operands(node.target)
            yield from bindings.operands(node.value)
        elif isinstance(node, ast.For | ast.AsyncFor):
            yield from bindings.operands(node.iter)
        elif isinstance(node, ast.expr):
            yield from bindings.operands(node)

    def _operand(self, given: _Given, evaluator: Evaluator, node: ast.expr) -> Value:
        if isinstance(node, ast.Call):
            child = self._child(given, node)
            return UNKNOWN if child is None else child.value
        found = evaluator.place(node)
        return UNKNOWN if found is None else found[1]

    def _text(self, call: Call, node: ast.AST) -> str:
        return self._sources.of_function(call.function).text_of(node)

    def _call(self, number: int) -> Call:
        return Call(number, self._store, self._values, self._calls)


def identical(one: Value, other: Value) -> bool:
    """Return whether two descriptions are of the same value: equal, and of the same type."""
    if type(one) is not type(other):
        return False
    return one == other or (one != one and other != other)
