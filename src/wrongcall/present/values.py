"""Values as one line, and as trees that fold.

A line looks like the source that would make the value: ``[1, 2]``, ``{'a': 1}``, ``Point(x=1)``,
``Color.RED``; what is no such value stands in angle brackets. It is never longer than asked: parts
are left out for an ellipsis, inner ones first. Objects that contain themselves show as ``#`` and
their id, which is also how a tree shows an object that it has shown already.

Nothing of the program runs for it: lines are made from what the trace knows of layouts and types.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from typing import TypeVar

import numpy as np

from wrongcall.events import Layout
from wrongcall.present.text import ELLIPSIS, columns, fit, safe
from wrongcall.trace import (
    UNKNOWN,
    UNSET,
    Attr,
    Clipped,
    Entry,
    Item,
    Member,
    Ref,
    Trace,
    TupleKey,
    Value,
)
from wrongcall.trace.heap import Peek
from wrongcall.trace.paths import Step

WIDTH = 80
"""Columns of a line, if nobody says otherwise."""
CHILDREN = 50
"""So many parts of an object a tree shows; the rest is counted."""
_DEEPEST = 12
_HANDFUL = 16
_SHARE = 12
_SMALLEST = 4
_BIG = 1 << 128

_BRACKETS = {
    Layout.LIST: ("[", "]"),
    Layout.TUPLE: ("(", ")"),
    Layout.DICT: ("{", "}"),
    Layout.SET: ("{", "}"),
    Layout.FROZENSET: ("{", "}"),
    Layout.DEQUE: ("[", "]"),
    Layout.BYTEARRAY: ("[", "]"),
    Layout.ARRAY: ("[", "]"),
}
_SETS = frozenset({Layout.SET, Layout.FROZENSET})
T = TypeVar("T")
_PLAIN = {"list", "tuple", "dict", "set"}


@dataclass(frozen=True)
class ValueNode:
    """A value in a tree."""

    label: str
    """The step that leads here, as in ``[2]`` or ``.left``; at the root a name."""
    summary: str
    type: str
    """The name of an object's type; empty for plain values."""
    object: int
    """The object's id, 0 for plain values: the same id is the same object."""
    size: int
    """How many parts it has; more than `parts` if those are folded or too many."""
    repeated: bool
    """It is shown in full elsewhere in this tree."""
    parts: tuple[ValueNode, ...] = ()


