"""numpy arrays: shape, dtype, the first 1,000 elements, and every change of them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

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
import functools, operator, random, struct
import numpy as np
rng = np.random.default_rng(1)

class Box:
    def __init__(self, array):
        self.array = array
        self.view = array[1:]
    def bump(self):
        self.array += 1
"""

ARRAY = [
    "x[0] = 9",
    "x[-1] = 9",
    "x[0] += 9",
    "x[1:] = 7",
    "x[1:] += 7",
    "x[::2] = [8, 9]",
    "x[:] = 0",
    "x[...] = 5",
    "x[x > 1] = 0",
    "x[x > 1] -= 1",
    "x[[0, 2]] = 5, 6",
    "x[[0, 2]] *= 2",
    "x += 1",
    "x -= 1",
    "x *= x",
    "x **= 2",
    "x //= 2",
    "x <<= 1",
    "x[0], x[1] = x[1], x[0]",
    "x[0], x[2] = 7, 8",
    "for x[0] in (7, 8): pass",
    "x.fill(4)",
    "x.sort()",
    "x[:] = x[::-1]",
    "x.put([0, 1], [7, 8])",
    "x.itemset(0, 9) if hasattr(x, 'itemset') else x.fill(9)",
    "x.partition(1)",
    "x.byteswap(inplace=True)",
    "x.resize(5, refcheck=False)",
    "x.resize(2, refcheck=False)",
    "x.shape = (3, 1)",
    "x.shape = (1, 3)\nx[0, 1] = 9",
    "np.put(x, [0], [9])",
    "np.copyto(x, 7)",
    "np.place(x, x > 1, [9])",
    "np.putmask(x, x > 1, 9)",
    "np.add(x, 1, out=x)",
    "np.add(x, 1, x)",
    "np.multiply(x, 2, out=(x,))",
    "np.add.at(x, [0, 0, 1], 1)",
    "np.negative(x, x)",
    "np.cumsum(x, out=x)",
    "rng.shuffle(x)",
    "random.Random(2).shuffle(x)",
    "operator.setitem(x, 0, 9)",
    "operator.iadd(x, 1)",
    "functools.partial(operator.setitem, x)(0, 9)",
    "x.__setitem__(0, 9)",
    "x.__iadd__(1)",
    "x.flat[1] = 9",
    "x.flat = 5",
    "v = x[1:]\nv[0] = 9",
    "v = x[1:]\nv += 1",
    "v = x.reshape(3, 1)\nv[0, 0] = 9",
    "v = x.T\nv[0] = 9",
    "v = x.view()\nv[:] = 1",
    "x[1:][0] = 9",
    "x.reshape(3, 1)[2] = 9",
    "for v in x.reshape(3, 1):\n    v += 1",
    "struct.pack_into('q', x, 0, 9)",
    "memoryview(x)[0] = 9",
    "with np.nditer(x, op_flags=['readwrite']) as it:\n    for v in it:\n        v[...] = 2 * v",
    "np.sort(x)\nx[0] = 7",
    "list(map(x.put, [0, 1], [8, 9]))",
    "[operator.setitem(x, i, 0) for i in range(3)]",
    "exec('x[0] = 9')",
]

CASES = cases(
    ("np.array([3, 1, 2])", ARRAY),
    (
        "np.arange(6.0).reshape(2, 3)",
        [
            "x[0, 1] = 9",
            "x[0] = 9",
            "x[:, 1] = 9",
            "x[1, :2] += 0.5",
            "x += x",
            "x.sort(axis=0)\nx[0, 0] = -1",
            "x[0, 0] = np.nan",
            "x[1][2] = 7",
            "x.T[2, 1] = 8",
            "v = x[:, 0]\nv[:] = 4",
            "x /= 2",
            "np.sqrt(x, out=x)",
            "x.shape = (3, 2)",
            "x.shape = 6\nx[5] = 9",
            "np.fill_diagonal(x, 7)",
            "x[[0, 1]] = x[[1, 0]]",
            "np.clip(x, 1, 3, out=x)",
            "x[x > 2] = -0.0\nx[0, 0] = np.inf",
        ],
    ),
    ("np.array([True, False])", ["x[1] = True", "x ^= True", "np.logical_not(x, out=x)"]),
    ("np.array([1, 2], dtype=np.uint8)", ["x[0] = 255", "x += 254", "x -= 2"]),
    ("np.array([1, 2], dtype=np.int16)", ["x[0] = -5", "x *= -1"]),
    ("np.array([1, 2], dtype=np.float32)", ["x[0] = 0.1", "x /= 3"]),
    ("np.array([1, 2], dtype=np.float16)", ["x[0] = 0.1", "x /= 3"]),
    ("np.array([1, 2], dtype=np.uint64)", ["x[0] = 2**64 - 1", "x += 5"]),
    (
        "np.array([1, None, 'a'], dtype=object)",
        ["x[0] = [1]", "x[1] = x", "x[0] = {}\nx[0]['k'] = 1", "x[2] += 'b'"],
    ),
    ("np.zeros(0)", ["x.resize(2, refcheck=False)", "x.resize(1, refcheck=False)\nx[0] = 5"]),
    ("np.array(5)", ["x[()] = 6", "x += 1", "x[...] = 7", "x.fill(8)"]),
    (
        "np.arange(2000)",
        ["x[0] = 9", "x[999] = 9", "x[500:1500] = 0", "x += 1", "x[:] = x[::-1]", "rng.shuffle(x)"],
    ),
    (
        "[np.zeros(2), np.ones(2)]",
        [
            "x[0][1] = 5",
            "x[0] += 1",
            "x[1] -= x[0] + 2",
            "for a in x:\n    a += 1",
            "x[0] = x[1]\nx[0][0] = 7",
            "x.reverse()",
        ],
    ),
    ("{'a': np.zeros(2)}", ["x['a'][1] = 5", "x['a'] += 1", "x['b'] = x['a']\nx['b'][0] = 4"]),
    (
        "Box(np.zeros(3))",
        [
            "x.array[1] = 5",
            "x.array += 1",
            "x.bump()",
            "x.view[0] = 8",
            "x.view += 2",
            "x.array = x.array + 1",
            "np.add(x.array, 1, out=x.array)",
            "x.array[0], x.view[1] = 3, 4",
        ],
    ),
)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Witnessed]:
    with run_witnessed(tmp_path_factory.mktemp("numpy"), case_program(PRELUDE, CASES)) as run:
        yield run


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_change(run: Witnessed, case: Case) -> None:
    # A shuffle may leave everything where it was.
    check_case(run, case, None if "shuffle" in case.op else True)


