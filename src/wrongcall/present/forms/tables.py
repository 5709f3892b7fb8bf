"""Forms of tables: frames, series and indexes of pandas, and numpy arrays."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from wrongcall.events import Layout
from wrongcall.languages.python.path_syntax import literal
from wrongcall.present.forms.form import Form, Sight, few, type_name
from wrongcall.present.tables import cell_text, label_text
from wrongcall.present.text import ELLIPSIS, fit, safe
from wrongcall.recording import UNKNOWN, Ref, Value
from wrongcall.replay.frames import Frame, array_of, frame_of, index_of, is_of_pandas
from wrongcall.replay.heap import Peek
from wrongcall.replay.series import Cell, Column, Written, dtype_name, numbers, told

_HEAD_WIDTH = 60
_CELL_WIDTH = 40
_SHAPE_WIDTH = 30
_MOST_ROWS = 100
"""Rows that are put on one line at most."""
_VIEWS = {"obj": "of", "keys": "by", "window": "by"}
_LOOKS = ("GroupBy", "Rolling", "Expanding", "Resampler", "Indexer")


def frame(peek: Peek, sight: Sight) -> Form | None:
    """Write a frame as its shape and columns, then its first rows; a series as labels with values."""
    found = frame_of(sight.heap, peek.oid, sight.time)
    if found is None:
        return None
    name = safe(found.kind)
    if found.is_series:
        label = "" if found.labels[0] is None else f" {_text(found.labels[0], sight)}"
        opening = f"{name}{label} ({found.rows}) {found.columns[0].dtype} ["
        return Form(opening, "]", _series_parts(found, sight), found.rows)
    names = fit(", ".join(_bare(label, sight) for label in found.labels[:_MOST_ROWS]), _HEAD_WIDTH)
    opening = f"{name} {found.rows}x{len(found.columns)} [{names}]"
    return Form(f"{opening} " if found.rows else opening, "", _rows(found, sight), found.rows)


def _series_parts(found: Frame, sight: Sight) -> Iterator[tuple[str, Value | Written]]:
    for number in range(min(found.known_rows, _MOST_ROWS)):
        prefix = "" if found.has_plain_index else f"{_label(found, number, sight)}: "
        yield prefix, Written(_text(found.row(number)[0], sight))


def _rows(found: Frame, sight: Sight) -> Iterator[tuple[str, Value | Written]]:
    for number in range(min(found.known_rows, _MOST_ROWS)):
        prefix = "" if found.has_plain_index else f"{_label(found, number, sight)}: "
        cells = ", ".join(_text(cell, sight) for cell in found.row(number)[:_MOST_ROWS])
        yield prefix, Written(f"({cells})")


def _label(found: Frame, number: int, sight: Sight) -> str:
    return _text(found.index.cells(number, number + 1)[0], sight)


def _text(cell: Cell, sight: Sight) -> str:
    return cell_text(cell, sight.line, _CELL_WIDTH)


def _bare(label: Cell, sight: Sight) -> str:
    return label_text(label, sight.line)


def index(peek: Peek, sight: Sight) -> Form | None:
    """Write an index as its labels."""
    found = index_of(sight.heap, peek.oid, sight.time)
    if found is None:
        return None
    labels, name, kind = found
    label = "" if name is None or isinstance(name, tuple) else f" {_text(name, sight)}"
    opening = f"{safe(kind)}{label} ({labels.length}) {labels.dtype} ["
    return Form(opening, "]", _labels(labels, sight), labels.length)


def _labels(labels: Column, sight: Sight) -> Iterator[tuple[str, Value | Written]]:
    for cell in labels.cells(0, min(labels.known, _MOST_ROWS)):
        yield "", Written(_text(cell, sight))


def extension_array(peek: Peek, sight: Sight) -> Form | None:
    """Write an array of a kind of pandas' own."""
    found = array_of(sight.heap, peek.oid, sight.time)
    if found is None:
        return None
    opening = f"{type_name(peek)} ({found.length}) {found.dtype} ["
    return Form(opening, "]", _labels(found, sight), found.length)


