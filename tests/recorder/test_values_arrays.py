"""Elements of every kind that arrays have, as the trace tells them; nothing of the program runs."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.recorder.bothways import plain, recorded, write_files
from tests.recorder.heap_compare import Witnessed, run_witnessed
from wrongcall.recording import Ref

np = pytest.importorskip("numpy")

PROGRAM = """
import numpy as np
from array import array

def show(**values):
    pass

def change():
    days = np.array(['2020-02-29', '1969-12-31', 'NaT', '0001-01-01', '2400-03-01'], 'M8[D]')
    years = np.array(['1999', '-0005'], 'M8[Y]')
    months = np.array(['1969-11', '2020-02'], 'M8[M]')
    weeks = np.array(['1970-01-08'], 'M8[W]')
    hours = np.array(['2021-01-01T05'], 'M8[h]')
    minutes = np.array(['1969-12-31T23:59'], 'M8[m]')
    seconds = np.array(['2021-06-30T12:34:56'], 'M8[s]')
    steps = np.array([3], 'M8[25s]')
    millis = np.array(['1969-12-31T23:59:59.999'], 'M8[ms]')
    nanos = np.array(['2021-01-01T00:00:00.000000001'], 'M8[ns]')
    swapped_days = np.array(['2020-02-29'], '>M8[D]')
    spans = np.array([90, -1], 'm8[s]')
    record = np.zeros(2, dtype=[('a', 'i4'), ('b', '>f8'), ('c', 'S2'), ('d', 'U2'), ('e', '?')])
    text = np.array(['ab', 'c', '', '\\u20ac'])
    swapped_text = np.array(['ab'], '>U2')
    data = np.array([b'ab', b'c'])
    wide = np.array([1 + 2j, -0.5j])
    narrow = np.array([1 + 2j], 'c8')
    swapped_complex = np.array([1 + 2j], '>c16')
    half = np.array([0.5, 65504, np.inf], 'e')
    long_double = np.array([0.5, 1e300], 'g')
    nothing = np.zeros(2, 'V3')
    big = np.array([2**64 - 1, 0, 2**63], 'u8')
    flags = np.array([True, False])
    letters = array('u', 'a\\u20ac')
    scalar = np.array(2.5)
    show(**locals())
    record[1] = (5, 0.5, b'xy', 'z', True)
    days[0] = '2021-03-01'
    text[2] = 'new'
    letters[0] = '\\U0001f600'
    show(**locals())

change()
"""

AT_FIRST: dict[str, tuple[object, ...]] = {
    "days": ("2020-02-29", "1969-12-31", "NaT", "0001-01-01", "2400-03-01"),
    "years": ("1999", "-005"),
    "months": ("1969-11", "2020-02"),
    "weeks": ("1970-01-08",),
    "hours": ("2021-01-01T05",),
    "minutes": ("1969-12-31T23:59",),
    "seconds": ("2021-06-30T12:34:56",),
    "steps": ("1970-01-01T00:01:15",),
    "millis": ("1969-12-31T23:59:59.999",),
    "nanos": ("2021-01-01T00:00:00.000000001",),
    "swapped_days": ("2020-02-29",),
    "spans": (90, -1),
    "text": ("ab", "c", "", "\u20ac"),
    "swapped_text": ("ab",),
    "data": (b"ab", b"c"),
    "wide": (1 + 2j, -0.5j),
    "narrow": (1 + 2j,),
    "swapped_complex": (1 + 2j,),
    "half": (0.5, 65504.0, float("inf")),
    "long_double": (0.5, 1e300),
    "nothing": (b"\0\0\0", b"\0\0\0"),
    "big": (2**64 - 1, 0, 2**63),
    "flags": (True, False),
    "letters": ("a", "\u20ac"),
    "scalar": (2.5,),
}

LATER: dict[str, tuple[object, ...]] = {
    "days": ("2021-03-01", "1969-12-31", "NaT", "0001-01-01", "2400-03-01"),
    "text": ("ab", "c", "ne", "\u20ac"),
    "letters": ("\U0001f600", "\u20ac"),
}

DTYPES = {
    "days": "datetime64[D]",
    "steps": "datetime64[25s]",
    "swapped_days": ">M8[D]",
    "spans": "timedelta64[s]",
    "record": "[('a', '<i4'), ('b', '>f8'), ('c', '|S2'), ('d', '<U2'), ('e', '|b1')]",
    "text": "<U2",
    "half": "<f2",
    "flags": "|b1",
    "big": "<u8",
}


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Witnessed]:
    with run_witnessed(tmp_path_factory.mktemp("elements"), PROGRAM + "mark('end', 1)\n") as run:
        yield run


def shown(run: Witnessed, name: str, number: int) -> Any:
    """The state of a variable at the first or the second call of ``show``."""
    time = run.calls("show")[number].entered
    value = run.recording.states.locals(run.call("change").id, time)[name]
    assert isinstance(value, Ref)
    return run.recording.states.state(value.oid, time)


@pytest.mark.parametrize("name", AT_FIRST)
def test_elements_at_first_sight(run: Witnessed, name: str) -> None:
    items = shown(run, name, 0).items
    assert items == AT_FIRST[name]
    assert list(map(type, items)) == list(map(type, AT_FIRST[name]))


@pytest.mark.parametrize("name", LATER)
def test_elements_after_a_change(run: Witnessed, name: str) -> None:
    assert shown(run, name, 1).items == LATER[name]


@pytest.mark.parametrize("name", DTYPES)
def test_dtypes(run: Witnessed, name: str) -> None:
    assert shown(run, name, 0).attrs["dtype"] == DTYPES[name]


def test_a_record_is_a_tuple_of_its_fields(run: Witnessed) -> None:
    for number, expected in ((0, (0, 0.0, b"", "", False)), (1, (5, 0.5, b"xy", "z", True))):
        state = shown(run, "record", number)
        time = run.calls("show")[number].entered
        assert run.recording.states.state(state.items[0].oid, time).items == (
            0,
            0.0,
            b"",
            "",
            False,
        )
        assert run.recording.states.state(state.items[1].oid, time).items == expected


BUFFER_METHODS = """
from array import array

