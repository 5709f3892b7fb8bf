"""Values as tables of any size: data frames, arrays, lists of lists, lists and dicts of records.

A *grid* reads its rows on demand. Sorted, it keeps the number that each row has in the program. Compared with what it
was at another time, it tells which cells differ: rows are the same ones by their objects or labels, else by position.
What was not recorded is `UNKNOWN` and shown as ``?``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypedDict

from wrongcall.errors import UsageError
from wrongcall.events import Layout
from wrongcall.languages.paths import PathStep
from wrongcall.present.forms.libraries import is_closed
from wrongcall.present.forms.records import names_of
from wrongcall.present.forms.tables import array_grid
from wrongcall.present.frames import same_cell
from wrongcall.present.tables import cell_text, label_text
from wrongcall.present.text import safe
from wrongcall.present.values import Viewer
from wrongcall.recording import UNKNOWN, UNSET, Entry, Item, Recording, Ref, Value
from wrongcall.replay.frames import frame_of
from wrongcall.replay.heap import Peek
from wrongcall.replay.series import Cell, dtype_name, numbers, told

MOST_COLUMNS = 100
"""Columns that are shown; the others are counted."""
MOST_SORTED = 50_000
"""A table with more rows can't be sorted: all of them would have to be read."""
CELL_WIDTH = 60
_LOOKED_AT = 50
"""Rows that tell whether a list is a table, and what its columns are."""
_ROWS_KEPT = 4096
_SEQUENCES = (Layout.LIST, Layout.TUPLE)


@dataclass(frozen=True)
class Head:
    """A column of a grid."""

    name: str
    dtype: str
    """Empty: the cells are any objects."""
    step: str = ""
    """What leads from a row to its cell, as in ``['price']``; empty: cells have no path of their own."""


@dataclass(frozen=True)
class Grid:
    """A value as a table."""

    heads: tuple[Head, ...]
    more_columns: int
    rows: int
    known: int
    """How many rows were recorded, from the first on."""
    row: Callable[[int], Sequence[Cell]]
    label: Callable[[int], str]
    step: Callable[[int], str]
    """What leads to a row; empty: it has no path."""
    key: Callable[[int], object]
    """Equal for the same row at another time; None: rows are compared by position."""


class GridRow(TypedDict):
    """A row of a table."""

    number: int
    """Its position in the program's value."""
    label: str
    step: str
    cells: list[str]
    others: list[str | None]
    """What each cell was at the other time; null: the same. Empty: nothing is compared, or the whole row is new."""
    new: bool
    """There was no such row at the other time."""


def grid_of(recording: Recording, viewer: Viewer, oid: int) -> Grid | None:
    """Return an object as a table; None: it is none."""
    peek = viewer.peek(oid)
    if peek.layout == Layout.NDARRAY:
        return _array(peek, viewer)
    if peek.layout in _SEQUENCES or peek.layout == Layout.DICT:
        return _of_rows(recording, peek, viewer)
    return _frame(viewer, oid)


def grid_rows(
    grid: Grid,
    viewer: Viewer,
    chosen: Sequence[int],
    other: Grid | None = None,
    earlier: Viewer | None = None,
) -> list[GridRow]:
    """Return rows by their numbers; with ``other``, marked by what they were at another time."""
    places = {head.name: i for i, head in enumerate(other.heads)} if other else {}
    keys = _places_by_key(other) if other else {}
    found: list[GridRow] = []
    for number in chosen:
        cells = grid.row(number)
        data: GridRow = {
            "number": number,
            "label": grid.label(number),
            "step": grid.step(number),
            "cells": [_text(cell, viewer) for cell in cells],
            "others": [],
            "new": False,
        }
        if other is not None and earlier is not None:
            same = keys.get(grid.key(number), number if grid.key(number) is None else -1)
            if not 0 <= same < other.known:
                data["new"] = True
            else:
                was = other.row(same)
                data["others"] = [
                    _difference(cell, _cell_at(was, places.get(head.name, -1)), earlier)
                    for head, cell in zip(grid.heads, cells, strict=True)
                ]
        found.append(data)
    return found


