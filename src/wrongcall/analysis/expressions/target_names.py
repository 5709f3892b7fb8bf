"""Name what a function writes to, in the function's own words.

A store is named as it is written. What a method changes is named by the expression in the statement that is the object
according to the trace, or else by a path from one of the call's variables: never by whatever expression happened to be
reached last.
"""

from __future__ import annotations

from wrongcall.analysis.expressions.evaluate import Evaluator
from wrongcall.events import Kind, Scope, SiteKind
from wrongcall.languages.paths import Member, key_text, plain, step_text
from wrongcall.languages.python.sources import Sources
from wrongcall.replay.call import Call
from wrongcall.replay.heap import Heap
from wrongcall.replay.keys import Keys
from wrongcall.replay.object_replay import Row, kind_of
from wrongcall.replay.reaching import Reaching
from wrongcall.replay.resolve import Places
from wrongcall.replay.variables import Variables
from wrongcall.trace.format.program_tables import Site
from wrongcall.trace.read.call_table import CallTable
from wrongcall.trace.read.places import Attr, Entry, Item
from wrongcall.trace.read.store import Store
from wrongcall.trace.read.values import Ref, Values


class Naming:
    """Names the places of writes."""

    def __init__(
        self,
        store: Store,
        values: Values,
        heap: Heap,
        calls: CallTable,
        variables: Variables,
        sources: Sources,
    ) -> None:
        self._store = store
        self._values = values
        self._heap = heap
        self._calls = calls
        self._variables = variables
        self._sources = sources
        self._places = Places(store, heap, variables)
        self._reaching = Reaching(store, heap, variables)
        self._keys = Keys(heap)

    def place(self, row: Row, obj: int) -> str:
        """Return the place that an event writes to, in the function's own words."""
        return self._place(row, kind_of(row), self._store.program.sites.get(row.site), obj)

    def _place(self, row: Row, kind: Kind, site: Site | None, obj: int) -> str:
        if kind in (Kind.LOCAL, Kind.LOCAL_DEL):
            return plain(site.name or "?") if site else "?"
        if site is not None and site.scope == Scope.GLOBAL and site.name:
            return plain(site.name)
        return self._base(row, site, obj) + self._subscript(row, kind, obj)

    def _subscript(self, row: Row, kind: Kind, obj: int) -> str:
        if kind in (Kind.CLEAR, Kind.FILL):
            return "[:]"
        if kind in (Kind.PATCH, Kind.SPLICE):
            return f"[{row.key}:]"
        key = self._values.read(row.ktag, row.key)
        if kind in (Kind.ATTR, Kind.ATTR_DEL):
            return step_text(Attr(str(key)))
        if kind in (Kind.ENTRY, Kind.ENTRY_DEL):
            return self._keys.step(Entry(self._keys.whole(key, obj, row.time)), row.time)
        if kind in (Kind.MEMBER, Kind.MEMBER_DEL):
            return self._keys.step(Member(self._keys.whole(key, obj, row.time)), row.time)
        if kind == Kind.REMOVE and row.value != 1:
            return f"[{row.key}:{row.key + row.value}]"
        return step_text(Item(row.key)) if isinstance(key, int) else f"[{key_text(key)}]"

    def _base(self, row: Row, site: Site | None, obj: int) -> str:
        """Return the name of the object that is written to, in the function's own words."""
        if self.is_exact(site):
            text = self._expression(site)
            if text:
                return text
        found = self._looked_up(row, site, obj)
        return found or f"{plain(self._heap.object(obj, row.time).type.qualname)} #{obj}"

    def is_exact(self, site: Site | None) -> bool:
        """Return whether a site is that of the very expression that wrote."""
        return site is not None and site.kind in (SiteKind.ATTR, SiteKind.ITEM)

    def _expression(self, site: Site | None) -> str:
        """Return the expression before the last dot or bracket of a store."""
        source = None if site is None else self._sources.of_site(site)
        node = None if site is None or source is None else source.stored_into(site)
        return "" if node is None or source is None else source.text_of(node)

    def _looked_up(self, row: Row, site: Site | None, obj: int) -> str:
        """Return an expression of the statement, or a path from a variable, that is the object."""
        if not row.call:
            return ""
        call = Call(row.call, self._store, self._values, self._calls)
        if site is not None:
            source = self._sources.of_site(site)
            evaluator = Evaluator(self._places, self._variables, source, call, row.time)
            for node in source.may_change(site):
                if evaluator.value(node) == Ref(obj):
                    return source.text_of(node)
        found = self._reaching.path(call, obj, row.time)
        return "" if found is None else self._keys.path(found, row.time)
