"""The text of the program in a trace: files, functions, blocks and sites.

Vocabulary: a *site* is a place in the source at which events happen; a *block* is a set of lines of a function that are
executed together. Numbers count from 1; 0 means "none".

Invariant: numbers are given out in the order of loading, so anything new has larger numbers than what was already
known.
"""

from __future__ import annotations

from collections.abc import ItemsView, Iterable, Iterator, Mapping, Sequence, ValuesView
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Generic, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from wrongcall.errors import TraceError
from wrongcall.events import SITE_LINE, Layout, Scope, SiteKind, TypeOrigin
from wrongcall.trace.format import run_facts
from wrongcall.trace.format.run_facts import parsed

_MOST_GAPS = 1 << 20
"""Site numbers that may be unused, in addition to as many as there are sites."""

_REMEMBERED_LISTS = 1 << 14
"""Stored lists that are parsed once: most of those of a large program are alike."""

IF_TRUE = 1
"""The stored values of a test's outcome that leads to a block."""

FIRST_PROCESS = run_facts.FIRST_PROCESS
RecordedProcess = run_facts.RecordedProcess
Unrecorded = run_facts.Unrecorded

T = TypeVar("T")
Row = tuple[Any, ...]
Span = tuple[int, int, int, int]
"""A position in the source: line, column, end line, end column."""


@lru_cache(_REMEMBERED_LISTS)
def listed(text: str, kind: type[T]) -> tuple[T, ...]:
    """Parse a JSON list whose elements are of one type."""
    found = parsed(text)
    if not isinstance(found, list) or not all(type(item) is kind for item in found):
        raise TraceError(f"damaged trace: {text[:40]!r} is not a list of {kind.__name__}")
    return tuple(found)


@dataclass(frozen=True)
class File:
    """A source file, with its text as it was when the program ran."""

    id: int
    path: str
    module: str
    source: str


class Following(NamedTuple):
    """A block that may follow another one."""

    block: int
    line: int
    """The line of the test that leads there; 0 if there is none."""
    taken: bool
    """The outcome of the test."""


class Resumed(NamedTuple):
    """Where a block continues if a `with` around it suppresses an exception."""

    block: int
    first_line: int
    last_line: int
    """The lines of the `with` itself, where it also ends."""


class BlockFlow(NamedTuple):
    """How a block is entered and left."""

    silent: bool
    """It may be passed without an event."""
    begin: int
    """The site of the event that begins each round, if this is the body of a loop; else 0."""
    next: tuple[Following, ...]
    resume: tuple[Resumed, ...]
    """For each `with` around it, from the inside out."""

    @classmethod
    def from_row(cls, silent: int, begin: int, following: str, resume: str) -> BlockFlow:
        """Return the flow in a row of the table of blocks."""
        return cls(bool(silent), begin, _following(following), _resumed(resume))


@lru_cache(_REMEMBERED_LISTS)
def _following(text: str) -> tuple[Following, ...]:
    return tuple(Following(block, line, how == IF_TRUE) for block, line, how in _triples(text))


@lru_cache(_REMEMBERED_LISTS)
def _resumed(text: str) -> tuple[Resumed, ...]:
    return tuple(Resumed(*each) for each in _triples(text))


def _triples(text: str) -> Iterator[tuple[int, int, int]]:
    numbers = listed(text, int)
    if len(numbers) % 3 or any(number < 0 for number in numbers):
        raise TraceError(f"damaged trace: {text[:40]!r} does not describe a block")
    return zip(numbers[::3], numbers[1::3], numbers[2::3], strict=True)


def unrecorded_modules(meta: Mapping[str, Any]) -> list[Unrecorded]:
    """Return the modules that ``meta`` lists as not recorded."""
    keys = [key for key in meta if key.startswith(run_facts.UNRECORDED)]
    facts = [meta[key] for key in sorted(keys, key=lambda key: (len(key), key))]
    names = ("path", "module", "reason")
    if not all(
        isinstance(fact, dict) and all(isinstance(fact.get(n), str) for n in names)
        for fact in facts
    ):
        raise TraceError("damaged trace: invalid entry for a module that was not recorded")
    return [Unrecorded(*(fact[n] for n in names)) for fact in facts]


