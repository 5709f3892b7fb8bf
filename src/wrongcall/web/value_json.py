"""Values in the ways that people look at them (docs/reference/api.md)."""

from __future__ import annotations

from dataclasses import dataclass

from wrongcall.errors import UsageError
from wrongcall.present import Viewer
from wrongcall.present.grids import grid_of, grid_rows, order
from wrongcall.recording import Recording
from wrongcall.web import contract
from wrongcall.web.call_json import MAX_ITEMS


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


def grid_data(recording: Recording, asked: GridAsked) -> contract.Grid:
    """Return rows of an object as a table."""
    viewer = _viewer(recording, asked.time)
    grid = grid_of(recording, viewer, asked.object)
    found: contract.Grid = {
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


def _viewer(recording: Recording, time: int) -> Viewer:
    if not 0 <= time < recording.event_count:
        raise UsageError(f"there is no time {time}: the trace has 0 to {recording.event_count - 1}")
    return Viewer(recording, time)
