"""A recorder in Python, for tests: it writes events by the book, without a program behind them.

It knows the format and nothing else. Tests describe a run with it, give the events to a writer (or
a ring), and compare what the reader makes of them with what they described.
"""

from __future__ import annotations

import json
import struct
from pathlib import Path
from typing import Any

import numpy as np

from wrongcall.events import Kind, Layout, Scope, SiteKind, Tag, TypeOrigin
from wrongcall.recording import Recording, Ref
from wrongcall.trace.format.event_records import EVENT, Events
from wrongcall.trace.write.writer import TraceWriter

Tagged = tuple[int, int]

_CONSTANTS = (None, False, True, Ellipsis, NotImplemented)
_LAYOUTS = {
    "list": Layout.LIST,
    "tuple": Layout.TUPLE,
    "dict": Layout.DICT,
    "set": Layout.SET,
    "bytearray": Layout.BYTEARRAY,
    "array": Layout.ARRAY,
    "module": Layout.MODULE,
    "function": Layout.FUNCTION,
    "generator": Layout.ACTIVATION,
}


class Emitter:
    """Collects events; each method returns the time of the last event it made."""

    def __init__(self) -> None:
        self.rows: list[tuple[int, ...]] = []
        self.data = bytearray()
        self._names: dict[str, int] = {}
        self._types: dict[tuple[str, str], int] = {}
        self._contents: dict[tuple[int, bytes], int] = {}
        self._last_object = 100
        self._last_call = 0
        self._declared = 0

    # -- taking the events out ---------------------------------------------------------------------

    @property
    def now(self) -> int:
        """The time of the latest event."""
        return len(self.rows) - 1

    def events(self) -> Events:
        """Return all events so far."""
        events = np.zeros(len(self.rows), EVENT)
        for name, column in zip(EVENT.names or (), zip(*self.rows, strict=True), strict=False):
            events[name] = np.array(column, dtype=np.int64).astype(EVENT[name])
        return events

    def write(self, path: Path, ended: str = "exit") -> None:
        """Write a trace with all events so far."""
        writer = TraceWriter(path)
        writer.add(self.events(), bytes(self.data))
        writer.close(ended)

    def open(self, path: Path) -> Recording:
        """Write a trace and open it."""
        self.write(path)
        return Recording(path)

    # -- single events -----------------------------------------------------------------------------

    def event(
        self,
        kind: int,
        *,
        site: int = 0,
        call: int = 0,
        obj: int = 0,
        key: Tagged = (0, 0),
        value: Tagged = (0, 0),
    ) -> int:
        """Add one event."""
        hi = call >> 32 | obj >> 32 << 4
        low = (call & 0xFFFFFFFF, obj & 0xFFFFFFFF)
        self.rows.append((kind, key[0], value[0], hi, site, *low, key[1], value[1]))
        return self.now

    def carrier(self, kind: Kind, data: bytes, key: Tagged = (0, 0), value: Tagged = (0, 0)) -> int:
        """Add an event that owns bytes."""
        self.data += data
        return self.event(kind, obj=len(data), key=key, value=value)

    # -- dictionaries ------------------------------------------------------------------------------

    def name(self, text: str) -> Tagged:
        """Return the key that stands for an attribute's name."""
        if text not in self._names:
            self._names[text] = len(self._names) + 1
            self.carrier(Kind.NAME, text.encode(), value=(Tag.NAME, self._names[text]))
        return (Tag.NAME, self._names[text])

    def type(
        self,
        qualname: str,
        layout: Layout,
        module: str = "builtins",
        origin: TypeOrigin = TypeOrigin.UNKNOWN,
    ) -> int:
        """Return the id of a type."""
        name = (module, qualname)
        if name not in self._types:
            self._types[name] = len(self._types) + 1
            text = f"{module}\0{qualname}".encode()
            self.carrier(Kind.TYPE, text, (origin, layout), (0, self._types[name]))
        return self._types[name]

    def fields(self, type: int, kind: str, *names: str) -> int:
        """Say what a class declares: what kind of class it is, and its attributes in order."""
        self._declared += 1
        text = "\0".join((kind, *names)).encode()
        return self.carrier(Kind.FIELDS, text, (0, self._declared), (0, type))

    def content(self, tag: int, data: bytes, length: int | None = None) -> Tagged:
        """Return the value that stands for a content, written when it is new."""
        if (tag, data) not in self._contents:
            # Ids need not rise: like hashes, these are spread over 64 bits.
            number = (len(self._contents) + 1) * 0x9E3779B97F4A7C15 % (1 << 64) - (1 << 63)
            self._contents[tag, data] = number
            size = len(data.decode("utf-8", "replace")) if tag == Tag.STR else len(data)
            clipped = length is not None
            self.carrier(Kind.CONTENT, data, (clipped, length or size), (tag, number))
        return (tag, self._contents[tag, data])

    def append(self, base: Tagged, rest: bytes, number: int) -> Tagged:
        """Return the value that stands for a text that continues another."""
        self.carrier(Kind.CONTENT_APPEND, rest, (0, base[1]), (base[0], number))
        return (base[0], number)

    def value(self, value: Any) -> Tagged:
        """Return how a Python value is written."""
        if isinstance(value, Ref):
            return (Tag.OBJ, value.oid)
        if isinstance(value, int) and not isinstance(value, bool):
            if -(1 << 63) <= value < 1 << 63:
                return (Tag.INT, value)
            return self.content(Tag.BIGINT, hex(value).encode())
        if isinstance(value, float):
            return (Tag.FLOAT, struct.unpack("<q", struct.pack("<d", value))[0])
        if isinstance(value, complex):
            return self.content(Tag.COMPLEX, struct.pack("<2d", value.real, value.imag))
        if isinstance(value, str | bytes):
            return self._text(value)
        return (Tag.CONST, next(i for i, c in enumerate(_CONSTANTS) if c is value))

    def _text(self, value: str | bytes) -> Tagged:
        text = isinstance(value, str)
        data = value.encode("utf-8", "surrogatepass") if isinstance(value, str) else value
        if len(data) <= 8 and (not isinstance(value, str) or value.isascii()):
            base = Tag.STR_INLINE if text else Tag.BYTES_INLINE
            return (base + len(data), struct.unpack("<q", data.ljust(8, b"\0"))[0])
        return self.content(Tag.STR if text else Tag.BYTES, data)

    def file(
        self,
        functions: list[dict[str, Any]],
        sites: list[tuple[Any, ...]],
        *,
        source: str = "",
        module: str = "__main__",
        first: tuple[int, int, int] = (1, 1, 1),
    ) -> int:
        """Describe a file; a site is (kind, function, line, name, block, scope).

        Its functions and sites are numbered from 1; ``first`` has the numbers of the file, of its first function and
        of its first site in the trace.
        """
        columns = [list(column) for column in zip(*(_site(*site) for site in sites), strict=True)]
        names = ("kind", "function", "line", "col", "end_line", "end_col", "name", "scope", "block")
        meta = {
            "file": first[0],
            "path": f"/program/{module}.py",
            "module": module,
            "source": source,
            "first_function": first[1],
            "first_site": first[2],
            "functions": [_function(function) for function in functions],
            "sites": dict(zip(names, columns or [[]] * 9, strict=True)),
        }
        return self.carrier(Kind.META, json.dumps(meta).encode())

    # -- calls and objects -------------------------------------------------------------------------

    def enter(
        self, site: int, parent: int = 0, caller: int = 0, thread: int = 1, kind: Kind = Kind.ENTER
    ) -> int:
        """Begin a call and return its id."""
        self._last_call += 1
        key = (Tag.INT, caller | thread << 32)
        self.event(kind, site=site, call=self._last_call, obj=parent, key=key)
        return self._last_call

    def local(self, call: int, site: int, value: Any, owner: int = 0) -> int:
        """Bind a variable."""
        return self.event(Kind.LOCAL, site=site, call=call, obj=owner, value=self.value(value))

    def leave(self, call: int, value: Any = None, site: int = 0, kind: Kind = Kind.RETURN) -> int:
        """End a call."""
        return self.event(kind, site=site, call=call, value=self.value(value))

    def new(
        self,
        qualname: str,
        *,
        length: int | None = 0,
        layout: Layout | None = None,
        module: str = "builtins",
        origin: TypeOrigin = TypeOrigin.UNKNOWN,
    ) -> Ref:
        """Show an object for the first time; ``length`` None: its contents wait."""
        layout = _LAYOUTS.get(qualname, Layout.INSTANCE) if layout is None else layout
        number = self.type(qualname, layout, module, origin)
        self._last_object += 1
        value = (Tag.UNSET, 0) if length is None else (Tag.INT, length)
        self.event(Kind.OBJ, obj=self._last_object, key=(layout, number), value=value)
        return Ref(self._last_object)

    def attr(self, ref: Ref, name: str, value: Any, *, site: int = 0, call: int = 0) -> int:
        """Set an attribute."""
        key, tagged = self.name(name), self.value(value)
        return self.event(Kind.ATTR, obj=ref.oid, key=key, value=tagged, site=site, call=call)

    def item(
        self, kind: int, ref: Ref, index: int, value: Any, *, site: int = 0, call: int = 0
    ) -> int:
        """Make an event about an item: ITEM, INSERT or REMOVE."""
        key, tagged = (Tag.INT, index), self.value(value)
        return self.event(kind, obj=ref.oid, key=key, value=tagged, site=site, call=call)

    def entry(self, ref: Ref, key: Any, value: Any, *, kind: int = Kind.ENTRY) -> int:
        """Set an entry of a dict."""
        tagged = self.value(key)
        return self.event(kind, obj=ref.oid, key=tagged, value=self.value(value))

    def member(self, ref: Ref, key: Any, *, kind: int = Kind.MEMBER) -> int:
        """Add a member to a set."""
        return self.event(kind, obj=ref.oid, key=self.value(key))


