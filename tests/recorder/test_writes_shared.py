"""What shares memory changes together: views of arrays, memoryviews, arrays over bytearrays."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.recorder.heap_compare import (
    Case,
    Witnessed,
    case_program,
    cases,
    check_case,
    run_witnessed,
)

np = pytest.importorskip("numpy")

PRELUDE = """
import ctypes, functools, io, operator, struct
from array import array
import numpy as np
from numpy.lib.stride_tricks import as_strided, sliding_window_view

class Measured(np.ndarray):
    def double(self):
        self *= 2

class Own(np.ndarray):
    def __setitem__(self, key, value):
        self.stores = getattr(self, 'stores', 0) + 1
        super().__setitem__(key, value)

class Named(bytearray):
    __slots__ = ('name', '__weakref__')

class Slotted(array):
    __slots__ = ('name',)

# The witness knows attributes by the words of the program: a matrix has _getitem.

def views(x):
    return [x, x[1:], x[::2], x.reshape(2, -1), x.reshape(2, -1).T, x[::-1], x.view('u4')]

def rows(x):
    return list(x)

def nested(x):
    return {'all': x, 'parts': [{'part': part} for part in np.split(x, 3)]}

def over(data):
    return [data, np.frombuffer(data, dtype='u1')]

def numbers(data):
    return [data, np.frombuffer(data, dtype='i4'), np.asarray(data)]

def touch(a):
    a[0] = 77

def fill_part(a):
    part = a[1:3]
    part[:] = 5
    return part
