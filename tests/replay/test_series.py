"""Columns of values that are kept in arrays; pandas itself says how cells are written."""

from __future__ import annotations

import math
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.replay.arrays import Arrays
from tests.trace.emitter import Emitter
from wrongcall.recording import UNKNOWN, Ref
from wrongcall.replay.series import (
    NA,
    NAT,
    Column,
    Reader,
    Written,
    dtype_name,
    told,
    unknown_column,
)


@pytest.fixture
def arrays() -> Arrays:
    return Arrays(Emitter())


def _column(arrays: Arrays, folder: Path, ref: Ref, row: int = 0, length: int | None = None) -> Any:
    """Return dtype, number of known cells and cells."""
    with arrays.emitter.open(folder / "t.wrongcall") as recording:
        reader = Reader(recording.states.heap, recording.event_count - 1)
        peek = reader.peek(ref)
        assert peek is not None
        shape = reader.shape(peek)
        column = reader.column(peek, row, length or (shape or (0,))[-1])
        return column.dtype, column.known, column.cells()


def test_a_column_is_a_row_of_its_array(arrays: Arrays, tmp_path: Path) -> None:
    ref = arrays.array([1, 2, 3, 4, 5, 6], "<i8", (2, 3))
    assert _column(arrays, tmp_path, ref, row=1) == ("int64", 3, [4, 5, 6])


def test_cells_behind_those_that_were_recorded_are_unknown(arrays: Arrays, tmp_path: Path) -> None:
    ref = arrays.array([1.0, 2.0], "<f8", (4,))
    assert _column(arrays, tmp_path, ref) == ("float64", 2, [1.0, 2.0, UNKNOWN, UNKNOWN])


@pytest.mark.parametrize("shape, row, length", [((2, 3), 2, 3), ((2, 3), 0, 4), ((1, 2, 3), 0, 3)])
def test_a_row_outside_the_array_has_no_known_cells(
    arrays: Arrays, tmp_path: Path, shape: tuple[int, ...], row: int, length: int
) -> None:
    ref = arrays.array([1, 2, 3, 4, 5, 6], "<i8", shape)
    _, known, cells = _column(arrays, tmp_path, ref, row, length)
    assert (known, cells) == (0, [UNKNOWN] * length)


def test_masked_values_are_missing(arrays: Arrays, tmp_path: Path) -> None:
    data, mask = arrays.array([1, 2], "<i8"), arrays.array([False, True], "|b1")
    ref = arrays.object("IntegerArray", _data=data, _mask=mask)
    assert _column(arrays, tmp_path, ref) == ("Int64", 2, [1, NA])


def test_categories_are_looked_up(arrays: Arrays, tmp_path: Path) -> None:
    codes = arrays.array([1, 0, -1], "|i1")
    dtype = arrays.object("CategoricalDtype", _categories=arrays.index(["a", "b"]))
    ref = arrays.object("Categorical", _ndarray=codes, _dtype=dtype)
    kind, known, cells = _column(arrays, tmp_path, ref)
    assert (kind, known, cells[:2]) == ("category", 3, ["b", "a"])
    assert math.isnan(cells[2])


@pytest.mark.parametrize(
    "closed, text",
    [("left", "[1, 2)"), ("right", "(1, 2]"), ("both", "[1, 2]"), ("neither", "(1, 2)")],
)
def test_intervals_show_which_end_they_include(
    arrays: Arrays, tmp_path: Path, closed: str, text: str
) -> None:
    left, right = arrays.array([1], "<i8"), arrays.array([2], "<i8")
    dtype = arrays.object("IntervalDtype", _closed=closed)
    ref = arrays.object("IntervalArray", _left=left, _right=right, _dtype=dtype)
    assert _column(arrays, tmp_path, ref) == ("interval", 1, [Written(text)])


def test_labels_of_several_levels_are_tuples(arrays: Arrays, tmp_path: Path) -> None:
    levels = arrays.numbers([arrays.index(["a", "b"]), arrays.index([1, 2])], "list")
    codes = arrays.numbers([arrays.array([0, 1], "|i1"), arrays.array([1, 0], "|i1")], "list")
    index = arrays.object("MultiIndex", _levels=levels, _codes=codes)
    with arrays.emitter.open(tmp_path / "t.wrongcall") as recording:
        reader = Reader(recording.states.heap, recording.event_count - 1)
        peek = reader.peek(index)
        assert peek is not None
        labels = reader.labels(peek)
        assert labels is not None
        assert labels.cells() == [("a", 2), ("b", 1)]
        assert index.oid in reader.met


def test_numbered_rows_are_a_range(arrays: Arrays, tmp_path: Path) -> None:
    ref = arrays.range(10, 0, -3)
    with arrays.emitter.open(tmp_path / "t.wrongcall") as recording:
        reader = Reader(recording.states.heap, recording.event_count - 1)
        peek = reader.peek(ref)
        assert peek is not None
        labels = reader.labels(peek)
        assert labels is not None
        assert labels.cells() == list(range(10, 0, -3))
        assert labels.cells(1, 3) == [7, 4]


def test_an_array_of_an_unknown_kind_has_no_known_cells(arrays: Arrays, tmp_path: Path) -> None:
    ref = arrays.object("ArrowArray", _pa=1)
    assert _column(arrays, tmp_path, ref, length=2) == ("ArrowArray", 0, [UNKNOWN, UNKNOWN])


@given(st.integers(0, 8), st.none() | st.integers(0, 9))
def test_cells_from_one_index_to_another(first: int, last: int | None) -> None:
    column = Column("int64", 8, 5, lambda a, b: list(range(a, b)))
    whole = [0, 1, 2, 3, 4, UNKNOWN, UNKNOWN, UNKNOWN]
    assert column.cells(first, last) == whole[first:last]
    assert unknown_column("x", 2).cells() == [UNKNOWN, UNKNOWN]


@given(st.integers(-(10**17), 10**17), st.sampled_from(["s", "ms", "us", "ns"]))
def test_spans_of_time_are_written_as_pandas_writes_them(count: int, unit: str) -> None:
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    count = count if unit == "ns" else count // {"s": 10**9, "ms": 10**6, "us": 10**3}[unit]
    cell = told(count, f"timedelta64[{unit}]")
    expected = str(pandas.Timedelta(np.array(count, f"m8[{unit}]")[()]))
    assert cell == Written(re.sub(r" \+?00:00:00$", "", expected))  # whole days


@given(st.integers(-(10**18), 10**18))
def test_times_are_written_as_pandas_writes_them(nanoseconds: int) -> None:
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    text = str(np.datetime64(nanoseconds, "ns"))
    cell = told(text, "datetime64[ns]")
    assert isinstance(cell, Written)
    assert cell.text == str(pandas.Timestamp(text)).removesuffix(" 00:00:00")


def test_missing_times_and_plain_values() -> None:
    assert told("NaT", "datetime64[ns]") == NAT
    assert told(-(1 << 63), "timedelta64[ns]") == NAT
    assert told(5, "int64") == 5
    assert told(5, "timedelta64[D]") == 5  # a unit that pandas has not


@pytest.mark.parametrize("text", ["<f8", "|b1", "<i2", "|O", "<M8[ns]"])
def test_types_of_elements_have_the_names_of_numpy(text: str) -> None:
    assert dtype_name(text) == np.dtype(text).name


def test_a_type_that_numpy_does_not_know_is_shown_as_it_is() -> None:
    assert dtype_name("category") == "category"
    assert dtype_name(None) == "?"
