"""Data frames put together from what the recorder knows of them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.replay.arrays import Arrays
from tests.trace.emitter import Emitter
from wrongcall.recording import Ref
from wrongcall.replay.frames import Frame, array_of, frame_of, index_of, is_of_pandas


@pytest.fixture
def arrays() -> Arrays:
    return Arrays(Emitter())


def _block(arrays: Arrays, values: Ref, places: list[int] | slice) -> Ref:
    if isinstance(places, slice):
        bounds = {"start": places.start, "stop": places.stop, "step": places.step}
        return arrays.object("Block", values=values, **bounds)
    return arrays.object("Block", values=values, array=arrays.array(places, "<i8"))


def _frame(arrays: Arrays, axes: list[Ref], blocks: list[Ref], kind: str = "DataFrame") -> Ref:
    manager = arrays.object(
        "BlockManager", axes=arrays.numbers(axes, "list"), blocks=arrays.numbers(blocks, "list")
    )
    return arrays.object(kind, _mgr=manager)


def _read(arrays: Arrays, folder: Path, ref: Ref, of: Callable[..., Any] = frame_of) -> Any:
    """Read, with all cells."""
    with arrays.emitter.open(folder / "t.wrongcall") as recording:
        found = of(recording.states.heap, ref.oid, recording.event_count - 1)
        if isinstance(found, Frame):
            return found, [found.row(number) for number in range(found.rows)]
        return found


def test_columns_stand_where_their_blocks_say(arrays: Arrays, tmp_path: Path) -> None:
    numbers = arrays.array([1, 2, 3, 4], "<i8", (2, 2))
    texts = arrays.array(["x", "y"], "|O", (1, 2))
    blocks = [_block(arrays, numbers, [0, 2]), _block(arrays, texts, slice(1, 2, 1))]
    axes = [arrays.index(["a", "b", "c"]), arrays.range(0, 2)]
    frame, rows = _read(arrays, tmp_path, _frame(arrays, axes, blocks))
    assert frame.labels == ("a", "b", "c")
    assert rows == [[1, "x", 3], [2, "y", 4]]
    assert [column.dtype for column in frame.columns] == ["int64", "object", "int64"]
    assert (frame.rows, frame.known_rows, frame.has_plain_index) == (2, 2, True)
    assert not frame.is_series


def test_blocks_may_go_backwards(arrays: Arrays, tmp_path: Path) -> None:
    values = arrays.array([1, 2], "<i8", (2, 1))
    block = _block(arrays, values, slice(1, None, -1))
    axes = [arrays.index(["a", "b"]), arrays.range(0, 1)]
    _, rows = _read(arrays, tmp_path, _frame(arrays, axes, [block]))
    assert rows == [[2, 1]]


def test_a_series_is_a_frame_of_one_column(arrays: Arrays, tmp_path: Path) -> None:
    block = _block(arrays, arrays.array([7, 8], "<i8"), slice(0, 2, 1))
    ref = _frame(arrays, [arrays.index(["r", "s"], "rows")], [block], "Series")
    arrays.emitter.attr(ref, "_name", "column")
    frame, rows = _read(arrays, tmp_path, ref)
    assert (frame.kind, frame.is_series, frame.labels) == ("Series", True, ("column",))
    assert rows == [[7], [8]]
    assert (frame.index.cells(), frame.index_name) == (["r", "s"], "rows")
    assert not frame.has_plain_index


def test_only_rows_whose_cells_are_all_known_are_known(arrays: Arrays, tmp_path: Path) -> None:
    values = arrays.array([1, 2], "<i8", (3,))
    block = _block(arrays, values, slice(0, 1, 1))
    axes = [arrays.index(["a"]), arrays.range(5, 8)]
    frame, _ = _read(arrays, tmp_path, _frame(arrays, axes, [block]))
    assert (frame.rows, frame.known_rows) == (3, 2)
    assert not frame.has_plain_index


@pytest.mark.parametrize(
    "places", [[[0]], [[0], [0]], [[0], [5]], [[0, 1], [1]]], ids=["none", "twice", "out", "both"]
)
def test_inconsistent_blocks_are_no_frame(
    arrays: Arrays, tmp_path: Path, places: list[list[int]]
) -> None:
    """Two columns, each of which must stand in exactly one block."""
    blocks = [_block(arrays, arrays.array([1] * 2 * len(p), "<i8", (len(p), 2)), p) for p in places]
    axes = [arrays.index(["a", "b"]), arrays.range(0, 2)]
    assert _read(arrays, tmp_path, _frame(arrays, axes, blocks)) is None


def test_other_objects_are_no_frames(arrays: Arrays, tmp_path: Path) -> None:
    ref = arrays.object("Thing", _mgr=arrays.object("Other"))
    assert _read(arrays, tmp_path, ref) is None


def test_an_index_and_an_array_may_stand_alone(arrays: Arrays, tmp_path: Path) -> None:
    emitter = arrays.emitter
    index = arrays.index(["a", "b"], "letters")
    held = arrays.object("StringArray", _ndarray=arrays.array(["x"], "|O"))
    with emitter.open(tmp_path / "t.wrongcall") as recording:
        heap, last = recording.states.heap, recording.event_count - 1
        labels = index_of(heap, index.oid, last)
        assert labels is not None
        assert (labels[0].cells(), labels[1], labels[2]) == (["a", "b"], "letters", "Index")
        column = array_of(heap, held.oid, last)
        assert column is not None
        assert (column.dtype, column.cells()) == ("string", ["x"])
        assert index_of(heap, held.oid, last) is None
        assert array_of(heap, index.oid, last) is None


@pytest.mark.parametrize(
    "module, expected", [("pandas", True), ("pandas.core.frame", True), ("pandasx", False)]
)
def test_modules_of_pandas(module: str, expected: bool) -> None:
    assert is_of_pandas(module) is expected
