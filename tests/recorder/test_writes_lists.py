"""Every way to change a list is recorded: statement, method, or C code that is handed it."""

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
import bisect, copy, functools, heapq, itertools, operator, random
from collections import deque

class Box:
    def __init__(self, **attrs):
        for name, value in attrs.items():
            setattr(self, name, value)

class Stack(list):
    def push(self, value):
        self.append(value)

class Loud(list):
    def __setitem__(self, key, value):
        self.stored = key
        super().__setitem__(key, value)
    def __delitem__(self, key):
        self.deleted = key
        super().__delitem__(key)
    def append(self, value):
        super().append(value)
        super().append(value)

class Ordered:
    def __init__(self, n):
        self.n = n
    def __lt__(self, other):
        return self.n < other.n

class Index:
    def __init__(self, n):
        self.n = n
    def __index__(self):
        return self.n

def three(*values):
    yield from values
    yield 3

def broken(*values):
    yield from values
    raise KeyError

rng = random.Random(7)
other = [7, 8]
"""

CASES = cases(
    (
        "[3, 1, 2]",
        [
            "x[0] = 9",
            "x[-1] = 9",
            "x[True] = 9",
            "x[Index(2)] = 9",
            "x[1] = x",
            "x[0] = [x, [x]]",
            "x[1:2] = [5, 6]",
            "x[:] = [4]",
            "x[:] = three()",
            "x[1:1] = [5, 6, 7]",
            "x[::2] = [8, 9]",
            "x[::-1] = [8, 9, 10]",
            "x[slice(1, 2)] = []",
            "s = slice(0, 2)\nx[s] = [5]",
            "x[5:] = x",
            "del x[0]",
            "del x[-1]",
            "del x[1:]",
            "del x[::2]",
            "del x[:]",
            "del x[0], x[0]",
            "x += [4, 5]",
            "x += (4,)",
            "x += three(1)",
            "x += x",
            "x *= 2",
            "x *= 0",
            "x[0] += 5",
            "x[-1] -= 5",
            "x[Index(1)] += 5",
            "x[len(x) - 1] += 5",
            "x[1:2] += [5]",
            "x[:2] *= 2",
            "x[0], x[1] = x[1], x[0]",
            "x[0] = x[1] = 7",
            "a = x[0] = 7",
            "a, x[1], *x[2:] = 5, 6, 7, 8",
            "*x[0:1], x[-1] = 7, 8, 9",
            "[x[0], (x[1], x[2])] = 7, (8, 9)",
            "for x[0] in (7, 8, 9): pass",
            "for x[0], x[1] in [(7, 8), (9, 10)]: pass",
            "x[0]: int = 7",
            "(x[0]) = 7",
            "x[(k := 1)] = 7",
            "x[0] = [y := 4, y]",
            "[x.append(v) for v in (7, 8)]",
            "x.append(4)",
            "x.append(x)",
            "x.append([])",
            "f = x.append\nf(4)",
            "x.append(4); x.append(5)",
            "x.extend([4, 5])",
            "x.extend(three(4))",
            "x.extend(range(3))",
            "x.extend(x)",
            "x.insert(0, 9)",
            "x.insert(-1, 9)",
            "x.insert(99, 9)",
            "x.insert(-99, 9)",
            "x.insert(Index(1), 9)",
            "x.insert(True, 9)",
            "x.pop()",
            "x.pop(0)",
            "x.pop(-2)",
            "x.pop(True)",
            "x.pop(Index(1))",
            "x.remove(1)",
            "x.remove(1.0)",
            "x.sort()",
            "x.sort(reverse=True)",
            "x.sort(key=lambda v: -v)",
            "x.sort(key=int.__neg__)",
            "x.sort(key=functools.cmp_to_key(lambda a, b: b - a))",
            "x.reverse()",
            "x.clear()",
            "x.__setitem__(0, 9)",
            "x.__delitem__(0)",
            "x.__iadd__([4])",
            "x.__imul__(2)",
            "x.__init__([5, 6])",
            "x.__init__()",
            "list.append(x, 4)",
            "list.insert(x, 0, 4)",
            "list.__setitem__(x, 0, 4)",
            "list.sort(x)",
            "list.__init__(x, 'ab')",
            "getattr(x, 'append')(4)",
            "type(x).append(x, 4)",
        ],
    ),
    (
        "[3, 1, 2]",
        [
            "try:\n    x.extend(broken(4, 5))\nexcept KeyError:\n    pass",
            "try:\n    x += broken(4, 5)\nexcept KeyError:\n    pass",
            "try:\n    x[0] = 9\n    x[7] = 9\nexcept IndexError:\n    pass",
            "try:\n    x[0], x[7] = 8, 9\nexcept IndexError:\n    pass",
            "try:\n    x.append('a')\n    x.sort()\nexcept TypeError:\n    pass",
            "try:\n    x.sort(key=lambda v: x.append(5) or v)\nexcept ValueError:\n    pass",
            "x.sort(key=lambda v: len(x) - v)",
            "x.extend(x.pop() for _ in range(2))",
            "x.extend(x[0] for x[0] in (7, 8))",
        ],
    ),
    (
        "[3, 1, 2]",
        [
            "operator.setitem(x, 0, 9)",
            "operator.setitem(x, slice(0, 2), [9])",
            "operator.delitem(x, 0)",
            "operator.iadd(x, [4])",
            "operator.iconcat(x, [4])",
            "operator.imul(x, 2)",
            "operator.methodcaller('append', 4)(x)",
            "functools.partial(x.append, 4)()",
            "functools.partial(list.append, x)(4)",
            "functools.partial(operator.setitem, x)(0, 9)",
            "functools.partialmethod",
            "list(map(x.append, [4, 5]))",
            "deque(map(x.append, [4, 5]), 0)",
            "any(map(x.append, [4, 5]))",
            "sorted([5, 4], key=lambda v: x.append(v) or v)",
            "max([5, 4], key=lambda v: x.append(v) or v)",
            "list(filter(x.append, [4, 5]))",
            "list(itertools.starmap(x.insert, [(0, 8), (1, 9)]))",
            "list(itertools.takewhile(x.append, [4, 5]))",
            "functools.reduce(lambda a, v: a.append(v) or a, [4, 5], x)",
            "functools.reduce(operator.iadd, [[4], [5]], x)",
            "heapq.heappush(x, 0)",
            "heapq.heapify(x)",
            "heapq.heapify(x); heapq.heappop(x)",
            "heapq.heapify(x); heapq.heapreplace(x, 7)",
            "heapq.heapify(x); heapq.heappushpop(x, 7)",
            "for n in range(40): heapq.heappush(x, n * 7 % 5)",
            "x.extend(range(40)); heapq.heapify(x)\nfor _ in range(30): heapq.heappop(x)",
            "x += [0] * 20\nfor n in range(30): heapq.heapreplace(x, n % 3)",
            "x += [1, 2] * 20; heapq.heapify(x)\nfor n in range(30): heapq.heappushpop(x, n % 3)",
            "x[:] = [Ordered(n * 7 % 5) for n in range(30)]; heapq.heapify(x)\nfor n in range(20): "
            "heapq.heappush(x, Ordered(2)); heapq.heappop(x); heapq.heapreplace(x, Ordered(3))",
            "bisect.insort(x, 0)",
            "bisect.insort_left(x, 2, lo=1)",
            "bisect.insort(x, 5, key=lambda v: -v)",
            "rng.shuffle(x)",
            "push = heapq.heappush\npush(x, 0)",
            "list(map(heapq.heapify, [x]))",
            "list(map(rng.shuffle, [x]))",
            "[*map(operator.setitem, [x], [0], [9])]",
            "for _ in map(functools.partial(heapq.heappush, x), [0, -1]): pass",
            "exec('x.append(4)')",
            "exec('x[0] = 9')",
            "eval('x.append(4)')",
            "copy.copy(x).append(4); x.append(5)",
        ],
    ),
    (
        "[[2, 1], [4, 3]]",
        [
            "x[0][1] = 9",
            "x[0].append(9)",
            "x[0] += [9]",
            "x[1][0] += 9",
            "x[0][0], x[1][1] = 8, 9",
            "x[0], x[1] = x[1], x[0]",
            "x.reverse()",
            "x.sort(reverse=True)",
            "for row in x:\n    row.sort()",
            "for row in x:\n    row += [5]",
            "[row.append(5) for row in x]",
            "heapq.heapify(x[0])",
            "list(map(list.sort, x))",
            "list(map(list.reverse, x))",
            "for i in range(2):\n    x[i] = x[i] + [0]",
            "x += [[5]]",
            "x *= 2",
            "x.append(x[0])",
            "x.pop(0).append(7)",
            "a, b = x\na.append(b)\nb.append(a)",
            "del x[0][0]",
            "del x[0][0], x[1]",
            "x[0][:] = []",
            "x[:] = [x[1], x[0]]",
            "x[0] = x[1] = []\nx[0].append(1)",
            "bisect.insort(x[0], 0)",
            "rng.shuffle(x)",
            "x[0].extend(x[1])",
            "x[0].__iadd__([5])",
            "operator.iadd(x[0], [5])",
        ],
    ),
    (
        "([1], 2)",
        [
            "x[0].append(5)",
            "x[0][0] += 5",
            "try:\n    x[0] += [5]\nexcept TypeError:\n    pass",
            "try:\n    x[0][:] = x[0] = [5]\nexcept TypeError:\n    pass",
        ],
    ),
    (
        "Stack([3, 1, 2])",
        [
            "x.push(4)",
            "x.append(4)",
            "x[0] = 9",
            "x[0] += 9",
            "x += [4]",
            "x *= 2",
            "del x[0]",
            "x.name = 'a'",
            "x.name = 'a'\nx.name += 'b'\ndel x.name",
            "x.sort()",
            "heapq.heapify(x)",
            "list.append(x, 5)",
            "rng.shuffle(x)",
            "x.me = x",
            "x.__dict__['name'] = 1",
            "x[1:] = [5]",
            "x.__class__ = Loud",
        ],
    ),
    (
        "Loud([3, 1, 2])",
        [
            "x[0] = 9",
            "x[0] += 9",
            "x[1:] = [5]",
            "del x[0]",
            "x.append(4)",
            "x.extend([4])",
            "x[0], x[1] = 8, 9",
            "for x[0] in (8, 9): pass",
            "operator.setitem(x, 0, 9)",
            "heapq.heappush(x, 0)",
            "rng.shuffle(x)",
        ],
    ),
    (
        "Box(a=[3, 1, 2])",
        [
            "x.a[0] = 9",
            "x.a += [9]",
            "x.a[1] += 9",
            "x.a.append(4)",
            "x.a.sort()",
            "del x.a[0]",
            "x.a, x.a[0] = [5, 6], 7",
            "heapq.heapify(x.a)",
            "heapq.heappush(x.a, 0)",
            "rng.shuffle(x.a)",
            "getattr(x, 'a').append(4)",
            "x.b = x.a\nx.b.append(4)",
            "x.push = x.a.append\nx.push(4)",
            "setattr(x, 'a', x.a + [4])",
            "x.a[:] = []\nx.a.append(x)",
        ],
    ),
    (
        "[Box(n=i) for i in range(3)]",
        [
            "x[0].n = 9",
            "x[0].n += 9",
            "x[0] = Box(n=5)",
            "x[1] = None\nx[1] = Box(n=6)",
            "x.sort(key=lambda b: -b.n)",
            "x.pop()\nx.append(Box(n=7))",
            "del x[:]\nx.extend(Box(n=i) for i in range(3))",
            "for b in x:\n    b.n *= 2",
            "rng.shuffle(x)",
            "x[:] = [b for b in x if b.n]",
            "for i in range(50):\n    x[1] = Box(n=i)",
            "for i in range(50):\n    x[1:2] = [Box(n=i)]",
            "for i in range(50):\n    x.pop()\n    operator.iadd(x, [Box(n=i)])",
        ],
    ),
)

UNCHANGED = {
    "x[5:] = []",
    "x += []",
    "x *= 1",
    "x.extend([])",
    "functools.partialmethod",
}

# Told by a new description of the same object.
RETYPED = {"x.__class__ = Loud": None}


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Witnessed]:
    with run_witnessed(tmp_path_factory.mktemp("lists"), case_program(PRELUDE, CASES)) as run:
        yield run


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_change(run: Witnessed, case: Case) -> None:
    check_case(run, case, RETYPED.get(case.op, case.op not in UNCHANGED))
