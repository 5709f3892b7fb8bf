"""What happened to frames, by columns and rows."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.present.conftest import Record
from tests.present.tabular import FRAMES, changes
from wrongcall.present.frames import FEW_CELLS, FEW_ROWS, same_cell, same_value
from wrongcall.replay.series import Written

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


def test_changes_to_frames_name_columns_and_rows(record: Record) -> None:
    functions = [
        f"def change{i}(df):\n    {statement}\n\nchange{i}(frame())\n"
        for i, statement in enumerate(CHANGES)
    ]
    run = record(
        "import warnings\nwarnings.simplefilter('ignore')\n" + FRAMES + "\n".join(functions)
    )
    found = {statement: changes(run, f"change{i}") for i, statement in enumerate(CHANGES)}
    assert found == CHANGES


def test_a_change_to_one_of_many_frames_is_found(record: Record) -> None:
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
    keys = [run.recording.questions.key(call.id) for call in run.calls("look")]
    assert len(set(keys[:3])) == 1
    assert len(set(keys)) == 5


LONG = """
import pandas as pd

def change(df):
    {}

change(pd.DataFrame({{'a': range(20), 'b': range(20)}}))
"""


@pytest.mark.parametrize("count", [FEW_CELLS, FEW_CELLS + 1])
def test_few_changed_cells_are_listed_and_many_shown_as_a_column(
    record: Record, count: int
) -> None:
    found = changes(record(LONG.format(f"df.loc[:{count - 1}, 'a'] = -1")), "change")
    if count == FEW_CELLS:
        expected = [("changed", f"df['a'][{i}]", str(i), "-1") for i in range(count)]
    else:
        before, after = [0, 1, 2, 3, 4, 5], [-1] * count + [4, 5]
        expected = [("changed", "df['a']", _cut(before), _cut(after))]
    assert [(kind, place) for kind, place, *_ in found] == [each[:2] for each in expected]
    for (*_, old, new), (*_, was, now) in zip(found, expected, strict=True):
        assert old.startswith(was)
        assert new.startswith(now)


def _cut(numbers: list[int]) -> str:
    return str(numbers)[:-1]


@pytest.mark.parametrize("count", [FEW_ROWS, FEW_ROWS + 1])
def test_few_removed_rows_are_listed_and_many_only_counted(record: Record, count: int) -> None:
    run = record(LONG.format(f"df.drop(range({count}), inplace=True)"))
    shape, *rows = changes(run, "change")
    assert shape == ("changed", "df.shape", "(20, 2)", f"({20 - count}, 2)")
    shown = [("removed", f"df.loc[{i}]", f"[{i}, {i}]", "") for i in range(count)]
    assert rows == (shown if count == FEW_ROWS else [])


@pytest.mark.parametrize(
    "statement,expected",
    [
        ("s['y'] = 5", [("changed", "s['y']", "2", "5")]),
        ("s.name = 'qty'", [("changed", "s.name", "None", "'qty'")]),
        ("s.drop('x', inplace=True)",
         [("changed", "s.shape", "(2,)", "(1,)"), ("removed", "s['x']", "[1]", "")]),
    ],
)  # fmt: skip
def test_a_series_is_named_without_a_column(
    record: Record, statement: str, expected: list[tuple[str, str, str, str]]
) -> None:
    program = f"import pandas as pd\ndef change(s):\n    {statement}\n"
    run = record(program + "change(pd.Series([1, 2], index=['x', 'y']))\n")
    assert changes(run, "change") == expected


def test_columns_of_the_same_name_are_told_apart(record: Record) -> None:
    run = record("""
        import pandas as pd

        def change(df):
            df.isetitem(1, [7, 4])

        change(pd.DataFrame([[1, 3], [2, 4]], columns=['a', 'a']))
    """)
    assert changes(run, "change") == [("changed", "df['a'][0]", "3", "7")]


# -- cells -----------------------------------------------------------------------------------------

cells: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.floats(-3, 3) | st.just(math.nan)
    | st.text("ab", max_size=2) | st.builds(Written, st.text("ab", max_size=2)),
    lambda inner: st.tuples(inner) | st.tuples(inner, inner),
    max_leaves=3,
)  # fmt: skip


@given(cells, cells)
def test_cells_are_the_same_if_and_only_if_they_look_the_same(one: Any, other: Any) -> None:
    if _is_zero(one) and _is_zero(other):
        return  # 0.0 and -0.0 are equal, and look different
    assert same_cell(one, other) is (repr(one) == repr(other))
    assert same_cell(one, one)


def _is_zero(cell: Any) -> bool:
    cells = cell if isinstance(cell, tuple) else (cell,)
    return any(_is_zero(part) if isinstance(part, tuple) else part == 0 for part in cells)


@pytest.mark.parametrize(
    "one,other,same",
    [
        (1, 1.0, True),
        (1, 2.0, False),
        (math.nan, math.nan, True),
        (1, True, False),
        ("1", 1, False),
    ],
)
def test_equal_numbers_of_different_types_are_the_same_value(
    one: Any, other: Any, same: bool
) -> None:
    assert same_value(one, other) is same
    assert same_value(other, one) is same
