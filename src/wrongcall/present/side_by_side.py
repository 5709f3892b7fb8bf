"""What was at a place beside what is there: lists aligned, dicts by key, objects by attribute, texts by line and word.

The rows are a tree as a flat list: a part that differs inside is followed by its own parts, one level deeper. Equal
parts between differences are counted in a row of kind *gap*. An object is compared as of the time of its side, so one
that stayed in its place is compared with itself earlier. The inside of libraries is not opened.
"""

from __future__ import annotations

import ast
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, TypedDict

from wrongcall.errors import UsageError
from wrongcall.languages.paths import PathStep
from wrongcall.present.forms.libraries import is_closed
from wrongcall.present.forms.records import names_of
from wrongcall.present.text_diff import LinePair, Span, line_pairs, opcodes, word_spans
from wrongcall.present.values import Viewer
from wrongcall.recording import UNSET, Attr, Clipped, Entry, Item, Member, Recording, Ref, Value
from wrongcall.replay.heap import SEQUENCES, Peek

AROUND = 2
"""Equal parts that are shown before and after a difference."""
MOST_ROWS = 1_000
MOST_PARTS = 20_000
"""Parts of one object that are compared."""
MOST_OBJECTS = 4_000
LINE_WIDTH = 200
_DEEPEST = 8

RowKind = Literal["same", "changed", "added", "removed", "gap"]


class SideRow(TypedDict):
    """A part on both sides."""

    kind: RowKind
    depth: int
    old_label: str
    new_label: str
    old: list[Span]
    """Empty: there was nothing."""
    new: list[Span]
    count: int
    """Of a gap: how many equal parts it stands for."""
    note: str


class SideBySide(TypedDict):
    """Two values side by side."""

    rows: list[SideRow]
    more: int
    """How many rows there are beyond these."""
    note: str
    """What was not compared, in words."""


Held = tuple[PathStep, Hashable, Value]
"""A part with what leads to it and what it is paired by."""


class _Pair(NamedTuple):
    """A part of two objects; `UNSET`: it is on the other side only."""

    old_step: PathStep | None
    new_step: PathStep | None
    old: Value
    new: Value


@dataclass(frozen=True)
class _Part:
    """A row, and the rows below it."""

    row: SideRow
    inside: list[_Part] = field(default_factory=list)

    @property
    def is_same(self) -> bool:
        return self.row["kind"] == "same"


def side_by_side(
    recording: Recording,
    old: Value,
    before: int,
    new: Value,
    after: int,
    *,
    around: int | None = AROUND,
) -> SideBySide:
    """Compare what was there with what is there; ``around``: equal parts to show, None: all."""
    comparing = _Comparing(recording, Viewer(recording, before), Viewer(recording, after))
    parts = comparing.parts(old, new)
    rows = list(_flat(parts, 0, around))
    note = comparing.note
    return {"rows": rows[:MOST_ROWS], "more": max(len(rows) - MOST_ROWS, 0), "note": note}


def is_comparable(old: Value, new: Value) -> bool:
    """Return whether two values have parts to compare: objects, or texts that are not short."""
    if isinstance(old, Ref) and isinstance(new, Ref):
        return True
    texts = [v.beginning if isinstance(v, Clipped) else v for v in (old, new)]
    return all(isinstance(t, str) for t in texts) and any(
        isinstance(t, str) and (len(t) > _SHORT_TEXT or "\n" in t) for t in texts
    )


_SHORT_TEXT = 24


def place_text(place: PathStep) -> str:
    """Return a place in source notation, for `value_at`; empty: it has none."""
    if isinstance(place, Attr):
        return f".{place.name}"
    if isinstance(place, Item):
        return f"[{place.index}]"
    is_plain = isinstance(place, Entry) and isinstance(place.key, str | int)
    return f"[{place.key!r}]" if is_plain and isinstance(place, Entry) else ""


def value_at(recording: Recording, sides: tuple[int, int], step: str, time: int) -> Value:
    """Return what an object, or a variable of a call, held at a time; ``sides``: object and call, one of them is 0."""
    holder, owner = sides
    if owner:
        name = step.removeprefix(".")
        found = recording.states.local(owner, name, time)
        return recording.inside.variables(owner, time).get(name, UNSET) if found is UNSET else found
    if step.startswith("."):
        return recording.states.heap.value(holder, Attr(step[1:]), time)
    try:
        key = ast.literal_eval(step[1:-1])
    except (ValueError, SyntaxError, MemoryError, RecursionError) as exc:
        raise UsageError(f"step is .name, [index] or ['key'], not {step!r}") from exc
    if not isinstance(key, str | int):
        raise UsageError(f"step is .name, [index] or ['key'], not {step!r}")
    is_index = recording.states.heap.peek(holder, time).layout in SEQUENCES
    place = Item(key) if is_index and isinstance(key, int) else Entry(key)
    return recording.states.heap.value(holder, place, time)


