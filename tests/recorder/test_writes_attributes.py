"""Every way to change an attribute is recorded: of instances, classes, modules, functions ..."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.recorder.conftest import write_program
from tests.recorder.heap_compare import (
    Case,
    Witnessed,
    case_program,
    cases,
    check_case,
    run_witnessed,
)

PRELUDE = """
# attributes of the library's objects: _Private__other
import argparse, collections, copy, dataclasses, functools, itertools, operator, pickle, queue
import sys, threading, types
from collections import namedtuple
from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple
import helper

class Plain:
    pass

class Five:
    def __enter__(self):
        return 5
    def __exit__(self, *error):
        pass

class Point:
    def __init__(self, px=1, py=2):
        self.px = px
        self.py = py
    def move(self, by):
        self.px += by
        self.py += by
        return self

class Other(Point):
    kind = 'other'

class Slotted:
    __slots__ = ('sa', 'sb', '__weakref__')
    def __init__(self):
        self.sa = 1

class SlottedToo(Slotted):
    __slots__ = ('sc',)

class Mixed(Slotted):
    pass

class Private:
    def __init__(self):
        self.__hidden = 1
    def change(self):
        self.__hidden += 1
        self.__other = self.__hidden

class Celsius:
    def __init__(self):
        self._degrees = 20
    @property
    def degrees(self):
        return self._degrees
    @degrees.setter
    def degrees(self, value):
        self._degrees = value
    @degrees.deleter
    def degrees(self):
        del self._degrees

class Field:
    def __set_name__(self, owner, name):
        self.name = '_' + name
    def __get__(self, obj, owner=None):
        return self if obj is None else getattr(obj, self.name, None)
    def __set__(self, obj, value):
        setattr(obj, self.name, value)
    def __delete__(self, obj):
        delattr(obj, self.name)

class Described:
    fd = Field()

class Watched:
    def __init__(self):
        object.__setattr__(self, 'log', [])
    def __setattr__(self, name, value):
        self.log.append(name)
        super().__setattr__(name, value)
    def __delattr__(self, name):
        self.log.append('-' + name)
        object.__delattr__(self, name)

class Redirected:
    def __init__(self):
        self.__dict__['store'] = {}
    def __setattr__(self, name, value):
        self.store[name] = value
    def __getattr__(self, name):
        return self.store[name]

class Lazy:
    @functools.cached_property
    def cp(self):
        return [1]

class Filled:
    def __getattr__(self, name):
        if name.startswith('_'):
            raise AttributeError(name)
        self.late = name
        return name

class Wide:
    def __init__(self):
        for i in range(250):
            setattr(self, NAMES[i], i)

class Number(int):
    pass

class Text(str):
    pass

class Real(float):
    pass

class Pair(tuple):
    pass

class Frozen(frozenset):
    pass

class Oops(Exception):
    def __init__(self, message, code):
        super().__init__(message)
        self.code = code

class Meta(type):
    pass

class WithMeta(metaclass=Meta):
    level = 1

class Singleton:
    instance = None
    def __new__(cls):
        if cls.instance is None:
            cls.instance = super().__new__(cls)
        return cls.instance

class Config:
    level = 1
    items = []
    def method(self):
        pass

@dataclass
class Data:
    da: int
    db: list = field(default_factory=list)
    def __post_init__(self):
        self.dc = self.da * 2

@dataclass(frozen=True)
class Fixed:
    da: int
    db: list = field(default_factory=list)

@dataclass(slots=True)
class Thin:
    da: int
    db: list = field(default_factory=list)

class Named(NamedTuple):
    na: list
    nb: int = 0

def plain_function():
    pass

queues = []
def new_queue():
    queues.append(queue.Queue())
    return queues[-1]

