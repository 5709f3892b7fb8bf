"""Values in the ways that people look at them (docs/reference/api.md)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from wrongcall.errors import UsageError
from wrongcall.present import Viewer
from wrongcall.present.diffs import Sides
from wrongcall.present.grids import grid_of, grid_rows, order
from wrongcall.present.images import image_of, is_image_shaped
from wrongcall.present.long_text import text_part
from wrongcall.present.lookup import find_call
from wrongcall.present.object_graph import has_graph, object_graph
from wrongcall.present.side_by_side import AROUND, SideBySide, side_by_side, value_at
from wrongcall.present.text import safe
from wrongcall.recording import UNSET, Clipped, Recording, Ref, Value
from wrongcall.replay.source_text import NoSourceError, rebuilding_text
from wrongcall.web import inside_contract
from wrongcall.web.call_json import MAX_ITEMS, time_of

MAX_LINE = 10_000
"""Columns of a value that is no text."""


@dataclass(frozen=True)
class GridAsked:
    """Which rows of a table are asked for."""

    object: int
    time: int
    first: int = 0
    count: int = 200
    column: int | None = None
    """The column to sort by; None: as the program has it."""
    descending: bool = False
    other: int | None = None
    """The time to compare it with."""


def grid_data(recording: Recording, asked: GridAsked) -> inside_contract.Grid:
    """Return rows of an object as a table."""
    viewer = _viewer(recording, asked.time)
    grid = grid_of(recording, viewer, asked.object)
    found: inside_contract.Grid = {
        "object": asked.object,
        "time": asked.time,
        "first": asked.first,
        "heads": [],
        "more_columns": 0,
        "rows": 0,
        "known": 0,
        "some": [],
    }
    if grid is None:
        return found
    earlier = None if asked.other is None else _viewer(recording, asked.other)
    other = None if earlier is None else grid_of(recording, earlier, asked.object)
    numbers = range(grid.known)
    rows = numbers if asked.column is None else order(grid, asked.column, asked.descending)
    chosen = rows[asked.first : asked.first + min(asked.count, MAX_ITEMS)]
    return {
        **found,
        "heads": grid.heads,
        "more_columns": grid.more_columns,
        "rows": grid.rows,
        "known": grid.known,
        "some": grid_rows(grid, viewer, chosen, other, earlier),
    }


def views_data(recording: Recording, oid: int, time: int) -> inside_contract.Views:
    """Return the ways in which an object can be looked at."""
    viewer = _viewer(recording, time)
    views: list[Literal["table", "graph", "image"]] = []
    if grid_of(recording, viewer, oid) is not None:
        views.append("table")
    if has_graph(recording, oid, time):
        views.append("graph")
    if is_image_shaped(viewer.peek(oid), viewer):
        views.append("image")
    return {"object": oid, "time": time, "views": views}


def graph_data(
    recording: Recording, oid: int, time: int, other: int | None
) -> inside_contract.DrawnGraph:
    """Return the objects that an object leads to, compared with another time."""
    _viewer(recording, time)
    if other is not None:
        _viewer(recording, other)
    return {**object_graph(recording, oid, time, other), "object": oid, "time": time}


def image_data(recording: Recording, oid: int, time: int) -> inside_contract.DrawnImage:
    """Return an array as an image."""
    found = image_of(_viewer(recording, time), oid)
    return {**found, "object": oid, "time": time}


def sides_data(recording: Recording, asked: Sides, *, everything: bool) -> SideBySide:
    """Return what was there beside what is there; ``everything``: with all equal parts."""
    times = asked.before, asked.after
    for time in times:
        _viewer(recording, time)
    if asked.old and asked.new:
        pair = Ref(asked.old), Ref(asked.new)
        return _compared(recording, pair, times, everything)
    if not asked.holder and not asked.owner:
        raise UsageError("give old and new, or holder or owner with a step")
    if asked.owner:
        find_call(recording, asked.owner)
    place = (asked.holder, asked.owner)
    old, new = (value_at(recording, place, asked.step, time) for time in times)
    if UNSET in (old, new):
        raise UsageError(f"there is nothing at {asked.step} at one of the times")
    return _compared(recording, (old, new), times, everything)


def _compared(
    recording: Recording, pair: tuple[Value, Value], times: tuple[int, int], everything: bool
) -> SideBySide:
    around = None if everything else AROUND
    return side_by_side(recording, pair[0], times[0], pair[1], times[1], around=around)


def text_data(
    recording: Recording, call: int, place: str, time: int | None, first: int, search: str
) -> inside_contract.TextPart:
    """Return a part of the text at a place; of any other value, of its line."""
    when = time_of(find_call(recording, call), time)
    _, value = recording.places.find(call, place, when)
    if not isinstance(value, str | bytes | Clipped):
        value = Viewer(recording, when).line(value, MAX_LINE)
    return {**text_part(value, first, search), "call": call, "place": safe(place)}


def changed_text_data(
    recording: Recording, asked: Sides, first: int, search: str
) -> inside_contract.TextPart:
    """Return a part of the text that is at a place after a change, or was there before it."""
    if not asked.holder and not asked.owner:
        raise UsageError("give holder or owner with a step")
    if asked.owner:
        find_call(recording, asked.owner)
    for time in (asked.after, asked.before):
        viewer = _viewer(recording, time)
        value = value_at(recording, (asked.holder, asked.owner), asked.step, time)
        if value is UNSET:
            continue
        text = value if isinstance(value, str | bytes | Clipped) else viewer.line(value, MAX_LINE)
        return {**text_part(text, first, search), "call": asked.owner, "place": safe(asked.step)}
    raise UsageError(f"there is nothing at {asked.step} at these times")


def python_data(
    recording: Recording, call: int, place: str, time: int | None
) -> inside_contract.Rebuilt:
    """Return the value at a place as Python source."""
    when = time_of(find_call(recording, call), time)
    _, value = recording.places.find(call, place, when)
    found: inside_contract.Rebuilt = {"call": call, "place": safe(place), "text": "", "trouble": ""}
    try:
        return {**found, "text": rebuilding_text(recording.states.heap, value, when)}
    except NoSourceError as error:
        return {**found, "trouble": str(error)}


def _viewer(recording: Recording, time: int) -> Viewer:
    if not 0 <= time < recording.event_count:
        raise UsageError(f"there is no time {time}: the trace has 0 to {recording.event_count - 1}")
    return Viewer(recording, time)