def _flat(parts: list[_Part], depth: int, around: int | None) -> Iterator[SideRow]:
    """Go through rows as a list, with gaps for what is the same."""
    different = [i for i, part in enumerate(parts) if not part.is_same]
    reach = around or 0
    near = {j for i in different for j in range(i - reach, i + reach + 1)}
    gap = 0
    for i, part in enumerate(parts):
        if around is not None and part.is_same and i not in near:
            gap += 1
            continue
        if gap:
            yield _gap(gap, depth)
            gap = 0
        yield {**part.row, "depth": depth}
        yield from _flat(part.inside, depth + 1, around)
    if gap:
        yield _gap(gap, depth)


def _gap(count: int, depth: int) -> SideRow:
    return _row("gap", count=count, depth=depth)


def _row(
    kind: RowKind,
    labels: tuple[str, str] = ("", ""),
    old: Iterable[Span] = (),
    new: Iterable[Span] = (),
    *,
    depth: int = 0,
    count: int = 0,
    note: str = "",
) -> SideRow:
    return {
        "kind": kind,
        "depth": depth,
        "old_label": labels[0],
        "new_label": labels[1],
        "old": list(old),
        "new": list(new),
        "count": count,
        "note": note,
    }


class _Comparing:
    """Compares objects, each pair once."""

    def __init__(self, recording: Recording, before: Viewer, after: Viewer) -> None:
        self._keys = recording.states.keys
        self._before = before
        self._after = after
        self._compared: dict[tuple[int, int], bool] = {}
        """Pairs of objects that were compared, and whether they differ; while they are, they count as the same."""
        self.note = ""

    def parts(self, old: Value, new: Value, depth: int = 0) -> list[_Part]:
        """Return the parts of two values, or the values themselves if they have none to compare."""
        texts = _text(old), _text(new)
        if texts[0] is not None and texts[1] is not None:
            if any(isinstance(value, Clipped) for value in (old, new)):
                self.note = "Only the beginning of a text was recorded; the rest is not compared."
            return [_text_part(pair) for pair in line_pairs(texts[0], texts[1])]
        peeks = self._peeks(old, new)
        if peeks is None or depth > _DEEPEST:
            return [self._whole(("", ""), old, new)]
        self._compared.setdefault((peeks[0].oid, peeks[1].oid), False)
        return [self._part(pair, depth) for pair in self._pairs(*peeks)]

    def _peeks(self, old: Value, new: Value) -> tuple[Peek, Peek] | None:
        """Look into two objects of the same kind; None: they are no such objects."""
        if not isinstance(old, Ref) or not isinstance(new, Ref):
            return None
        one, other = self._before.peek(old.oid), self._after.peek(new.oid)
        if is_closed(one) or is_closed(other) or not (one.explored and other.explored):
            return None
        return (one, other) if _family(one) == _family(other) else None

    def _part(self, pair: _Pair, depth: int) -> _Part:
        labels = (
            "" if pair.old_step is None else self._keys.step(pair.old_step, self._before.time),
            "" if pair.new_step is None else self._keys.step(pair.new_step, self._after.time),
        )
        old, new = pair.old, pair.new
        if old is UNSET or new is UNSET:
            return self._whole(labels, old, new)
        if not isinstance(old, Ref) or not isinstance(new, Ref):
            if _mark(old) == _mark(new):
                return _Part(_row("same", labels, *self._lines(old, new)))
            texts = _text(old), _text(new)
            if texts[0] is not None and texts[1] is not None and ("\n" in texts[0] + texts[1]):
                inside = [_text_part(each) for each in line_pairs(texts[0], texts[1])]
                return _Part(_row("changed", labels, *self._lines(old, new)), inside)
            return self._whole(labels, old, new)
        return self._objects(labels, old, new, depth)

    def _objects(self, labels: tuple[str, str], old: Ref, new: Ref, depth: int) -> _Part:
        """Compare two objects in the same place."""
        key = (old.oid, new.oid)
        note = "" if old == new else "another object"
        lines = self._lines(old, new)
        if key in self._compared:
            kind: RowKind = "changed" if self._compared[key] else "same"
            shown = "compared above" if self._compared[key] else note
            return _Part(_row(kind, labels, *lines, note=shown))
        if self._peeks(old, new) is None:
            is_same = old == new or lines[0] == lines[1]
            if is_same:
                return _Part(_row("same", labels, *lines, note=note))
            return self._whole(labels, old, new)
        if len(self._compared) >= MOST_OBJECTS:
            self.note = f"More than {MOST_OBJECTS:,} objects: not all of them were compared."
            return _Part(_row("same", labels, *lines, note="not compared"))
        self._compared[key] = False
        inside = self.parts(old, new, depth + 1)
        self._compared[key] = any(not part.is_same for part in inside)
        if not self._compared[key]:
            return _Part(_row("same", labels, *lines, note=note))
        return _Part(_row("changed", labels, *lines, note=note), inside)

    def _whole(self, labels: tuple[str, str], old: Value, new: Value) -> _Part:
        """Return a part that is different as a whole, with the words marked that differ."""
        if old is UNSET:
            return _Part(_row("added", labels, (), [(self._line(self._after, new), True)]))
        if new is UNSET:
            return _Part(_row("removed", labels, [(self._line(self._before, old), True)]))
        one, other = self._line(self._before, old), self._line(self._after, new)
        if isinstance(old, Ref) or isinstance(new, Ref) or _text(old) is None or _text(new) is None:
            return _Part(_row("changed", labels, [(one, True)], [(other, True)]))
        return _Part(_row("changed", labels, *word_spans(one, other)))

    def _lines(self, old: Value, new: Value) -> tuple[list[Span], list[Span]]:
        one, other = self._line(self._before, old), self._line(self._after, new)
        return [(one, False)], [(other, False)]

    @staticmethod
    def _line(viewer: Viewer, value: Value) -> str:
        return viewer.line(value, LINE_WIDTH)

    # -- the parts of two objects ------------------------------------------------------------------

    def _pairs(self, one: Peek, other: Peek) -> Iterator[_Pair]:
        yield from _keyed(self._attrs(one), self._attrs(other))
        yield from self._items(one, other)
        yield from _keyed(_entries(one), _entries(other))
        yield from _keyed(_members(one), _members(other))
        if any(max(p.counts) > MOST_PARTS or p.length > p.counts[1] for p in (one, other)):
            self.note = (
                f"What was not recorded, or is beyond {MOST_PARTS:,} parts, is not compared."
            )

    def _attrs(self, peek: Peek) -> list[Held]:
        names = names_of(peek, self._after.insides).shown
        return [(Attr(name), name, peek.attr(name)) for name in names]

    @staticmethod
    def _items(one: Peek, other: Peek) -> Iterator[_Pair]:
        """Align the items of two sequences."""
        old, new = one.items(0, MOST_PARTS), other.items(0, MOST_PARTS)
        for tag, a, b, c, d in opcodes([_mark(v) for v in old], [_mark(v) for v in new]):
            for i in range(max(b - a, d - c)):
                here, there = a + i < b, c + i < d
                # Of a stretch that was replaced, the first ones are taken for changed.
                assert tag != "equal" or (here and there)
                yield _Pair(
                    Item(a + i) if here else None,
                    Item(c + i) if there else None,
                    old[a + i] if here else UNSET,
                    new[c + i] if there else UNSET,
                )