@dataclass(frozen=True)
class Function:
    """A function, lambda, class body or module body."""

    id: int
    file: int
    name: str
    qualname: str
    kind: str
    line: int
    end_line: int
    outer: int
    params: tuple[str, ...]
    free: tuple[str, ...]
    locals: tuple[str, ...]
    entry: int
    blocks: tuple[tuple[int, ...], ...]
    """The lines of each block."""
    flow: tuple[BlockFlow, ...]

    @classmethod
    def from_row(cls, row: Row, blocks: list[tuple[tuple[int, ...], BlockFlow]]) -> Function:
        """Return the function that a row of its table describes."""
        number, file, name, qualname, kind, line, end_line, outer, *lists, entry = row
        params, free, names = (listed(text, str) for text in lists)
        place = (number, file, name, qualname, kind, line, end_line, outer)
        lines, flow = tuple(lines for lines, _ in blocks), tuple(flow for _, flow in blocks)
        return cls(*place, params, free, names, entry, lines, flow)


class Site(NamedTuple):
    """A place in the source; its fields are the columns of its table."""

    id: int
    kind: SiteKind
    function: int
    line: int
    col: int
    end_line: int
    end_col: int
    name: str | None
    scope: Scope
    block: int

    @classmethod
    def from_rows(cls, rows: Iterable[Row]) -> Iterator[Site]:
        """Iterate over the sites that rows of their table describe."""
        kinds, scopes, new = _SITE_KINDS, _SCOPES, tuple.__new__
        for number, kind, function, line, col, end_line, end_col, name, scope, block in rows:
            place = (function, line, col, end_line, end_col, name)
            try:
                # Calling the class takes twice as long, and large programs have many sites.
                yield new(cls, (number, kinds[kind], *place, scopes[scope], block))
            except KeyError as exc:
                raise TraceError(
                    f"damaged trace: site {number}: {exc} is not a valid SiteKind or Scope"
                ) from exc


_SITE_KINDS = {int(kind): kind for kind in SiteKind}
_SCOPES = {int(scope): scope for scope in Scope}
# Calling an enum costs more than all the rest of making a site.


def site_span(site: Site) -> Span:
    """Return where a site is."""
    return (site.line, site.col, site.end_line, site.end_col)


@dataclass(frozen=True)
class Type:
    """A type of the program's objects."""

    id: int
    module: str
    qualname: str
    layout: Layout
    origin: TypeOrigin = TypeOrigin.UNKNOWN
    kind: str = ""
    """The kind of class that declares fields: ``dataclass``, ``attrs``, ...; empty if it declares none."""
    fields: tuple[str, ...] = ()
    """The attributes that the class declares, in order."""

    @classmethod
    def from_row(cls, row: Row) -> Type:
        """Return the type that a row of its table describes."""
        number, module, qualname, layout, origin = row
        return cls(number, module, qualname, Layout(layout), TypeOrigin(origin))


@dataclass(frozen=True)
class Thread:
    """A thread of the program, by its number and the system's identifier."""

    id: int
    ident: int
    process: int = FIRST_PROCESS


class Table(Mapping[int, T], Generic[T]):
    """Rows by their number; looking up a missing number raises `TraceError`."""

    def __init__(self, what: str) -> None:
        self._what = what
        self._things: dict[int, T] = {}
        self.last = 0

    def add(self, number: int, thing: T) -> None:
        """Add a row."""
        self._things[number] = thing
        self.last = max(self.last, number)

    def add_all(self, things: Mapping[int, T]) -> None:
        """Add rows by their numbers."""
        self._things |= things
        self.last = max(self.last, max(things, default=0))

    def __getitem__(self, number: int) -> T:
        try:
            return self._things[number]
        except KeyError:
            raise TraceError(f"damaged trace: there is no {self._what} {number}") from None

    def get(self, number: int, default: None = None) -> T | None:  # type: ignore[override]
        """Return a row, or None if it is missing."""
        return self._things.get(number, default)

    def values(self) -> ValuesView[T]:
        """Return the rows: those of a mapping in general would look up one after the other."""
        return self._things.values()

    def stored(self) -> Iterable[Any]:
        """Return the rows as tuples or what is made of them, in order."""
        return self._things.values()

    def items(self) -> ItemsView[int, T]:
        """Return the rows with their numbers."""
        return self._things.items()

    def __contains__(self, number: object) -> bool:
        return number in self._things

    def __iter__(self) -> Iterator[int]:
        return iter(self._things)

    def __len__(self) -> int:
        return len(self._things)


