"""Tables as lines: opened frames and arrays, and what happened to frames."""

from __future__ import annotations

import pandas as pd

from tests.present.conftest import Record, Recorded
from wrongcall.present import DiffLine, Viewer, effect_lines, question
from wrongcall.recording import Call

FRAMES = """
import numpy as np
import pandas as pd

def show(df): pass

def frame():
    return pd.DataFrame(
        {'name': ['ann', ' bob', None], 'qty': [1, 20, 3], 'price': [1.5, None, 2.0],
         'day': pd.to_datetime(['2024-01-02', '2024-01-03 10:00', None], format='mixed')},
        index=['x', 'y', 'z'],
    )
"""


def changes(run: Recorded, name: str) -> list[tuple[str, str, str, str]]:
    """What a call changed, as lines."""
    call = run.call(name).id
    lines = effect_lines(
        run.trace, run.trace.questions.effect(call, run.trace.questions.input(call)), 60
    )
    return [_plain(line) for line in lines]


def _plain(line: DiffLine) -> tuple[str, str, str, str]:
    return line.kind.value, line.place, line.old, line.new


def opened(run: Recorded, call: Call, width: int = 80) -> list[str]:
    """The first argument of a call, opened."""
    viewer = Viewer(run.trace, call.args[0].time, table_width=width)
    return [part.summary for part in viewer.tree(call.args[0].value, depth=1).parts]


# -- one table -------------------------------------------------------------------------------------


def test_a_frame_on_one_line(record: Record) -> None:
    run = record(FRAMES + "show(frame())\nshow(pd.DataFrame({'a': [1, 2]}))\nshow(pd.DataFrame())")
    lines = [
        Viewer(run.trace, call.args[0].time).line(call.args[0].value, 78)
        for call in run.calls("show")
    ]
    assert lines[0].startswith("DataFrame 3x4 [name, qty, price, day] 'x': ('ann', 1")
    assert len(lines[0]) <= 78
    assert lines[1:] == ["DataFrame 2x1 [a] (1), (2)", "DataFrame 0x0 []"]


def test_an_opened_frame_is_a_table_with_types(record: Record) -> None:
    run = record(FRAMES + "show(frame())")
    assert opened(run, run.call("show")) == [
        "   name      qty    price  day",
        "   str     int64  float64  datetime64[us]",
        "x  ann         1      1.5  2024-01-02",
        "y  ' bob'     20      nan  2024-01-03 10:00:00",
        "z  nan         3      2.0  NaT",
    ]


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


def test_a_wide_table_goes_on_below(record: Record) -> None:
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


def test_rows_that_are_not_recorded_are_not_shown(record: Record) -> None:
    run = record(FRAMES + "show(pd.DataFrame({'a': np.arange(5000), 'b': np.arange(5000) / 2}))")
    table = opened(run, run.call("show"))
    assert table[-1] == "rows 1,000 to 4,999 are not recorded"
    assert table[-2] == "… 970 more rows …"
    assert table[2].split() == ["0", "0", "0.0"]


def test_series_and_what_looks_at_a_frame(record: Record) -> None:
    run = record(
        FRAMES + "show(frame()['qty'])\nshow(frame().groupby('name'))\nshow(frame()['qty'].array)\n"
        "show(pd.Series([1, 2]))\nshow(frame().index)"
    )
    lines = [
        Viewer(run.trace, call.args[0].time).line(call.args[0].value, 70)
        for call in run.calls("show")
    ]
    assert lines[0] == "Series 'qty' (3) int64 ['x': 1, 'y': 20, 'z': 3]"
    assert lines[1].startswith("<DataFrameGroupBy of DataFrame 3x4 [name")
    assert lines[1].endswith("by 'name'>")
    assert lines[2].startswith("NumpyExtensionArray (3) int64 [1, 20, 3")
    assert lines[3] == "Series (2) int64 [1, 2]"
    assert lines[4] == "Index (3) str ['x', 'y', 'z']"


def test_arrays_are_opened_row_by_row(record: Record) -> None:
    run = record(
        FRAMES + "show(np.arange(12).reshape(4, 3))\n"
        "show(np.array([(1, 2.5), (3, 4.5)], dtype=[('i', 'i4'), ('f', 'f8')]))\n"
        "show(np.arange(8000).reshape(2, 4000))\nshow(np.ma.array([1, 2, 3], mask=[0, 1, 0]))"
    )
    rows, records, wide, masked = run.calls("show")
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
    line = Viewer(run.trace, masked.args[0].time).line(masked.args[0].value)
    assert line == "MaskedArray(3,) int64 [1, --, 3]"


def test_a_question_shows_the_table(record: Record) -> None:
    run = record(FRAMES + "show(frame())")
    asked = question(run.trace, run.call("show").id, width=168, line_width=56)
    (given,) = asked.given
    assert given.summary == "DataFrame 3x4 [name, qty, price, day] …"
    assert [part.summary for part in given.parts] == opened(run, run.call("show"), 66)


