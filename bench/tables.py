"""Tables of text, shown on a terminal or as Markdown."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass

WIDTH = 96

Row = tuple[str, ...]


@dataclass(frozen=True)
class Table:
    """A title, rows of cells, and notes of one paragraph each.

    The first column and those named in `left` align left.
    """

    title: str
    header: Row
    rows: tuple[Row, ...]
    notes: tuple[str, ...] = ()
    left: frozenset[str] = frozenset({"verdict"})

    def is_left(self, column: int) -> bool:
        return column == 0 or self.header[column] in self.left


def as_text(table: Table) -> str:
    """Lay the table out in columns of equal width."""
    lines = [table.header, *table.rows]
    widths = [max(len(row[i]) for row in lines) for i in range(len(table.header))]
    rule = tuple("-" * width for width in widths)
    laid_out = [_text_row(table, row, widths) for row in (table.header, rule, *table.rows)]
    return "\n".join([table.title, "", *laid_out, *_text_notes(table.notes)])


def _text_row(table: Table, row: Row, widths: Sequence[int]) -> str:
    cells = [
        cell.ljust(width) if table.is_left(i) else cell.rjust(width)
        for i, (cell, width) in enumerate(zip(row, widths, strict=True))
    ]
    return "  ".join(cells).rstrip()


def as_markdown(table: Table) -> str:
    """Write the table as Markdown under a heading of the third level."""
    rule = tuple("---" if table.is_left(i) else "--:" for i in range(len(table.header)))
    rows = [
        "| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |"
        for row in (table.header, rule, *table.rows)
    ]
    return "\n".join([f"### {table.title}", "", *rows, *_markdown_notes(table.notes)])


def wrapped(paragraph: str) -> str:
    """Break a paragraph into lines that fit a terminal."""
    return textwrap.fill(paragraph, WIDTH, break_long_words=False, break_on_hyphens=False)


def _text_notes(notes: Sequence[str]) -> list[str]:
    return ["", *map(wrapped, notes)] if notes else []


def _markdown_notes(notes: Sequence[str]) -> list[str]:
    return [line for note in notes for line in ("", wrapped(note))]
