"""Values as tables: columns, sorting, and what differs from another time."""

from __future__ import annotations

import pytest

from tests.present.conftest import Record, Recorded
from wrongcall.errors import UsageError
from wrongcall.present import Viewer
from wrongcall.present.grids import Grid, GridRow, grid_of, grid_rows, order
from wrongcall.recording import Call, Ref

USE = "def use(x): pass\n"


def grid_and_rows(run: Recorded, call: Call) -> tuple[Grid, list[GridRow]]:
    """The first argument of a call as a table, and all its rows."""
    value = call.args[0].value
    assert isinstance(value, Ref)
    viewer = Viewer(run.recording, call.args[0].time)
    grid = grid_of(run.recording, viewer, value.oid)
    assert grid is not None
    return grid, grid_rows(grid, viewer, range(grid.known))


def names(grid: Grid) -> list[str]:
    return [head.name for head in grid.heads]


def test_a_list_of_records_has_their_attributes_as_columns(record: Record) -> None:
    run = record(
        USE + "class P:\n    def __init__(self, a, b):\n        self.a, self.b = a, b\n"
        "use([P(1, 'x'), P(2, 'y')])"
    )
    grid, rows = grid_and_rows(run, run.call("use"))
    assert names(grid) == ["a", "b"]
    assert [row["cells"] for row in rows] == [["1", "x"], ["2", "y"]]
    assert rows[1]["step"] + grid.heads[0].step == "[1].a"


def test_dicts_with_other_keys_leave_cells_empty(record: Record) -> None:
    run = record(USE + "use([{'a': 1}, {'a': 2, 'b': 3}])")
    grid, rows = grid_and_rows(run, run.call("use"))
    assert names(grid) == ["a", "b"]
    assert [row["cells"] for row in rows] == [["1", ""], ["2", "3"]]
    assert grid.heads[1].step == "['b']"


def test_lists_of_lists_are_grids_and_plain_lists_are_not(record: Record) -> None:
    run = record(USE + "use([[1, 2], [3]])\nuse([1, 2, 3])\nuse([[1, 2], 3])")
    first, *others = run.calls("use")
    _, rows = grid_and_rows(run, first)
    assert [row["cells"] for row in rows] == [["1", "2"], ["3", ""]]
    for call in others:
        value = call.args[0].value
        assert isinstance(value, Ref)
        assert grid_of(run.recording, Viewer(run.recording, call.args[0].time), value.oid) is None


def test_arrays_show_what_was_recorded(record: Record) -> None:
    run = record("import numpy as np\n" + USE + "use(np.arange(6000).reshape(2000, 3))")
    grid, rows = grid_and_rows(run, run.call("use"))
    assert grid.rows == 2000
    assert grid.known < grid.rows
    assert rows[1]["cells"] == ["3", "4", "5"]


def test_sorting_keeps_the_numbers_of_the_rows(record: Record) -> None:
    run = record(USE + "use([[3, 'b'], [1, 'c'], [float('nan'), 'a'], [2, 'd']])")
    grid, _ = grid_and_rows(run, run.call("use"))
    assert order(grid, 0, descending=False) == [1, 3, 0, 2]
    assert order(grid, 0, descending=True) == [0, 3, 1, 2]
    assert order(grid, 1, descending=False) == [2, 0, 1, 3]
    with pytest.raises(UsageError, match="no column 2"):
        order(grid, 2, descending=False)


def test_cells_that_differ_from_another_time_are_told(record: Record) -> None:
    run = record(
        "def use(x):\n    x[0][1] = 9\n    x.reverse()\n    x.append([7, 7])\nuse([[1, 2], [3, 4]])"
    )
    call = run.call("use")
    value = call.args[0].value
    assert isinstance(value, Ref)
    before, after = (Viewer(run.recording, time) for time in (call.args[0].time, call.exit))
    old, new = (grid_of(run.recording, viewer, value.oid) for viewer in (before, after))
    assert old is not None
    assert new is not None
    rows = grid_rows(new, after, range(new.known), old, before)
    # The rows changed places; they are the same objects.
    assert [row["others"] for row in rows] == [[None, None], [None, "2"], []]
    assert [row["new"] for row in rows] == [False, False, True]
