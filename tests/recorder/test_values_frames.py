"""Frames of pandas as the trace has them, compared with what pandas says; nothing changes by recording."""

from __future__ import annotations

import math
import shutil
import warnings
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import wrongcall.recording
from tests.recorder import frame_program
from tests.recorder.conftest import Record, run_python, run_recorded
from wrongcall.present import Viewer
from wrongcall.recording import Ref
from wrongcall.replay.frames import Frame, array_of, frame_of, index_of
from wrongcall.replay.series import Written

SEEDS = 60


def told(cell: Any) -> Any:
    """Return a cell of the trace as plain data."""
    if isinstance(cell, tuple):
        return tuple(told(part) for part in cell)
    if isinstance(cell, Written):
        return ("written", cell.text)
    return "nan" if isinstance(cell, float) and math.isnan(cell) else cell


def expected(cell: Any) -> Any:
    """Return a cell of pandas as the trace should tell it."""
    if isinstance(cell, tuple):
        return tuple(expected(part) for part in cell)
    if cell is pd.NA:
        return ("written", "<NA>")
    if cell is pd.NaT:
        return ("written", "NaT")
    if isinstance(cell, pd.Timestamp):
        day, time = str(cell.date()), str(cell.time())
        return ("written", day if time == "00:00:00" else f"{day} {time}")
    if isinstance(cell, pd.Timedelta):
        text = str(cell).removesuffix(" 00:00:00").removesuffix(" +00:00:00")
        return ("written", text)
    if isinstance(cell, float) and math.isnan(cell):
        return "nan"
    return cell.item() if hasattr(cell, "item") else cell


def oid_of(value: Any) -> int:
    """Return the id of an object."""
    assert isinstance(value, Ref)
    return value.oid


def labels(axis: pd.Index) -> list[Any]:
    return [expected(label) for label in axis.tolist()]


def check(found: Frame | None, df: pd.DataFrame | pd.Series) -> None:
    assert found is not None
    columns = [df] if isinstance(df, pd.Series) else [df.iloc[:, j] for j in range(df.shape[1])]
    assert found.kind == type(df).__name__
    assert (found.rows, len(found.columns)) == (len(df), len(columns))
    assert [told(name) for name in found.labels] == [expected(c.name) for c in columns]
    assert found.index.known == len(df.index)
    assert [told(label) for label in found.index.cells()] == labels(df.index)
    names = tuple(df.index.names) if df.index.nlevels > 1 else df.index.name
    assert told(found.index_name) == names
    for column, one in zip(found.columns, columns, strict=True):
        assert column.dtype == str(one.dtype)
        assert [told(cell) for cell in column.cells()] == [expected(cell) for cell in one.tolist()]


@pytest.fixture
def program(tmp_path: Path) -> Path:
    shutil.copy(frame_program.__file__, tmp_path / "frame_program.py")
    return tmp_path


@pytest.mark.parametrize("first", [0, SEEDS])
def test_every_frame_is_what_pandas_says_after_every_operation(program: Path, first: int) -> None:
    """The plain run is the witness: random frames, changed in place at random."""
    run = ["frame_program.py", str(first), str(first + SEEDS)]
    done = run_recorded(run, program)
    assert done.returncode == 0, done.stderr
    warnings.simplefilter("ignore")
    with wrongcall.recording.open(program / "trace.wrongcall") as recording:
        calls = (recording.call(int(number)) for number in recording.calls.columns().id)
        shown = [call for call in calls if call.function.qualname == "show"]
        count = 0
        for seed in range(first, first + SEEDS):
            for df in frame_program.frames(seed):
                call = shown[count]
                (passed,) = call.args
                found = frame_of(
                    recording.states.heap, oid_of(passed.value), max(passed.time, call.entry)
                )
                check(found, df)
                count += 1
        assert count == len(shown) > SEEDS * 6


def test_a_long_frame_is_known_at_its_beginning_in_every_column(record: Record) -> None:
    run = record(
        """
        import numpy as np
        import pandas as pd

        def show(df): pass

        df = pd.DataFrame(np.arange(30_000).reshape(3, 10_000).T, columns=list('abc'))
        df['d'] = [str(i) for i in range(10_000)]
        show(df)
        df.iloc[2, 1] = -1
        show(df)
        """
    )
    first, second = (
        frame_of(run.recording.states.heap, oid_of(call.args[0].value), call.args[0].time)
        for call in run.calls("show")
    )
    assert first is not None
    assert second is not None
    assert (first.rows, first.known_rows) == (10_000, 333)
    assert first.row(332) == [332, 10_332, 20_332, "332"]
    assert first.row(2) == [2, 10_002, 20_002, "2"]
    assert second.row(2) == [2, -1, 20_002, "2"]


VALUES = """
    import datetime, zoneinfo
    import pandas as pd

    def show(value): pass

    for value in [
        pd.Timestamp('2024-01-02'), pd.Timestamp('2024-01-02 03:04:05.123456789'),
        pd.Timestamp('2024-07-02 03:04:05.5', tz='Europe/Paris'),
        pd.Timestamp('1960-07-02 03:04', tz='UTC'), pd.Timestamp('0900-01-01'),
        pd.Timestamp('2024-01-02', tz=datetime.timezone(datetime.timedelta(hours=-5))),
        pd.Timestamp('2024-11-03 05:30', tz='UTC').tz_convert('America/New_York'),
        pd.Timedelta('1 days 02:03:04'), pd.Timedelta(-1, 'ns'), pd.Timedelta('-3 days +2:00:00.5'),
        pd.Timedelta(0), pd.NaT, pd.NA, pd.Interval(0, 1.5, closed='left'),
    ]:
        print(repr(value))
        show(value)
"""