def _entries(peek: Peek) -> list[Held]:
    return [(Entry(key), _mark(key), value) for key, value in peek.entries(0, MOST_PARTS)]


def _members(peek: Peek) -> list[Held]:
    return [(Member(value), _mark(value), value) for value in peek.members(0, MOST_PARTS)]


def _keyed(old: list[Held], new: list[Held]) -> Iterator[_Pair]:
    """Pair parts by key, in the order of the new ones; those that are gone come last."""
    was = {key: (step, value) for step, key, value in old}
    there = {key for _, key, _ in new}
    for step, key, value in new:
        before = was.get(key)
        yield _Pair(before[0] if before else None, step, before[1] if before else UNSET, value)
    for step, key, value in old:
        if key not in there:
            yield _Pair(step, None, value, UNSET)


def _mark(value: Value) -> Hashable:
    """Return what is equal for equal atoms and for the same object."""
    if isinstance(value, Ref):
        return "object", value.oid
    if isinstance(value, float | complex):
        return type(value).__name__, repr(value)
    return type(value).__name__, value


def _family(peek: Peek) -> Hashable:
    """Return what two objects must have in common to be compared part by part."""
    return peek.type.qualname, peek.layout if peek.layout not in SEQUENCES else "sequence"


def _text(value: Value) -> str | None:
    if isinstance(value, Clipped):
        value = value.beginning
    return value if isinstance(value, str) else None


def _text_part(pair: LinePair) -> _Part:
    labels = tuple(str(n) if n else "" for n in (pair.old_number, pair.new_number))
    kind: RowKind = "same" if pair.is_same else "changed"
    if not pair.old_number or not pair.new_number:
        kind = "added" if pair.new_number else "removed"
    return _Part(_row(kind, (labels[0], labels[1]), pair.old, pair.new))