def view_of_frame(peek: Peek, sight: Sight) -> Form | None:
    """Write what pandas makes to look at a frame in another way, as what it looks at."""
    if peek.layout != Layout.INSTANCE or not is_of_pandas(peek.type.module):
        return None
    if peek.type.qualname == "Interval":
        ends = [("", peek.attr("left")), ("", peek.attr("right")), ("closed=", peek.attr("closed"))]
        return Form("Interval(", ")", ends, 3)
    if not peek.type.qualname.endswith(_LOOKS):
        return None
    words = {name: peek.attr(name) for name, _ in peek.attrs()}
    parts = [(f"{_VIEWS[name]} ", words[name]) for name in _VIEWS if words.get(name) is not None]
    return Form(f"<{type_name(peek)} ", ">", parts, len(parts))


def polars_frame(peek: Peek, sight: Sight) -> Form | None:
    """Write a frame or series of polars as what is known of it: shape, names, length."""
    if peek.layout != Layout.INSTANCE or not peek.type.module.startswith("polars."):
        return None
    inner = next((v for n in ("_df", "_s") if isinstance(v := peek.attr(n), Ref)), None)
    known = {} if inner is None else dict(sight.peek(inner.oid).attrs())
    height, names = known.get("height"), known.get("columns")
    columns = literal(names) if isinstance(names, str) else None
    if isinstance(height, int) and isinstance(columns, list):
        listed = fit(", ".join(safe(str(column)) for column in columns), _HEAD_WIDTH)
        return Form(f"<polars {type_name(peek)} {height}x{len(columns)} [{listed}]>")
    length, name = known.get("length"), known.get("name")
    if isinstance(length, int) and isinstance(name, str):
        return Form(f"<polars {type_name(peek)} {sight.line(name)} ({length})>")
    return None


# -- numpy -----------------------------------------------------------------------------------------


def ndarray(peek: Peek, sight: Sight) -> Form | None:
    """Write a numpy array with its shape and type, then its first elements, row by row."""
    if peek.layout != Layout.NDARRAY:
        return None
    shape = fit(sight.line(peek.attr("shape"), _SHAPE_WIDTH), _SHAPE_WIDTH)
    opening = f"{type_name(peek)}{shape} {safe(dtype_name(peek.attr('dtype')))} ["
    grid = array_grid(peek, sight)
    if grid is None:
        return Form(opening, "]", _elements(peek, sight), peek.length)
    rows, _ = grid
    parts = (("", Written(row)) for row in array_rows(peek, sight, islice(range(rows), _MOST_ROWS)))
    return Form(opening, "]", parts, rows)


def _elements(peek: Peek, sight: Sight) -> Iterator[tuple[str, Value | Written]]:
    dtype = dtype_name(peek.attr("dtype"))
    masked = _mask(peek, sight)
    for i, value in enumerate(few(peek.items)):
        yield "", _unmasked(told(value, dtype), masked, i)


def _mask(peek: Peek, sight: Sight) -> list[Value]:
    """Return which elements of a masked array are hidden; nothing, if none is."""
    mask = peek.attr("_mask") if peek.type.qualname == "MaskedArray" else None
    return sight.peek(mask.oid).items() if isinstance(mask, Ref) else []


def _unmasked(cell: Cell, mask: list[Value], i: int) -> Value | Written:
    if i < len(mask) and mask[i] is True:
        return Written("--")
    return UNKNOWN if isinstance(cell, tuple) else cell


def array_grid(peek: Peek, sight: Sight) -> tuple[int, int] | None:
    """Return rows and columns of an array with two dimensions; None: it has others."""
    shape = peek.attr("shape") if peek.layout == Layout.NDARRAY else None
    found = numbers(sight.peek(shape.oid)) if isinstance(shape, Ref) else None
    return (found[0], found[1]) if found is not None and len(found) == 2 and found[1] else None


def array_rows(peek: Peek, sight: Sight, wanted: Iterator[int] | range) -> Iterator[str]:
    """Write rows of an array with two dimensions, as far as their elements are known."""
    grid, corner = array_grid(peek, sight), peek.attr("recorded")
    kept = numbers(sight.peek(corner.oid)) if isinstance(corner, Ref) else None
    width = 0 if grid is None else grid[1]
    known = width if kept is None else kept[1]
    dtype, mask = dtype_name(peek.attr("dtype")), _mask(peek, sight)
    for row in wanted:
        start = row * known
        cells = enumerate(peek.items(start, start + min(known, _MOST_ROWS)), start)
        texts = [_text(_unmasked(told(value, dtype), mask, i), sight) for i, value in cells]
        if not texts:
            return
        texts += [ELLIPSIS] if len(texts) < width else []
        yield f"[{', '.join(texts)}]"
