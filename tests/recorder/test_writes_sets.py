"""Every way to change a set or a deque is recorded."""

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
import copy, functools, itertools, operator, random
from collections import deque

class Plain:
    def __init__(self, n=0):
        self.n = n

class Key(Plain):
    def __hash__(self):
        return hash(self.n)
    def __eq__(self, other):
        return isinstance(other, Key) and self.n == other.n

class Bag(set):
    def put(self, value):
        self.add(value)

class Loud(set):
    def add(self, value):
        self.last = value
        super().add(value)

class Queue(deque):
    def put(self, value):
        self.append(value)

class Backwards(deque):
    def __iter__(self):
        return reversed(self)

def broken(*values):
    yield from values
    raise KeyError

rng = random.Random(3)
plain, key = Plain(), Key(1)
"""

SET = [
    "x.add(4)",
    "x.add(1)",
    "x.add(1.0)",
    "x.add((1, 2)); x.add((1.0, 2)); x.add((2, 1))",
    "x.add(plain)\nx.add(plain)\nx.add(Plain())",
    "x.add(Key(5))\nx.add(Key(5))\nx.discard(Key(5))",
    "x.add(Key(5))\nx.remove(Key(5))",
    "x.add(frozenset({1}))\nx.discard({1})",
    "x.add(frozenset({1}))\nx.remove({1})",
    "x.add(frozenset({1}))\nx.add(frozenset({1}))",
    "x.add(None); x.add(...); x.add('a'); x.add(b'a'); x.add(0.5); x.add(1j); x.add(2**80)",
    "x.add(float('nan'))",
    "x.add(0)\nx.add(False)\nx.add(-0.0)",
    "x.discard(1)",
    "x.discard(True)",
    "x.discard(9)",
    "x.remove(1)",
    "x.remove(1.0)",
    "x.pop()",
    "x.clear()",
    "x.clear()\nx.add(7)",
    "x.update([4, 5])",
    "x.update([4], (5,), {6})",
    "x.update({4: 5})",
    "x.update(range(3, 9))",
    "x.update(x)",
    "x.difference_update({1, 2})",
    "x.difference_update({1}, {2})",
    "x.intersection_update({1, 9})",
    "x.intersection_update([1.0, 2])",
    "x.intersection_update([True])",
    "x.add(0)\nx.intersection_update([-0.0])",
    "x.difference_update({1})\nx |= {1.0}",
    "x ^= {1}\nx ^= {1.0}",
    "x.symmetric_difference_update({1, 9})",
    "x |= {4}",
    "x &= {1}",
    "x -= {1}",
    "x ^= {1, 4}",
    "x -= x",
    "x.__ior__({4})",
    "x.__isub__({1})",
    "x.__init__([7])",
    "set.add(x, 4)",
    "set.update(x, {4}, {5})",
    "set.__ior__(x, {4})",
    "operator.ior(x, {4})",
    "operator.iand(x, {1})",
    "operator.isub(x, {1})",
    "operator.ixor(x, {1, 4})",
    "functools.partial(x.add, 4)()",
    "f = x.add\nf(4)",
    "list(map(x.add, [4, 5]))",
    "list(map(x.discard, [1, 2]))",
    "deque(map(x.add, [4, 5]), maxlen=0)",
    "[x.add(v) for v in (4, 5)]",
    "functools.reduce(operator.ior, [{4}, {5}], x)",
    "list(filter(x.add, [4, 5]))",
    "[v for v in [1, 4, 1, 4] if not (v in x or x.add(v))]",
    "operator.methodcaller('add', 4)(x)",
    "exec('x.add(4)')",
    "for i in range(100):\n    x.add(i)\nfor i in range(0, 100, 2):\n    x.discard(i)",
    "for i in range(50):\n    x.add(Plain())\nwhile x:\n    x.pop()",
    "for i in range(30):\n    x.add(Key(i))\nfor i in range(0, 30, 2):\n    x.remove(Key(i))",
    "while x:\n    x.pop()",
    "try:\n    x.update(broken(4, 5))\nexcept KeyError:\n    pass",
    "try:\n    x.update([4], [[]])\nexcept TypeError:\n    pass",
    "try:\n    x.difference_update(broken(1, 2))\nexcept KeyError:\n    pass",
    "try:\n    x.add(4)\n    x.add([])\nexcept TypeError:\n    pass",
    "try:\n    x.discard(1)\n    x.remove(9)\nexcept KeyError:\n    pass",
]

DEQUE = [
    "x.append(4)",
    "x.appendleft(4)",
    "x.append(x)",
    "x.extend([4, 5])",
    "x.extend(x)",
    "x.extendleft([4, 5])",
    "x.insert(1, 9)",
    "x.insert(-1, 9)",
    "x.insert(99, 9)",
    "x.pop()",
    "x.popleft()",
    "x.remove(1)",
    "x.reverse()",
    "x.rotate()",
    "x.rotate(2)",
    "x.rotate(-1)",
    "x.rotate(0)",
    "x.rotate(100)",
    "x.rotate(-10)",
    "x.rotate(True)",
    "x.clear()",
    "x[0] = 9",
    "x[-1] = 9",
    "x[0] += 9",
    "x[1], x[0] = x[0], x[1]",
    "del x[0]",
    "del x[-1]",
    "x += [4, 5]",
    "x += x",
    "x *= 2",
    "x *= 0",
    "for x[0] in (7, 8): pass",
    "x.__init__([7, 8])",
    "deque.append(x, 4)",
    "x.__setitem__(0, 9)",
    "x.__iadd__([4])",
    "operator.setitem(x, 0, 9)",
    "operator.delitem(x, 0)",
    "operator.iadd(x, [4])",
    "functools.partial(x.appendleft, 4)()",
    "list(map(x.append, [4, 5]))",
    "list(map(x.appendleft, [4, 5]))",
    "list(iter(x.pop, 1))",
    "rng.shuffle(x)",
    "exec('x.append(4)')",
    "[x.append(v) for v in (4, 5)]",
    "for i in range(200):\n    x.append(i)\n    if i % 3:\n        x.popleft()",
    "for i in range(200):\n    x.appendleft(i)\n    if i % 3:\n        x.pop()",
    "for i in range(60):\n    x.append(Plain(i))\n    x.popleft()",
    "for i in range(60):\n    x.append(Plain(i))\n    x.rotate(3)\n    x.popleft()",
    "try:\n    x.extend(broken(4, 5))\nexcept KeyError:\n    pass",
    "try:\n    x.extendleft(broken(4, 5))\nexcept KeyError:\n    pass",
    "try:\n    x += broken(4, 5)\nexcept KeyError:\n    pass",
    "try:\n    x[0] = 5\n    x[9] = 6\nexcept IndexError:\n    pass",
    "try:\n    while True:\n        x.popleft()\nexcept IndexError:\n    pass",
]

CASES = cases(
    ("{1, 2, 3}", SET),
    (
        "{'b', ('c', 1), key, plain}",
        [
            "x.add('d')",
            "x.remove('b')",
            "x.discard(('c', 1))",
            "x.discard(Key(1))",
            "x.remove(key)",
            "x.discard(plain)",
            "x -= {Key(1)}",
            "x |= {Key(1), Key(2)}",
            "x.intersection_update([('c', 1.0), Key(1)])",
            "x ^= {Key(1), 'b', plain}",
            "while x:\n    x.pop()",
            "key_is_there = Key(1) in x\nx.clear()\nx.add(key)",
        ],
    ),
    (
        "Bag([1, 2])",
        [
            "x.put(3)",
            "x.add(3)",
            "x |= {3}",
            "x.name = 1",
            "x.name = []\nx.name.append(x)",
            "x -= {1}",
            "set.add(x, 4)",
            "x.discard(1)",
            "x.update([5])",
            "x.__dict__['name'] = 1",
        ],
    ),
    ("Loud([1, 2])", ["x.add(3)", "x.update([3])", "set.add(x, 3)", "x |= {3}"]),
    (
        "[{1}, {2}]",
        [
            "x[0] |= {3}",
            "x[0].add(3)",
            "x[0] &= x[1]",
            "for s in x:\n    s.add(9)",
            "for s in x:\n    s |= {9}",
            "operator.ior(x[0], {3})",
            "list(map(set.clear, x))",
            "a, b = x\na ^= b",
        ],
    ),
    ("deque([3, 1, 2])", DEQUE),
    (
        "deque([3, 1, 2], maxlen=3)",
        [
            "x.append(4)",
            "x.appendleft(4)",
            "x.extend([4, 5])",
            "x.extendleft([4, 5, 6, 7])",
            "x += [4, 5]",
            "x.rotate(1)",
            "x.pop()\nx.append(5)",
            "x.pop()\nx.insert(0, 5)",
            "x *= 2",
            "list(map(x.append, [4, 5]))",
            "x.append(x[0])",
            "for i in range(40):\n    x.append(Plain(i))",
            "for i in range(40):\n    x.appendleft([i])",
        ],
    ),
    ("deque([1], maxlen=1)", ["x.append(2)", "x.appendleft(2)", "x.append(x)", "x[0] = 3"]),
    ("deque([], maxlen=0)", ["x.append(2)", "x.extend([1, 2])"]),
    (
        "Queue([3, 1, 2])",
        [
            "x.put(4)",
            "x.append(4)",
            "x.name = 1",
            "x[0] = 5",
            "x += [5]",
            "x.rotate(1)",
            "x.popleft()",
            "rng.shuffle(x)",
            "x.name = 'n'\ndel x.name",
        ],
    ),
    ("Backwards([3, 1, 2])", ["x.append(4)", "x.extend([4, 5])", "x.popleft()", "x.rotate(1)"]),
    (
        "deque([[1], [2]])",
        [
            "x[0].append(5)",
            "x[0] += [5]",
            "x.rotate(1)\nx[0].append(5)",
            "x.append(x.popleft())",
            "for row in x:\n    row.append(0)",
            "x.extend([x[0]])\nx[-1].append(8)",
        ],
    ),
)

UNCHANGED = {
    "x.add(1)",
    "x.add(1.0)",
    "x.discard(9)",
    "x.update(x)",
    "x.rotate(0)",
}
UNCHANGED_MAKES = {"deque([], maxlen=0)"}


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Witnessed]:
    with run_witnessed(tmp_path_factory.mktemp("sets"), case_program(PRELUDE, CASES)) as run:
        yield run


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_change(run: Witnessed, case: Case) -> None:
    changes = case.op not in UNCHANGED and case.make not in UNCHANGED_MAKES
    check_case(run, case, None if case.op == "x *= 2" and "maxlen" in case.make else changes)
