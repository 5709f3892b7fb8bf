"""Values as one line, and as trees that fold.

A line looks like the source that would make the value: ``[1, 2]``, ``{'a': 1}``, ``Point(x=1)``,
``Color.RED``; what is no such value stands in angle brackets. It is never longer than asked: parts
are left out for an ellipsis, inner ones first. Objects that contain themselves show as ``#`` and
their id, which is also how a tree shows an object that it has shown already.

Nothing of the program runs for it: lines are made from what the trace knows of layouts and types.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from wrongcall.languages.paths import PathStep
from wrongcall.present.forms import form_of
from wrongcall.present.forms.libraries import is_closed
from wrongcall.present.forms.records import names_of
from wrongcall.present.long_text import is_long
from wrongcall.present.opened_table import opened
from wrongcall.present.text import ELLIPSIS, columns, fit, quoted, safe
from wrongcall.recording import (
    UNKNOWN,
    UNSET,
    Attr,
    Clipped,
    Entry,
    Item,
    Member,
    Recording,
    Ref,
    TupleKey,
    Value,
)
from wrongcall.replay.heap import Peek
from wrongcall.replay.series import Written

WIDTH = 80
"""Columns of a line, by default."""
CHILDREN = 50
"""Parts of an object that a tree shows; the rest is counted."""
ATTRIBUTES = 250
"""Attributes of an object that a tree shows: all of nearly every object, so that those that matter can come first."""
_FEW = 10
"""Attributes that anybody reads in any order."""
_TABLE_ON_A_LINE = 60
"""A table wider than this many columns is shown row by row."""
_DEEPEST = 12
_SHARE = 12
_SMALLEST = 4
_BIG = 1 << 128
_TRIED_TWICE = 3
"""Objects nested deeper than this are written in one order only."""


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
    bookkeeping: bool = False
    """An attribute that a library keeps in the program's object for itself."""
    is_long: bool = False
    """A text whose line leaves something out, or that has several lines."""


