"""The input of a call: its arguments, and what it read without being passed it.

Which globals and closure variables a call reads is not recorded; it follows from the source and from the blocks that
ran, its own and those of the calls below it. Functions, classes and modules that are read as such are part of the
program, not of the input; an attribute that is read from a module is part of the input, and so are attributes of
classes that vary (`class_attributes`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from wrongcall.analysis.class_attributes import ClassAttributes
from wrongcall.analysis.flow.control_flow import Flow
from wrongcall.events import Layout
from wrongcall.languages.paths import Path
from wrongcall.languages.python.sources import Sources
from wrongcall.replay.call import Call, Passed
from wrongcall.replay.heap import Heap
from wrongcall.replay.spans import Spans
from wrongcall.replay.variables import Variables
from wrongcall.trace.format.columns import Column
from wrongcall.trace.format.event_records import Bools, call_ids
from wrongcall.trace.format.owner_index import EXTENT_EVENTS
from wrongcall.trace.format.program_tables import Function
from wrongcall.trace.read.places import Attr
from wrongcall.trace.read.store import Store
from wrongcall.trace.read.values import UNSET, Ref, Value

_PROGRAM = frozenset({Layout.FUNCTION, Layout.CLASS, Layout.MODULE, Layout.METHOD})
_COLUMNS = ("site", "call", "hi")


class Global(NamedTuple):
    """A global variable: its module (by name and object), and the value it had. Or an attribute of a class."""

    module: str
    name: str
    value: Value
    oid: int
    """The module, or the class."""
    of: str = ""
    """The qualified name of the class; empty: it is a variable of the module."""

    @property
    def path(self) -> Path:
        """How the variable is written in its module."""
        return Path(self.of, (Attr(self.name),)) if self.of else Path(self.name)

    @property
    def label(self) -> str:
        """How it is shown: with its module, unless that is the program's main one."""
        own = f"{self.of}.{self.name}" if self.of else self.name
        return own if self.module == "__main__" else f"{self.module}.{own}"


class Captured(NamedTuple):
    """A variable of an enclosing function: the call that owns it, and the value it had."""

    name: str
    owner: int
    value: Value


@dataclass(frozen=True)
class Input:
    """What a call was given; every value is as of ``time``."""

    time: int
    args: tuple[Passed, ...]
    receiver: Passed | None
    """The first argument, if the call is one of a method."""
    globals: tuple[Global, ...]
    closure: tuple[Captured, ...]
    unparsed: frozenset[int] = frozenset()
    """Files with functions that ran and whose syntax is not known: what those read is missing here."""