EDGES = """
import numpy as np
record = np.zeros(2, dtype=[('a', 'i4'), ('b', 'f8')])
dates = np.array(['2020-01-01'], dtype='datetime64[D]')
text = np.array(['ab', 'c'])
cplx = np.array([1 + 2j])
big = np.zeros((1000, 1000))
strided = np.arange(20)[::3]
fortran = np.asfortranarray(np.arange(6).reshape(2, 3))
broadcast = np.broadcast_to(np.arange(3), (2, 3))
swapped = np.array([1, 2], dtype='>i4')
matrix = np.matrix([[1, 2]])
masked = np.ma.array([1, 2], mask=[0, 1])
scalar = np.float64(0.5)
integer = np.int32(7)
def use(*arrays):
    return len(arrays)
record[0] = (5, 0.5)
record['a'] = 7
dates[0] = '2021-02-03'
text[0] = 'zz'
cplx[0] = 3j
big[999, 999] = 1
big[0, 0] = 2
strided[1] = 5
fortran[1, 2] = 7
swapped[0] = 9
matrix[0, 0] = 4
masked[0] = 9
use(record, dates, text, cplx, big, strided, fortran, broadcast, swapped, matrix, masked, scalar)
print(big.sum(), strided, fortran.tolist(), swapped, record, dates, text, cplx)
"""


@pytest.fixture(scope="module")
def edges(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Witnessed]:
    with run_witnessed(tmp_path_factory.mktemp("edges"), EDGES + "mark('end', None)\n") as run:
        yield run


def array_state(run: Witnessed, name: str) -> tuple[list[object], tuple[object, ...]]:
    value = run.recording.states.globals("__main__")[name]
    state = run.recording.states.state(value.oid)  # type: ignore[union-attr]
    shape = run.recording.states.state(state.attrs["shape"].oid).items  # type: ignore[union-attr]
    return list(state.items), tuple(shape)


@pytest.mark.parametrize(
    "name, items, shape",
    [
        ("strided", [0, 5, 6, 9, 12, 15, 18], (7,)),
        ("fortran", [0, 1, 2, 3, 4, 7], (2, 3)),
        ("broadcast", [0, 1, 2, 0, 1, 2], (2, 3)),
        ("swapped", [9, 2], (2,)),
        ("big", [2.0] + [0.0] * 999, (1000, 1000)),
    ],
)
def test_layouts(
    edges: Witnessed, name: str, items: list[object], shape: tuple[object, ...]
) -> None:
    assert array_state(edges, name) == (items, shape)


@pytest.mark.parametrize(
    "name, dtype", [("record", "i4"), ("dates", "datetime64[D]"), ("text", "<U2")]
)
def test_dtypes(edges: Witnessed, name: str, dtype: str) -> None:
    value = edges.recording.states.globals("__main__")[name]
    found = edges.recording.states.state(value.oid).attrs["dtype"]  # type: ignore[union-attr]
    assert dtype in str(found)


RECORDS = """
import numpy as np
fields = [('a', 'i4'), ('b', 'f8')]
once = np.zeros(3, fields)
once[1]['b'] = 2.5
kept = np.zeros(3, fields)
def change(kept):
    element = kept[0]
    element['a'] = 7
    element['a'] += 1
    element['b'], kept[2]['a'] = 1.5, 9
change(kept)
attributes = np.zeros(2, fields).view(np.recarray)
attributes[1].b = 4.5
attributes[0]['a'] = 3
"""


@pytest.mark.parametrize(
    "name, items",
    [
        ("once", [(0, 0.0), (0, 2.5), (0, 0.0)]),
        ("kept", [(8, 1.5), (0, 0.0), (9, 0.0)]),
        ("attributes", [(3, 0.0), (0, 4.5)]),
    ],
)
def test_fields_of_records_that_are_views(
    tmp_path: Path, name: str, items: list[tuple[object, ...]]
) -> None:
    with run_witnessed(tmp_path, RECORDS + f"mark('end', {name})\n") as run:
        found = array_state(run, name)[0]
        assert [run.recording.states.state(item.oid).items for item in found] == items  # type: ignore[attr-defined]
