"""What a call changed, line by line: place, before, after."""

from __future__ import annotations

from dataclasses import dataclass

from wrongcall.events import Layout
from wrongcall.present.pairs import Pairs, value_line
from wrongcall.present.text import columns, safe
from wrongcall.present.values import Viewer
from wrongcall.trace import (
    UNSET,
    Attr,
    Change,
    Changed,
    ChangeKind,
    Effect,
    Missing,
    Ref,
    Trace,
    Value,
)
from wrongcall.trace.paths import step_text


@dataclass(frozen=True)
class DiffLine:
    """One difference between the entry and the exit of a call."""

    kind: ChangeKind
    place: str
    """As in ``c[2]`` or ``self.root.left``; an object that nothing leads to is named ``Node #12``."""
    old: str
    """What was there, empty if there was nothing."""
    new: str
    """What is there, empty if there is nothing."""
    origin: str
    """Of an element that moved: where it was."""
    object: int
    """The object it is a part of; 0: none, it is a variable."""
    became: int = 0
    """The object that is there now; 0: none, or a plain value."""


_FRAMES = {
    ChangeKind.CHANGED: len(": ") + len(" -> "),
    ChangeKind.ADDED: len(" = ") + len("  added"),
    ChangeKind.REMOVED: len(" was ") + len("  removed"),
    ChangeKind.MOVED: len(" = ") + len("  moved from "),
}
"""Columns beside the place, what was there, and what is there."""
_LEAST = 16
"""Columns for both values, however long the place is."""
_EQUAL = " (equal, but another object)"


def effect_lines(trace: Trace, effect: Effect, width: int = 80) -> list[DiffLine]:
    """Return what is different after a call; place and values take so many columns together."""
    viewers = Viewer(trace, effect.before), Viewer(trace, effect.after)
    found = []
    for changed in effect.objects:
        base = _base(trace, changed, effect.after)
        found += [_line(trace, viewers, base, c, changed.oid, width) for c in changed.changes]
    for rebound in effect.variables:
        found.append(_line(trace, viewers, "", rebound.change, 0, width))
    return found


def _base(trace: Trace, changed: Changed, time: int) -> str:
    """Return how an object is called."""
    peek = trace.heap.peek(changed.oid, time)
    if peek.layout == Layout.MODULE:
        names = (str(changed.path or ""), str(peek.attr("__name__")))
        return "" if "__main__" in names else safe(names[0] or names[1])
    if changed.path is None:
        return f"{peek.type.qualname} #{changed.oid}"
    return trace.keys.path(changed.path, time)


def _line(
    trace: Trace,
    viewers: tuple[Viewer, Viewer],
    base: str,
    change: Change,
    oid: int,
    width: int,
) -> DiffLine:
    place, (_, after) = change.place, viewers
    step = trace.keys.step(place, after.time)
    name = safe(place.name if not base and isinstance(place, Attr) else base + step)
    origin = "" if change.origin is None else safe(base + step_text(change.origin))
    old, new = value_texts(trace, viewers, change, width - columns(name) - columns(origin))
    return DiffLine(
        kind=change.kind,
        place=name,
        old=old,
        new=new,
        origin=origin,
        object=oid,
        became=object_of(change.new),
    )


def value_texts(
    trace: Trace, viewers: tuple[Viewer, Viewer], change: Change, width: int
) -> tuple[str, str]:
    """Return what was there and what is there; what differs is never cut away.

    They have so many columns, with the words that stand beside them.
    """
    before, after = viewers
    width = max(width - _FRAMES[change.kind], _LEAST)
    if change.old is UNSET:
        return "", "" if change.new is UNSET else value_line(after, change.new, width)
    if change.new is UNSET:
        return value_line(before, change.old, width), ""
    if change.equal:
        room = max((width - len(_EQUAL)) // 2, _LEAST // 2)
        return value_line(before, change.old, room), value_line(after, change.new, room) + _EQUAL
    return Pairs(trace, before, after).texts(change.old, change.new, width)


def object_of(value: Value | Missing) -> int:
    """Return the object that a value is; 0: none."""
    return value.oid if isinstance(value, Ref) else 0
