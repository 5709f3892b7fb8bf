"""What a call changed, line by line: place, before, after; and what others changed meanwhile."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from wrongcall.analysis.effects.loaded_models import MODELS
from wrongcall.events import Layout
from wrongcall.languages.paths import step_text
from wrongcall.present.frames import FrameChange, frame_diffs
from wrongcall.present.long_text import is_long
from wrongcall.present.pairs import Pairs, value_line
from wrongcall.present.side_by_side import is_comparable, place_text
from wrongcall.present.text import columns, safe
from wrongcall.present.values import Viewer
from wrongcall.recording import (
    UNSET,
    Attr,
    Change,
    Changed,
    ChangeKind,
    Effect,
    Item,
    Member,
    Missing,
    PathStep,
    Rebound,
    Recording,
    Ref,
    Value,
)
from wrongcall.replay.heap import Peek
from wrongcall.replay.series import numbers

MOST_MEANWHILE = 20
"""Changes that are shown of each of the others."""
MOST_RUNS = 3
"""Times that are shown at which a call wrote to a place that others wrote to in between."""
NOTHING = "nothing"
"""What was there before a place was added."""


@dataclass(frozen=True)
class Sides:
    """Before and after, to be compared side by side: two objects, or the texts in one place."""

    before: int
    after: int
    """The times."""
    old: int = 0
    new: int = 0
    """The objects; 0: they are texts."""
    holder: int = 0
    """Of texts: the object that holds them."""
    owner: int = 0
    """Of texts in a variable: the call whose variable it is."""
    step: str = ""
    """Of texts: the attribute, index or key in source notation, or the name of the variable."""


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
    runs: tuple[tuple[str, str], ...] = ()
    """If others wrote there in between: what was there and what came, each time, some left out."""
    times: int = 1
    """How often that was."""
    more: int = 0
    """The number of further changes of the object at this place that are not listed."""
    within: str = ""
    """Of an element that a set got or lost: the set."""
    sides: Sides | None = None
    """What to compare side by side; None: before or after has no parts, or nothing leads to it."""
    text: Sides | None = None
    """Where the long text is that is there now, or was there if nothing is; None: there is none."""


@dataclass(frozen=True)
class MeanwhileLine:
    """What one of the others changed while a call ran."""

    by: str
    """As in ``worker #12``."""
    call: int
    """0: code that is not recorded."""
    changed: tuple[DiffLine, ...]
    count: int
    """How many changes there are; at most `MOST_MEANWHILE` of them are shown."""


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


def effect_lines(
    recording: Recording, effect: Effect, width: int = 80, *, everything: bool = False
) -> list[DiffLine]:
    """Return what is different after a call; place and values take ``width`` columns together.

    ``everything``: with what is different inside libraries, which comes last.
    """
    viewers = Viewer(recording, effect.before), Viewer(recording, effect.after)
    found = []
    frames, others = frame_diffs(recording, effect.objects, viewers, width)
    for frame in frames:
        base = _base(recording, Changed(frame.oid, frame.path, ()), effect.after)
        found += [_frame_line(base, change, frame.oid) for change in frame.changes]
    for changed in others:
        found += _object_lines(recording, viewers, changed, width)
    for rebound in effect.variables:
        line = _line(recording, viewers, "", rebound.change, 0, width)
        sides = sides_of(rebound.change, viewers, owner=rebound.owner)
        text = text_of(rebound.change, viewers, (line.old, line.new), owner=rebound.owner)
        found.append(replace(line, sides=sides, text=text))
    for changed in effect.inside if everything else ():
        base = _base(recording, changed, effect.after)
        found += [_line(recording, viewers, base, c, changed.oid, width) for c in changed.changes]
        found += _more(base, changed)
    return found


def placed_changes(recording: Recording, effect: Effect) -> Iterator[tuple[str, Change]]:
    """Iterate over the changes after a call with the places at which `effect_lines` shows them."""
    after = Viewer(recording, effect.after)
    for changed in effect.objects:
        base = _base(recording, changed, effect.after)
        for change in changed.changes:
            yield _place(recording, after, base, change.place, changed.oid), change
    for rebound in effect.variables:
        yield _place(recording, after, "", rebound.change.place, 0), rebound.change


def _more(base: str, changed: Changed) -> list[DiffLine]:
    """Return a line for the changes of an object that are not listed, if there are any."""
    if not changed.unlisted:
        return []
    more = changed.unlisted
    return [DiffLine(ChangeKind.CHANGED, safe(base), "", "", "", changed.oid, more=more)]