def order(grid: Grid, column: int, descending: bool) -> list[int]:
    """Return the numbers of the recorded rows, sorted by a column; what can't be compared comes last."""
    if not 0 <= column < len(grid.heads):
        raise UsageError(f"there is no column {column}: the table has {len(grid.heads)}")
    if grid.known > MOST_SORTED:
        raise UsageError(f"a table of more than {MOST_SORTED:,} rows can't be sorted")
    keys = [_sort_key(grid.row(i)[column]) for i in range(grid.known)]
    known = sorted(
        (i for i, key in enumerate(keys) if key), key=lambda i: keys[i] or (), reverse=descending
    )
    return [*known, *(i for i, key in enumerate(keys) if not key)]


def _sort_key(cell: Cell) -> tuple[int, float | int | str] | None:
    if isinstance(cell, bool | int | float):
        return None if cell != cell else (0, cell)
    if isinstance(cell, str):
        return (1, cell)
    text = getattr(cell, "text", None)
    return (2, text) if isinstance(text, str) else None


def _places_by_key(grid: Grid) -> dict[object, int]:
    """Return where each row is by its key; rows with the same key are told apart by position only."""
    found: dict[object, int] = {}
    if grid.known > MOST_SORTED:
        return found
    for number in range(grid.known):
        key = grid.key(number)
        if key is not None:
            found.setdefault(key, number)
    return found


def _cell_at(row: Sequence[Cell], place: int) -> Cell:
    return row[place] if 0 <= place < len(row) else UNSET


def _difference(cell: Cell, was: Cell, viewer: Viewer) -> str | None:
    """Return what a cell was, if that is something else."""
    return None if same_cell(cell, was) else _text(was, viewer)


def _text(cell: Cell, viewer: Viewer) -> str:
    if cell is UNSET:
        return ""
    text = cell_text(cell, viewer.line, CELL_WIDTH)
    return (
        text[1:-1]
        if isinstance(cell, str) and text == f"'{cell}'" and cell.strip() == cell != ""
        else text
    )


# -- frames and arrays -------------------------------------------------------------------------------


def _frame(viewer: Viewer, oid: int) -> Grid | None:
    frame = frame_of(viewer.heap, oid, viewer.time)
    if frame is None:
        return None
    labels = [label_text(label, viewer.line) for label in frame.labels[:MOST_COLUMNS]]
    columns = frame.columns[:MOST_COLUMNS]
    heads = tuple(Head(name, col.dtype) for name, col in zip(labels, columns, strict=True))

    def row(number: int) -> list[Cell]:
        return [column.cells(number, number + 1)[0] for column in columns]

    def label(number: int) -> str:
        return _text(frame.index.cells(number, number + 1)[0], viewer)

    return Grid(
        heads=heads,
        more_columns=len(frame.columns) - len(columns),
        rows=frame.rows,
        known=frame.known_rows,
        row=row,
        label=label,
        step=lambda _: "",
        key=(lambda _: None) if frame.has_plain_index else label,
    )


