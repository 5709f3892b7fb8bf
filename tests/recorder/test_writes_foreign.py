"""Code that is not recorded changes what it is given: found out right after the call."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.recorder.conftest import Record, write_program
from tests.recorder.heap_compare import (
    Case,
    Witnessed,
    case_program,
    cases,
    check_case,
    run_witnessed,
)

# Excluded from recording by its name.
FOREIGN = """
import operator
from collections import deque

class Node:
    def __init__(self, value=None):
        self.value = value
        self.items = []
        self.next = None
        self.count = 0
    def change(self, value=9):
        self.value = value
        self.items.append(value)
        return self
    def change_next(self, value=9):
        self.next.value = value
    @property
    def prop(self):
        self.count += 1
        return self.count
    @prop.setter
    def prop(self, value):
        self.value = value
        self.items = [value]
    def __enter__(self):
        self.count += 1
        return self
    def __exit__(self, *error):
        self.count += 1
    def __iter__(self):
        self.count += 1
        return iter([1, 2])
    def __next__(self):
        self.count += 1
        return self.count
    def __add__(self, other):
        self.count += 1
        return 5
    def __iadd__(self, other):
        self.count += other
        return self
    def __getitem__(self, key):
        self.count += 1
        return key
    def __setitem__(self, key, value):
        self.items.append((key, value))
    def __delitem__(self, key):
        self.items.clear()
    def __len__(self):
        self.count += 1
        return 3
    def __call__(self, x):
        self.count += 1
        x.append(self.count)
    def __getattr__(self, name):
        if name.startswith('_'):
            raise AttributeError(name)
        self.count += 1
        return name

class Slots:
    __slots__ = ('sa', 'sb')
    def change(self):
        self.sa = self.sb = [1]

def set_item(x, key, value): x[key] = value
def set_attr(x, name, value): setattr(x, name, value)
def append(x, value): x.append(value)
def push(x, *path, value=9):
    for key in path:
        x = x[key] if not isinstance(key, str) or isinstance(x, dict) else getattr(x, key)
    x.append(value) if hasattr(x, 'append') else operator.setitem(x, 'new', value)
def store(x, *path, value=9):
    for key in path[:-1]:
        x = x[key] if not isinstance(key, str) or isinstance(x, dict) else getattr(x, key)
    if isinstance(path[-1], str) and not isinstance(x, dict):
        setattr(x, path[-1], value)
    else:
        x[path[-1]] = value
def replace_all(x):
    for i in range(len(x)):
        x[i] = [i]
def swap(x): x[0], x[-1] = x[-1], x[0]
def clear(x): x.clear()
def fill(x, n):
    for i in range(n): x.append(i)
def fail(x):
    x.append(1)
    raise KeyError
def each(xs, f):
    for x in xs: f(x)
def back(f, *args): return f(*args)
def several(*args, **kwargs):
    for x in (*args, *kwargs.values()): x.append(9)
def generator(x):
    for i in range(3):
        x.append(i)
        yield i
def class_attr(cls): cls.level = 9
def cell():
    kept = []
    def keep(x):
        kept.append(x)
        for y in kept: y.append(len(kept))
    return keep
def delete(x, name): delattr(x, name)
def through_dict(x): vars(x)['new'] = 9
def retype(x, cls): x.__class__ = cls
def deque_of(x): return deque(x)
def sort(x): x.sort()
def global_of(f): f.__globals__['changed_by_foreign'] = 1
"""

PRELUDE = """
# prop count value items next sa sb new
import functools, sys
import foreign
from foreign import Node, Slots, append, push

class Own:
    level = 1
    def __init__(self, **kw):
        for k in kw: setattr(self, k, kw[k])

class OwnNode(Node):
    def change(self):
        super().change(7)
        self.own = 1

class Extended(Node):
    def __init__(self):
        super().__init__(3)
        self.own = [1]

def bump(x):
    x.append('own')