class Viewer:
    """Shows values of one trace at one time."""

    def __init__(self, trace: Trace, time: int | None = None, first: Iterable[str] = ()) -> None:
        """``first``: attributes that come before the others on a line: those that matter."""
        self._trace = trace
        self.time = trace.event_count - 1 if time is None else time
        self._first = tuple(first)

    # -- one line ----------------------------------------------------------------------------------

    def line(self, value: Value, width: int = WIDTH) -> str:
        """Return a value on one line of at most so many columns."""
        return fit(self._text(value, width, ()), width)

    def _text(self, value: Value, room: int, above: tuple[int, ...]) -> str:
        if isinstance(value, Ref):
            return self._object_text(value.oid, room, above)
        return atom_text(value, room)

    def _object_text(self, oid: int, room: int, above: tuple[int, ...]) -> str:
        if oid in above or len(above) >= _DEEPEST:
            return f"#{oid}"
        if room < _SMALLEST:
            return ELLIPSIS
        peek = self._trace.heap.peek(oid, self.time)
        special = self._special(peek)
        if special is not None:
            return special
        opening, closing, parts, count = self._written(peek)
        inside = (*above, oid)

        def part(prefix: str, value: Value, space: int) -> str:
            return fit(
                prefix + (self._text(value, space - columns(prefix), inside) or ELLIPSIS), space
            )

        return opening + _joined(parts, count, room - columns(opening + closing), part) + closing

    def _special(self, peek: Peek) -> str | None:
        """Return how an object shows that is not shown by what it holds."""
        name = safe(peek.type.qualname)
        if peek.layout == Layout.MODULE:
            return f"<module {_word(peek.attr('__name__'))}>"
        if peek.layout in (Layout.FUNCTION, Layout.CLASS):
            kind = "function" if peek.layout == Layout.FUNCTION else "class"
            return f"<{kind} {_word(peek.attr('__qualname__'))}>"
        if peek.layout == Layout.ACTIVATION:
            return f"<{name}, call {peek.activation}>" if peek.activation else f"<{name}>"
        member = peek.attr("_name_")
        if peek.layout == Layout.INSTANCE and isinstance(member, str) and _is_enum(peek):
            return f"{name}.{safe(member)}"
        if peek.layout == Layout.OPAQUE:
            return f"<{name}>"
        return None if peek.explored else f"<{name}, not looked into>"

    def _written(self, peek: Peek) -> tuple[str, str, Iterable[tuple[str, Value]], int]:
        """Return brackets, parts with what stands before each, and how many there are."""
        name = safe(peek.type.qualname)
        attrs, _, entries, members = peek.counts
        if peek.layout == Layout.NDARRAY:
            shape = fit(self.line(peek.attr("shape"), 30), 30)
            opening = f"{name}{shape} {_dtype(peek.attr('dtype'))} ["
            return opening, "]", (("", value) for value in _few(peek.items)), peek.length
        if peek.layout == Layout.SCALAR:
            return f"{name}(", ")", [("", peek.attr("__value__"))], 1
        if peek.layout in (Layout.RANGE, Layout.SLICE):
            return f"{name}(", ")", [("", value) for _, value in peek.attrs()], attrs
        if peek.layout == Layout.EXCEPTION:
            return f"{name}(", ")", self._exception_parts(peek), 1
        opening, closing = _BRACKETS.get(peek.layout, ("", ""))
        count = peek.length + entries + members
        if peek.layout in _SETS and count == 0:  # as {} is a dict
            return f"{name}(", ")", (), 0
        if peek.layout == Layout.TUPLE and count == 1:  # as (1) is no tuple
            closing = ",)"
        if opening and name not in _PLAIN:
            opening, closing = f"{name}({opening}", f"{closing})"
        if not opening:
            named = ((f"{safe(n)}=", value) for n, value in self._attrs(peek))
            return f"{name}(", ")", named, attrs
        parts = chain(
            (("", value) for value in _few(peek.items)),
            ((f"{self._key(key)}: ", value) for key, value in _few(peek.entries)),
            (("", value) for value in _few(peek.members)),
        )
        return opening, closing, parts, count

    def _attrs(self, peek: Peek) -> Iterator[tuple[str, Value]]:
        """Go through the attributes of an object, those that matter first."""
        before = {name: peek.attr(name) for name in self._first}
        yield from ((name, value) for name, value in before.items() if value is not UNSET)
        yield from ((name, value) for name, value in _few(peek.attrs) if name not in before)

    def _exception_parts(self, peek: Peek) -> list[tuple[str, Value]]:
        args = peek.attr("args")
        if not isinstance(args, Ref):
            return []
        held = self._trace.heap.peek(args.oid, self.time)
        return [("", value) for value in held.items(0, 3)]

    def _key(self, key: Value) -> str:
        return self.line(key, 30) if isinstance(key, Ref) else atom_text(key, 30)

    # -- trees -------------------------------------------------------------------------------------

    def tree(
        self, value: Value, label: str = "", *, depth: int = 2, width: int = WIDTH
    ) -> ValueNode:
        """Return a value as a tree so many objects deep; deeper parts are folded."""
        return self._node(value, label, depth, width, set())

    def parts(
        self, oid: int, first: int = 0, count: int = CHILDREN, width: int = WIDTH
    ) -> list[ValueNode]:
        """Return some parts of an object that is folded in a tree, or has more than it shows."""
        peek = self._trace.heap.peek(oid, self.time)
        chosen = _steps(peek, first, first + count)
        return [self._node(value, self._step(step), 0, width, set()) for step, value in chosen]

    def _node(self, value: Value, label: str, depth: int, width: int, shown: set[int]) -> ValueNode:
        summary = self.line(value, width)
        if not isinstance(value, Ref):
            return ValueNode(safe(label), summary, "", 0, 0, False)
        peek = self._trace.heap.peek(value.oid, self.time)
        name, size = safe(peek.type.qualname), _size(peek)
        if value.oid in shown:
            return ValueNode(safe(label), summary, name, value.oid, size, True)
        parts: tuple[ValueNode, ...] = ()
        if depth > 0:
            shown.add(value.oid)
            parts = tuple(
                self._node(held, self._step(step), depth - 1, width, shown)
                for step, held in self._ordered(_steps(peek, 0, CHILDREN), peek.counts[0])
            )
        return ValueNode(safe(label), summary, name, value.oid, size, False, parts)

    def _step(self, step: Step) -> str:
        return self._trace.keys.step(step, self.time)

    def _ordered(self, parts: list[tuple[Step, Value]], attrs: int) -> list[tuple[Step, Value]]:
        """Return parts with the attributes that matter first, if all attributes are there."""
        if attrs > len(parts):
            return parts
        ranks: dict[Step, int] = {Attr(name): i for i, name in enumerate(self._first)}
        named = sorted(parts[:attrs], key=lambda part: ranks.get(part[0], len(ranks)))
        return [*named, *parts[attrs:]]