# -- changes ---------------------------------------------------------------------------------------

CHANGES = {
    "df['total'] = df['qty'] * 2": [("added", "df['total']", "", "[2, 40, 6]")],
    "df.loc['y', 'qty'] = 5": [("changed", "df['qty']['y']", "20", "5")],
    "df.drop('x', inplace=True)": [
        ("changed", "df.shape", "(3, 4)", "(2, 4)"),
        ("removed", "df.loc['x']", "['ann', 1, 1.5, 2024-01-02]", ""),
    ],
    "df.loc['w'] = ['eve', 7, 0.5, pd.NaT]": [
        ("changed", "df.shape", "(3, 4)", "(4, 4)"),
        ("added", "df.loc['w']", "", "['eve', 7, 0.5, NaT]"),
    ],
    "del df['day'], df['price']": [
        ("removed", "df['price']", "[1.5, nan, 2.0]", ""),
        ("removed", "df['day']", "[2024-01-02, 2024-01-03 10:00:00, NaT]", ""),
    ],
    "df['qty'] = df['qty'].astype(float)": [("changed", "df['qty'].dtype", "int64", "float64")],
    "df.columns = ['a', 'qty', 'b', 'c']": [
        ("changed", "df.columns[0]", "'name'", "'a'"),
        ("changed", "df.columns[2]", "'price'", "'b'"),
        ("changed", "df.columns[3]", "'day'", "'c'"),
    ],
    "df.index.name = 'key'": [("changed", "df.index.name", "None", "'key'")],
    "df.sort_values('qty', inplace=True)": [
        ("changed", "df.index", "['x', 'y', 'z']", "['x', 'z', 'y']")
    ],
    "df.copy(); df.groupby('name')['qty'].sum(); str(df)": [],
    "df._mgr._consolidate_inplace() if hasattr(df._mgr, '_consolidate_inplace') else None": [],
}


def test_changes_name_columns_and_rows(record: Record) -> None:
    functions = [
        f"def change{i}(df):\n    {statement}\n\nchange{i}(frame())\n"
        for i, statement in enumerate(CHANGES)
    ]
    run = record(
        "import warnings\nwarnings.simplefilter('ignore')\n" + FRAMES + "\n".join(functions)
    )
    found = {statement: changes(run, f"change{i}") for i, statement in enumerate(CHANGES)}
    assert found == CHANGES


def test_a_frame_among_many_is_found(record: Record) -> None:
    """A frame counts as one object, whatever it consists of, however wide it is."""
    run = record(
        FRAMES
        + """
def change(shop):
    shop['last'].loc[1, 'c39'] = -1.0

frames = {f'f{i}': pd.DataFrame({f'c{j}': [1.0, 2.0] for j in range(40)}) for i in range(5)}
frames['last'] = frames['f0'].copy()
change(frames)
"""
    )
    assert changes(run, "change") == [("changed", "shop['last']['c39'][1]", "2.0", "-1.0")]


def test_elements_of_arrays_with_two_dimensions(record: Record) -> None:
    run = record(
        FRAMES + "def change(m, wide):\n    m[1, 2] = 9\n    wide[1, 7] = 5\n\n"
        "change(np.zeros((2, 3)), np.zeros((3, 2000)))"
    )
    assert changes(run, "change") == [
        ("changed", "m[1, 2]", "0.0", "9.0"),
        ("changed", "wide[1, 7]", "0.0", "5.0"),
    ]


def test_equal_frames_ask_the_same_question(record: Record) -> None:
    """However they were made; another cell, label or type is another question."""
    run = record(
        FRAMES
        + """
def look(df):
    df['twice'] = df['a'] * 2
    return len(df)

look(pd.DataFrame({'a': [1, 2], 'b': [3, 4]}))
look(pd.DataFrame({'a': [1, 2]}).assign(b=[3, 4]))
look(pd.DataFrame(np.array([[1, 3], [2, 4]]), columns=['a', 'b']))
look(pd.DataFrame({'a': [1, 2], 'b': [3, 5]}))
look(pd.DataFrame({'a': [1, 2], 'c': [3, 4]}))
look(pd.DataFrame({'a': [1, 2], 'b': [3.0, 4.0]}))
look(pd.DataFrame({'a': [1, 2], 'b': [3, 4]}, index=[1, 2]))
"""
    )
    keys = [run.trace.questions.key(call.id) for call in run.calls("look")]
    assert len(set(keys[:3])) == 1
    assert len(set(keys)) == 5


def test_pandas_is_what_the_tests_expect() -> None:
    """Blocks, managers and backed arrays are still where the recorder looks for them."""
    from pandas._libs import arrays, internals

    assert {"blocks", "axes"} <= vars(internals.BlockManager).keys()
    assert {"values", "_mgr_locs"} <= vars(internals.Block).keys()
    assert {"_ndarray", "_dtype"} <= vars(arrays.NDArrayBacked).keys()
    assert "_mgr" in vars(pd.DataFrame({"a": [1]}))
