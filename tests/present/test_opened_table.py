"""Opened tables: frames, arrays of rows and arrays of records, line by line."""

from __future__ import annotations

from typing import Any

import pytest

from tests.present.conftest import Record
from tests.present.objects import Objects
from tests.present.tabular import FRAMES, opened
from wrongcall.events import Layout
from wrongcall.present import question
from wrongcall.present.opened_table import opened as open_table
from wrongcall.present.tables import FIRST
from wrongcall.recording import Ref


def test_arrays_are_opened_row_by_row(record: Record) -> None:
    run = record(
        FRAMES + "show(np.arange(12).reshape(4, 3))\n"
        "show(np.array([(1, 2.5), (3, 4.5)], dtype=[('i', 'i4'), ('f', 'f8')]))\n"
        "show(np.arange(8000).reshape(2, 4000))"
    )
    rows, records, wide = run.calls("show")
    assert opened(run, rows) == ["[0, 1, 2]", "[3, 4, 5]", "[6, 7, 8]", "[9, 10, 11]"]
    assert opened(run, records) == [
        "       i        f",
        "   int32  float64",
        "0      1      2.5",
        "1      3      4.5",
    ]
    first, second = opened(run, wide)
    assert first.startswith("[0, 1, 2, ")
    assert second.startswith("[4000, 4001, ")
    assert first.endswith(", …]")


def test_a_question_shows_the_table(record: Record) -> None:
    run = record(FRAMES + "show(frame())")
    asked = question(run.recording, run.call("show").id, width=168, line_width=56)
    (given,) = asked.given
    assert given.summary == "DataFrame 3x4 [name, qty, price, day] …"
    assert [part.summary for part in given.parts] == opened(run, run.call("show"), 66)


def array(
    objects: Objects, shape: tuple[int, ...], items: list[Any], dtype: str = "<i8", **parts: Any
) -> Ref:
    held = {"shape": objects.tuple(*shape), "dtype": dtype, **parts}
    length = 1
    for size in shape:
        length *= size
    return objects.new("ndarray", held, layout=Layout.NDARRAY, items=items, length=length)


def lines(objects: Objects, ref: Ref) -> list[tuple[str, str]] | None:
    return open_table(objects.peek(ref), objects.viewer, 80)


def test_rows_of_a_long_array_are_counted(objects: Objects) -> None:
    ref = array(objects, (2000, 2), list(range(4000)))
    shown = lines(objects, ref)
    assert shown is not None
    assert shown[0] == ("[0]", "[0, 1]")
    assert shown[-2] == (f"[{FIRST - 1}]", f"[{2 * FIRST - 2}, {2 * FIRST - 1}]")
    assert shown[-1] == ("", f"… {2000 - FIRST:,} more rows")


def test_rows_that_are_not_known_are_counted_too(objects: Objects) -> None:
    ref = array(objects, (4, 2), [1, 2, 3, 4])
    assert lines(objects, ref) == [("[0]", "[1, 2]"), ("[1]", "[3, 4]"), ("", "… 2 more rows")]


def test_records_have_the_names_of_their_fields(objects: Objects) -> None:
    rows = [objects.tuple(1, "x"), objects.tuple(2, "y")]
    ref = array(objects, (2,), rows, "[('i', '<i4'), ('s', '<U1')]")
    shown = lines(objects, ref)
    assert shown is not None
    words = [line.split() for _, line in shown]
    assert (words[0], words[-2][:2], words[-1][:2]) == (["i", "s"], ["0", "1"], ["1", "2"])


@pytest.mark.parametrize(
    "dtype",
    ["<i8", "[", "[('i', '<i4')", "[('i', '<i4')]", "{'names': ['a']}", "\x1b"],
)
def test_an_array_without_valid_fields_is_not_a_table(objects: Objects, dtype: str) -> None:
    rows = [objects.tuple(1, "x")]
    assert lines(objects, array(objects, (1,), rows, dtype)) is None


def test_an_array_of_three_dimensions_and_a_list_are_no_tables(objects: Objects) -> None:
    assert lines(objects, array(objects, (1, 1, 2), [1, 2])) is None
    assert lines(objects, objects.list(1, 2)) is None