_FUNCTION: dict[str, Any] = {
    "name": "f",
    "qualname": "f",
    "kind": "function",
    "line": 1,
    "end_line": 9,
    "outer": 0,
    "params": [],
    "free": [],
    "locals": [],
    "entry": 1,
    "blocks": [[1]],
}


def _function(given: dict[str, Any]) -> dict[str, Any]:
    function = _FUNCTION | given
    return {"flow": flow(len(function["blocks"]))} | function


def flow(
    count: int,
    following: dict[int, list[int]] | None = None,
    silent: tuple[int, ...] = (),
    begin: dict[int, int] | None = None,
) -> dict[str, list[Any]]:
    """Say how blocks follow each other: which one, after a test on which line (0: none), 1 true or 2 false."""
    return {
        "silent": [int(block in silent) for block in range(count)],
        "begin": [(begin or {}).get(block, 0) for block in range(count)],
        "next": [(following or {}).get(block, []) for block in range(count)],
        "resume": [[] for _ in range(count)],
    }


def _site(
    kind: SiteKind,
    function: int,
    line: int,
    name: str | None = None,
    block: int = 0,
    scope: Scope = Scope.LOCAL,
) -> tuple[Any, ...]:
    return (int(kind), function, line, 0, line, 10, name, int(scope), block)