class Bytes(bytearray):
    def __buffer__(self, flags):
        print('asked for a buffer')
        return super().__buffer__(flags)
    def __release_buffer__(self, view):
        print('released')
        super().__release_buffer__(view)

class Numbers(array):
    def __buffer__(self, flags):
        print('asked for a buffer')
        return super().__buffer__(flags)
    def __release_buffer__(self, view):
        print('released')
        super().__release_buffer__(view)

def change(x):
    x.append(1)
    x[0] = 2
    x += type(x)(*args)
    x.__init__(*args)
    x.pop()
    del x[0]
    return bytes(x)

args = (b'abc',)
print(change(Bytes(b'abc')))
args = ('i', [3, 4])
print(change(Numbers('i', [1, 2])))
"""


@pytest.mark.skipif(sys.version_info < (3, 12), reason="a class cannot have __buffer__")
def test_methods_of_the_program_that_give_a_buffer_are_not_called(tmp_path: Path) -> None:
    """The interpreter asks for some; recording must not ask more often."""
    write_files(tmp_path, BUFFER_METHODS)
    seen = plain(tmp_path, "prog.py")
    assert "asked" in seen.stdout
    assert seen.status == 0
    assert recorded(tmp_path, "prog.py") == seen


RESIZED = """
import numpy as np

def shrink():
    x = np.arange(100_000)
    view = x[50_000:]
    strided = x[::7]
    x.resize(10, refcheck=False)
    x[0] = 5
    x += 1
    x.fill(3)
    return x, len(view), len(strided)

def checked():
    x = np.arange(3)
    try:
        x.resize(5)
        return x.tolist()
    except ValueError:
        return 'has references'

def refused():
    x = np.arange(3)
    y = x
    try:
        x.resize(5)
        return x.tolist()
    except ValueError:
        return 'has references'

def beyond():
    x = np.arange(4)
    return np.lib.stride_tricks.as_strided(x, (10_000_000,), (8_000,)).shape

print(shrink(), checked(), refused(), beyond())
"""


def test_views_of_memory_that_is_gone_are_not_followed(tmp_path: Path) -> None:
    """A view of a resized array may be kept as long as nobody looks at it."""
    write_files(tmp_path, RESIZED)
    seen = plain(tmp_path, "prog.py")
    assert "has references" in seen.stdout
    assert recorded(tmp_path, "prog.py") == seen


LIVES = """
import gc, sys, weakref
import numpy as np
from array import array

def run():
    x = np.arange(6)
    v = x[1:]
    refs = sys.getrefcount(x), sys.getrefcount(v)
    seen = []
    weakref.finalize(x, seen.append, 'x')
    weakref.finalize(v, seen.append, 'v')
    v[0] = 9
    del x
    seen.append('deleted x')
    v[0] = 8
    del v
    b = bytearray(b'abc')
    m = memoryview(b)
    m[0] = 1
    try:
        b.append(1)
    except BufferError:
        seen.append('exported')
    m.release()
    b.append(2)
    a = array('i', [1])
    a.append(2)
    m = memoryview(a)
    del m
    a.append(3)
    o = np.array([None], dtype=object)
    class Thing:
        def __del__(self):
            seen.append('thing')
    o[0] = Thing()
    o[0] = None
    seen.append('after')
    return seen, refs, b, a

print(run())
"""


def test_lifetimes_and_buffer_exports_do_not_change(tmp_path: Path) -> None:
    write_files(tmp_path, LIVES)
    seen = plain(tmp_path, "prog.py")
    assert "exported" in seen.stdout
    assert recorded(tmp_path, "prog.py") == seen