def _array(peek: Peek, viewer: Viewer) -> Grid | None:
    """Return an array with one or two dimensions."""
    shape = peek.attr("shape")
    sizes = numbers(viewer.peek(shape.oid)) if isinstance(shape, Ref) else None
    dtype = dtype_name(peek.attr("dtype"))
    if sizes is None or len(sizes) not in (1, 2) or dtype.startswith("["):
        return None
    grid = array_grid(peek, viewer)
    width = 1 if grid is None else grid[1]
    corner = peek.attr("recorded")
    kept = numbers(viewer.peek(corner.oid)) if isinstance(corner, Ref) else None
    stored = width if kept is None else kept[1]
    shown = min(width, MOST_COLUMNS)
    elements = peek.counts[1]

    def row(number: int) -> list[Cell]:
        start = number * stored
        cells = [told(v, dtype) for v in peek.items(start, start + min(stored, shown))]
        return [*cells, *([UNKNOWN] * (shown - len(cells)))]

    names = ["value"] if len(sizes) == 1 else [str(i) for i in range(shown)]
    return Grid(
        heads=tuple(Head(name, dtype) for name in names),
        more_columns=width - shown,
        rows=sizes[0],
        known=min(-(-elements // max(stored, 1)), sizes[0]),
        row=row,
        label=str,
        step=lambda _: "",
        key=lambda _: None,
    )


# -- lists of lists and of records -------------------------------------------------------------------


def _of_rows(recording: Recording, peek: Peek, viewer: Viewer) -> Grid | None:
    """Return a list of lists, or a list or dict of records."""
    is_dict = peek.layout == Layout.DICT
    count = peek.counts[2] if is_dict else peek.counts[1]

    @lru_cache(maxsize=_ROWS_KEPT)
    def at(number: int) -> tuple[PathStep, Value]:
        if is_dict:
            key, value = peek.entries(number, number + 1)[0]
            return Entry(key), value
        return Item(number), peek.items(number, number + 1)[0]

    looked = [at(i)[1] for i in range(min(count, _LOOKED_AT))]
    parts = [viewer.peek(value.oid) for value in looked if isinstance(value, Ref)]
    if len(parts) < 2 or len(parts) < len(looked):
        return None
    read = _cells_of(recording, parts, viewer)
    if read is None:
        return None
    heads, cells, more = read

    @lru_cache(maxsize=_ROWS_KEPT)
    def row(number: int) -> list[Cell]:
        value = at(number)[1]
        return cells(viewer.peek(value.oid)) if isinstance(value, Ref) else [UNKNOWN] * len(heads)

    def key(number: int) -> object:
        value = at(number)[1]
        return value.oid if isinstance(value, Ref) else None

    def step(number: int) -> str:
        return recording.states.keys.step(at(number)[0], viewer.time)

    return Grid(
        heads=heads,
        more_columns=more,
        rows=max(count, peek.length),
        known=count,
        row=row,
        label=lambda i: step(i)[1:-1] if is_dict else str(i),
        step=step,
        key=key,
    )


Cells = Callable[[Peek], list[Cell]]


def _cells_of(
    recording: Recording, parts: list[Peek], viewer: Viewer
) -> tuple[tuple[Head, ...], Cells, int] | None:
    """Return the columns of some rows, and what reads the cells of any row; None: they are no rows of a table."""
    layouts = {part.layout for part in parts}
    if layouts <= set(_SEQUENCES) and not any(part.type.fields for part in parts):
        return _sequences(parts)
    if layouts == {Layout.DICT}:
        return _dicts(recording, parts, viewer)
    same = {part.type.qualname for part in parts}
    if len(same) == 1 and layouts <= {Layout.INSTANCE} and not is_closed(parts[0]):
        return _instances(parts, viewer)
    return None


def _sequences(parts: list[Peek]) -> tuple[tuple[Head, ...], Cells, int] | None:
    width = max(part.counts[1] for part in parts)
    shown = min(width, MOST_COLUMNS)
    if shown < 2:
        return None
    heads = tuple(Head(str(i), "", f"[{i}]") for i in range(shown))

    def cells(part: Peek) -> list[Cell]:
        found: list[Cell] = list(part.items(0, shown))
        return [*found, *([UNSET] * (shown - len(found)))]

    return heads, cells, width - shown


def _dicts(
    recording: Recording, parts: list[Peek], viewer: Viewer
) -> tuple[tuple[Head, ...], Cells, int] | None:
    keys: dict[str, None] = {}
    for part in parts:
        for key, _ in part.entries(0, MOST_COLUMNS):
            if not isinstance(key, str):
                return None
            keys[key] = None
    names = list(keys)[:MOST_COLUMNS]
    if not names or len(names) > 3 * max(part.counts[2] for part in parts):
        return None  # each has other keys: they are no columns
    steps = recording.states.keys
    heads = tuple(Head(safe(n), "", steps.step(Entry(n), viewer.time)) for n in names)

    def cells(part: Peek) -> list[Cell]:
        held = dict(part.entries(0, part.counts[2]))
        return [held.get(name, UNSET) for name in names]

    return heads, cells, len(keys) - len(names)


def _instances(parts: list[Peek], viewer: Viewer) -> tuple[tuple[Head, ...], Cells, int] | None:
    names: dict[str, None] = {}
    for part in parts:
        names.update(dict.fromkeys(names_of(part, viewer.insides)[0]))
    shown = list(names)[:MOST_COLUMNS]
    if not shown:
        return None
    heads = tuple(Head(safe(name), "", f".{safe(name)}") for name in shown)

    def cells(part: Peek) -> list[Cell]:
        return [part.attr(name) for name in shown]

    return heads, cells, len(names) - len(shown)
