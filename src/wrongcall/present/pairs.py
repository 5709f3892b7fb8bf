"""Before and after side by side, in the room there is, cut so that what differs is seen.

Invariants: both texts together take at most as many columns as asked (but for very small widths), and
where two values differ in something that can be shown, so do the texts.
"""

from __future__ import annotations

from collections.abc import Iterator

from wrongcall.languages.paths import PathStep
from wrongcall.present.text import ELLIPSIS, columns, cut_around, fit, opening, quoted, safe, shares
from wrongcall.present.values import Viewer
from wrongcall.recording import Attr, Clipped, Entry, Item, Recording, Ref, Value

_FAR = 2000
"""Columns in which a difference is looked for in the text; behind them it is looked for in the values."""
_SMALLEST = 6
_DEEPEST = 20


def value_line(viewer: Viewer, value: Value, width: int) -> str:
    """Return a value on one line; a long string is cut in the middle."""
    if isinstance(value, str | bytes):
        return quoted(value, len(value), width)
    if isinstance(value, Clipped):
        return quoted(value.beginning, value.length, width)
    return viewer.line(value, width)


class Pairs:
    """Shows pairs of values of one trace: one as of a time before, one as of a time after."""

    def __init__(self, recording: Recording, before: Viewer, after: Viewer) -> None:
        self._recording = recording
        self._before = before
        self._after = after

    def texts(self, old: Value, new: Value, width: int) -> tuple[str, str]:
        """Return both values in ``width`` columns together."""
        one, other = self._far(self._before, old), self._far(self._after, new)
        if columns(one) + columns(other) <= width:
            return one, other
        at = _first_difference(one, other)
        if isinstance(old, Ref) and isinstance(new, Ref) and ELLIPSIS in one[: at + 1]:
            found = self._inside(old, new)
            if found is not None:
                return self._deep(*found, width)
        rooms = shares((columns(one), columns(other)), width)
        return _both_cut((old, new), (one, other), rooms, at)

    def _far(self, viewer: Viewer, value: Value) -> str:
        if isinstance(value, str | bytes):
            return safe(repr(value))
        return value_line(viewer, value, _FAR)

    def _deep(self, path: str, old: Value, new: Value, width: int) -> tuple[str, str]:
        """Return a part that differs, with the path that leads to it."""
        frame = columns(f"{ELLIPSIS} {path} =  {ELLIPSIS}")
        if width - 2 * frame < 2 * _SMALLEST:
            path = fit(path, max(width // 4 - 6, 1))
            frame = columns(f"{ELLIPSIS} {path} =  {ELLIPSIS}")
        texts = self.texts(old, new, max(width - 2 * frame, 2 * _SMALLEST))
        one, other = (f"{ELLIPSIS} {path} = {text} {ELLIPSIS}" for text in texts)
        return one, other

    def _inside(self, old: Ref, new: Ref) -> tuple[str, Value, Value] | None:
        """Return the first part in which two objects differ, and the path to it."""
        found: tuple[str, Value, Value] | None = None
        path, one, other = "", old, new
        for _ in range(_DEEPEST):
            step = next(self._different(one, other), None)
            if step is None:
                return found
            path += self._recording.states.keys.step(step[0], self._after.time)
            found = safe(path), step[1], step[2]
            if not isinstance(step[1], Ref) or not isinstance(step[2], Ref):
                return found
            one, other = step[1], step[2]
        return found

    def _different(self, old: Ref, new: Ref) -> Iterator[tuple[PathStep, Value, Value]]:
        """Go through the parts that both objects have and that differ."""
        heap, equal = self._recording.states.heap, self._recording.states.sameness.equal
        one, other = heap.peek(old.oid, self._before.time), heap.peek(new.oid, self._after.time)
        attrs, entries = dict(other.attrs()), dict(other.entries())
        pairs: list[tuple[PathStep, Value, Value]] = [
            (Attr(name), value, attrs[name]) for name, value in one.attrs() if name in attrs
        ]
        items = zip(one.items(), other.items(), strict=False)
        pairs += [(Item(i), *pair) for i, pair in enumerate(items)]
        pairs += [(Entry(k), value, entries[k]) for k, value in one.entries() if k in entries]
        times = (self._before.time, self._after.time)
        return (pair for pair in pairs if not equal(pair[1], times[0], pair[2], times[1]))


def _first_difference(one: str, other: str) -> int:
    pairs = zip(one, other, strict=False)
    return next((i for i, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))


def _both_cut(
    values: tuple[Value, Value], texts: tuple[str, str], rooms: list[int], at: int
) -> tuple[str, str]:
    """Return both texts around the first character that differs, with as much before it in both."""
    sizes = [f" ({len(v):,})" if isinstance(v, str | bytes) else "" for v in values]
    needs = [columns(text) for text in texts]
    sizes = [s if need > room else "" for s, need, room in zip(sizes, needs, rooms, strict=True)]
    left = [room - columns(size) for room, size in zip(rooms, sizes, strict=True)]
    # Of a text that is shown whole nothing is cut, so it says nothing about the other one.
    cut = [(t, room) for t, room, need in zip(texts, left, needs, strict=True) if need > room]
    before = _context(texts[0], at, min((_before(t, at, room) for t, room in cut), default=0))
    one, other = (
        text if columns(text) <= room else cut_around(text, at, before, room) + size
        for text, room, size in zip(texts, left, sizes, strict=True)
    )
    return one, other


def _before(text: str, at: int, room: int) -> int:
    """Return for how many characters before a difference there is room: what follows comes first."""
    behind = min(columns(text[at:]), 2 * room // 3)
    return max(room - behind - opening(text) - len(f"{ELLIPSIS}, "), room // 4)


def _context(text: str, at: int, most: int) -> int:
    """Return how many characters before a difference are shown: from a comma on, if there is one."""
    most = min(at, most)
    near = text[at - most : at]
    comma = near.find(", ")
    return most - comma - 2 if 0 <= comma < most - 2 and most < at else most