def _object_lines(
    recording: Recording, viewers: tuple[Viewer, Viewer], changed: Changed, width: int
) -> list[DiffLine]:
    """Return what is different about an object; one that was emptied takes one line for all elements."""
    base = _base(recording, changed, viewers[1].time)
    emptied = _emptied(viewers, changed)
    changes = [c for c in changed.changes if not emptied or isinstance(c.place, Attr)]
    lines = [_line(recording, viewers, base, c, changed.oid, width) for c in changes]
    if emptied:
        return [*lines, _emptied_line(recording, viewers, base, changed.oid, emptied, width)]
    return [*lines, *_more(base, changed)]


def _emptied(viewers: tuple[Viewer, Viewer], changed: Changed) -> int:
    """Return how many elements an object lost that had several and has none left; 0: it is no such object."""
    elements = [c for c in changed.changes if not isinstance(c.place, Attr)]
    if len(elements) < 2 or any(c.kind is not ChangeKind.REMOVED or c.runs for c in elements):
        return 0
    before, after = (viewer.peek(changed.oid) for viewer in viewers)
    _, *known = before.counts
    if sum(known) != len(elements) + changed.unlisted or after.length or any(after.counts[1:]):
        return 0  # others removed some of them, or there are others now
    return max(before.length, known[0]) + sum(known[1:])


def _emptied_line(
    recording: Recording,
    viewers: tuple[Viewer, Viewer],
    base: str,
    oid: int,
    count: int,
    width: int,
) -> DiffLine:
    """Return ``items: [1, 2, 3, …] -> [] (12 items removed)``."""
    name, removed = safe(base), f" ({count:,} items removed)"
    change = Change(ChangeKind.CHANGED, Attr(base), Ref(oid), Ref(oid))
    old, new = value_texts(recording, viewers, change, width - columns(name) - columns(removed))
    sides = Sides(viewers[0].time, viewers[1].time, oid, oid)
    return DiffLine(ChangeKind.CHANGED, name, old, new + removed, "", oid, oid, sides=sides)


def meanwhile_lines(recording: Recording, effect: Effect, width: int = 40) -> list[MeanwhileLine]:
    """Return what others changed while a call ran: first of all places that it wrote to itself."""
    own = {pair[:2] for pair in _places(effect.objects, effect.variables)}
    found = []
    for part in effect.meanwhile:
        pairs = sorted(_places(part.objects, part.variables), key=lambda pair: pair[:2] not in own)
        kept = [one for _, _, one in pairs[:MOST_MEANWHILE]]
        objects = tuple(one for one in kept if isinstance(one, Changed))
        variables = tuple(one for one in kept if isinstance(one, Rebound))
        lines = effect_lines(
            recording, replace(effect, objects=objects, variables=variables), width
        )
        by = _writer(recording, part.by)
        found.append(
            (pairs[0][:2] not in own, MeanwhileLine(by, part.by, tuple(lines), len(pairs)))
        )
    return [line for _, line in sorted(found, key=lambda pair: pair[0])]


def _places(
    objects: tuple[Changed, ...], variables: tuple[Rebound, ...]
) -> Iterator[tuple[int, PathStep, Changed | Rebound]]:
    """Go through changes one by one: of what object, or of which call's variable, at which place."""
    for changed in objects:
        for change in changed.changes:
            yield changed.oid, change.place, replace(changed, changes=(change,))
    for rebound in variables:
        yield -rebound.owner, rebound.change.place, rebound


def _writer(recording: Recording, number: int) -> str:
    """Return how a call is named that wrote something."""
    if not number:
        return "unrecorded code"
    function = recording.call(number).function
    name = safe(function.qualname)
    if function.kind == "module":
        name = f"<module {safe(recording.program.files[function.file].module)}>"
    return f"{name} #{number}"


def _base(recording: Recording, changed: Changed, time: int) -> str:
    """Return how an object is called."""
    peek = recording.states.heap.peek(changed.oid, time)
    if peek.layout == Layout.MODULE:
        names = (str(changed.path or ""), str(peek.attr("__name__")))
        return "" if "__main__" in names else safe(names[0] or names[1])
    if changed.path is None:
        return _unreached(peek)
    return recording.states.keys.path(changed.path, time)


def _frame_line(base: str, change: FrameChange, oid: int) -> DiffLine:
    return DiffLine(change.kind, safe(base) + change.place, change.old, change.new, "", oid)


