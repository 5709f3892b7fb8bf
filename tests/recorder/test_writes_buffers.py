"""Every way to change a bytearray or an array.array is recorded."""

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

PRELUDE = """
import functools, io, itertools, operator, os, random, struct, tempfile, zlib
from array import array

class Buffer(bytearray):
    def put(self, value):
        self.append(value)

class Numbers(array):
    pass

def broken(*values):
    yield from values
    raise KeyError

def a_file(size):
    f = tempfile.TemporaryFile()
    f.write(bytes(size))
    f.seek(0)
    return f

rng = random.Random(3)
"""

BYTEARRAY = [
    "x[0] = 65",
    "x[-1] = 65",
    "x[0] += 1",
    "x[1:2] = b'xyz'",
    "x[::2] = b'XY'",
    "x[:] = b''",
    "del x[0]",
    "del x[1:]",
    "x += b'def'",
    "x *= 3",
    "x *= 0",
    "x[0], x[1] = x[1], x[0]",
    "for x[0] in (1, 2): pass",
    "x.append(1)",
    "x.extend(b'de')",
    "x.extend([1, 2])",
    "x.extend(range(3))",
    "x.insert(0, 1)",
    "x.pop()",
    "x.pop(0)",
    "x.remove(98)",
    "x.reverse()",
    "x.clear()",
    "x.__init__(b'new')",
    "x.__init__(5)",
    "x.__setitem__(0, 65)",
    "x.__iadd__(b'd')",
    "bytearray.append(x, 1)",
    "operator.setitem(x, 0, 65)",
    "operator.setitem(x, slice(0, 2), b'')",
    "operator.delitem(x, 0)",
    "operator.iadd(x, b'd')",
    "functools.partial(x.append, 1)()",
    "list(map(x.append, [1, 2]))",
    "struct.pack_into('B', x, 1, 200)",
    "struct.Struct('<h').pack_into(x, 0, 513)",
    "io.BytesIO(b'XY').readinto(x)",
    "rng.shuffle(x)",
    "exec('x.append(1)')",
    "for i in range(80):\n    x.append(i % 256)",
    "for i in range(80):\n    x.append(i % 256)\nfor i in range(75):\n    x[i] = 0",
    "x[:] = bytes(1000)\nx[500] = 1",
    "try:\n    x.extend(broken(1, 2))\nexcept KeyError:\n    pass",
    "try:\n    x[0] = 5\n    x[0] = 999\nexcept ValueError:\n    pass",
    "m = memoryview(x)\nm[0] = 65",
    "m = memoryview(x)\nm[:2] = b'XY'",
    "with memoryview(x) as m:\n    struct.pack_into('B', m, 0, 7)",
    "io.BytesIO(b'XY').readinto(memoryview(x)[1:])",
]

ARRAY = [
    "x[0] = 9",
    "x[-1] = -9",
    "x[0] += 5",
    "x[1:2] = array(x.typecode, [7, 8])",
    "x[::2] = array(x.typecode, [7, 8])",
    "del x[0]",
    "del x[1:]",
    "x += array(x.typecode, [4, 5])",
    "x *= 2",
    "x *= 0",
    "x[0], x[1] = x[1], x[0]",
    "x.append(4)",
    "x.extend([4, 5])",
    "x.extend(array(x.typecode, [4]))",
    "x.fromlist([4, 5])",
    "x.frombytes(bytes(x.itemsize))",
    "x.insert(0, 9)",
    "x.pop()",
    "x.pop(0)",
    "x.remove(1)",
    "x.reverse()",
    "x.byteswap()",
    "x.__setitem__(0, 9)",
    "array.append(x, 4)",
    "operator.setitem(x, 0, 9)",
    "operator.delitem(x, 0)",
    "operator.iadd(x, array(x.typecode, [4]))",
    "list(map(x.append, [4, 5]))",
    "functools.partial(x.append, 4)()",
    "rng.shuffle(x)",
    "struct.pack_into('b', x, 0, 1)\nx[0] = 100",
    "exec('x.append(4)')",
    "for i in range(80):\n    x.append(i)",
    "for x[0] in (7, 8): pass",
    "try:\n    x.extend(broken(4, 5))\nexcept KeyError:\n    pass",
    "x.fromfile(a_file(x.itemsize), 1)",
]

CASES = cases(
    ("bytearray(b'abc')", BYTEARRAY),
    (
        "Buffer(b'abc')",
        ["x.put(1)", "x.append(1)", "x[0] = 65", "x += b'd'", "x.name = 1", "del x[0]"],
    ),
    (
        "[bytearray(b'abc')]",
        [
            "x[0][0] = 65",
            "x[0] += b'd'",
            "x[0].append(1)",
            "x[0][1:] = b''",
            "struct.pack_into('B', x[0], 1, 200)",
        ],
    ),
    ("array('i', [3, 1, 2])", ARRAY),
    (
        "array('d', [3, 1, 2])",
        [
            "x[0] = 0.5",
            "x.append(float('inf'))",
            "x.append(-0.0)",
            "x.reverse()",
            "x[1] += 0.25",
            "x.extend([1e300, 5e-324])",
        ],
    ),
    ("array('f', [3, 1, 2])", ["x[0] = 0.1", "x.append(0.5)"]),
    ("array('Q', [3, 1, 2])", ["x[0] = 2**64 - 1", "x.append(2**63)"]),
    ("array('b', [3, 1, 2])", ["x[0] = -128", "x.append(127)", "x[1:] = array('b')"]),
    ("array('u', 'abc')", ["x[0] = 'Z'", "x.append('\\u00e9')", "x.fromunicode('xyz')"]),
    (
        "Numbers('i', [3, 1, 2])",
        ["x[0] = 9", "x.append(4)", "x.name = 1", "x += Numbers('i', [1])"],
    ),
)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Witnessed]:
    with run_witnessed(tmp_path_factory.mktemp("buffers"), case_program(PRELUDE, CASES)) as run:
        yield run


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_change(run: Witnessed, case: Case) -> None:
    # bytearray.extend takes all or nothing.
    check_case(run, case, None if "broken" in case.op else True)