def test_single_values_are_written_as_pandas_writes_them(record: Record) -> None:
    run = record(VALUES)
    calls = run.calls("show")
    lines = [Viewer(run.recording, call.args[0].time).line(call.args[0].value) for call in calls]
    assert lines == run.stdout.splitlines()


def test_indexes_and_arrays_that_stand_alone(record: Record) -> None:
    run = record(
        """
        import pandas as pd

        def show(a, b): pass

        show(pd.Index(['x', 'y'], name='k'), pd.array([1, None, 3]))
        """
    )
    index, array = run.call("show").args
    found = index_of(run.recording.states.heap, oid_of(index.value), array.time)
    assert found is not None
    assert (found[0].cells(), found[0].dtype, found[1:]) == (["x", "y"], "str", ("k", "Index"))
    values = array_of(run.recording.states.heap, oid_of(array.value), array.time)
    assert values is not None
    assert ([told(c) for c in values.cells()], values.dtype) == (
        [1, ("written", "<NA>"), 3],
        "Int64",
    )


POLARS = """
    import polars as pl

    def show(value): pass

    def grow(df):
        df.insert_column(0, pl.Series('n', [7, 8]))

    df = pl.DataFrame({'a': [1, 2], "it's": ['x', 'y']})
    for value in [df, df['a'], pl.DataFrame()]:
        show(value)
    grow(df)
    show(df)
"""


def test_frames_of_polars_tell_their_shape_and_names(record: Record) -> None:
    run = record(POLARS)
    calls = run.calls("show")
    lines = [Viewer(run.recording, call.args[0].time).line(call.args[0].value) for call in calls]
    assert lines == [
        "<polars DataFrame 2x2 [a, it's]>",
        "<polars Series 'a' (2)>",
        "<polars DataFrame 0x0 []>",
        "<polars DataFrame 2x3 [n, a, it's]>",
    ]


FAKE = """
    ran = []

    class PyDataFrame:
        __module__ = 'builtins'
        def height(self):
            ran.append('height')
        def columns(self):
            ran.append('columns')

    class DataFrame:
        __module__ = 'polars.dataframe.frame'
        def __init__(self):
            self._df = PyDataFrame()

    def show(value): pass

    show(DataFrame())
    print(ran)
"""


def test_methods_of_a_class_of_the_same_name_are_not_called(record: Record) -> None:
    assert record(FAKE).stdout == "[]\n"


# -- harmless --------------------------------------------------------------------------------------

HARMLESS = """
import gc, sys, weakref
import pandas as pd

def touch(df, series):
    df['a'] = df['a'] + 1
    return series

df = pd.DataFrame({'a': [1, 2], 'b': ['x', 'y'], 'c': [1.5, 2.5]})
series = df['c']
touch(df, series)
block = df._mgr.blocks[0]
print([len(block.refs.referenced_blocks) for block in df._mgr.blocks])
print([block.refs.has_reference() for block in df._mgr.blocks])
print([sys.getrefcount(block.values) for block in df._mgr.blocks])
values = df['c'].values
del series
gc.collect()
df.loc[0, 'c'] = 9.0
print(values.tolist(), df['c'].tolist(), sorted(vars(df)))
gone = weakref.ref(df)
del df
print(gone() is None)
"""


def test_recording_does_not_disturb_copy_on_write(tmp_path: Path) -> None:
    (tmp_path / "prog.py").write_text(HARMLESS)
    plain = run_python(["prog.py"], tmp_path)
    recorded = run_recorded(["prog.py"], tmp_path)
    assert (plain.returncode, plain.stderr) == (0, "")
    assert (recorded.returncode, recorded.stdout) == (0, plain.stdout), recorded.stderr


# -- layouts that do not fit ------------------------------------------------------------------------

STRANGE = """
import pandas as pd
import numpy as np

class BlockManager:
    __module__ = 'pandas._libs.internals'
    def __init__(self, blocks, axes):
        self.blocks, self.axes = blocks, axes

class Holder:
    pass

def show(value): pass

def strange(mgr):
    df = pd.DataFrame({'a': [1, 2], 'b': [3, 4]})
    object.__setattr__(df, '_mgr', mgr)
    show(df)

good = pd.DataFrame({'a': [1, 2], 'b': [3, 4]})._mgr
strange(None)
strange('text')
strange(Holder())
strange(BlockManager((1, 2), [3]))
strange(BlockManager(good.blocks, good.axes[:1] * 3))
strange(BlockManager((), good.axes))
strange(BlockManager(good.blocks * 2, good.axes))
bare = pd.DataFrame({'a': [1]})
del bare.__dict__['_mgr']
show(bare)
"""


def test_inconsistent_blocks_are_no_frame(record: Record) -> None:
    """Another layout under the same names falls back to type and identity."""
    run = record(STRANGE)
    shown = [call.args[0] for call in run.calls("show")]
    assert len(shown) == 8
    for passed in shown:
        assert frame_of(run.recording.states.heap, oid_of(passed.value), passed.time) is None
        line = Viewer(run.recording, passed.time).line(passed.value)
        assert line.lstrip("<").startswith("DataFrame")
