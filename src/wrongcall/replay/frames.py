"""Data frames: rebuild the table of a pandas object from its recorded components.

A frame keeps its columns in *blocks*, arrays of columns of one dtype, each with the *places* of its columns, and has an
*axis* of labels for columns and one for rows. A `Frame` is that table at one time. A series is a frame of one column.

Invariant: every column is in exactly one block and is as long as the index. Anything that does not fit is not a
`Frame`, and is shown as the objects that it consists of.
"""

from __future__ import annotations

from dataclasses import dataclass

from wrongcall.events import Layout
from wrongcall.replay.heap import Heap, Peek
from wrongcall.replay.series import Cell, Column, Reader
from wrongcall.trace.read.places import Attr
from wrongcall.trace.read.values import UNSET, Value

FRAME_PART = Attr("_mgr")
"""The attributes in which a frame keeps its components."""
_PACKAGE = "pandas"
_ARRAYS = ("Array", "Categorical")
_MANAGERS = frozenset({"BlockManager", "SingleBlockManager"})


@dataclass(frozen=True)
class Frame:
    """A table with labels."""

    oid: int
    kind: str
    """The name of its type: DataFrame, Series, or a class derived from them."""
    labels: tuple[Cell, ...]
    """Of the columns; a series has one: its name."""
    columns: tuple[Column, ...]
    index: Column
    index_name: Cell
    is_series: bool
    has_plain_index: bool
    """The rows are numbered from 0."""
    inside: frozenset[int]
    """The objects that it consists of."""

    @property
    def rows(self) -> int:
        """How many rows there are."""
        return self.index.length

    @property
    def known_rows(self) -> int:
        """How many rows are known, from the first on: those whose cells are all known."""
        known = [c.known for c in self.columns if c.known or not c.length]
        return min([self.index.known, *known])

    def row(self, number: int) -> list[Cell]:
        """Return the cells of a row."""
        return [cell for column in self.columns for cell in column.cells(number, number + 1)]


def is_of_pandas(module: str) -> bool:
    """Return whether a module belongs to pandas."""
    return module == _PACKAGE or module.startswith(f"{_PACKAGE}.")


def frame_of(heap: Heap, oid: int, time: int) -> Frame | None:
    """Return the table that an object was at a time, or None if it was none or is not fully known."""
    peek = heap.peek(oid, time)
    if peek.layout != Layout.INSTANCE or peek.attr("_mgr") is UNSET:
        return None
    reader = Reader(heap, time)
    manager = reader.part(peek, "_mgr")
    if manager is None or manager.type.qualname not in _MANAGERS:
        return None
    if not is_of_pandas(manager.type.module):
        return None
    return _Assembly(reader, peek, manager).frame()


def index_of(heap: Heap, oid: int, time: int) -> tuple[Column, Cell, str] | None:
    """Return the labels, the name and the kind of an index that stands alone."""
    peek = heap.peek(oid, time)
    if peek.layout != Layout.INSTANCE or not is_of_pandas(peek.type.module):
        return None
    if not peek.type.qualname.endswith("Index"):
        return None
    reader = Reader(heap, time)
    labels = reader.labels(peek)
    return None if labels is None else (labels, _name(reader, peek), peek.type.qualname)


def array_of(heap: Heap, oid: int, time: int) -> Column | None:
    """Return the values of one of pandas' own arrays, or None if it is not one."""
    peek = heap.peek(oid, time)
    if peek.layout != Layout.INSTANCE or not is_of_pandas(peek.type.module):
        return None
    reader = Reader(heap, time)
    shape = reader.shape(peek) if peek.type.qualname.endswith(_ARRAYS) else None
    return None if shape is None or len(shape) != 1 else reader.column(peek, 0, shape[0])


class _Assembly:
    """Assembles one frame."""

    def __init__(self, reader: Reader, peek: Peek, manager: Peek) -> None:
        self._reader = reader
        self._peek = peek
        self._manager = manager

    def frame(self) -> Frame | None:
        axes = self._held("axes")
        indexes = [index for axis in axes if (index := self._reader.labels(axis)) is not None]
        if len(indexes) != len(axes) or len(axes) not in (1, 2):
            return None
        is_series = len(axes) == 1
        count = 1 if is_series else indexes[0].length
        columns = self._columns(count, indexes[-1].length, is_series)
        if columns is None:
            return None
        name = self._peek.attr("_name")
        return Frame(
            oid=self._peek.oid,
            kind=self._peek.type.qualname,
            labels=(name,) if is_series else tuple(indexes[0].cells()),
            columns=tuple(columns),
            index=indexes[-1],
            index_name=_name(self._reader, axes[-1]),
            is_series=is_series,
            has_plain_index=_is_plain(self._reader, axes[-1]),
            inside=frozenset(self._reader.met),
        )

    def _held(self, name: str) -> list[Peek]:
        """Return the objects in a list of the manager, or nothing if one of them is not known."""
        holder = self._reader.part(self._manager, name)
        values = [] if holder is None else holder.items()
        found = [peek for value in values if (peek := self._reader.peek(value)) is not None]
        return found if len(found) == len(values) else []

    def _columns(self, count: int, rows: int, is_series: bool) -> list[Column] | None:
        found: dict[int, Column] = {}
        for block in self._held("blocks"):
            values = self._reader.part(block, "values")
            places = [0] if is_series else self._places(block)
            if values is None or places is None:
                return None
            shape = self._reader.shape(values)
            if shape is not None and shape not in ((rows,), (len(places), rows)):
                return None
            for row, place in enumerate(places):
                if place in found or not 0 <= place < count:
                    return None
                found[place] = self._reader.column(values, row, rows)
        return [found[place] for place in range(count)] if len(found) == count else None

    def _places(self, block: Peek) -> list[int] | None:
        """Return which columns a block holds."""
        array = self._reader.part(block, "array")
        if array is not None:
            items = array.items()
            numbers = [item for item in items if isinstance(item, int)]
            return numbers if len(numbers) == array.length else None
        bounds = [block.attr(name) for name in ("start", "stop", "step")]
        return _stepped(*bounds)


def _stepped(start: Value, stop: Value, step: Value) -> list[int] | None:
    """Return the numbers of a slice; one that goes down to the first has no end."""
    step = 1 if step is None else step
    if not isinstance(start, int) or not isinstance(step, int) or step == 0:
        return None
    if stop is None and step < 0:
        stop = -1
    return list(range(start, stop, step)) if isinstance(stop, int) else None


def _name(reader: Reader, index: Peek) -> Cell:
    """Return the name of an index; with several levels, a tuple of their names."""
    names = reader.part(index, "_names")
    return index.attr("_name") if names is None else tuple(names.items())


def _is_plain(reader: Reader, index: Peek) -> bool:
    bounds = reader.part(index, "_range")
    return bounds is not None and bounds.attr("start") == 0 and bounds.attr("step") == 1
