"""What an opened table shows: its lines, instead of the objects that it consists of."""

from __future__ import annotations

from wrongcall.events import Layout
from wrongcall.languages.python.path_syntax import literal
from wrongcall.present.forms.form import Sight
from wrongcall.present.forms.tables import array_grid, array_rows
from wrongcall.present.tables import FIRST, frame_table, table_of
from wrongcall.present.text import ELLIPSIS
from wrongcall.recording import UNKNOWN, Ref
from wrongcall.replay.frames import frame_of
from wrongcall.replay.heap import Peek
from wrongcall.replay.series import Cell, Column, dtype_name

Lines = list[tuple[str, str]]
"""Each with the label before it, if it has one."""


def opened(peek: Peek, sight: Sight, width: int) -> Lines | None:
    """Return the lines of a table; None: the object is none."""
    if peek.layout == Layout.NDARRAY:
        return _grid(peek, sight) or _records(peek, sight, width)
    frame = frame_of(sight.heap, peek.oid, sight.time)
    if frame is None:
        return None
    return [("", line) for line in frame_table(frame, sight.line).lines(width)]


def _grid(peek: Peek, sight: Sight) -> Lines | None:
    """Return an array with two dimensions row by row."""
    grid = array_grid(peek, sight)
    if grid is None:
        return None
    rows = grid[0]
    lines = [
        (f"[{i}]", text) for i, text in enumerate(array_rows(peek, sight, range(min(rows, FIRST))))
    ]
    if len(lines) < rows:
        lines.append(("", f"{ELLIPSIS} {rows - len(lines):,} more rows"))
    return lines


def _records(peek: Peek, sight: Sight, width: int) -> Lines | None:
    """Return an array of records with the names of their fields."""
    fields = _fields(peek.attr("dtype"))
    shape = peek.attr("shape")
    if not fields or not isinstance(shape, Ref) or len(sight.peek(shape.oid).items()) != 1:
        return None
    items = peek.items(0, FIRST + 1)
    rows = [sight.peek(item.oid).items() if isinstance(item, Ref) else [] for item in items]
    if any(len(row) != len(fields) for row in rows):
        return None
    length, known = peek.length, peek.counts[1]
    numbers = Column("int64", length, length, lambda a, b: list(range(a, b)))

    def column(field: int, dtype: str) -> Column:
        def read(first: int, last: int) -> list[Cell]:
            return [_field(peek, sight, row, field) for row in range(first, last)]

        return Column(dtype, length, known, read)

    data = [column(i, dtype) for i, (_, dtype) in enumerate(fields)]
    table = table_of([("", ""), *fields], [numbers, *data], known, sight.line)
    return [("", line) for line in table.lines(width)]


def _field(peek: Peek, sight: Sight, row: int, field: int) -> Cell:
    item = peek.items(row, row + 1)
    cells = sight.peek(item[0].oid).items() if item and isinstance(item[0], Ref) else []
    return cells[field] if field < len(cells) else UNKNOWN


def _fields(dtype: object) -> list[tuple[str, str]]:
    """Return names and types of the fields of a record, from such as ``[('a', '<i4')]``."""
    if not isinstance(dtype, str) or not dtype.startswith("["):
        return []
    fields = literal(dtype)
    if not isinstance(fields, list):
        return []
    return [(str(name), dtype_name(kind)) for name, kind in fields]