class Viewer:
    """Shows values of one trace at one time."""

    def __init__(
        self,
        recording: Recording,
        time: int | None = None,
        first: Iterable[str] = (),
        table_width: int = WIDTH,
        *,
        next_ones: Iterable[str] = (),
        everything: bool = False,
    ) -> None:
        """``first``: attributes that come before the others on a line: those that matter.

        ``next_ones``: attributes that come next in the tree of an object with more than a few.
        ``everything``: trees show the inside of libraries, too.
        """
        self._recording = recording
        self.heap = recording.states.heap
        self.insides = recording.questions.insides
        self._everything = everything
        self._table_width = table_width
        self.time = recording.event_count - 1 if time is None else time
        self.first = tuple(first)
        self._first_of_many = tuple(dict.fromkeys((*self.first, *next_ones)))
        self._within: tuple[int, ...] = ()
        """The objects whose lines are being written, the outer ones first."""

    def peek(self, oid: int) -> Peek:
        """Look into an object at this time."""
        return self._recording.states.heap.peek(oid, self.time)

    def is_closed(self, oid: int) -> bool:
        """Return whether an object is a library's, so that its inside is not shown; 0: no object."""
        return bool(oid) and is_closed(self.peek(oid))

    def is_table(self, value: Value) -> bool:
        """Return whether a value opens as a table: a data frame, an array of rows."""
        if not isinstance(value, Ref):
            return False
        return opened(self.peek(value.oid), self, self._table_width) is not None

    # -- one line ----------------------------------------------------------------------------------

    def line(self, value: Value, width: int = WIDTH) -> str:
        """Return a value on one line of at most ``width`` columns."""
        return fit(self._text(value, width), width)

    def _text(self, value: Value | Written, room: int) -> str:
        if isinstance(value, Written):
            return fit(value.text, room)
        if isinstance(value, Ref):
            return self._object_text(value.oid, room)
        return atom_text(value, room)

    def _object_text(self, oid: int, room: int) -> str:
        if oid in self._within or len(self._within) >= _DEEPEST:
            return f"#{oid}"
        if room < _SMALLEST:
            return ELLIPSIS
        # Writers ask for lines, too: those of keys. They are inside as well.
        self._within = (*self._within, oid)
        try:
            form = form_of(self.peek(oid), self)
            room -= columns(form.opening + form.closing)
            text = _joined(form.parts, form.count, room, self._written)
            if form.rather is not None and ELLIPSIS in text and len(self._within) <= _TRIED_TWICE:
                text = _joined(form.rather, form.count, room, self._written)
            return form.opening + text + form.closing
        finally:
            self._within = self._within[:-1]

    def _written(self, prefix: str, value: Value | Written, space: int) -> str:
        return fit(prefix + (self._text(value, space - columns(prefix)) or ELLIPSIS), space)

    # -- trees -------------------------------------------------------------------------------------

    def tree(
        self, value: Value, label: str = "", *, depth: int = 2, width: int = WIDTH
    ) -> ValueNode:
        """Return a value as a tree, ``depth`` objects deep; deeper parts are folded."""
        return self._node(value, label, depth, width, set())

    def parts(
        self, oid: int, first: int = 0, count: int = CHILDREN, width: int = WIDTH
    ) -> list[ValueNode]:
        """Return some parts of an object that is folded in a tree, or has more than it shows."""
        peek = self._recording.states.heap.peek(oid, self.time)
        table = opened(peek, self, self._table_width)
        if table is not None:
            return _table_nodes(table[first : first + count])
        chosen = _steps(peek, self._names(peek, everything=True), first, first + count)
        return [self._part(peek, step, value, 0, width, set()) for step, value in chosen]

    def _node(self, value: Value, label: str, depth: int, width: int, shown: set[int]) -> ValueNode:
        summary = self.line(value, width)
        if not isinstance(value, Ref):
            long = is_long(value, summary)
            return ValueNode(safe(label), summary, "", 0, 0, False, is_long=long)
        peek = self._recording.states.heap.peek(value.oid, self.time)
        names = self._names(peek, self._everything)
        name, size = safe(peek.type.qualname), _size(peek, len(names))
        if value.oid in shown:
            return ValueNode(safe(label), summary, name, value.oid, size, True)
        table = opened(peek, self, self._table_width)
        if table is not None:
            whole = self.line(value, min(width, _TABLE_ON_A_LINE))
            summary = whole if depth <= 0 or ELLIPSIS not in whole else self._head(peek)
            lines = _table_nodes(table) if depth > 0 else ()
            return ValueNode(safe(label), summary, name, value.oid, len(table), False, tuple(lines))
        parts: tuple[ValueNode, ...] = ()
        if depth > 0 and (self._everything or not is_closed(peek)):
            shown.add(value.oid)
            most = max(CHILDREN, min(len(names), ATTRIBUTES))
            parts = tuple(
                self._part(peek, step, held, depth - 1, width, shown)
                for step, held in self._ordered(_steps(peek, names, 0, most), len(names))
            )
        return ValueNode(safe(label), summary, name, value.oid, size, False, parts)

    def _head(self, peek: Peek) -> str:
        """Return what a table is, without its contents, which follow."""
        return f"{form_of(peek, self).opening.rstrip(' [')} {ELLIPSIS}"

    def _part(
        self, whole: Peek, step: PathStep, value: Value, depth: int, width: int, shown: set[int]
    ) -> ValueNode:
        node = self._node(value, self._step(step), depth, width, shown)
        if not isinstance(step, Attr) or is_closed(whole):
            return node
        folded = self.insides.is_bookkeeping(whole.type, whole.layout, step.name)
        return replace(node, bookkeeping=True) if folded else node

    def _names(self, peek: Peek, everything: bool) -> list[str]:
        shown, folded = names_of(peek, self.insides)
        return [*shown, *folded] if everything else shown

    def _step(self, step: PathStep) -> str:
        return self._recording.states.keys.step(step, self.time)

    def _ordered(
        self, parts: list[tuple[PathStep, Value]], attrs: int
    ) -> list[tuple[PathStep, Value]]:
        """Return parts with the attributes that matter first, if all attributes are there."""
        if attrs > len(parts):
            return parts
        first = self._first_of_many if attrs > _FEW else self.first
        ranks: dict[PathStep, int] = {Attr(name): i for i, name in enumerate(first)}
        named = sorted(parts[:attrs], key=lambda part: ranks.get(part[0], len(ranks)))
        return [*named, *parts[attrs:]]


def _table_nodes(lines: list[tuple[str, str]]) -> list[ValueNode]:
    return [ValueNode(label, line, "", 0, 0, False) for label, line in lines]


def _joined(
    parts: Iterable[tuple[str, Value | Written]],
    count: int,
    room: int,
    write: Callable[[str, Value | Written, int], str],
) -> str:
    """Join parts with commas, those that fit."""
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
        return quoted(value, len(value), room)
    if isinstance(value, Clipped):
        return quoted(value.beginning, value.length, room)
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


def _size(peek: Peek, attrs: int) -> int:
    _, _, entries, members = peek.counts
    return attrs + peek.length + entries + members


def _steps(peek: Peek, names: list[str], first: int, last: int) -> list[tuple[PathStep, Value]]:
    """Return some parts of an object with the steps that lead to them: attributes first."""
    attrs, (_, items, entries, _) = len(names), peek.counts
    found: list[tuple[PathStep, Value]] = [(Attr(n), peek.attr(n)) for n in names[first:last]]
    for count, read in (
        (attrs, lambda a, b: [(Item(a + i), v) for i, v in enumerate(peek.items(a, b))]),
        (items, lambda a, b: [(Entry(k), v) for k, v in peek.entries(a, b)]),
        (entries, lambda a, b: [(Member(v), v) for v in peek.members(a, b)]),
    ):
        first, last = max(first - count, 0), last - count
        if last > first:
            found += read(first, last)
    return found
