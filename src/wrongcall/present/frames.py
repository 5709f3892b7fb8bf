"""What happened to frames, told by columns and rows: ``df['total'][3]: 4.0 -> 5.0``.

A call changes a frame by changing, replacing or adding the arrays that it consists of. Such changes are taken
together by the frame they belong to, and the tables before and after are compared instead. Where only the
arrays were put together in another way, no change is shown: the table is the same.

Frames that cannot be read as tables are left to be told as the objects that they consist of.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from wrongcall.languages.paths import Path
from wrongcall.present.tables import cell_text, label_text
from wrongcall.present.text import ELLIPSIS, columns, fit, safe
from wrongcall.present.values import Viewer
from wrongcall.recording import Attr, Changed, ChangeKind, Recording
from wrongcall.replay.frames import FRAME_PART, Frame, frame_of
from wrongcall.replay.series import Cell, Column

FEW_CELLS = 3
"""Where more cells of a column changed, the column is shown as a whole."""
FEW_ROWS = 5
"""Where more rows were added or removed, they are only counted."""


@dataclass(frozen=True)
class FrameChange:
    """One thing that is different about a frame."""

    kind: ChangeKind
    place: str
    """Behind the name of the frame: ``['total'][3]``, ``.shape``."""
    old: str = ""
    new: str = ""


@dataclass(frozen=True)
class FrameDiff:
    """A frame that changed."""

    path: Path | None
    oid: int
    changes: tuple[FrameChange, ...]


def frame_diffs(
    recording: Recording, changed: tuple[Changed, ...], viewers: tuple[Viewer, Viewer], width: int
) -> tuple[list[FrameDiff], list[Changed]]:
    """Return what happened to frames, and the changed objects that are no part of one."""
    owners: dict[int, Path | None] = {}
    parts: dict[int, int] = {}
    for each in changed:
        owner = each.frame or each.oid
        path = _path_to_frame(each)
        if each.frame or any(
            frame_of(recording.states.heap, owner, v.time) is not None for v in viewers
        ):
            parts[each.oid] = owner
            owners.setdefault(owner, path)
    found: dict[int, FrameDiff] = {}
    for oid, path in owners.items():
        old, new = (frame_of(recording.states.heap, oid, viewer.time) for viewer in viewers)
        if old is not None and new is not None:
            changes = tuple(_Comparison(old, new, viewers, width).changes())
            found[oid] = FrameDiff(path, oid, changes)
    told = found.keys()
    rest = [_rest(each) if parts.get(each.oid) in told else each for each in changed]
    kept = [
        each for each in rest
        if each.changes and (parts.get(each.oid) not in told or each.oid in told)
    ]  # fmt: skip
    return list(found.values()), kept


def _rest(changed: Changed) -> Changed:
    """Return a frame with what changed of it besides the table: attributes of a class of the program."""
    own = ("_mgr", "_name")
    kept = [c for c in changed.changes if not (isinstance(c.place, Attr) and c.place.name in own)]
    return Changed(changed.oid, changed.path, tuple(kept))


def _path_to_frame(changed: Changed) -> Path | None:
    path = changed.path
    if path is None or not changed.frame:
        return path
    return Path(path.root, path.steps[: path.steps.index(FRAME_PART)])


class _Comparison:
    """Compares a table with what it was before."""

    def __init__(self, old: Frame, new: Frame, viewers: tuple[Viewer, Viewer], width: int) -> None:
        self._old = old
        self._new = new
        self._before, self._after = viewers
        self._width = width

    def changes(self) -> Iterator[FrameChange]:
        """Go through what is different."""
        old, new = self._old, self._new
        if old.rows != new.rows:
            yield self._changed(".shape", f"({_shape(old)})", f"({_shape(new)})")
        if not same_cell(old.index_name, new.index_name):
            texts = (_text(old.index_name, self._before), _text(new.index_name, self._after))
            yield self._changed(".index.name", *texts)
        rows = self._rows()
        if rows is None or [j for _, j in rows] != sorted(j for _, j in rows):
            yield self._whole(".index", old.index, new.index)
        if rows is not None:
            yield from self._come_and_gone(rows)
        yield from self._columns(rows)

    # -- rows --------------------------------------------------------------------------------------

    def _rows(self) -> list[tuple[int, int]] | None:
        """Return which rows are the same ones, by their labels; None: the labels do not tell."""
        old, new = self._old.index, self._new.index
        if old.length == new.length and _same(old, new):
            return [(i, i) for i in range(min(old.known, new.known))]
        before, after = (_marks(index.cells(0, index.known)) for index in (old, new))
        if len(set(before)) < len(before) or len(set(after)) < len(after):
            return None
        places = {mark: i for i, mark in enumerate(after)}
        pairs = [(i, places[mark]) for i, mark in enumerate(before) if mark in places]
        return pairs if pairs or not before or not after else None

    def _come_and_gone(self, rows: list[tuple[int, int]]) -> Iterator[FrameChange]:
        old, new = self._old, self._new
        stayed, come = {i for i, _ in rows}, {j for _, j in rows}
        gone = [i for i in range(old.known_rows) if i not in stayed]
        added = [j for j in range(new.known_rows) if j not in come]
        for number in gone if len(gone) <= FEW_ROWS else []:
            place = self._row_place(old, number, self._before)
            text = self._list(old.row(number), len(old.columns), self._before)
            yield FrameChange(ChangeKind.REMOVED, place, old=text)
        for number in added if len(added) <= FEW_ROWS else []:
            place = self._row_place(new, number, self._after)
            text = self._list(new.row(number), len(new.columns), self._after)
            yield FrameChange(ChangeKind.ADDED, place, new=text)

    def _row_place(self, frame: Frame, number: int, viewer: Viewer) -> str:
        label = _text(frame.index.cells(number, number + 1)[0], viewer)
        return f"[{label}]" if frame.is_series else f".loc[{label}]"

    # -- columns -----------------------------------------------------------------------------------

    def _columns(self, rows: list[tuple[int, int]] | None) -> Iterator[FrameChange]:
        old, new = self._old, self._new
        before, after = (_numbered(frame.labels) for frame in (old, new))
        if old.is_series or self._is_renamed(before, after):
            yield from self._renamed()
            pairs = [(i, i) for i in range(len(old.columns))]
        else:
            yield from self._lost(before, after)
            places = {mark: i for i, mark in enumerate(before)}
            pairs = [(places[mark], j) for j, mark in enumerate(after) if mark in places]
            if [i for i, _ in pairs] != sorted(i for i, _ in pairs):
                texts = (self._labels(old, self._before), self._labels(new, self._after))
                yield self._changed(".columns", *texts)
        for i, j in pairs:
            yield from self._column(i, j, rows)
        shared = {j for _, j in pairs}
        for j in (j for j in range(len(new.columns)) if j not in shared):
            place = self._place(new, j, self._after)
            text = self._values(new.columns[j], self._after)
            yield FrameChange(ChangeKind.ADDED, place, new=text)

    def _is_renamed(self, before: list[object], after: list[object]) -> bool:
        """Return whether columns have other names and the same values, each in its place."""
        if len(before) != len(after) or set(before) == set(after):
            return False
        pairs = zip(before, after, self._old.columns, self._new.columns, strict=True)
        return self._old.rows == self._new.rows and all(
            one == other or (_same(old, new) and old.known) for one, other, old, new in pairs
        )

    def _renamed(self) -> Iterator[FrameChange]:
        labels = zip(self._old.labels, self._new.labels, strict=True)
        for i, (was, now) in enumerate(labels):
            if not same_cell(was, now):
                place = ".name" if self._old.is_series else f".columns[{i}]"
                yield self._changed(place, _text(was, self._before), _text(now, self._after))

    def _lost(self, before: list[object], after: list[object]) -> Iterator[FrameChange]:
        for i, mark in enumerate(before):
            if mark not in after:
                place = self._place(self._old, i, self._before)
                text = self._values(self._old.columns[i], self._before)
                yield FrameChange(ChangeKind.REMOVED, place, old=text)

    def _column(self, i: int, j: int, rows: list[tuple[int, int]] | None) -> Iterator[FrameChange]:
        """Compare a column with what it was."""
        old, new = self._old.columns[i], self._new.columns[j]
        place = self._place(self._new, j, self._after)
        if old.dtype != new.dtype:
            yield self._changed(f"{place}.dtype", old.dtype, new.dtype)
        if rows is None:
            if not _same(old, new):
                yield self._whole(place, old, new)
            return
        was, now = old.cells(0, old.known), new.cells(0, new.known)
        different = [
            (a, b) for a, b in rows
            if a < len(was) and b < len(now) and not same_value(was[a], now[b])
        ]  # fmt: skip
        if len(different) > FEW_CELLS:
            yield self._whole(place, old, new)
            return
        for a, b in different:
            label = _text(self._new.index.cells(b, b + 1)[0], self._after)
            texts = (_text(was[a], self._before), _text(now[b], self._after))
            yield self._changed(f"{place}[{label}]", *texts)

    def _place(self, frame: Frame, number: int, viewer: Viewer) -> str:
        return "" if frame.is_series else f"[{_text(frame.labels[number], viewer)}]"

    # -- text --------------------------------------------------------------------------------------

    def _changed(self, place: str, old: str, new: str) -> FrameChange:
        return FrameChange(ChangeKind.CHANGED, place, fit(old, self._width), fit(new, self._width))

    def _whole(self, place: str, old: Column, new: Column) -> FrameChange:
        """Return a column that is another one, from where it differs on."""
        return self._changed(place, self._values(old, self._before), self._values(new, self._after))

    def _values(self, column: Column, viewer: Viewer) -> str:
        return self._list(column.cells(0, min(column.known, self._width)), column.length, viewer)

    def _labels(self, frame: Frame, viewer: Viewer) -> str:
        names = (label_text(label, viewer.line) for label in frame.labels)
        return fit(f"[{', '.join(names)}]", self._width)

    def _list(self, cells: list[Cell], count: int, viewer: Viewer) -> str:
        """Return cells in brackets, those that fit."""
        found: list[str] = []
        used = 2
        for cell in cells:
            text = _text(cell, viewer)
            used += columns(text) + 2
            if used > self._width - (3 if len(found) + 1 < count else 0) and found:
                break
            found.append(text)
        return f"[{', '.join([*found, *([ELLIPSIS] if len(found) < count else [])])}]"


def _text(cell: Cell, viewer: Viewer) -> str:
    return safe(cell_text(cell, viewer.line))


def _shape(frame: Frame) -> str:
    return f"{frame.rows}," if frame.is_series else f"{frame.rows}, {len(frame.columns)}"


def same_cell(one: Cell, other: Cell) -> bool:
    """Return whether two cells are the same value, of the same type; NaN is the same as itself."""
    if isinstance(one, tuple) and isinstance(other, tuple):
        pairs = zip(one, other, strict=False)
        return len(one) == len(other) and all(same_cell(a, b) for a, b in pairs)
    if type(one) is not type(other):
        return False
    return one == other or (one != one and other != other)


def same_value(one: Cell, other: Cell) -> bool:
    """Return whether two cells are the same number or value, whatever its type is."""
    if type(one) in (int, float) and type(other) in (int, float):
        return one == other or (one != one and other != other)
    return same_cell(one, other)


def _same(one: Column, other: Column) -> bool:
    """Return whether what is known of two columns is the same."""
    known = min(one.known, other.known)
    cells = zip(one.cells(0, known), other.cells(0, known), strict=True)
    return one.length == other.length and all(same_value(a, b) for a, b in cells)


def _marks(cells: list[Cell]) -> list[object]:
    """Return what makes labels the same."""
    return [_mark(cell) for cell in cells]


def _mark(cell: Cell) -> object:
    if isinstance(cell, tuple):
        return tuple(_mark(part) for part in cell)
    return "nan" if cell != cell else (isinstance(cell, str), cell)


def _numbered(labels: tuple[Cell, ...]) -> list[object]:
    """Return labels, each with how many of the same were before it."""
    counts: Counter[object] = Counter()
    found: list[object] = []
    for mark in _marks(list(labels)):
        found.append((mark, counts[mark]))
        counts[mark] += 1
    return found
