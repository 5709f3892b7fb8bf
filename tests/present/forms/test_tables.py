"""Frames, series, indexes and arrays on one line."""

from __future__ import annotations

from typing import Any

import pytest

from tests.present.conftest import Record
from tests.present.objects import HOSTILE, Objects
from tests.present.tabular import FRAMES, lines
from wrongcall.events import Layout
from wrongcall.present.forms import tables
from wrongcall.recording import Ref


def test_a_frame_is_shown_on_one_line(record: Record) -> None:
    run = record(FRAMES + "show(frame())\nshow(pd.DataFrame({'a': [1, 2]}))\nshow(pd.DataFrame())")
    shown = lines(run, 78)
    assert shown[0].startswith("DataFrame 3x4 [name, qty, price, day] 'x': ('ann', 1")
    assert len(shown[0]) <= 78
    assert shown[1:] == ["DataFrame 2x1 [a] (1), (2)", "DataFrame 0x0 []"]


def test_series_and_what_looks_at_a_frame(record: Record) -> None:
    run = record(
        FRAMES + "show(frame()['qty'])\nshow(frame().groupby('name'))\nshow(frame()['qty'].array)\n"
        "show(pd.Series([1, 2]))\nshow(frame().index)"
    )
    shown = lines(run, 70)
    assert shown[0] == "Series 'qty' (3) int64 ['x': 1, 'y': 20, 'z': 3]"
    assert shown[1].startswith("<DataFrameGroupBy of DataFrame 3x4 [name")
    assert shown[1].endswith("by 'name'>")
    assert shown[2].startswith("NumpyExtensionArray (3) int64 [1, 20, 3")
    assert shown[3] == "Series (2) int64 [1, 2]"
    assert shown[4] == "Index (3) str ['x', 'y', 'z']"


def array(
    objects: Objects, shape: Any, items: list[Any], kind: str = "ndarray", **parts: Any
) -> Ref:
    held = {"shape": objects.tuple(*shape) if isinstance(shape, tuple) else shape, **parts}
    return objects.new(kind, {"dtype": "<i8", **held}, layout=Layout.NDARRAY, items=items)


@pytest.mark.parametrize(
    "shape,items,shown",
    [
        ((3,), [1, 2, 3], "ndarray(3,) int64 [1, 2, 3]"),
        ((0,), [], "ndarray(0,) int64 []"),
        ((), [5], "ndarray() int64 [5]"),
        ((2, 2), [1, 2, 3, 4], "ndarray(2, 2) int64 [[1, 2], [3, 4]]"),
        ((2, 2), [1, 2, 3], "ndarray(2, 2) int64 [[1, 2], [3, …]]"),
        ((3, 2), [1, 2], "ndarray(3, 2) int64 [[1, 2], 2 more]"),
        ((2, 0), [], "ndarray(2, 0) int64 []"),
        ((1, 1, 2), [1, 2], "ndarray(1, 1, 2) int64 [1, 2]"),
    ],
)
def test_an_array_shows_shape_type_and_rows(
    objects: Objects, shape: Any, items: list[Any], shown: str
) -> None:
    assert objects.text(tables.ndarray, array(objects, shape, items)) == shown


def test_a_wide_array_shows_its_recorded_corner(objects: Objects) -> None:
    corner = objects.tuple(2, 2)
    ref = array(objects, (2, 500), [1, 2, 3, 4], recorded=corner)
    assert objects.text(tables.ndarray, ref) == "ndarray(2, 500) int64 [[1, 2, …], [3, 4, …]]"


def test_masked_elements_are_hidden(objects: Objects) -> None:
    mask = objects.new("ndarray", layout=Layout.NDARRAY, items=[False, True])
    ref = array(objects, (2,), [1, 2], "MaskedArray", _mask=mask)
    rows = array(objects, (1, 2), [1, 2], "MaskedArray", _mask=mask)
    assert objects.text(tables.ndarray, ref) == "MaskedArray(2,) int64 [1, --]"
    assert objects.text(tables.ndarray, rows) == "MaskedArray(1, 2) int64 [[1, --]]"


def test_a_masked_array_of_numpy_hides_what_is_masked(record: Record) -> None:
    run = record(FRAMES + "show(np.ma.array([1, 2, 3], mask=[0, 1, 0]))")
    assert lines(run) == ["MaskedArray(3,) int64 [1, --, 3]"]


def polars(objects: Objects, kind: str, part: str, **known: Any) -> Ref:
    inner = objects.new("Inner", known)
    return objects.new(kind, {part: inner}, module="polars.frame")


def test_frames_of_polars_show_shape_and_names(objects: Objects) -> None:
    frame = polars(objects, "DataFrame", "_df", height=3, columns="['a', 'b\\x1b']")
    series = polars(objects, "Series", "_s", length=4, name="qty")
    unknown = polars(objects, "DataFrame", "_df")
    broken = polars(objects, "DataFrame", "_df", height=3, columns="[oops")
    write = tables.polars_frame
    assert objects.text(write, frame) == r"<polars DataFrame 3x2 [a, b\x1b]>"
    assert objects.text(write, series) == "<polars Series 'qty' (4)>"
    assert objects.text(write, unknown) is None
    assert objects.text(write, broken) is None


def test_an_interval_and_what_looks_at_a_frame(objects: Objects) -> None:
    ends = {"left": 1, "right": 2, "closed": "right"}
    interval = objects.new("Interval", ends, module="pandas._libs.interval")
    grouped = objects.new(
        "DataFrameGroupBy", {"obj": objects.list(), "keys": "name"}, module="pandas.core"
    )
    other = objects.new("Styler", {"obj": 1}, module="pandas.io")
    own = objects.new("GroupBy", {"obj": 1}, module="shop")
    write = tables.view_of_frame
    assert objects.text(write, interval) == "Interval(1, 2, closed='right')"
    assert objects.text(write, grouped) == "<DataFrameGroupBy of [], by 'name'>"
    assert objects.text(write, other) is None
    assert objects.text(write, own) is None


def test_a_hostile_type_name_is_made_safe(objects: Objects) -> None:
    shown = objects.text(tables.ndarray, array(objects, (1,), [1], HOSTILE, dtype=HOSTILE))
    assert shown is not None
    assert shown.isprintable()


def test_other_objects_are_left_to_other_writers(objects: Objects) -> None:
    ref = objects.new("DataFrame", {"obj": 1}, module="shop")
    for write in (
        tables.ndarray,
        tables.frame,
        tables.index,
        tables.extension_array,
        tables.view_of_frame,
        tables.polars_frame,
    ):
        assert objects.text(write, ref) is None