def _unreached(peek: Peek) -> str:
    """Return how an object is called to which no path leads: a model by its key, if it has one."""
    key = peek.type.fields[0] if peek.type.kind in MODELS and peek.type.fields else ""
    value = peek.attr(key) if key else UNSET
    if isinstance(value, int | str):
        return f"{peek.type.qualname}({key}={value!r})"
    return f"{peek.type.qualname} #{peek.oid}"


def _line(
    recording: Recording,
    viewers: tuple[Viewer, Viewer],
    base: str,
    change: Change,
    oid: int,
    width: int,
) -> DiffLine:
    place = change.place
    name = _place(recording, viewers[1], base, place, oid)
    origin = "" if change.origin is None else safe(base + step_text(change.origin))
    old, new = value_texts(recording, viewers, change, width - columns(name) - columns(origin))
    return DiffLine(
        kind=change.kind,
        place=name,
        old=old,
        new=new,
        origin=origin,
        object=oid,
        became=object_of(change.new),
        runs=tuple(_runs(recording, change, width)),
        times=max(len(change.runs), 1),
        within=safe(base) if isinstance(place, Member) else "",
        sides=sides_of(change, viewers, holder=oid),
        text=text_of(change, viewers, (old, new), holder=oid) if oid else None,
    )


def _place(recording: Recording, after: Viewer, base: str, place: PathStep, oid: int) -> str:
    """Return how a place in an object is called."""
    step = _element(after, place, oid) or recording.states.keys.step(place, after.time)
    return safe(place.name if not base and isinstance(place, Attr) else base + step)


def sides_of(
    change: Change, viewers: tuple[Viewer, Viewer], *, holder: int = 0, owner: int = 0
) -> Sides | None:
    """Return what to compare side by side; None: there is nothing to compare."""
    if change.kind is not ChangeKind.CHANGED or not is_comparable(change.old, change.new):
        return None
    times = viewers[0].time, viewers[1].time
    if isinstance(change.old, Ref):
        return Sides(*times, change.old.oid, object_of(change.new))
    step = place_text(change.place)
    return Sides(*times, holder=holder, owner=owner, step=step) if step else None


def text_of(
    change: Change,
    viewers: tuple[Viewer, Viewer],
    shown: tuple[str, str],
    *,
    holder: int = 0,
    owner: int = 0,
) -> Sides | None:
    """Return where the long text of a change is; ``shown``: its line, before and after."""
    is_gone = change.new is UNSET
    if not is_long(change.old if is_gone else change.new, shown[0] if is_gone else shown[1]):
        return None
    step = place_text(change.place)
    times = viewers[0].time, viewers[1].time
    return Sides(*times, holder=holder, owner=owner, step=step) if step else None


def value_texts(
    recording: Recording, viewers: tuple[Viewer, Viewer], change: Change, width: int
) -> tuple[str, str]:
    """Return what was there and what is there; what differs is never cut away.

    They have ``width`` columns, with the words beside them.
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
    return Pairs(recording, before, after).texts(change.old, change.new, width)


def _runs(recording: Recording, change: Change, width: int) -> Iterator[tuple[str, str]]:
    """Go through what was written each time; of many, the first and the last."""
    runs = change.runs
    for run in runs if len(runs) <= MOST_RUNS else (*runs[: MOST_RUNS - 1], runs[-1]):
        pairs = ((run.old, run.before), (run.new, run.after))
        old, new = (
            NOTHING if value is UNSET else Viewer(recording, time).line(value, width)
            for value, time in pairs
        )
        yield old, new


def _element(after: Viewer, place: PathStep, oid: int) -> str:
    """Return an element of an array with several dimensions as ``[1, 2]``; empty: it is none."""
    peek = after.peek(oid) if isinstance(place, Item) and oid else None
    if peek is None or peek.layout != Layout.NDARRAY or not isinstance(place, Item):
        return ""
    shape, corner = (numbers(reference(after, peek.attr(n))) for n in ("shape", "recorded"))
    kept = corner or shape or ()
    if len(kept) < 2 or place.index >= math.prod(kept):
        return ""
    return f"[{', '.join(str(i) for i in np.unravel_index(place.index, kept))}]"


def reference(viewer: Viewer, value: Value) -> Peek | None:
    """Look into what a value refers to."""
    return viewer.peek(value.oid) if isinstance(value, Ref) else None


def object_of(value: Value | Missing) -> int:
    """Return the object that a value is; 0: none."""
    return value.oid if isinstance(value, Ref) else 0
