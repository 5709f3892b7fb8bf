"""What a call changed, line by line: place, before, after."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from wrongcall.events import Layout
from wrongcall.present.text import safe
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
from wrongcall.trace.heap import Peek
from wrongcall.trace.loading import MODELS
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


def effect_lines(
    trace: Trace, effect: Effect, width: int = 40, *, everything: bool = False
) -> list[DiffLine]:
    """Return what is different after a call; values are at most so many columns wide.

    ``everything``: with what is different inside libraries, which comes last.
    """
    before, after = Viewer(trace, effect.before), Viewer(trace, effect.after)
    found = []
    for changed in effect.objects:
        base = _base(trace, changed, effect.after)
        found += [
            _line(trace, (before, after), base, c, changed.oid, width) for c in changed.changes
        ]
    for rebound in effect.variables:
        found.append(_line(trace, (before, after), "", rebound.change, 0, width))
    for changed in effect.inside if everything else ():
        base = _base(trace, changed, effect.after)
        found += [
            _line(trace, (before, after), base, c, changed.oid, width) for c in changed.changes
        ]
    return found


def _base(trace: Trace, changed: Changed, time: int) -> str:
    """Return how an object is called."""
    peek = trace.heap.peek(changed.oid, time)
    if peek.layout == Layout.MODULE:
        name = peek.attr("__name__")
        return "" if name == "__main__" else safe(str(changed.path or name))
    if changed.path is None:
        return _unreached(peek)
    return trace.keys.path(changed.path, time)


def _unreached(peek: Peek) -> str:
    """Return how an object is called to which no path leads: a model by its key, if it has one."""
    key = peek.type.fields[0] if peek.type.kind in MODELS and peek.type.fields else ""
    value = peek.attr(key) if key else UNSET
    if isinstance(value, int | str):
        return f"{peek.type.qualname}({key}={value!r})"
    return f"{peek.type.qualname} #{peek.oid}"


def _line(
    trace: Trace,
    viewers: tuple[Viewer, Viewer],
    base: str,
    change: Change,
    oid: int,
    width: int,
) -> DiffLine:
    place, (before, after) = change.place, viewers
    step = trace.keys.step(place, after.time)
    name = place.name if not base and isinstance(place, Attr) else base + step
    return DiffLine(
        kind=change.kind,
        place=safe(name),
        old="" if change.old is UNSET else before.line(change.old, width),
        new="" if change.new is UNSET else new_text(after, change.new, change.equal, width),
        origin="" if change.origin is None else safe(base + step_text(change.origin)),
        object=oid,
        became=object_of(change.new),
    )


def new_text(after: Viewer, value: Value, equal: bool, width: int) -> str:
    """Return what is there now; if only another object that holds the same, it says so."""
    note = " (another object, equal)" if equal else ""
    return after.line(value, max(width - len(note), 8)) + note


def object_of(value: Value | Missing) -> int:
    """Return the object that a value is; 0: none."""
    return value.oid if isinstance(value, Ref) else 0


def folded(lines: list[DiffLine], most: int) -> Iterator[tuple[DiffLine | None, int]]:
    """Go through at most so many lines; then None and how many more there are."""
    yield from ((line, 0) for line in lines[:most])
    if len(lines) > most:
        yield None, len(lines) - most