class Names(Table[str]):
    """The names of attributes, which can be looked up in both directions."""

    def __init__(self) -> None:
        super().__init__("name")
        self._numbers: dict[str, tuple[int, ...]] = {}

    def add(self, number: int, thing: str) -> None:
        """Add a name."""
        super().add(number, thing)
        self._numbers[thing] = (*self._numbers.get(thing, ()), number)

    def numbers(self, text: str) -> tuple[int, ...]:
        """Return the numbers that a name has: usually one, none if it does not occur."""
        return self._numbers.get(text, ())


class Sites(Table[Site]):
    """The sites. Each is made of its row when it is first looked up: a large program has 100,000 of them."""

    def __init__(self) -> None:
        super().__init__("site")
        self._has_rows = False
        """Whether there may be rows that no site was made of yet: these are plain tuples."""

    def add_rows(self, rows: Sequence[Row]) -> None:
        """Add rows of the table of sites; a row that describes no site is refused now, not when it is needed."""
        if not ({row[1] for row in rows} <= _SITE_KINDS.keys()) or not (
            {row[8] for row in rows} <= _SCOPES.keys()
        ):
            list(Site.from_rows(rows))  # raises the error
        stored: dict[int, Any] = {row[0]: row for row in rows}
        self.add_all(stored)
        self._has_rows |= bool(rows)

    def _made(self, thing: Any) -> Site:
        if type(thing) is not tuple:
            found: Site = thing
            return found
        (site,) = Site.from_rows([thing])
        self._things[site.id] = site
        return site

    def _make_all(self) -> None:
        if self._has_rows:
            rows = [thing for thing in self._things.values() if type(thing) is tuple]
            self._things |= {site.id: site for site in Site.from_rows(rows)}
            self._has_rows = False

    def __getitem__(self, number: int) -> Site:
        return self._made(super().__getitem__(number))

    def get(self, number: int, default: None = None) -> Site | None:  # type: ignore[override]
        """Return a site, or None if it is missing."""
        found = self._things.get(number)
        return None if found is None else self._made(found)

    def values(self) -> ValuesView[Site]:
        """Return all sites."""
        self._make_all()
        return super().values()

    def items(self) -> ItemsView[int, Site]:
        """Return all sites with their numbers."""
        self._make_all()
        return super().items()


class SiteColumns:
    """Facts about sites as arrays, for indexing with a column of sites."""

    def __init__(self, sites: Table[Site]) -> None:
        if sites.last > _MOST_GAPS + 2 * len(sites):  # a huge number would allocate as much memory
            raise TraceError(f"damaged trace: {len(sites)} sites, but one has number {sites.last}")
        self.size = sites.last + 1
        numbers = list(sites)
        columns = dict(zip(Site._fields, zip(*sites.stored(), strict=True), strict=bool(numbers)))
        names = ("kind", "function", "line", "block", "scope")
        self.kind, self.function, self.line, self.block, self.scope = (
            self._column(numbers, columns.get(name, ())) for name in names
        )

    def _column(self, numbers: list[int], values: Sequence[int]) -> npt.NDArray[np.int32]:
        column = np.zeros(self.size, dtype=np.int32)
        column[numbers] = values
        return column

    def known(self, sites: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Return these sites, with those that no file describes replaced by 0."""
        return np.where(sites < self.size, sites, 0)


@dataclass
class Program:
    """The contents of a trace's dictionary tables."""

    files: Table[File] = field(default_factory=lambda: Table("file"))
    functions: Table[Function] = field(default_factory=lambda: Table("function"))
    sites: Sites = field(default_factory=Sites)
    types: Table[Type] = field(default_factory=lambda: Table("type"))
    names: Names = field(default_factory=Names)
    threads: Table[Thread] = field(default_factory=lambda: Table("thread"))
    processes: dict[int, RecordedProcess] = field(default_factory=dict)
    last_fields: int = 0
    """The number of the last declaration of fields that was read."""
    _columns: SiteColumns | None = None

    def line(self, site: int) -> int:
        """Return the line of a site, or the line that stands in for one; 0 if unknown."""
        if site & SITE_LINE:
            return site ^ SITE_LINE
        return self.sites[site].line if site in self.sites else 0

    @property
    def columns(self) -> SiteColumns:
        """The sites as arrays."""
        if self._columns is None or self._columns.size != self.sites.last + 1:
            self._columns = SiteColumns(self.sites)
        return self._columns