def _few(read: Callable[[int, int], list[T]]) -> Iterator[T]:
    """Read one after the other, a handful at a time: most lines need no more."""
    first = 0
    while part := read(first, first + _HANDFUL):
        yield from part
        first += _HANDFUL


def _joined(
    parts: Iterable[tuple[str, Value]],
    count: int,
    room: int,
    write: Callable[[str, Value, int], str],
) -> str:
    """Return parts with commas in between, as many as there is room for."""
    found: list[str] = []
    used = 0
    for prefix, value in parts:
        last = len(found) + 1 == count
        space = room - used - (2 if found else 0) - (0 if last else 2 + len(ELLIPSIS))
        # One part must not take the room of all that follow.
        share = space if last else max(space // 2, min(space, _SHARE))
        text = write(prefix, value, share) if share > 0 else ELLIPSIS
        if columns(text) > share or (share < _SMALLEST and ELLIPSIS in text):
            break
        found.append(text)
        used += columns(found[-1]) + (2 if len(found) > 1 else 0)
    if len(found) < count:
        found.append(ELLIPSIS)
    return ", ".join(found)


def atom_text(value: Value, room: int) -> str:
    """Return a plain value as source would have it, shortened if it is long."""
    if value is UNSET:
        return "<unset>"
    if value is UNKNOWN:
        return "<unknown>"
    if isinstance(value, str | bytes):
        return _quoted(value, len(value), room)
    if isinstance(value, Clipped):
        return _quoted(value.beginning, value.length, room)
    if isinstance(value, TupleKey):
        return "(" + ELLIPSIS + ")"
    if isinstance(value, int) and not -_BIG < value < _BIG:
        return fit(_big(value), room)
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return fit(safe(repr(value)), room)


def _big(value: int) -> str:
    # Decimal digits of a very large number take quadratic time, and Python refuses to make them.
    digits = f"{value:#x}"
    return f"{digits[:30]}{ELLIPSIS} ({value.bit_length():,} bits)"


def _quoted(value: str | bytes, length: int, room: int) -> str:
    """Return text in quotes; of a long one the beginning, and how long it is."""
    shown = value[: max(room, 0)]
    whole = safe(repr(shown))
    if len(shown) == length and columns(whole) <= room:
        return whole
    more = f"{ELLIPSIS} ({length:,})"
    quote = 2 if isinstance(value, bytes) else 1  # with the letter b
    inner = fit(safe(repr(shown))[:-1], room - columns(more) - 1)
    if columns(inner) <= quote:
        return fit(whole, room)
    return inner.removesuffix(ELLIPSIS) + whole[-1] + more


def _word(value: Value) -> str:
    return safe(value) if isinstance(value, str) else "?"


def _dtype(value: Value) -> str:
    """Return the type of an array's elements as people write it: float64 for ``<f8``."""
    try:
        return str(np.dtype(value).name) if isinstance(value, str) else "?"
    except (TypeError, ValueError, SyntaxError):
        return _word(value)


def _is_enum(peek: Peek) -> bool:
    return peek.attr("_value_") is not UNSET


def _size(peek: Peek) -> int:
    attrs, _, entries, members = peek.counts
    return attrs + peek.length + entries + members


def _steps(peek: Peek, first: int, last: int) -> list[tuple[Step, Value]]:
    """Return some parts of an object with the steps that lead to them: attributes first."""
    attrs, items, entries, _ = peek.counts
    found: list[tuple[Step, Value]] = [(Attr(n), v) for n, v in peek.attrs(first, last)]
    for count, read in (
        (attrs, lambda a, b: [(Item(a + i), v) for i, v in enumerate(peek.items(a, b))]),
        (items, lambda a, b: [(Entry(k), v) for k, v in peek.entries(a, b)]),
        (entries, lambda a, b: [(Member(v), v) for v in peek.members(a, b)]),
    ):
        first, last = max(first - count, 0), last - count
        if last > first:
            found += read(first, last)
    return found
