"""Frames of pandas for the oracle: made again from what was recorded of them, and compared with it.

Frames are compared by labels, types and cells, as a user sees them, not by the arrays that
they are kept in.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from wrongcall.oracles.reference.causes import UnanswerableError
from wrongcall.recording import Missing, Value
from wrongcall.replay.frames import Frame
from wrongcall.replay.series import Cell, Column, Written

_PLAIN = ("int64", "float64", "bool", "str", "object")


def made_frame(frame: Frame, made: Callable[[Value], Any]) -> Any:
    """Return a live frame; ``made`` makes single values."""
    pd = _pandas()
    index = pd.Index(_live(frame.index, made), name=_one(frame.index_name, made))
    if frame.has_plain_index:
        index = pd.RangeIndex(frame.rows, name=index.name)
    series = [
        pd.Series(_live(column, made), index=index, dtype=_dtype(column))
        for column in frame.columns
    ]
    labels = [_one(label, made) for label in frame.labels]
    if frame.is_series:
        return series[0].rename(labels[0])
    live = pd.DataFrame(dict(enumerate(series)), index=index)
    live.columns = pd.Index(
        labels, dtype="str" if all(isinstance(n, str) for n in labels) else None
    )
    return live


def _pandas() -> Any:
    # Only a program that has it has frames.
    import pandas  # noqa: PLC0415

    return pandas


def _dtype(column: Column) -> str:
    if column.dtype not in _PLAIN:
        raise UnanswerableError(f"columns of {column.dtype} are not made again")
    return column.dtype


def _live(column: Column, made: Callable[[Value], Any]) -> list[Any]:
    if column.known < column.length:
        raise UnanswerableError("only part of a column is known")
    return [_one(cell, made) for cell in column.cells()]


def _one(cell: Cell, made: Callable[[Value], Any]) -> Any:
    if isinstance(cell, Written | tuple | Missing):
        raise UnanswerableError(f"{cell} is not made again")
    return made(cell)


def frame_parts(frame: Frame, live: Any) -> list[tuple[str, Any, Any]] | None:
    """Return what is to be the same in a recorded frame and a live one; None: they are not alike."""
    pd = _pandas()
    kinds = (pd.Series,) if frame.is_series else (pd.DataFrame,)
    if not isinstance(live, kinds):
        return None
    series = [live] if frame.is_series else [live.iloc[:, j] for j in range(live.shape[1])]
    if (frame.rows, len(frame.columns)) != (len(live), len(series)):
        return None
    found: list[tuple[str, Any, Any]] = [(".index.name", frame.index_name, live.index.name)]
    found += [(".name", label, one.name) for label, one in zip(frame.labels, series, strict=True)]
    found += _cells(".index", frame.index, live.index)
    for column, one in zip(frame.columns, series, strict=True):
        found.append((".dtype", column.dtype, str(one.dtype)))
        found += _cells(f"[{one.name!r}]", column, one)
    return found


def _cells(place: str, column: Column, live: Any) -> list[tuple[str, Any, Any]]:
    if column.known < column.length:
        raise UnanswerableError("only part of a column is known")
    pairs = zip(column.cells(), live.tolist(), strict=True)
    return [(f"{place}[{i}]", cell, found) for i, (cell, found) in enumerate(pairs)]