NAMES = ['w%03d' % i for i in range(400)]
WORDS
rng_names = iter(NAMES)
""".replace("WORDS", "# " + " ".join(f"w{i:03}" for i in range(300)))

POINT = [
    "x.px = 9",
    "x.px += 9",
    "x.new = 9",
    "x.new = x",
    "x.px, x.py = x.py, x.px",
    "x.px = x.new = 7",
    "a, *x.new = 1, 2, 3",
    "x.px: int = 7",
    "x.new: list = []\nx.new.append(x)",
    "(x.px) = 7",
    "for x.px in range(3): pass",
    "for x.px, x.new in [(1, 2), (3, 4)]: pass",
    "[0 for x.px in range(3)]",
    "with open(__file__) as x.new: pass\ndel x.new",
    "with Five() as x.px: pass",
    "with Five() as x.px, Five() as x.new: x.px += 1",
    "del x.px",
    "del x.px, x.py",
    "del (x.px, [x.py])",
    "del x.px\nx.px = 5",
    "setattr(x, 'px', 9)",
    "setattr(x, 'new', 9)",
    "delattr(x, 'px')",
    "x.__setattr__('px', 9)",
    "object.__setattr__(x, 'px', 9)",
    "object.__delattr__(x, 'px')",
    "x.__delattr__('px')",
    "vars(x)['px'] = 9",
    "vars(x)['new'] = 9",
    "d = vars(x)\nd['px'] = 8\nd['new'] = 9\ndel d['py']",
    "x.__dict__['px'] = 9",
    "x.__dict__['px'] += 9",
    "del x.__dict__['px']",
    "x.__dict__.update(px=8, new=9)",
    "x.__dict__.update({'px': 8})",
    "vars(x).update(new=9)",
    "x.__dict__.pop('px')",
    "x.__dict__.popitem()",
    "x.__dict__.setdefault('new', []).append(1)",
    "x.__dict__.clear()",
    "x.__dict__ |= {'new': 9}",
    "x.__dict__ = {'new': 9}",
    "x.__dict__ = {'new': 9}\nx.px = 1\nx.new = 2",
    "d = {'new': 9}\nx.__dict__ = d\nd['px'] = 5\nx.py = 6",
    "d = x.__dict__\nx.px = 8\nd['py'] = 9\nx.new = 1",
    "d = getattr(x, '__dict__')\nd['px'] = 9",
    "d = object.__getattribute__(x, '__dict__')\nd['new'] = 9",
    "operator.setitem(x.__dict__, 'px', 9)",
    "operator.setitem(vars(x), 'px', 9)",
    "x.__dict__ = vars(Point(7, 8))",
    "x.move(5)",
    "x.move(1).move(2)",
    "Point.move(x, 5)",
    "operator.methodcaller('move', 5)(x)",
    "list(map(x.move, [1, 2]))",
    "list(map(Point.move, [x], [5]))",
    "functools.partial(setattr, x, 'px')(9)",
    "list(map(functools.partial(setattr, x), ['px', 'new'], [8, 9]))",
    "[setattr(x, n, 0) for n in ('px', 'new')]",
    "x.__init__(5, 6)",
    "Point.__init__(x, 5, 6)",
    "x.__class__ = Other",
    "x.__class__ = Other\nx.px = 9",
    "x.px = []\nx.px += [1]\nx.px *= 2",
    "x.px = 'a'\nx.px += 'b'",
    "x.px = Plain()\nx.px.inner = Plain()\nx.px.inner.deep = 1\nx.px.inner.deep += 1",
    "x.px = {}\nx.px['k'] = []\nx.px['k'].append(1)\nx.px['k'][0] += 1",
    "x.px = x.py = Plain()\nx.px.new = 1\nx.py.new += 1",
    "for i in range(300):\n    x.px = i + 1000",
    "for i in range(50):\n    x.px = Plain()",
    "for i in range(50):\n    x.px = [i]",
    "for i in range(100):\n    setattr(x, NAMES[i], i)",
    "x.move = 5",
    "x.move = lambda by: setattr(x, 'px', by)\nx.move(3)",
    "copy.copy(x).px = 5\nx.py = 6",
    "y = x\ny.px = 5",
    "exec('x.px = 9')",
    "exec('x.new = 9')",
    "try:\n    x.px, x.py = 5, 1 / 0\nexcept ZeroDivisionError:\n    x.px = 4",
    "try:\n    x.px, x.py, x.zz.q = 5, 6, 7\nexcept AttributeError:\n    pass",
    "x.__setstate__({'px': 5}) if hasattr(x, '__setstate__') else vars(x).update(px=5)",
    "match (5, 6):\n    case (a, b):\n        x.px, x.py = a, b",
    "try:\n    raise ValueError\nexcept ValueError as e:\n    x.new = 1",
    "x.new = [y := 3, y]",
    "while (x.px):\n    x.px -= 1",
    "x.px = x.py = x.new = None",
    "x.px = yielded = [*range(3)]\nyielded.append(4)",
    "def inner():\n    x.px = 5\ninner()",
    "class Inner:\n    x.px = 5",
    "(lambda: setattr(x, 'px', 5))()",
    "[y.move(1) for y in [x, x]]",
]

CASES = cases(
    ("Point()", POINT),
    (
        "Plain()",
        [
            "x.new = 1",
            "setattr(x, 'new', 1)",
            "x.__dict__['new'] = 1",
            "vars(x).update(new=1)",
            "x.w001 = 1\nx.w002 = 2\ndel x.w001\nx.w001 = 3",
            "x.__class__ = Point\nx.px = 1",
        ],
    ),
    (
        "Slotted()",
        [
            "x.sa = 9",
            "x.sb = 9",
            "x.sa += 9",
            "del x.sa",
            "setattr(x, 'sb', 9)",
            "delattr(x, 'sa')",
            "x.sa, x.sb = 8, 9",
            "for x.sb in (1, 2): pass",
            "Slotted.sa.__set__(x, 9)",
            "object.__setattr__(x, 'sb', x)",
            "x.sa = []\nx.sa += [1]",
            "x.sb = x.sa = Plain()",
            "try:\n    x.sa = 5\n    x.nope = 6\nexcept AttributeError:\n    pass",
            "for i in range(50):\n    x.sb = Plain()",
            "x.__init__()\nx.sb = 3",
            "list(map(functools.partial(setattr, x, 'sb'), [1, 2]))",
        ],
    ),
    ("SlottedToo()", ["x.sc = 1", "x.sa = 5", "x.sa = x.sc = []", "del x.sa\nx.sb = 1"]),
    ("Mixed()", ["x.sa = 5", "x.new = 5", "x.sb = x.new = 1\ndel x.sa", "x.__dict__['new'] = 5"]),
    ("Private()", ["x.change()", "x.change()\nx.change()", "x._Private__hidden = 7"]),
    (
        "Celsius()",
        [
            "x.degrees = 30",
            "x.degrees += 5",
            "del x.degrees",
            "setattr(x, 'degrees', 30)",
            "Celsius.degrees.fset(x, 30)",
            "Celsius.degrees.__set__(x, 30)",
            "x._degrees = 30",
            "x.degrees, x._degrees = 30, 31",
            "for x.degrees in (1, 2): pass",
            "operator.attrgetter('degrees')(x)\nx.degrees = 4",
        ],
    ),
    ("Described()", ["x.fd = 1", "x.fd = 1\nx.fd += 1", "x.fd = 1\ndel x.fd", "x._fd = 5"]),
    (
        "Watched()",
        [
            "x.new = 1",
            "x.new = 1\nx.new += 1",
            "x.new = 1\ndel x.new",
            "setattr(x, 'new', 1)",
            "x.new, x.px = 1, 2",
            "object.__setattr__(x, 'new', 1)",
            "x.__dict__['new'] = 1",
            "for x.new in (1, 2): pass",
        ],
    ),
    (
        "Redirected()",
        ["x.new = 1", "x.new = 1\nx.new += 1", "x.new, x.px = 1, 2", "setattr(x, 'new', 1)"],
    ),
    (
        "Lazy()",
        ["x.cp", "x.cp.append(2)", "x.cp\nx.cp", "getattr(x, 'cp')", "x.cp = 5", "x.cp\ndel x.cp"],
    ),
    ("Filled()", ["x.missing", "getattr(x, 'missing', None)", "x.missing\nx.late += '!'"]),
    (
        "Wide()",
        [
            "x.w001 = 'a'",
            "x.w249 = 'a'",
            "x.w260 = 'a'",
            "setattr(x, 'w248', 'a')",
            "del x.w249",
            "vars(x)['w245'] = 'a'",
            "vars(x).update(w246='a')",
            "x.w249 += 1",
        ],
    ),
    (
        "types.SimpleNamespace(na=1)",
        [
            "x.na = 2",
            "x.new = 3",
            "del x.na",
            "setattr(x, 'new', 3)",
            "x.__dict__.update(new=3)",
            "x.na += 5",
            "vars(x)['new'] = 3",
        ],
    ),
    (
        "argparse.Namespace(na=1)",
        ["x.na = 2", "x.new = 3", "setattr(x, 'na', 4)", "vars(x)['new'] = 5"],
    ),
    ("argparse.Namespace(na=[])", ["x.na.append(1)", "x.na += [1]", "x.new = x.na"]),
    (
        "Data(1)",
        [
            "x.da = 2",
            "x.db.append(1)",
            "x.db = []",
            "x.da += 1",
            "x.__init__(5, [6])",
            "x.dc = None",
            "dataclasses.replace(x, da=9)\nx.da = 10",
            "x.__post_init__()\nx.da = 3",
        ],
    ),
    (
        "Fixed(1)",
        [
            "object.__setattr__(x, 'da', 2)",
            "x.db.append(1)",
            "x.__dict__['da'] = 5",
            "try:\n    x.da = 5\nexcept dataclasses.FrozenInstanceError:\n    x.db.append(2)",
        ],
    ),
    (
        "Thin(1)",
        ["x.da = 2", "x.db.append(1)", "x.db = []", "x.da += 1", "setattr(x, 'da', 4)", "del x.da"],
    ),
    (
        "Named([1])",
        ["x.na.append(2)", "x[0].append(2)", "x._replace(nb=5).na.append(3)", "x.na[0] += 1"],
    ),
    (
        "Number(5)",
        [
            "x.new = 1",
            "x.new = 1\nx.new += 1",
            "x.new = 1\ndel x.new",
            "setattr(x, 'new', 1)",
            "x.__dict__['new'] = 1",
            "x.new = x",
        ],
    ),
    ("Text('abc')", ["x.new = 1", "vars(x).update(new=1)", "x.new = []\nx.new.append(x)"]),
    ("Real(0.5)", ["x.new = 1", "setattr(x, 'new', 1)"]),
    (
        "Pair([1, []])",
        ["x.new = 1", "x[1].append(5)", "x.new = [1]\nx.new.append(x)", "x.__dict__['new'] = 1"],
    ),
    ("Frozen([1, 2])", ["x.new = 1", "x.new = {}\nx.new['k'] = x"]),
    (
        "Oops('bad', 7)",
        [
            "x.code = 8",
            "x.args = (1, 2)",
            "x.new = x",
            "x.code += 1",
            "x.__cause__ = KeyError('k')",
            "x.__context__ = KeyError('k')",
            "del x.code",
            "try:\n    raise x from ValueError('v')\nexcept Oops:\n    pass",
            "try:\n    try:\n        1 / 0\n    finally:\n        raise x\nexcept Oops:\n    pass",
            "try:\n    raise x\nexcept Oops as e:\n    e.code = 9",
            "setattr(x, 'code', 10)",
        ],
    ),
    (
        "type('Fresh', (Config,), {'level': 1, '__module__': '__main__'})",
        [
            "x.level = 2",
            "x.level += 2",
            "x.new = []",
            "x.new = []\nx.new.append(1)",
            "del x.level",
            "setattr(x, 'level', 3)",
            "setattr(x, 'new', 3)",
            "delattr(x, 'level')",
            "type.__setattr__(x, 'level', 4)",
            "x().__class__.level = 5",
            "x().__class__.level += 5",
            "type(x()).new = 1",
            "x.level, x.new = 8, 9",
            "for x.level in (7, 8): pass",
            "o = x()\no.level = 5\nx.level = 6",
            "x.method = len",
            "x.level = x",
            "functools.partial(setattr, x, 'level')(9)",
        ],
    ),
    (
        "Meta('Made', (), {'level': 1, '__module__': '__main__'})",
        ["x.level = 2", "x.new = 3", "del x.level", "x.level += 1", "setattr(x, 'new', 4)"],
    ),
    (
        "helper",
        [
            "x.number = 5",
            "x.number += 5",
            "x.fresh = 6",
            "setattr(x, 'number', 7)",
            "x.change(8)",
            "x.number, x.fresh = 1, 2",
            "del x.fresh",
            "x.__dict__['number'] = 9",
            "vars(x)['number'] = 10",
            "x.items.append(1)",
            "sys.modules['helper'].number = 11",
            "for x.number in (1, 2): pass",
            "x.Inner.level = 3",
            "exec('number = 12', vars(x))",
            "vars(x).update(number=13)",
            "x.bump()",
            "x.remove()",
        ],
    ),
    (
        "types.FunctionType(plain_function.__code__, globals())",
        [
            "x.calls = 0",
            "x.calls = 0\nx.calls += 1",
            "x.cache = {}\nx.cache['k'] = 1",
            "x.me = x",
            "setattr(x, 'calls', 1)",
            "x.__dict__['calls'] = 1",
            "x.calls = 1\ndel x.calls",
            "functools.update_wrapper(x, len, (), ())\nx.calls = 5",
        ],
    ),
    (
        "[Point(), Point()]",
        [
            "x[0].px = 5",
            "x[0].px, x[1].px = 5, 6",
            "for p in x:\n    p.move(1)",
            "x[0].px += 1",
            "x[0].px = x[1]\nx[0].px.py = 7",
            "list(map(Point.move, x, [1, 2]))",
            "list(map(operator.methodcaller('move', 3), x))",
            "x[0].__dict__, x[1].__dict__ = {}, {'px': 1}",
            "x.sort(key=lambda p: p.move(1).px)",
            "x[0].__dict__.update(vars(x[1]))\nx[0].px = 8",
            "x[0].__dict__ = x[1].__dict__\nx[0].px = 8",
            "setattr(x[0], 'px', x)",
        ],
    ),
    (
        "new_queue().queue",
        [
            "queues[-1].put(1)",
            "queues[-1].put([])\nqueues[-1].queue[0].append(1)",
            "queues[-1].put(1)\nqueues[-1].get()\nqueues[-1].put(2)",
        ],
    ),
)

UNCHANGED = {
    ("Named([1])", "x._replace(nb=5).na.append(3)"): True,
    ("Point()", "x.__class__ = Other"): None,
    ("Point()", "x.__dict__ = vars(Point(7, 8))"): None,
    ("[Point(), Point()]", "x[0].__dict__ = x[1].__dict__\nx[0].px = 8"): None,
}

HELPER = """
number = 1
items = []
fresh = None

class Inner:
    level = 1

def change(value):
    global number
    number = value

def bump():
    global number
    number += 1
    globals()['fresh'] = number

def remove():
    global fresh
    fresh = 1
    del fresh
"""


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Witnessed]:
    folder: Path = tmp_path_factory.mktemp("attributes")
    write_program(folder, HELPER, "helper.py")
    with run_witnessed(folder, case_program(PRELUDE, CASES)) as run:
        yield run


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_change(run: Witnessed, case: Case) -> None:
    check_case(run, case, UNCHANGED.get((case.make, case.op), True))
