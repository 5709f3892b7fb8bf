"""How a function calls what it writes to."""

from __future__ import annotations

import ast

from wrongcall.events import Kind, Scope
from wrongcall.trace.heap import Heap
from wrongcall.trace.paths import Member, key_text, plain, step_text
from wrongcall.trace.program import Site
from wrongcall.trace.replay import Attr, Entry, Item, Row, kind_of
from wrongcall.trace.source import Sources
from wrongcall.trace.store import Store
from wrongcall.trace.values import Values


class Naming:
    """Names the places of writes."""

    def __init__(self, store: Store, values: Values, heap: Heap, sources: Sources) -> None:
        self._store = store
        self._values = values
        self._heap = heap
        self._sources = sources

    def place(self, row: Row, obj: int) -> str:
        """Return what an event writes to, as the function calls it."""
        return self._place(row, kind_of(row), self._store.program.sites.get(row.site), obj)

    def _place(self, row: Row, kind: Kind, site: Site | None, obj: int) -> str:
        if kind in (Kind.LOCAL, Kind.LOCAL_DEL):
            return plain(site.name or "?") if site else "?"
        if site is not None and site.scope == Scope.GLOBAL and site.name:
            return plain(site.name)
        return self._base(site, obj, row.time) + self._subscript(row, kind)

    def _subscript(self, row: Row, kind: Kind) -> str:
        if kind in (Kind.CLEAR, Kind.FILL):
            return "[:]"
        if kind in (Kind.PATCH, Kind.SPLICE):
            return f"[{row.key}:]"
        key = self._values.read(row.ktag, row.key)
        if kind in (Kind.ATTR, Kind.ATTR_DEL):
            return step_text(Attr(str(key)))
        if kind in (Kind.ENTRY, Kind.ENTRY_DEL):
            return step_text(Entry(key))
        if kind in (Kind.MEMBER, Kind.MEMBER_DEL):
            return step_text(Member(key))
        if kind == Kind.REMOVE and row.value != 1:
            return f"[{row.key}:{row.key + row.value}]"
        return step_text(Item(row.key)) if isinstance(key, int) else f"[{key_text(key)}]"

    def _base(self, site: Site | None, obj: int, time: int) -> str:
        text = self.base(site)
        return text or f"{plain(self._heap.object(obj, time).type.qualname)} #{obj}"

    def base(self, site: Site | None) -> str:
        """Return how the source calls the object that is written to, empty if it does not."""
        source = self._sources.of_site(site) if site else None
        for node in self._sources.at(site) if site else ():
            base = _written_base(node, source.modules) if source else None
            if source and base is not None:
                return source.text_of(base)
        return ""


def _written_base(node: ast.AST, modules: frozenset[str]) -> ast.expr | None:
    """Return what stands for the object that a store or a call changes; None: it cannot be told."""
    if isinstance(node, ast.Subscript | ast.Attribute):
        return node.value
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return None
    receiver = node.func.value
    if not isinstance(receiver, ast.Name) or receiver.id not in modules:
        return receiver
    # A function of a module, as in heapq.heappush(heap, x): by custom the first argument.
    first = node.args[0] if node.args else None
    return first if isinstance(first, ast.Name | ast.Attribute | ast.Subscript) else None
