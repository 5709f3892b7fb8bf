"""Tables as aligned lines."""

from __future__ import annotations

import pandas as pd

from tests.present.conftest import Record
from tests.present.tabular import FRAMES, opened


def test_the_numbers_are_those_that_pandas_prints(record: Record) -> None:
    """The witness: the words of pandas' own table, line by line."""
    source = "pd.DataFrame({'a': range(40), 'b': [i / 4 for i in range(40)]})"
    run = record(FRAMES + f"df = {source}\nprint(df.to_string())\nshow(df)")
    table = opened(run, run.call("show"))
    words = [line.split() for line in table if "…" not in line]
    theirs = [line.split() for line in run.stdout.splitlines()]
    assert words[0] == theirs[0]
    shown = [row for row in theirs[1:] if int(row[0]) < 30 or int(row[0]) >= 35]
    assert [[float(word) for word in row] for row in words[2:]] == [
        [float(word) for word in row] for row in shown
    ]
    assert "… 5 more rows …" in table


def test_a_wide_table_continues_below(record: Record) -> None:
    run = record(FRAMES + "show(frame())")
    table = opened(run, run.call("show"), 24)
    heads = [line.split() for line in table if not line[0].strip()]
    assert heads == [
        ["name", "qty"], ["str", "int64"],
        ["price"], ["float64"],
        ["day"], ["datetime64[us]"],
    ]  # fmt: skip
    assert [line[0] for line in table if line[0].strip()] == ["x", "y", "z"] * 3
    assert all(len(line) <= 24 for line in table)


def test_pandas_is_what_the_tests_expect() -> None:
    """Blocks, managers and backed arrays are still where the recorder looks for them."""
    from pandas._libs import arrays, internals

    assert {"blocks", "axes"} <= vars(internals.BlockManager).keys()
    assert {"values", "_mgr_locs"} <= vars(internals.Block).keys()
    assert {"_ndarray", "_dtype"} <= vars(arrays.NDArrayBacked).keys()
    assert "_mgr" in vars(pd.DataFrame({"a": [1]}))


def test_an_opened_frame_is_a_table_with_types(record: Record) -> None:
    run = record(FRAMES + "show(frame())")
    assert opened(run, run.call("show")) == [
        "   name      qty    price  day",
        "   str     int64  float64  datetime64[us]",
        "x  ann         1      1.5  2024-01-02",
        "y  ' bob'     20      nan  2024-01-03 10:00:00",
        "z  nan         3      2.0  NaT",
    ]


def test_rows_that_are_not_recorded_are_not_shown(record: Record) -> None:
    run = record(FRAMES + "show(pd.DataFrame({'a': np.arange(5000), 'b': np.arange(5000) / 2}))")
    table = opened(run, run.call("show"))
    assert table[-1] == "rows 1,000 to 4,999 are not recorded"
    assert table[-2] == "… 970 more rows …"
    assert table[2].split() == ["0", "0", "0.0"]