class Inputs:
    """Computes the inputs of calls."""

    def __init__(
        self,
        store: Store,
        heap: Heap,
        variables: Variables,
        spans: Spans,
        sources: Sources,
        flow: Flow,
    ) -> None:
        self._store = store
        self._heap = heap
        self._variables = variables
        self._spans = spans
        self._sources = sources
        self._flow = flow
        self._classes = ClassAttributes(store, heap, variables)

    def of(self, call: Call) -> Input:
        """Return the input of a call."""
        args = tuple(call.args)
        time = call.entered_with(args)
        lines, process = self._lines_below(call.id), self._variables.process(call.id)
        return Input(
            time=time,
            args=args,
            receiver=args[0] if args and is_method(self._store, call.function) else None,
            globals=(*self._globals(lines, time, process), *self._of_classes(lines, time, process)),
            closure=tuple(self._closure(call, lines, time)),
            unparsed=self._unparsed(lines),
        )

    def _unparsed(self, functions: Iterable[int]) -> frozenset[int]:
        known = self._store.program.functions
        files = {known[number].file for number in functions}
        return frozenset(file for file in files if self._sources.of_file(file).tree is None)

    def _lines_below(self, call: int) -> dict[int, set[int]]:
        """Return the lines executed by a call and those below it, by function."""
        columns = self._store.program.columns
        occurred = np.zeros(columns.size, dtype=np.bool_)
        for sites in self._sites_below(call, occurred):
            occurred[columns.known(sites)] = True
        sites = np.flatnonzero(occurred)
        lines: defaultdict[int, set[int]] = defaultdict(set)
        for number, block in {
            (int(columns.function[site]), int(columns.block[site])) for site in sites if site
        }:
            function = self._store.program.functions[number]
            if block < len(function.blocks):
                lines[number].update(function.blocks[block])
                lines[number].update(self._flow.tests_after(function, block))
        return lines

    def _sites_below(self, call: int, occurred: Bools) -> Iterator[Column]:
        """Iterate over the sites at which something happens in the span of a call, in parts.

        ``occurred``: a flag for each site that is known to be one of them. Extents without any other are skipped.
        """
        family = self._spans.family(call)
        first, last = self._spans.span(call)
        for begin, end in self._store.owner_events.by_extent(first, last + 1):
            extent = begin // EXTENT_EVENTS
            if end - begin == EXTENT_EVENTS and extent < self._store.extents:
                sites = self._store.owner_events.sites(extent)
                if family is None:
                    yield sites
                    continue
                if occurred[self._store.program.columns.known(sites)].all():
                    continue
            for number, part in self._store.segments.parts(begin, end):
                columns = self._store.segments.scanned(number, _COLUMNS, last - first)
                sites = columns["site"][part]
                yield sites if family is None else sites[family.includes(call_ids(columns)[part])]

    def _globals(self, lines: dict[int, set[int]], time: int, process: int) -> Iterator[Global]:
        names: dict[tuple[str, str, str], None] = {}
        for number in sorted(lines):
            function = self._store.program.functions[number]
            module = self._store.program.files[function.file].module
            for read in self._sources.reads(function):
                if read.name not in function.free and read.line in lines[number]:
                    names[module, read.name, read.attr] = None
        seen = set()
        for module, name, attr in names:
            found = self._global(self._variables.module(module, process), module, name, attr, time)
            if found is not None and (found.oid, found.name) not in seen:
                seen.add((found.oid, found.name))
                yield found

    def _of_classes(self, functions: Iterable[int], time: int, process: int) -> Iterator[Global]:
        known = self._store.program.functions
        names = {n for number in functions for n in self._sources.used_attributes(known[number])}
        for found in self._classes.read(names, time, process):
            yield Global(found.module, found.name, found.value, found.oid, found.of)

    def _global(
        self, oid: int | None, module: str, name: str, attr: str, time: int
    ) -> Global | None:
        """Return a global variable; for a module, the attribute that is read."""
        value = UNSET if oid is None else self._heap.value(oid, Attr(name), time)
        if oid is None or value is UNSET:
            return None  # a builtin, or not bound yet
        if not isinstance(value, Ref):
            return Global(module, name, value, oid)
        layout = self._heap.layout(value.oid, time)
        if layout == Layout.MODULE and attr:
            inner = self._heap.value(value.oid, Attr(attr), time)
            if inner is UNSET or self._is_program(inner, time):
                return None
            return Global(self._module_name(value.oid, name, time), attr, inner, value.oid)
        return None if layout in _PROGRAM else Global(module, name, value, oid)

    def _is_program(self, value: Value, time: int) -> bool:
        return isinstance(value, Ref) and self._heap.layout(value.oid, time) in _PROGRAM

    def _module_name(self, oid: int, name: str, time: int) -> str:
        known = self._heap.value(oid, Attr("__name__"), time)
        return known if isinstance(known, str) else name

    def _closure(self, call: Call, lines: dict[int, set[int]], time: int) -> Iterator[Captured]:
        """Iterate over the free variables that are read by the call or by its inner functions."""
        wanted = set(self._free_names(lines))
        for name in call.function.free:
            if name in wanted:
                owner = self._variables.owner(call.id, name)
                value = self._variables.local(call.id, name, time)
                if value is not UNSET and not self._is_program(value, time):
                    yield Captured(name, owner, value)

    def _free_names(self, lines: dict[int, set[int]]) -> Iterable[str]:
        for number, executed in lines.items():
            function = self._store.program.functions[number]
            for read in self._sources.reads(function):
                if read.name in function.free and read.line in executed:
                    yield read.name


def is_method(store: Store, function: Function) -> bool:
    """Return whether a function is written in a class and its first parameter is the receiver."""
    outer = function.outer
    functions = store.program.functions
    return bool(outer and function.params) and functions[outer].kind == "class"
