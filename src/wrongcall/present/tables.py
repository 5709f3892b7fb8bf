"""Tables as aligned lines: a head with names and types, then rows; the middle of a long one is left out.

A table that is too wide for a line goes on below, with the labels of its rows again. Rows that were
not recorded are never shown; a line says which they are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from wrongcall.present.text import ELLIPSIS, columns, fit, safe
from wrongcall.replay.frames import Frame
from wrongcall.replay.series import Cell, Column, Written
from wrongcall.trace.read.values import UNKNOWN, Value

FIRST, LAST = 30, 5
"""Rows of a long table that are shown, at its beginning and at its end."""
MOST_COLUMNS = 40
CELL_WIDTH = 32
_GAP = "  "
_TEXTS = ("str", "string")

Line = Callable[[Value, int], str]
"""Writes a value in at most the given number of columns."""


def cell_text(cell: Cell, line: Line, width: int = CELL_WIDTH) -> str:
    """Return a cell as text."""
    if isinstance(cell, Written):
        return fit(safe(cell.text), width)
    if isinstance(cell, tuple):
        inner = ", ".join(cell_text(part, line, width) for part in cell)
        return fit(f"({inner})", width)
    return "?" if cell is UNKNOWN else line(cell, width)


def label_text(label: Cell, line: Line, width: int = CELL_WIDTH) -> str:
    """Return the name of a column or of an index, not in quotes; empty if it has none."""
    if label is None or (isinstance(label, tuple) and all(part is None for part in label)):
        return ""
    text = cell_text(label, line, width)
    return text[1:-1] if isinstance(label, str) and text[-1:] in ("'", '"') else text


@dataclass(frozen=True)
class Table:
    """Columns of text, each with its name and type; the first one has the labels of the rows."""

    columns: tuple[tuple[str, ...], ...]
    """Of each: name, type, cells."""
    at_right: tuple[bool, ...]
    after: int
    """Rows before the gap where some are left out."""
    left_out: int
    note: str = ""
    """A note below the table."""

    def lines(self, width: int) -> list[str]:
        """Return the table as lines of at most ``width`` columns."""
        found: list[str] = []
        for part in self._parts(width):
            found += self._block(part, width)
        return [*found, *([self.note] if self.note else [])]

    def _parts(self, width: int) -> Iterator[list[int]]:
        """Go through the columns that stand side by side, beside the first."""
        sizes = [max(map(columns, each)) for each in self.columns]
        part, used = [0], sizes[0]
        for i, size in enumerate(sizes[1:], 1):
            if len(part) > 1 and used + len(_GAP) + size > width:
                yield part
                part, used = [0], sizes[0]
            part.append(i)
            used += len(_GAP) + size
        yield part

    def _block(self, part: list[int], width: int) -> list[str]:
        chosen = [_padded(self.columns[i], self.at_right[i]) for i in part]
        lines = [fit(_GAP.join(row).rstrip(), width) for row in zip(*chosen, strict=True)]
        if self.left_out:
            lines.insert(2 + self.after, f"{ELLIPSIS} {self.left_out:,} more rows {ELLIPSIS}")
        return [line for line in lines if line]


def _padded(cells: Sequence[str], at_right: bool) -> list[str]:
    size = max(map(columns, cells))
    spaces = [" " * (size - columns(cell)) for cell in cells]
    pairs = zip(cells, spaces, strict=True)
    return [space + cell if at_right else cell + space for cell, space in pairs]


def frame_table(frame: Frame, line: Line) -> Table:
    """Return a frame as a table."""
    names = frame.labels[:MOST_COLUMNS]
    labels = [label_text(name, line) for name in names]
    heads = [(label_text(frame.index_name, line), ""), *_heads(labels, frame.columns)]
    more = len(frame.columns) - len(names)
    note = [f"{more:,} more columns"] if more else []
    data = [frame.index, *frame.columns[:MOST_COLUMNS]]
    return table_of(heads, data, frame.known_rows, line, note)


def _heads(labels: list[str], data: Sequence[Column]) -> list[tuple[str, str]]:
    return [(label, column.dtype) for label, column in zip(labels, data, strict=False)]


def table_of(
    heads: Sequence[tuple[str, str]],
    data: Sequence[Column],
    known: int,
    line: Line,
    note: Sequence[str] = (),
) -> Table:
    """Return columns with their names and types as a table, the labels of the rows first."""
    rows = data[0].length
    first, last = shown_rows(rows, known)
    chosen = [*first, *last]
    texts = [
        (*head, *(_in_column(column, i, line) for i in chosen))
        for head, column in zip(heads, data, strict=True)
    ]
    notes = [*note, *_not_recorded(rows, known)]
    return Table(
        columns=tuple(texts),
        at_right=tuple(_is_numeric(column.dtype) for column in data),
        after=len(first),
        left_out=(last.start if last else known) - len(first),
        note="; ".join(notes),
    )


def _in_column(column: Column, row: int, line: Line) -> str:
    """Return a cell; plain words of a column of texts need no quotes."""
    cell = column.cells(row, row + 1)[0]
    text = cell_text(cell, line)
    if column.dtype in _TEXTS and isinstance(cell, str) and text == f"'{cell}'":
        return cell if cell and cell == cell.strip() and "  " not in cell else text
    return text


def shown_rows(rows: int, known: int) -> tuple[range, range]:
    """Return the rows that are shown: those at the beginning, and those at the end."""
    if known <= FIRST + LAST:
        return range(known), range(0)
    return range(FIRST), range(known - LAST, known) if known == rows else range(0)


def _not_recorded(rows: int, known: int) -> list[str]:
    if known >= rows:
        return []
    if known == rows - 1:
        return [f"row {known:,} is not recorded"]
    return [f"rows {known:,} to {rows - 1:,} are not recorded"]


def _is_numeric(dtype: str) -> bool:
    return dtype.lower().startswith(("int", "uint", "float", "complex"))