"""

VIEWS = [
    "x[0][3] = 9",
    "x[0][-1] = 9",
    "x[1][0] = 9",
    "x[2][1] = 9",
    "x[3][1, 2] = 9",
    "x[3][1] = 9",
    "x[4][0, 1] = 9",
    "x[4][1] = 9",
    "x[5][0] = 9",
    "x[6][2] = 9",
    "x[0] += 1",
    "x[2] *= 3",
    "x[4] -= 1",
    "x[1:] = x[:1]\nx[0][0] = 4",
    "x[0][1:3] = 8",
    "x[0][[1, 3]] = 8",
    "x[0][x[0] > 2] = 0",
    "x[5].sort()",
    "x[1][1:][::-1].sort()",
    "x[0][2:].fill(4)",
    "x[0].reshape(2, -1)[:, 1].fill(4)",
    "np.add(x[0][1:], 1, out=x[0][1:])",
    "np.negative(x[4], x[4])",
    "np.copyto(x[0][::2], 6)",
    "touch(x[0][2:])",
    "touch(x[3].T[1])",
    "fill_part(x[0])",
    "fill_part(x[1])[0] = 8",
    "memoryview(x[0])[1] = 9",
    "m = memoryview(x[1])\nm[2] = 9",
    "memoryview(x[1]).cast('B')[0] = 9",
    "x[0].data[2] = 9",
    "struct.pack_into('q', x[1], 8, 9)",
    "f = x[0].flat\nf[2] = 9",
    "x[3].flat[4] = 9",
    "x[4].flat = 3",
    "x[1].flat[1:3] = 3",
    "as_strided(x[0], (2, 2), (8, 8))[1, 0] = 9",
    "sliding_window_view(x[0], 2, writeable=True)[1, 1] = 9",
    "np.lib.stride_tricks.sliding_window_view(x[1], 2, writeable=True)[0] = 9",
    "for row in x[3]:\n    row[0] = 5",
    "for v in np.nditer(x[0], op_flags=['readwrite']):\n    v[...] = v + 1",
    "for v in np.nditer([x[0], x[5]], op_flags=[['readwrite'], ['readonly']]):\n    v[0][...] = 1",
    "for a, b in zip(x[3], x[3]):\n    a += b",
    "operator.setitem(x[1], 0, 9)",
    "operator.iadd(x[2], 1)",
    "v = x[0][1:]\nw = v[1:]\nw[0] = 9",
    "v = x[0][1:]\nw = v[1:]\nw += 1\nv[0] = 3\nx[0][1] = 4",
    "np.asarray(x[0])[1] = 9",
    "np.atleast_2d(x[0])[0, 1] = 9",
    "np.ravel(x[3])[1] = 9",
    "np.squeeze(x[3])[1, 1] = 9",
    "a, b = np.split(x[0], 2)\nb[1] = 9\na[:] = 3",
    "np.einsum('ij->ji', x[3])[0, 1] = 9",
    "np.diagonal(x[3]).copy()\nx[3][0, 0] = 9",
    "x[0].real[1] = 9",
    "x[0].shape = (3, 2)\nx[0][2, 1] = 9",
    "x[0].dtype = 'u8'\nx[0][1] = 2**64 - 1",
    "x[0].view('f8')[1] = 0.5",
    "x[0].view(Measured).double()",
    "x[0].view(Measured)[1] = 9",
    "ctypes.memset(x[0].ctypes.data, 0, 8) and x[0].fill(7)",
]

BYTES = [
    "x[0][1] = 65",
    "x[1][1] = 65",
    "x[1] += 1",
    "x[0][0:2] = b'XY'",
    "x[0][::2] = b'XYZW'",
    "x[0].reverse()",
    "x[1][2:][::-1].sort()",
    "memoryview(x[0])[2] = 65",
    "memoryview(x[1])[2] = 65",
    "m = memoryview(x[0])[2:6]\nm[1] = 65",
    "m = memoryview(x[0])[::2]\nm[1] = 65\nm[::-1][0] = 66",
    "m = memoryview(x[0]).cast('i')\nm[1] = 1 << 30",
    "m = memoryview(x[0]).cast('B', (2, 4))\nm[1, 2] = 65",
    "io.BytesIO(b'pq').readinto(memoryview(x[0])[3:])",
    "io.BytesIO(b'pq').readinto(x[1])",
    "x[1].view('i4')[1] = 7",
]

NUMBERS = [
    "x[0][1] = 65",
    "x[1][1] = 65",
    "x[2] += 1",
    "x[0].reverse()",
    "x[0].byteswap()",
    "x[2][:2] = 7",
    "memoryview(x[0])[2] = -5",
    "memoryview(x[0]).cast('B')[3] = 1",
    "m = memoryview(x[0])\nm[1:3] = array('i', [8, 9])",
]

CASES = cases(
    ("views(np.arange(6))", VIEWS),
    ("rows(np.zeros((3, 4)))", ["x[1][2] = 9", "x[0].base[2] = 5", "x[0].base[2, 1] = 5"]),
    (
        "nested(np.arange(9))",
        [
            "x['all'][4] = 0",
            "x['parts'][1]['part'][:] = 8",
            "x['parts'][2]['part'] += 1",
            "del x['parts'][0]\nx['all'] -= 1",
            "x['all'][:] = 0",
        ],
    ),
    ("over(bytearray(b'abcdefgh'))", BYTES),
    ("numbers(array('i', [3, 1, 2]))", NUMBERS),
    (
        "np.arange(6).view(Measured)",
        [
            "x[1] = 9",
            "x.double()",
            "x.name = 'a'",
            "x[1:] += 1",
            "x[1:][0] = 3",
            "x.shape = 2, 3",
            "np.asarray(x)[2] = 5",
        ],
    ),
    ("np.arange(3).view(Own)", ["x[1] = 9", "x[1] += 9", "x[0], x[1] = 8, 9"]),
    ("np.matrix([[1, 2], [3, 4]])", ["x[0, 1] = 9", "x += 1", "x[1] = 0", "x.A[0, 0] = 7"]),
    (
        "[np.array([1, 'a', None, [2]], dtype=object)] * 1",
        [
            "x[0][0] = 1.5",
            "x[0][1:3] = 'bc'",
            "x[0][3].append(3)",
            "v = x[0][1:]\nv[0] = v\nx[0][1] = 2",
            "x[0][:2] += x[0][:2]",
            "for i in range(50):\n    x[0][0] = float(i)",
            "for i in range(50):\n    x[0].fill(i + 0.5)",
            "for i in range(50):\n    x[0].fill([i])",
            "operator.setitem(x[0], 0, {})",
        ],
    ),
    (
        "[np.zeros(2) for _ in range(200)]",
        ["x[150][1] = 9", "x[199] += 1", "x[0], x[1] = x[1], x[0]"],
    ),
    (
        "np.arange(3000)",
        ["v = x[1500:]\nv[3] = 0\nx[1] = 5", "x[:] = x[::-1]", "x[2000] = 1\nx[0] = 4"],
    ),
    ("[np.arange(3000)[1500:]]", ["x[0].base[1600] = 0", "x[0].base[:] = 5", "x[0][999] = 8"]),
    ("Named(b'abc')", ["x.name = 1", "x[1] = 65", "x.append(1)", "x += b'z'"]),
    ("Slotted('i', [3, 1, 2])", ["x.name = 1", "x[1] = 65", "x.append(1)", "x *= 2", "del x[::2]"]),
    ("np.zeros((2, 0))", ["x.shape = (0, 2)", "x.resize((1, 1), refcheck=False)\nx[0, 0] = 5"]),
    ("np.array([[1, 2], [3, 4]], dtype='>i2', order='F')", ["x[0, 1] = 9", "x += 1", "x.T[1] = 7"]),
    ("np.array([1.5, 2], dtype='>f8')", ["x[0] = 0.25", "x *= 2", "v = x[1:]\nv[0] = 1"]),
    ("np.array([True, False])", ["x[:] = [False, True]", "np.logical_not(x, x)"]),
    ("np.arange(4, dtype='u8')", ["x += 2**63", "x[1:] = 2**64 - 1", "x[0] = 2**63"]),
)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Witnessed]:
    with run_witnessed(tmp_path_factory.mktemp("shared"), case_program(PRELUDE, CASES)) as run:
        yield run


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_change(run: Witnessed, case: Case) -> None:
    check_case(run, case)