"""

CASES = cases(
    (
        "[1, 2, 3]",
        [
            "foreign.set_item(x, 0, 9)",
            "append(x, 9)",
            "f = append\nf(x, 9)",
            "foreign.swap(x)",
            "foreign.clear(x)",
            "foreign.replace_all(x)",
            "foreign.fill(x, 100)",
            "foreign.several(x)",
            "foreign.several(k=x)",
            "foreign.several(*[x], **{'k': x})",
            "try:\n    foreign.fail(x)\nexcept KeyError:\n    pass",
            "foreign.back(bump, x)",
            "foreign.back(x.append, 9)",
            "foreign.each([x], bump)",
            "functools.partial(append, x)(9)",
            "list(foreign.generator(x))",
            "for i in foreign.generator(x): pass",
            "next(foreign.generator(x))",
            "g = foreign.generator(x)\nnext(g)\nx.append('between')\nlist(g)",
            "keep = foreign.cell()\nkeep(x)\nkeep([])",
            "foreign.back(foreign.back, foreign.swap, x)",
            "Node()(x)",
            "(lambda: append(x, 9))()",
            "[append(x, v) for v in (8, 9)]",
            "append(x, x)",
            "append(x, Node())\nx[-1].change()",
            "getattr(foreign, 'append')(x, 9)",
            "sys.modules['foreign'].append(x, 9)",
            "foreign.__dict__['append'](x, 9)",
            "list(map(foreign.swap, [x]))",
            "list(map(foreign.append, [x, x], [8, 9]))",
            "sorted([1], key=lambda v: append(x, v) or v)",
        ],
    ),
    (
        "{'a': [1], 'b': {'c': [2]}}",
        [
            "foreign.set_item(x, 'a', 9)",
            "push(x, 'a')",
            "push(x, 'b')",
            "push(x, 'b', 'c')",
            "foreign.clear(x)",
            "push(x['b'], 'c')",
            "foreign.several(x['a'], x['b']['c'])",
        ],
    ),
    (
        "[[[[[1]]]]]",
        [
            "push(x, 0)",
            "push(x, 0, 0)",
            "push(x, 0, 0, 0)",
            "push(x, 0, 0, 0, 0)",
            "foreign.store(x, 0)",
            "foreign.store(x, 0, 0)",
            "foreign.store(x, 0, 0, 0)",
            "foreign.store(x, 0, 0, 0, 0)",
            "foreign.store(x, 0, 0, 0, 0, 0)",
        ],
    ),
    (
        "Own(a=Own(b=Own(c=[1])))",
        [
            "foreign.store(x, 'a', 'b', 'c', 0)",
            "foreign.store(x, 'a', 'b', 'c')",
            "foreign.store(x, 'a', 'b')",
            "push(x, 'a', 'b', 'c')",
            "push(x.a, 'b', 'c')",
            "foreign.set_attr(x, 'a', 5)",
            "foreign.set_attr(x.a, 'new', 5)",
            "foreign.delete(x, 'a')",
            "foreign.delete(x.a.b, 'c')",
            "foreign.through_dict(x)",
            "foreign.through_dict(x.a)",
            "x.__dict__\nforeign.store(x, 'a', 'b', 'c', 0)",
            "x.a.__dict__\npush(x, 'a', 'b', 'c')",
        ],
    ),
    (
        "[[i] for i in range(300)]",
        [
            "push(x, 0)",
            "push(x, 150)",
            "push(x, 299)",
            "foreign.store(x, 100, 0)",
            "foreign.store(x, 150, 0)",
            "foreign.store(x, 299, 0)",
            "foreign.replace_all(x)",
            "foreign.swap(x)",
            "append(x, [5])",
        ],
    ),
    (
        "Node(1)",
        [
            "x.change()",
            "x.change().change(8)",
            "Node.change(x)",
            "f = x.change\nf()",
            "x.prop = 5",
            "x.value = 5",
            "x['k'] = 5",
            "del x['k']",
            "x += 5",
            "x.next = Node(2)\nx.change_next()",
            "x.next = x\nx.change_next()",
            "x.items.append(5)",
            "x.items += [5]",
            "setattr(x, 'prop', 5)",
            "x.prop, x.next = 5, 6",
            "x.__init__(7)",
            "x.__setitem__('k', 1)",
            "functools.partial(x.change, 5)()",
            "list(map(x.change, [1, 2]))",
            "foreign.back(x.change)",
            "x([])",
            "for x.value in (7, 8): pass",
            "x.__dict__['value'] = 7",
            "foreign.set_attr(x, 'prop', 4)",
        ],
    ),
    (
        "Slots()",
        ["x.change()", "x.sa = 5", "foreign.set_attr(x, 'sb', 6)", "x.change()\nx.sa.append(2)"],
    ),
    (
        "OwnNode(1)",
        [
            "x.change()",
            "x.change_next() if x.next else x.change()",
            "Node.change(x)",
            "x.value = 7",
            "x += 3",
        ],
    ),
    ("Extended()", ["x.change()", "x.own.append(2)", "x.__init__()\nx.value = 4"]),
    (
        "type('Made', (Own,), {'__module__': '__main__', 'level': 1})",
        ["foreign.class_attr(x)", "foreign.set_attr(x, 'level', 5)"],
    ),
)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Witnessed]:
    folder: Path = tmp_path_factory.mktemp("foreign")
    write_program(folder, FOREIGN, "foreign.py")
    with run_witnessed(folder, case_program(PRELUDE, CASES)) as run:
        yield run


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_call(run: Witnessed, case: Case) -> None:
    check_case(run, case)


# The interpreter calls methods of a foreign object without a call in the source.
IMPLICIT = cases(
    (
        "Node(1)",
        [
            "x.prop",
            "with x: pass",
            "for _ in x: pass",
            "next(x)",
            "x + 1",
            "x['k']",
            "len(x)",
            "list(x)",
            "x.anything",
            "[*x]",
            "a, b = x",
            "f'{x.prop}'",
            "bool(x)",
            "with x as y:\n    y.value = 5",
            "x.prop\nx.prop",
        ],
    ),
)


@pytest.fixture(scope="module")
def implicit_run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Witnessed]:
    folder: Path = tmp_path_factory.mktemp("implicit")
    write_program(folder, FOREIGN, "foreign.py")
    with run_witnessed(folder, case_program(PRELUDE, IMPLICIT)) as run:
        yield run


@pytest.mark.parametrize("case", IMPLICIT, ids=lambda case: case.name)
def test_call_without_a_call_expression(implicit_run: Witnessed, case: Case) -> None:
    check_case(implicit_run, case)


def test_exit_may_drop_the_traceback_it_was_given(record: Record) -> None:
    done = record(
        """\
        import unittest

        case = unittest.TestCase()
        for source in ("def f(", "1 +"):
            with case.assertRaises(SyntaxError) as caught:  # which drops the traceback
                compile(source, "<text>", "exec")
            print(type(caught.exception).__name__)
        """
    )
    assert done.stdout == "SyntaxError\nSyntaxError\n"


@pytest.mark.xfail(reason="foreign code is looked at when it has ended, not when it calls back")
def test_changes_by_foreign_code_before_a_callback_are_found(tmp_path: Path) -> None:
    write_program(tmp_path, "def tell(x, back):\n    x['new'] = 1\n    back(x)\n", "foreign.py")
    program = """
import foreign

def told(x):
    mark('back', x)

known = {}
mark('before', known)
foreign.tell(known, told)
"""
    with run_witnessed(tmp_path, program) as run:
        run.agree("back")
